import { availableParallelism } from 'node:os'
import { env } from 'node:process'

/**
 * Whether another thread helps to read a large log: as `PLAYHEAD_INDEX_THREADS` says, else where the machine runs more than one at once beside
 * those that are `taken` by somebody else.
 */
export function hasHelper(taken: number): boolean {
  const wanted = Number(env['PLAYHEAD_INDEX_THREADS'])
  return (Number.isInteger(wanted) && wanted > 0 ? wanted : availableParallelism() - taken) > 1
}
