import { fileNameOf, type MainFile, type RunSearch } from '../run-search.ts'

/** How to find the transcripts of subagents: `<id>/subagents/<agent>.jsonl` beside `<id>/<id>.jsonl`. */
export function cursorRunFiles(main: MainFile): RunSearch | null {
  if (!main.name.endsWith('.jsonl') || main.folders.at(-1) === 'subagents') return null
  const key = main.name.slice(0, -'.jsonl'.length)
  return {
    key,
    folders: [{ path: 'subagents', depth: 0 }],
    mayBelong: (path) => fileNameOf(path).endsWith('.jsonl'),
    linkOf: ({ path, records }) => (records.length === 0 ? null : { key: path, parent: key })
  }
}
