import type { ByteSource } from './readable-run.ts'

const blockBytes = 1 << 18
const maxBlocks = 16

/** Bytes of a run. `file`: as in `LinePosition`, undefined for the main one. */
export interface RunBytes {
  read(file: string | undefined, offset: number, length: number): Promise<Uint8Array>
}

/** A cache of the last read blocks of a run's files, at most 4 MiB. Longer reads bypass it. */
export class BlockCache implements RunBytes {
  readonly #sources: ReadonlyMap<string | undefined, ByteSource>
  /** By file and number, least recently used first. Only whole blocks, as the file may grow. */
  readonly #blocks = new Map<string, Uint8Array>()

  /** `sources`: by file name; undefined for the main file. */
  constructor(sources: ReadonlyMap<string | undefined, ByteSource>) {
    this.#sources = sources
  }

  async read(file: string | undefined, offset: number, length: number): Promise<Uint8Array> {
    const source = this.#sources.get(file)
    if (!source) return new Uint8Array(0)
    const first = Math.floor(offset / blockBytes)
    const last = Math.floor((offset + Math.max(length, 1) - 1) / blockBytes)
    if (last - first > 1) return await source.read(offset, length)
    const start = offset - first * blockBytes
    const block = await this.#block(source, file, first)
    if (last === first) return block.subarray(start, start + length)
    const bytes = new Uint8Array(length)
    const head = block.subarray(start)
    const tail = (await this.#block(source, file, last)).subarray(0, length - head.length)
    bytes.set(head)
    bytes.set(tail, head.length)
    return bytes.subarray(0, head.length + tail.length)
  }

  async #block(source: ByteSource, file: string | undefined, number: number): Promise<Uint8Array> {
    const key = `${number} ${file ?? ''}`
    const known = this.#blocks.get(key)
    if (known) {
      this.#blocks.delete(key)
      this.#blocks.set(key, known)
      return known
    }
    const bytes = await source.read(number * blockBytes, blockBytes)
    if (bytes.length === blockBytes) {
      this.#blocks.set(key, bytes)
      for (const oldest of this.#blocks.keys()) {
        if (this.#blocks.size <= maxBlocks) break
        this.#blocks.delete(oldest)
      }
    }
    return bytes
  }
}
