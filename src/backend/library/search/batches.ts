import type { SessionCard } from '#core/library/session-card.ts'
import type { LogToScan } from './scan-jobs.ts'

/** A session with the logs of subagents that its own log does not name. */
export interface SearchedSession {
  readonly card: SessionCard
  readonly subagents: readonly SessionCard[]
}

export interface SearchedLog {
  /** Index of its session in the search. */
  readonly session: number
  readonly path: string
  /** As listed; the file may have changed since. */
  readonly bytes: number
}

/** Logs that a thread searches in one job. */
export interface Batch {
  /** Indexes into all logs. */
  readonly logs: readonly number[]
  readonly scans: readonly LogToScan[]
  readonly bytes: readonly number[]
  /** False: a piece of a log with more pieces to follow. */
  readonly isEnd: boolean
}

interface Sizes {
  /** The first batch is small, for early hits; sizes then double */
  readonly first: number
  /** up to this size, as each batch costs messages, */
  readonly most: number
  /** and shrink to this size at the end, so that all threads finish together. */
  readonly last: number
  /** Longer logs are split, for several threads. */
  readonly piece: number
}

/** An expression costs many times as much as a text. */
export const batchSizes: { readonly text: Sizes; readonly regex: Sizes } = {
  text: { first: 1 << 20, most: 1 << 26, last: 1 << 22, piece: 1 << 25 },
  regex: { first: 1 << 18, most: 1 << 22, last: 1 << 20, piece: 1 << 23 }
}
/** Opening a file costs as much as searching this many bytes. */
const openBytes = 1 << 16

export function logsOf(sessions: readonly SearchedSession[]): SearchedLog[] {
  return sessions.flatMap(({ card, subagents }, session) =>
    [card, ...subagents].map(({ path, bytes }) => ({ session, path, bytes }))
  )
}

/** Splits logs, in order, into batches of small logs and pieces of long ones. */
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
    // The file may have grown, so the last piece has no end.
    const isEnd = bytes - from < 1.5 * piece
    const to = isEnd ? Infinity : from + piece
    yield { logs: [log], scans: [{ path, piece: { from, to } }], bytes: [Math.min(to, bytes) - from], isEnd }
    from = to
  }
}
