import type { SessionCard } from '#core/library/session-card.ts'
import type { LogToScan } from './scan-jobs.ts'

/** A session that is searched: its log, and those of its subagents that are not found from it. */
export interface SearchedSession {
  readonly card: SessionCard
  readonly subagents: readonly SessionCard[]
}

/** A log that is searched. */
export interface SearchedLog {
  /** Which session it belongs to, by its place in the search. */
  readonly session: number
  readonly path: string
  /** As listed; there may be more or less of them by now. */
  readonly bytes: number
}

/** Logs that a thread searches in one go. */
export interface Batch {
  /** By their places among all logs. */
  readonly logs: readonly number[]
  readonly scans: readonly LogToScan[]
  readonly bytes: readonly number[]
  /** The log, which is the only one, is done with it; false: more pieces of it come. */
  readonly isEnd: boolean
}

interface Sizes {
  /** The first batches are small, so that something is found at once; each is twice as large as the one before, */
  readonly first: number
  /** up to so much, as each one costs a thread some messages, */
  readonly most: number
  /** and the last ones are smaller again, down to so much, so that all threads are done at about the same time. */
  readonly last: number
  /** A longer log is searched in pieces, by several threads. */
  readonly piece: number
}

/** An expression costs many times what a text does. */
export const batchSizes: { readonly text: Sizes; readonly regex: Sizes } = {
  text: { first: 1 << 20, most: 1 << 26, last: 1 << 22, piece: 1 << 25 },
  regex: { first: 1 << 18, most: 1 << 22, last: 1 << 20, piece: 1 << 23 }
}
/** To open a file costs as much as to search so many bytes. */
const openBytes = 1 << 16

/** The logs of sessions, in their order. */
export function logsOf(sessions: readonly SearchedSession[]): SearchedLog[] {
  return sessions.flatMap(({ card, subagents }, session) =>
    [card, ...subagents].map(({ path, bytes }) => ({ session, path, bytes }))
  )
}

/** Divides logs into what one of `threads` searches in one go: many small ones, or a piece of a long one. In their order. */
export function* batchesOf(logs: readonly SearchedLog[], sizes: Sizes, threads: number): Generator<Batch> {
  const { first, most, last, piece } = sizes
  let left = logs.reduce((sum, { bytes }) => sum + bytes + openBytes, 0)
  let size = first
  for (let next = 0; next < logs.length; size = Math.min(2 * size, most, Math.max(last, left / (2 * threads)))) {
    const { path = '', bytes = 0 } = logs[next] ?? {}
    if (bytes > 1.5 * piece) {
      yield* piecesOf(next++, path, bytes, piece)
      left -= bytes + openBytes
      continue
    }
    const from = next
    for (let sum = 0; next < logs.length && sum < size; next++) {
      const more = logs[next]?.bytes ?? 0
      if (more > 1.5 * piece || (sum > 0 && sum + more > 2 * size)) break
      sum += more + openBytes
      left -= more + openBytes
    }
    const taken = logs.slice(from, next)
    yield {
      logs: taken.map((_, i) => from + i),
      scans: taken.map((log) => ({ path: log.path, piece: null })),
      bytes: taken.map((log) => log.bytes),
      isEnd: true
    }
  }
}

function* piecesOf(log: number, path: string, bytes: number, piece: number): Generator<Batch> {
  for (let from = 0; from < bytes;) {
    // It may have grown, so the last piece goes to its end.
    const isEnd = bytes - from < 1.5 * piece
    const to = isEnd ? Infinity : from + piece
    yield { logs: [log], scans: [{ path, piece: { from, to } }], bytes: [Math.min(to, bytes) - from], isEnd }
    from = to
  }
}
