import { formatById } from '#core/formats/registry.ts'
import type { ReadCard } from '#core/library/read-card.ts'
import type { SessionCounts, SessionPreview } from '#core/library/session-card.ts'
import { SessionCounter } from '#core/library/session-counter.ts'
import { readLog } from '../sources/read-log.ts'
import type { LogBytes } from './log-bytes.ts'

export interface WholeSession {
  readonly counts: SessionCounts
  readonly preview: SessionPreview
  readonly end: ReadCard['end']
}

/** Reads all of a session, its subagents' files included. Null: it cannot be read. `between`: after each MiB or so; false gives it up ('over'). */
export async function countSession(
  { path, format }: { readonly path: string; readonly format: string },
  bytes: LogBytes,
  between: () => Promise<boolean>
): Promise<WholeSession | null | 'over'> {
  const counter = new SessionCounter(formatById(format))
  let isOver = false
  try {
    const read = await readLog(
      { path, format, single: false },
      {
        line: (line) => counter.line(line),
        event: (event, seq, folded, line) => counter.event(event, seq, folded, line),
        async pause() {
          isOver ||= !(await between())
          return !isOver
        }
      }
    )
    bytes.add(read.files.reduce((sum, file) => sum + file.bytes, read.bytes))
    if (isOver) return 'over'
  } catch {
    // It is gone, may not be read, or is more than there is memory for: then nothing is known but its card.
    return null
  }
  return { counts: counter.counts, preview: counter.preview, end: counter.end }
}
