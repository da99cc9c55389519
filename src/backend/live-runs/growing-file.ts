import { type FileHandle, open } from 'node:fs/promises'

/** A file that is read at any place. */
export type OpenedFile = Pick<FileHandle, 'stat' | 'read' | 'close'>

/** A file that another program appends to, and that may not exist yet. */
export class GrowingFile {
  readonly #open: () => Promise<OpenedFile | null>
  #file: OpenedFile | null = null

  /** `file`: its path, or a function that opens it and returns null if it does not exist yet. */
  constructor(file: string | (() => Promise<OpenedFile | null>)) {
    this.#open = typeof file === 'string' ? async () => await openIfThere(file) : file
  }

  /** Current size in bytes; 0 if it does not exist. Rejects without permission. */
  async size(): Promise<number> {
    return (await (await this.#opened())?.stat())?.size ?? 0
  }

  /** When it was written last, in ms since the epoch; null: it does not exist. */
  async writtenAt(): Promise<number | null> {
    return (await (await this.#opened())?.stat())?.mtimeMs ?? null
  }

  /** Reads into `buffer` from `offset` on, and returns the filled part. */
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

/** Null: no such file. Rejects without permission. */
export async function openIfThere(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
