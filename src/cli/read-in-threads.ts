import { readMainOf } from '#backend/indexer/parallel-slices.ts'
import type { ReadMainOf } from '#backend/sources/read-log.ts'
import type { Environment } from './environment.ts'

/** Reads a large log with threads that help. Lines come without their text, and events as outlines of them (`outline.ts`). */
export function readInThreads({ createWorker }: Environment): ReadMainOf {
  return (run) => readMainOf(run, createWorker)
}
