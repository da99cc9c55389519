import { type FileHandle, open } from 'node:fs/promises'

/** A file that is read at any place. */
export type OpenedFile = Pick<FileHandle, 'stat' | 'read' | 'close'>

/** A file that another program appends to, and that need not be there yet. */
export class GrowingFile {
  readonly #open: () => Promise<OpenedFile | null>
  #file: OpenedFile | null = null

  /** `file`: its path, or what opens it; null: it is not there yet. */
  constructor(file: string | (() => Promise<OpenedFile | null>)) {
    this.#open = typeof file === 'string' ? async () => await openIfThere(file) : file
  }

  /** How many bytes it has now; 0 where it is not there. Rejects where it may not be looked at. */
  async size(): Promise<number> {
    return (await (await this.#opened())?.stat())?.size ?? 0
  }

  /** Fills `buffer` with the bytes from `offset` on, as far as there are any. Gives those: they lie in `buffer`. */
  async read(buffer: Buffer, offset: number): Promise<Buffer> {
    const file = await this.#opened()
    let filled = 0
    while (file !== null && filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, offset + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return buffer.subarray(0, filled)
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = null
  }

  async #opened(): Promise<OpenedFile | null> {
    return (this.#file ??= await this.#open())
  }
}

/** null: there is no such file. Rejects where it may not be read. */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
