import { readMainOf } from '#backend/indexer/parallel-slices.ts'
import type { ReadMainOf } from '#backend/sources/read-log.ts'
import type { Environment } from './environment.ts'

/** Reads a large log with threads that help. For what needs no text of lines or events: they give outlines (`outline.ts`). */
export function readInThreads({ createWorker }: Environment): ReadMainOf {
  return (run) => readMainOf(run, createWorker)
}
