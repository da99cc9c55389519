import { formatById } from '#core/formats/registry.ts'
import type { ReadCard } from '#core/library/read-card.ts'
import type { SessionCounts, SessionPreview } from '#core/library/session-card.ts'
import { SessionCounter } from '#core/library/session-counter.ts'
import { readLog } from '../sources/read-log.ts'
import type { ReadBytes } from './read-bytes.ts'

export interface WholeSession {
  readonly counts: SessionCounts
  readonly preview: SessionPreview
  readonly end: ReadCard['end']
}

/** Reads a whole session with its subagents' files. Null: unreadable. `shouldContinue` is called about once a MiB; false cancels. */
export async function countSession(
  { path, format }: { readonly path: string; readonly format: string },
  bytes: ReadBytes,
  shouldContinue: () => Promise<boolean>
): Promise<WholeSession | null | 'cancelled'> {
  const counter = new SessionCounter(formatById(format))
  let isCancelled = false
  try {
    const read = await readLog(
      { path, format, single: false },
      {
        line: (line) => counter.line(line),
        event: (event, seq, folded, line) => counter.event(event, seq, folded, line),
        async pause() {
          isCancelled ||= !(await shouldContinue())
          return !isCancelled
        }
      }
    )
    bytes.add(read.files.reduce((sum, file) => sum + file.bytes, read.bytes))
    if (isCancelled) return 'cancelled'
  } catch {
    // It was removed, is not permitted, or needs too much memory: only its card is known.
    return null
  }
  return { counts: counter.counts, preview: counter.preview, end: counter.end }
}
