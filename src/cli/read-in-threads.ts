import type { LeftOutOfLog } from '#backend/indexer/left-out.ts'
import { readMainOf } from '#backend/indexer/parallel-slices.ts'
import type { ReadMainOf } from '#backend/sources/read-log.ts'
import type { Environment } from './environment.ts'

/**
 * Reads a large log with threads that help. Lines come without their text, and events as outlines of them (`outline.ts`); what that leaves
 * out is in `leftOut`, if it is wanted.
 */
export function readInThreads({ createWorker }: Environment, leftOut?: LeftOutOfLog): ReadMainOf {
  return (run) => readMainOf(run, createWorker, { leftOut: leftOut ?? null })
}
