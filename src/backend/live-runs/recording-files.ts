import { readlinkSync, readdirSync } from 'node:fs'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { HostError, messageOf } from '#contract/host-error.ts'
import { systemCode } from '../write-failure.ts'

export interface RecordingPaths {
  /** Null: a pipe. */
  readonly stdin: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Input and output files of an agent, passed as descriptors, so output is complete even if Playhead dies. */
export class RecordingFiles {
  readonly #stdin: FileHandle | null
  readonly #written: readonly [stdout: FileHandle, stderr: FileHandle]
  readonly #paths: RecordingPaths

  private constructor(paths: RecordingPaths, stdin: FileHandle | null, written: readonly [FileHandle, FileHandle]) {
    this.#paths = paths
    this.#stdin = stdin
    this.#written = written
  }

  /** Creates both output files. Throws a `HostError` if one exists or cannot be created; then neither is left. */
  static async open(paths: RecordingPaths): Promise<RecordingFiles> {
    const stdin = paths.stdin === null ? null : await opened(paths.stdin, 'r')
    try {
      const stdout = await opened(paths.stdout, 'ax')
      try {
        return new RecordingFiles(paths, stdin, [stdout, await opened(paths.stderr, 'ax')])
      } catch (error) {
        await stdout.close()
        await unlink(paths.stdout).catch(() => {})
        throw error
      }
    } catch (error) {
      await stdin?.close()
      throw error
    }
  }

  /** For `spawn`. */
  get descriptors(): [stdin: number | 'pipe', stdout: number, stderr: number] {
    return [this.#stdin?.fd ?? 'pipe', this.#written[0].fd, this.#written[1].fd]
  }

  /** The process has its descriptors: closes the input here. */
  async closeInput(): Promise<void> {
    await this.#stdin?.close().catch(() => {})
  }

  /** No process was started: removes the output files. */
  async discard(): Promise<void> {
    await this.#stdin?.close()
    for (const file of this.#written) await file.close()
    for (const path of [this.#paths.stdout, this.#paths.stderr]) await unlink(path).catch(() => {})
  }

  /** Syncs and closes both outputs. Returns the system's error code if data may be lost; null: success. */
  async finish(): Promise<string | null> {
    let problem: string | null = null
    for (const file of this.#written) {
      await file.sync().catch((error: unknown) => (problem ??= systemCode(error) ?? messageOf(error)))
      await file.close().catch((error: unknown) => (problem ??= systemCode(error) ?? messageOf(error)))
    }
    return problem
  }

  /** Whether a process has the recording open (Linux). True if that cannot be checked. */
  isWrittenBy(pid: number): boolean {
    try {
      const recording = readlinkSync(`/proc/self/fd/${this.#written[0].fd}`)
      return readdirSync(`/proc/${pid}/fd`).some((fd) => linkOf(`/proc/${pid}/fd/${fd}`) === recording)
    } catch {
      return true
    }
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

async function opened(path: string, flags: 'r' | 'ax'): Promise<FileHandle> {
  try {
    return await open(path, flags, 0o600)
  } catch (error) {
    throw openFailure(path, error)
  }
}

/** Of a file of a run. */
export function openFailure(path: string, error: unknown): HostError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const cannot = `The file ${path} of this run cannot be opened`
  if (code === 'EEXIST')
    return new HostError(
      'bad-params',
      `The file ${path} already exists and is not overwritten. Choose another name, or move it.`
    )
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new HostError('unavailable', `${cannot}: its disk is full. Free some space and start again.`)
  if (code === 'EMFILE' || code === 'ENFILE')
    return new HostError('unavailable', `${cannot}: too many files are open. Close logs or stop runs, and start again.`)
  if (code === 'EROFS')
    return new HostError('no-permission', `${cannot}: its disk is read-only. Choose a folder on another disk.`)
  if (code === 'EACCES' || code === 'EPERM')
    return new HostError(
      'no-permission',
      `${cannot}: permission denied. Choose another folder, or change its permissions.`
    )
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return new HostError('not-found', `${cannot}: its folder does not exist. Create it, or choose another folder.`)
  return new HostError('internal', `${cannot}: ${messageOf(error)}`)
}
