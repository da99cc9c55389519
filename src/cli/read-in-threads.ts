import { readMainOf } from '#backend/indexer/parallel-slices.ts'
import type { ReadMainOf } from '#backend/sources/read-log.ts'
import type { Environment } from './environment.ts'
import { keepMemorySteady } from './steady-memory.ts'

/** Reads a large log with a thread that helps. Lines may come without their text, and long texts of events are cut (`LongTexts`). */
export function readInThreads({ createWorker }: Environment): ReadMainOf {
  keepMemorySteady()
  return (run) => readMainOf(run, createWorker)
}
