import { availableParallelism } from 'node:os'
import { env } from 'node:process'

/** A smaller file is read before another thread has started. */
const bytesWorthThreads = 4 << 20
/** One thread folds, and this many decode as fast as it can. */
const mostThreads = 4

/**
 * How many threads index a file of this many bytes: `PLAYHEAD_INDEX_THREADS`, else one less than the machine runs at once: the host and the
 * page need one, and of two threads on two processors neither is faster than one alone.
 */
export function indexThreads(bytes: number): number {
  if (bytes < bytesWorthThreads) return 1
  const wanted = Number(env['PLAYHEAD_INDEX_THREADS'])
  const threads = Number.isInteger(wanted) && wanted > 0 ? wanted : Math.max(1, availableParallelism() - 1)
  return Math.min(threads, mostThreads)
}
