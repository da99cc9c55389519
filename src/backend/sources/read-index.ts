import { RunIndex } from '#core/index/run-index.ts'
import type { Run } from './run.ts'

/** Reads a run to its end into an index. `onRead`: bytes read so far, of all. Throws a `HostError` after a read error. */
export async function readIndex(
  run: Run,
  onRead: (bytes: number, all: number) => void,
  options?: ConstructorParameters<typeof RunIndex>[1]
): Promise<RunIndex> {
  const index = new RunIndex(run.format, options)
  const reader = run.reader(index)
  const sizes = await Promise.all(run.files.map(({ source }) => source.size()))
  const all = sizes.reduce((sum, size) => sum + size, 0)
  for await (const _ of run.feed(reader)) {
    onRead(
      run.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
      all
    )
  }
  return index
}
