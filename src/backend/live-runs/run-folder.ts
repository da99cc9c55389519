import { randomBytes } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { dialogueFile } from '#core/dialogue/sent-note.ts'
import { sessionCopyFile } from '#core/formats/session-log.ts'
import { makeFolder } from '../make-folder.ts'
import { writeWhole } from '../whole-file.ts'
import { writeFailure } from '../write-failure.ts'

/** The paths of a run's files. */
export interface RunFiles {
  readonly folder: string
  readonly manifest: string
  /** The agent's standard input. */
  readonly prompt: string
  /** The agent's standard output: the default recording. */
  readonly stdout: string
  /** The default recording where that is a copy of the agent's own log (`SessionLog`). */
  readonly session: string
  readonly stderr: string
  /** Tool results from the agent's hook, and what an interactive run's host reports. */
  readonly hooks: string
  /** The lines that were sent to the agent of an interactive run. */
  readonly dialogue: string
  /** Server-sent events in wire format, while the run is active. */
  readonly stream: string
  /** The data to rebuild the stream of a finished run. */
  readonly order: string
  /** Disk space reserved for the final writes. */
  readonly reserve: string
}

/** Playhead's own ids: no other text from a page becomes a path. */
const runIdPattern = /^[0-9a-z][0-9a-z-]{0,63}$/

export function isRunId(text: string): boolean {
  return runIdPattern.test(text)
}

/** Sorts by start time, in UTC: `20260105-090807-123-k3f9x2ab`. */
export function newRunId(now: number): string {
  const [day = '', time = ''] = new Date(now).toISOString().split(/[TZ]/)
  const random = Math.random().toString(36).slice(2, 10).padEnd(8, '0')
  return `${day.replaceAll('-', '')}-${time.replace(/[:.]/g, '').replace(/(\d{3})$/, '-$1')}-${random}`
}

/** The folder of all live runs in a state folder. */
export function runsFolder(state: string): string {
  return join(state, 'runs')
}

export function runFiles(runs: string, run: string): RunFiles {
  const folder = join(runs, run)
  return {
    folder,
    manifest: join(folder, 'run.json'),
    prompt: join(folder, 'prompt.txt'),
    stdout: join(folder, 'stdout.jsonl'),
    session: join(folder, sessionCopyFile),
    stderr: join(folder, 'stderr.txt'),
    hooks: join(folder, 'hooks.jsonl'),
    dialogue: join(folder, dialogueFile),
    stream: join(folder, 'stream.sse'),
    order: join(folder, 'order.json.gz'),
    reserve: join(folder, 'reserve')
  }
}

/** Enough for the manifest and the end of the stream. */
const reserveBytes = 128 << 10

/** Creates the private folder of a run with its prompt. Paths are real paths, which identify open logs. */
export async function createRunFiles(state: string, run: string, prompt: string): Promise<RunFiles> {
  let files = runFiles(runsFolder(state), run)
  try {
    await makeFolder(runsFolder(state))
    files = runFiles(await realpath(runsFolder(state)), run)
    await mkdir(files.folder, { mode: 0o700 })
  } catch (error) {
    throw writeFailure(files.folder, error)
  }
  try {
    await writeWhole(files.prompt, prompt)
    // Random, so that no file system compresses it.
    await writeWhole(files.reserve, randomBytes(reserveBytes))
  } catch (error) {
    await rm(files.folder, { recursive: true, force: true }).catch(() => {})
    throw error
  }
  return files
}
