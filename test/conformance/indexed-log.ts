import type { AgentEvent } from '#core/events/agent-event.ts'
import { RunReader, type RunSource } from '#core/formats/run-reader.ts'
import { stamp } from '#core/formats/stamp.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { openLog } from './read-log.ts'

export interface IndexedLog {
  readonly index: RunIndex
  /** All of them: number `i` is event `i` of the index. */
  readonly events: readonly AgentEvent[]
}

/** The index of a log, and its events. `files`: the other files of its session. */
export function indexedLog(
  main: Uint8Array,
  files: readonly (RunSource & { readonly bytes: Uint8Array })[] = []
): IndexedLog {
  const { format, framing } = openLog(main)
  const index = new RunIndex(format)
  const events: AgentEvent[] = []
  const add = (folded: Parameters<typeof stamp>[0]): void => void events.push(stamp(folded, format))
  const sink = {
    line(line: Parameters<RunIndex['line']>[0]) {
      index.line(line)
      line.events.forEach(add)
    },
    end(folded: Parameters<RunIndex['end']>[0], marks: Parameters<RunIndex['end']>[1]) {
      index.end(folded, marks)
      folded.forEach(add)
    }
  }
  const reader = new RunReader(format, sink, { framing, files })
  for (const [number, chunk] of [main, ...files.map((file) => file.bytes)].entries()) {
    reader.push(number, chunk)
    reader.endFile(number)
  }
  reader.end()
  return { index, events }
}
