import { closeSync, fstatSync, fsyncSync, openSync, renameSync, rmSync, writeSync, type PathLike } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, makeFolderNow } from './make-folder.ts'
import { systemCode, writeFailure } from './write-failure.ts'

export interface WholeFileOptions {
  /** Permissions of the new file; by default only this user may read it. */
  readonly mode?: number
  /** Creates a missing folder, for this user only. */
  readonly makesFolder?: boolean
}

const ownerOnly = 0o600
/** Errors of file systems without fsync, which are ignored. */
const withoutSync = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP'])

/**
 * A file written under a temporary name, synced, then renamed: readers see the old file or the new one, also after a crash.
 * A failure removes the temporary file, keeps the old one, and throws a `HostError` that names the file.
 */
export class WholeFile {
  readonly #file: string
  readonly #draft: string
  readonly #handle: FileHandle
  #bytes = 0

  private constructor(file: string, draft: string, handle: FileHandle) {
    this.#file = file
    this.#draft = draft
    this.#handle = handle
  }

  static async open(
    file: string,
    { mode = ownerOnly, makesFolder = false }: WholeFileOptions = {}
  ): Promise<WholeFile> {
    const draft = draftOf(file)
    try {
      if (makesFolder) await makeFolder(dirname(file))
      return new WholeFile(file, draft, await open(draft, 'wx', mode))
    } catch (error) {
      throw writeFailure(file, error)
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#attempt(async () => {
      for (let at = 0; at < bytes.length;) {
        at += checkedProgress((await this.#handle.write(bytes, at, bytes.length - at)).bytesWritten)
      }
      this.#bytes += bytes.length
    })
  }

  /** Syncs and renames. False if `unless`, checked last, is true: the draft is discarded. */
  async finish(unless: () => Promise<boolean> = async () => false): Promise<boolean> {
    return await this.#attempt(async () => {
      await this.#handle.sync().catch(ignoreWithoutSync)
      checkLength((await this.#handle.stat()).size, this.#bytes)
      await this.#handle.close()
      const isUnwanted = await unless()
      if (isUnwanted) await rm(this.#draft, { force: true })
      else await rename(this.#draft, this.#file)
      return !isUnwanted
    })
  }

  async discard(): Promise<void> {
    await this.#handle.close().catch(() => {})
    await rm(this.#draft, { force: true }).catch(() => {})
  }

  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      await this.discard()
      throw writeFailure(this.#file, error)
    }
  }
}

export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  options?: WholeFileOptions
): Promise<void> {
  const written = await WholeFile.open(file, options)
  await written.write(typeof content === 'string' ? Buffer.from(content) : content)
  await written.finish()
}

/** Synchronous, for threads that do nothing else, and for writes while the process ends. `content`: may be in parts. */
export function writeWholeNow(
  file: string,
  content: string | readonly Uint8Array[],
  options: WholeFileOptions = {}
): void {
  const draft = draftOf(file)
  try {
    if (options.makesFolder === true) makeFolderNow(dirname(file))
    writeDraft(draft, typeof content === 'string' ? [Buffer.from(content)] : content, options.mode ?? ownerOnly)
    renameSync(draft, file)
  } catch (error) {
    removeQuietly(draft)
    throw writeFailure(file, error)
  }
}

function writeDraft(draft: PathLike, parts: readonly Uint8Array[], mode: number): void {
  const descriptor = openSync(draft, 'wx', mode)
  try {
    let written = 0
    for (const part of parts) {
      for (let at = 0; at < part.length;) at += checkedProgress(writeSync(descriptor, part, at))
      written += part.length
    }
    try {
      fsyncSync(descriptor)
    } catch (error) {
      ignoreWithoutSync(error)
    }
    checkLength(fstatSync(descriptor).size, written)
  } finally {
    closeSync(descriptor)
  }
}

let drafts = 0

/** Random, because the threads of a process share its id. */
function draftOf(file: string): string {
  return `${file}.${process.pid}-${drafts++}-${Math.random().toString(36).slice(2, 8)}.tmp`
}

/** Without this, a system that writes 0 bytes without an error would cause an endless loop. */
function checkedProgress(bytes: number): number {
  if (bytes === 0) throw new RangeError('nothing more was written')
  return bytes
}

function checkLength(onDisk: number, written: number): void {
  if (onDisk !== written) throw new RangeError(`${onDisk} of ${written} bytes were kept`)
}

function ignoreWithoutSync(error: unknown): void {
  if (!withoutSync.has(systemCode(error) ?? '')) throw error
}

function removeQuietly(draft: string): void {
  try {
    rmSync(draft, { force: true })
  } catch {
    // Only a draft.
  }
}
