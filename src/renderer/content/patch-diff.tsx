import { useMemo, useState } from 'react'
import { textLines } from '#core/tools/line-diff.ts'
import { formatPlural } from '../ui/format.ts'
import { languageOfPath } from './code-language.ts'
import { DiffBlock } from './diff-block.tsx'
import { diffCounts, type DiffLayout } from './diff-rows.ts'
import { DiffTable } from './diff-table.tsx'
import { wholeDiffText } from './diff-text.ts'
import { LineList } from './line-list.tsx'
import { type FilePatch, readPatch } from './patch-text.ts'

/** Files shown at first, and per "more". */
const fewFiles = 20
/** Lines parsed at first, and per "more". */
const fewLines = 20_000

/** A unified diff, or a patch with `*** Begin Patch`, by file. `path`: the file, if the patch does not state it. */
export function PatchDiff({ patch, path, layout }: { patch: string; path?: string | undefined; layout: DiffLayout }) {
  const [read, setRead] = useState(fewLines)
  const files = useMemo(() => readPatch(patch, read), [patch, read])
  const lines = useMemo(() => textLines(patch).length, [patch])
  const [shown, setShown] = useState(fewFiles)
  if (files.length === 0) return <p className="t3">The patch is empty.</p>
  return (
    <>
      {files.slice(0, shown).map((file, position) => (
        <File key={position} file={file} path={file.path ?? path ?? null} layout={layout} />
      ))}
      {files.length > shown && (
        <button type="button" className="btn edged" onClick={() => setShown(shown + fewFiles)}>
          Show {formatPlural(Math.min(fewFiles, files.length - shown), 'more file')} of {files.length}
        </button>
      )}
      {lines > read && (
        <button type="button" className="btn edged" onClick={() => setRead(read + fewLines)}>
          Show {formatPlural(Math.min(fewLines, lines - read), 'more line')} of {formatPlural(lines, 'line')}
        </button>
      )}
    </>
  )
}

function File({ file, path, layout }: { file: FilePatch; path: string | null; layout: DiffLayout }) {
  const { kind, movedTo, parts, before, after } = file
  // Text before a patch, such as its command or other output.
  if (path === null && parts.every((part) => part.kind === 'note')) {
    return <LineList label="Text around the patch" text={parts.map(({ text }) => text).join('\n')} wrap />
  }
  const what = movedTo !== null ? `moved to ${movedTo}` : kind === 'updated' ? undefined : kind
  return (
    <DiffBlock path={path} what={what} {...diffCounts(parts)} copy={() => wholeDiffText(parts, before, after)}>
      {parts.length === 0 ? (
        <p className="more t3">
          {kind === 'deleted' ? 'The file was deleted. The patch does not contain its lines.' : 'No lines changed.'}
        </p>
      ) : (
        <DiffTable
          label={path === null ? 'Changes' : `Changes of ${path}`}
          parts={parts}
          before={before}
          after={after}
          language={path === null ? null : languageOfPath(movedTo ?? path)}
          layout={layout}
        />
      )}
    </DiffBlock>
  )
}
