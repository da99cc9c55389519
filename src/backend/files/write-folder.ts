import { constants } from 'node:fs'
import { lstat, mkdir, open, readdir, rmdir } from 'node:fs/promises'
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { nameOnDisk } from '#core/paths/name-on-disk.ts'
import { writeFailure } from '../write-failure.ts'

/** Limits of one folder. */
const maxBytes = 1_000_000_000
const maxFiles = 20_000

/** A file to write. `path`: as in the log. */
export interface FileToWrite {
  readonly path: string
  readonly text: string
}

/** What was written of a file. */
export interface WrittenFile {
  /** Below the folder, with `/`. Null: not written, as another file has the place, or a limit is reached. */
  readonly file: string | null
  readonly bytes: number
  readonly sha256: string
}

/**
 * A new folder for files of a log, whose names are data: each is a plain name below it. Files are made with `O_EXCL` and
 * without following links, so nothing that exists is written to. Throws a `HostError` if the folder is not empty.
 */
export class FilesFolder {
  readonly #root: string
  readonly #folder: string | null
  /** Made by us: no links can be in them. */
  readonly #made = new Set<string>()
  /** Written names in lower case, as some systems do not tell case apart. */
  readonly #names = new Set<string>()
  #bytes = 0
  #files = 0

  private constructor(root: string, folder: string | null) {
    this.#root = root
    this.#folder = folder
  }

  /** `folder`: of the session; files in it are written without it. */
  static async create(path: string, folder: string | null): Promise<FilesFolder> {
    const root = resolve(path)
    try {
      await mkdir(root, { mode: 0o755 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw writeFailure(path, error)
      const found = await lstat(root)
      if (!found.isDirectory() || (await readdir(root)).length > 0)
        throw new HostError('bad-params', `${path} exists and is not an empty folder. Choose a new one.`)
    }
    return new FilesFolder(root, folder)
  }

  async write({ path, text }: FileToWrite): Promise<WrittenFile> {
    const bytes = new TextEncoder().encode(text)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const file = nameOnDisk(path, this.#folder)
    const isFull = this.#files >= maxFiles || this.#bytes + bytes.length > maxBytes
    if (isFull || this.#names.has(file.toLowerCase())) return { file: null, bytes: bytes.length, sha256 }
    const isWritten = await this.#put(file, bytes)
    if (!isWritten) return { file: null, bytes: bytes.length, sha256 }
    this.#files++
    this.#bytes += bytes.length
    return { file, bytes: bytes.length, sha256 }
  }

  /** A file of ours in the folder. */
  async note(name: string, text: string): Promise<void> {
    await this.#put(name, new TextEncoder().encode(text))
  }

  async #put(file: string, bytes: Uint8Array): Promise<boolean> {
    const segments = file.split('/')
    segments.pop()
    let folder = ''
    for (const segment of segments) {
      folder = folder === '' ? segment : `${folder}/${segment}`
      if (!(await this.#makeFolder(folder))) return false
    }
    const target = join(this.#root, file)
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
    let handle
    try {
      handle = await open(target, flags, 0o644)
    } catch (error) {
      // A file and a folder of one name, or names that a system takes as one.
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'ENAMETOOLONG' || code === 'EISDIR') return false
      throw writeFailure(target, error)
    }
    try {
      await handle.writeFile(bytes)
    } catch (error) {
      throw writeFailure(target, error)
    } finally {
      await handle.close()
    }
    this.#names.add(file.toLowerCase())
    return true
  }

  /** False if a file has the name. */
  async #makeFolder(folder: string): Promise<boolean> {
    if (this.#made.has(folder)) return true
    const target = join(this.#root, folder)
    try {
      await mkdir(target, { mode: 0o755 })
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENAMETOOLONG' || code === 'ENOTDIR') return false
      if (code !== 'EEXIST') throw writeFailure(target, error)
      // Another spelling of a folder that we made is one; a link is not.
      if (!(await lstat(target)).isDirectory()) return false
    }
    this.#made.add(folder)
    return true
  }

  /** Removes the folder if nothing was written. */
  async removeEmpty(): Promise<void> {
    await rmdir(this.#root).catch(() => {})
  }
}
