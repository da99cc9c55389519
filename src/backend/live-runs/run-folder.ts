import { randomBytes } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { writeWhole } from '../whole-file.ts'
import { writeFailure } from '../write-failure.ts'

/** Where the files of one live run lie. */
export interface RunFiles {
  readonly folder: string
  readonly manifest: string
  /** What the agent reads as its standard input. */
  readonly prompt: string
  /** Where the recording lies unless it was asked for elsewhere. */
  readonly stdout: string
  readonly stderr: string
  /** Tool results that the agent's hook delivers. */
  readonly hooks: string
  /** Server-sent events, as they go over the wire, until the run is over. */
  readonly stream: string
  /** What the stream of a run that is over is made anew of. */
  readonly order: string
  /** Room that is kept for what is written at the end, while the run goes on. */
  readonly reserve: string
}

/** Ids that Playhead gives: whatever else a page sends never becomes a path. */
const runIdPattern = /^[0-9a-z][0-9a-z-]{0,63}$/

export function isRunId(text: string): boolean {
  return runIdPattern.test(text)
}

/** Ids in the order in which the runs began, `20260105-090807-123-k3f9x2ab`: the time is that of Greenwich. */
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
    stderr: join(folder, 'stderr.txt'),
    hooks: join(folder, 'hooks.jsonl'),
    stream: join(folder, 'stream.sse'),
    order: join(folder, 'order.json.gz'),
    reserve: join(folder, 'reserve')
  }
}

/** For the manifest, and for the end of the stream. */
const reserveBytes = 128 << 10

/** Makes the folder of a new run, for this user only, with its prompt. Its path is the real one, as an open log is known by it. */
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
    // Bytes that no file system makes smaller.
    await writeWhole(files.reserve, randomBytes(reserveBytes))
  } catch (error) {
    await rm(files.folder, { recursive: true, force: true }).catch(() => {})
    throw error
  }
  return files
}
