import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAt } from './read-at.ts'

/** An unlinked file, private to the user: it disappears when it is closed or the process ends. */
export class TemporaryFile {
  readonly handle: FileHandle
  /** Set if it could not be unlinked while open (Windows). */
  readonly #folder: string | null

  private constructor(handle: FileHandle, folder: string | null) {
    this.handle = handle
    this.#folder = folder
  }

  /** `what`: a part of its name. */
  static async create(what: string): Promise<TemporaryFile> {
    // mkdtemp makes it private.
    const folder = await mkdtemp(join(tmpdir(), `playhead-${what}-`))
    const handle = await open(join(folder, what), 'wx+', 0o600)
    try {
      await rm(folder, { recursive: true })
      return new TemporaryFile(handle, null)
    } catch {
      return new TemporaryFile(handle, folder)
    }
  }

  get descriptor(): number {
    return this.handle.fd
  }

  async write(bytes: Uint8Array, offset: number): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      at += (await this.handle.write(bytes, at, bytes.length - at, offset + at)).bytesWritten
    }
  }

  async read(offset: number, length: number): Promise<Buffer> {
    return await readAt(this.handle, offset, length)
  }

  async close(): Promise<void> {
    await this.handle.close()
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true })
  }
}
