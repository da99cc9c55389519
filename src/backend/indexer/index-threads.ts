import { availableParallelism } from 'node:os'
import { env } from 'node:process'

/** A smaller file is read before another thread has started. */
const bytesWorthThreads = 4 << 20
/** One thread folds, and this many decode as fast as it can. */
const mostThreads = 4

/**
 * How many threads read a file of this many bytes: `PLAYHEAD_INDEX_THREADS`, else as many as the machine runs at once, but for those that
 * are `taken` by somebody else.
 */
export function indexThreads(bytes: number, taken: number): number {
  if (bytes < bytesWorthThreads) return 1
  const wanted = Number(env['PLAYHEAD_INDEX_THREADS'])
  const threads = Number.isInteger(wanted) && wanted > 0 ? wanted : Math.max(1, availableParallelism() - taken)
  return Math.min(threads, mostThreads)
}
