import { formatById } from '#core/formats/registry.ts'
import type { ReadCard } from '#core/library/read-card.ts'
import type { SessionCounts, SessionPreview } from '#core/library/session-card.ts'
import { SessionCounter } from '#core/library/session-counter.ts'
import { readLog } from '../sources/read-log.ts'
import type { ParentsOf } from '../sources/run-files.ts'

/** The session to be counted. */
export interface CountTask {
  readonly path: string
  /** A format id; empty: not known. */
  readonly format: string
  /** Nobody looks at the library: whatever a person looks at comes first. */
  readonly givesWay: boolean
}

/** What only the whole session tells. */
export interface WholeSession {
  readonly counts: SessionCounts
  readonly preview: SessionPreview
  readonly end: ReadCard['end']
}

export interface Counted {
  /** Null: the session is unreadable. */
  readonly whole: WholeSession | null | 'cancelled'
  /** Bytes that were read, of all its files. */
  readonly bytes: number
  /** Without the start of a thread, and without rests. */
  readonly tookMs: number
}

/** Nothing was counted. */
export const notCounted: Counted = { whole: null, bytes: 0, tookMs: 0 }

/** Counts a session until `signal` aborts. */
export type CountSession = (task: CountTask, signal: AbortSignal) => Promise<Counted>

/** Reads a session with its subagents. `shouldContinue` is called once a MiB; false cancels. */
export async function countSession(
  { path, format }: CountTask,
  parentsOf: ParentsOf,
  shouldContinue: () => Promise<boolean>
): Promise<Counted> {
  const counter = new SessionCounter(formatById(format))
  let isCancelled = false
  let tookMs = 0
  let since = performance.now()
  try {
    const read = await readLog(
      { path, format, single: false, parentsOf },
      {
        line: (line) => counter.line(line),
        event: (event, seq, folded, line) => counter.event(event, seq, folded, line),
        async pause() {
          tookMs += performance.now() - since
          isCancelled ||= !(await shouldContinue())
          since = performance.now()
          return !isCancelled
        }
      }
    )
    const bytes = read.files.reduce((sum, file) => sum + file.bytes, read.bytes)
    tookMs += performance.now() - since
    if (isCancelled) return { whole: 'cancelled', bytes, tookMs }
    return { whole: { counts: counter.counts, preview: counter.preview, end: counter.end }, bytes, tookMs }
  } catch {
    // It was removed, is not permitted, or needs too much memory: only its card is known.
    return notCounted
  }
}
