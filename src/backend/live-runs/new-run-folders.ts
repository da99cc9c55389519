import { constants } from 'node:fs'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { LookAtDisk } from '../disk-space.ts'
import { makeFolder } from '../make-folder.ts'
import { isDiskFull, stateWriteFailure } from '../write-failure.ts'
import { checkDisks } from './run-disks.ts'
import { createRunFiles, type RunFiles, runsFolder } from './run-folder.ts'

/** Creates the folders of runs in the state folder, or in temporary ones if it is not writable. */
export class NewRunFolders {
  readonly #state: string
  readonly #problem: (message: string) => void
  readonly #lookAtDisk: LookAtDisk | undefined
  readonly #temporary: string[] = []

  constructor(state: string, problem: (message: string) => void, lookAtDisk?: LookAtDisk) {
    this.#state = state
    this.#problem = problem
    this.#lookAtDisk = lookAtDisk
  }

  /** Throws 'low-disk' if the user must confirm. `recording`: undefined: in the run's folder. */
  async checkRoom(recording: string | undefined): Promise<void> {
    const runs = runsFolder(this.#state)
    // A read-only disk is mostly full as well; the missing permission is the better message.
    const isThere = await canWriteIn(runs).then(
      () => true,
      (error: unknown) => {
        if (recording === undefined || isDiskFull(error)) throw this.cannotRecord(error)
        return false
      }
    )
    const folder = isThere ? runs : tmpdir()
    await checkDisks(recording ?? join(runs, 'stdout.jsonl'), folder, this.#lookAtDisk)
  }

  /** A run whose recording lies elsewhere may use a temporary folder, which is not kept. */
  async create(
    run: string,
    prompt: string,
    recording: string | undefined
  ): Promise<{ files: RunFiles; isKept: boolean }> {
    try {
      return { files: await createRunFiles(this.#state, run, prompt), isKept: true }
    } catch (error) {
      if (recording === undefined || isDiskFull(error)) throw this.cannotRecord(error)
      const { message } = stateWriteFailure(this.#state, this.#state, error)
      this.#problem(
        `Only the recording of this run is kept. It is not listed, and its prompt, standard error and tasks are not kept. ${message}`
      )
      const folder = await mkdtemp(join(tmpdir(), 'playhead-run-'))
      this.#temporary.push(folder)
      return { files: await createRunFiles(folder, run, prompt), isKept: false }
    }
  }

  cannotRecord(error: unknown): HostError {
    const { message } = stateWriteFailure(this.#state, this.#state, error)
    return new HostError('unavailable', `The run cannot be recorded: ${message}`, { cause: error })
  }

  /** Removes the temporary folders. */
  async close(): Promise<void> {
    for (const folder of this.#temporary) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
}

/** Creates the folder if needed. Rejects if it is not writable. */
async function canWriteIn(folder: string): Promise<void> {
  await makeFolder(folder)
  await access(folder, constants.W_OK)
}
