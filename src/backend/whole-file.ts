import { closeSync, fstatSync, fsyncSync, openSync, renameSync, rmSync, writeSync, type PathLike } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder, makeFolderNow } from './make-folder.ts'
import { systemCode, writeFailure } from './write-failure.ts'

export interface WholeFileOptions {
  /** Permissions of the new file. Without it only its person may read it. */
  readonly mode?: number
  /** Makes the folder, for its person only, where it is not there. */
  readonly makesFolder?: boolean
}

const ownerOnly = 0o600
/** Some file systems know no fsync. What they hold is as safe as they make it. */
const withoutSync = new Set(['EINVAL', 'ENOSYS', 'ENOTSUP'])

/**
 * A file that is written under a temporary name in the same folder and takes its own name once all of it is on the disk: whoever reads it
 * finds the one before or the new one, also after a crash. Every failure removes the temporary file, keeps the file before, and throws a
 * `HostError` that names the file.
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

  /** One call of the system may take less than it is given. */
  async write(bytes: Uint8Array): Promise<void> {
    await this.#attempt(async () => {
      for (let at = 0; at < bytes.length;) {
        at += taken((await this.#handle.write(bytes, at, bytes.length - at)).bytesWritten)
      }
      this.#bytes += bytes.length
    })
  }

  /** Has the disk hold it, and gives it its name. `unless`: asked last; where it says yes, nothing is written, and the answer is false. */
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

  /** As if it had never been begun. */
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

/** Writes a small file as `WholeFile` does. */
export async function writeWhole(
  file: string,
  content: string | Uint8Array,
  options?: WholeFileOptions
): Promise<void> {
  const written = await WholeFile.open(file, options)
  await written.write(typeof content === 'string' ? Buffer.from(content) : content)
  await written.finish()
}

/** As `writeWhole`, before it returns: for what is written while the program ends. */
export function writeWholeNow(file: string, content: string, options: WholeFileOptions = {}): void {
  const draft = draftOf(file)
  try {
    if (options.makesFolder === true) makeFolderNow(dirname(file))
    writeDraft(draft, Buffer.from(content), options.mode ?? ownerOnly)
    renameSync(draft, file)
  } catch (error) {
    removeQuietly(draft)
    throw writeFailure(file, error)
  }
}

function writeDraft(draft: PathLike, bytes: Buffer, mode: number): void {
  const descriptor = openSync(draft, 'wx', mode)
  try {
    for (let at = 0; at < bytes.length;) at += taken(writeSync(descriptor, bytes, at))
    try {
      fsyncSync(descriptor)
    } catch (error) {
      ignoreWithoutSync(error)
    }
    checkLength(fstatSync(descriptor).size, bytes.length)
  } finally {
    closeSync(descriptor)
  }
}

let drafts = 0

/** Threads of a process share its number, so chance has to tell them apart. */
function draftOf(file: string): string {
  return `${file}.${process.pid}-${drafts++}-${Math.random().toString(36).slice(2, 8)}.tmp`
}

/** A system that takes nothing and says nothing would be asked forever. */
function taken(bytes: number): number {
  if (bytes === 0) throw new RangeError('nothing more was taken')
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
    // It is not the file anybody reads.
  }
}
