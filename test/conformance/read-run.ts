import { dirname, relative } from 'node:path/posix'
import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { headOf } from '../../src/core/formats/head.ts'
import type { ReadLine } from '../../src/core/formats/folded-lines.ts'
import type { FoldedEvent, LineMark, MissingLogs } from '../../src/core/formats/log-format.ts'
import { RunReader, type RunSource } from '../../src/core/formats/run-reader.ts'
import { fileNameOf } from '../../src/core/formats/run-search.ts'
import { stamp } from '../../src/core/formats/stamp.ts'
import { corpusBytes, corpusFiles } from './corpus.ts'
import { openLog } from './read-log.ts'

/** A run of the corpus, all its files read as one. */
export interface RunSeen {
  readonly events: readonly AgentEvent[]
  readonly marks: readonly LineMark[]
  readonly missing: MissingLogs
}

/** The run's other files, as its format finds them. */
export function filesBeside(main: string): (RunSource & { readonly bytes: Uint8Array })[] {
  const bytes = corpusBytes(main)
  const head = headOf(fileNameOf(main), bytes)
  const search = openLog(bytes).format.runFiles?.({
    name: fileNameOf(main),
    folders: dirname(main).split('/'),
    records: head.records,
    modified: 0
  })
  if (search === undefined || search === null) return []
  const folder = dirname(main)
  const below = corpusFiles(`${folder}/`).filter((path) => path !== main)
  return below.flatMap((path) => {
    const name = relative(folder, path)
    if (!search.mayBelong(name)) return []
    const fileBytes = corpusBytes(path)
    const { records, framing } = headOf(fileNameOf(path), fileBytes)
    const companion = search.companionOf?.(path)
    const beside =
      companion !== undefined && below.includes(companion) ? { companion: JSON.parse(text(companion)) } : {}
    const link = search.linkOf({ path: name, records, ...beside })
    if (link === null || link.hidden !== undefined) return []
    return [{ name, framing, callId: link.callId, bytes: fileBytes }]
  })
}

function text(path: string): string {
  return new TextDecoder().decode(corpusBytes(path))
}

/** The run whose main file lies at this path of the corpus. */
export function readRun(main: string): RunSeen {
  const { format, framing, bytes } = openLog(corpusBytes(main))
  const files = filesBeside(main)
  const folded: FoldedEvent[] = []
  const marks: LineMark[] = []
  const add = (events: readonly FoldedEvent[], more: readonly LineMark[] = []): void => {
    folded.push(...events)
    marks.push(...more)
  }
  const sink = { line: (line: ReadLine) => add(line.events, line.marks), end: add }
  const reader = new RunReader(format, sink, { framing, files })
  for (const [index, file] of [bytes, ...files.map((source) => source.bytes)].entries()) {
    reader.push(index, file)
    reader.endFile(index)
  }
  reader.end()
  return { events: folded.map((event) => stamp(event, format)), marks, missing: reader.missing }
}
