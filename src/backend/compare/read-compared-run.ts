import { foldersOf } from '#core/compare/common-folder.ts'
import { compareRuns, type RunComparison } from '#core/compare/compare-runs.ts'
import { ComparedRun, type ReadSteps } from '#core/compare/compared-run.ts'
import type { ChosenFormat } from '../sources/choose-format.ts'
import type { Unreadable } from '../sources/run-files.ts'
import { Run, type RunOptions } from '../sources/run.ts'
import type { OnRead } from './thread-report.ts'

/** A session that was read to be compared, with what could not be read of it. */
export interface ReadSession {
  readonly source: RunOptions
  readonly steps: ReadSteps
  readonly note: ChosenFormat['note']
  readonly notes: readonly string[]
  readonly unread: readonly Unreadable[]
}

/** Reads a session to its end, as one that worked in `folder`; null: as its log states. */
export type ReadRun = (source: RunOptions, folder: string | null) => Promise<ReadSession>

/**
 * Compares two sessions. One whose log states no folder is read once more, with the folder that makes its files those of
 * the other one: what a step is depends on it.
 */
export async function compareRead(
  a: ReadSession,
  b: ReadSession,
  read: { readonly a: ReadRun; readonly b: ReadRun }
): Promise<RunComparison> {
  const folders = foldersOf(a.steps.touched, b.steps.touched)
  const within = async ({ source, steps }: ReadSession, folder: string | null, again: ReadRun): Promise<ReadSteps> =>
    folder === null || steps.touched.stated !== null ? steps : (await again(source, folder)).steps
  return compareRuns(...(await Promise.all([within(a, folders.a, read.a), within(b, folders.b, read.b)])))
}

/** As `ReadRun`, in this thread. Throws a `HostError` if the main file cannot be read. */
export async function readComparedRun(
  source: RunOptions,
  folder: string | null = null,
  onRead: OnRead = () => {}
): Promise<ReadSession> {
  const opened = await Run.open(source)
  try {
    const run = new ComparedRun(opened.format, folder)
    const sizes = await Promise.all(opened.files.map((file) => file.source.size()))
    const all = sizes.reduce((sum, size) => sum + size, 0)
    for await (const _ of opened.feed(opened.reader(run))) {
      onRead(
        opened.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
        all
      )
    }
    const { chosen, notes, unread } = opened
    return { source, steps: run.steps, note: chosen.note, notes, unread }
  } finally {
    await opened.close()
  }
}
