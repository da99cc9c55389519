import { ComparedRun, type ReadSteps } from '#core/compare/compared-run.ts'
import type { ChosenFormat } from '../sources/choose-format.ts'
import type { Unreadable } from '../sources/run-files.ts'
import { Run, type RunOptions } from '../sources/run.ts'

/** A session that was read to be compared, with what could not be read of it. */
export interface ReadSession {
  readonly steps: ReadSteps
  readonly note: ChosenFormat['note']
  readonly notes: readonly string[]
  readonly unread: readonly Unreadable[]
}

/** Reads a session to its end. `onRead`: bytes read so far, of all. Throws a `HostError` if its main file cannot be read. */
export async function readComparedRun(
  source: RunOptions,
  onRead: (bytes: number, all: number) => void
): Promise<ReadSession> {
  const opened = await Run.open(source)
  try {
    const run = new ComparedRun(opened.format)
    const sizes = await Promise.all(opened.files.map((file) => file.source.size()))
    const all = sizes.reduce((sum, size) => sum + size, 0)
    for await (const _ of opened.feed(opened.reader(run))) {
      onRead(
        opened.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
        all
      )
    }
    const { chosen, notes, unread } = opened
    return { steps: run.steps, note: chosen.note, notes, unread }
  } finally {
    await opened.close()
  }
}
