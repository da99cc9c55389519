const blockBytes = 1 << 18
const maxBlocks = 32

/** What is read through the cache. */
export interface ByteSource {
  /** Bytes `offset` … `offset + length`, fewer where the source ends. */
  read(offset: number, length: number): Promise<Uint8Array>
}

/**
 * The blocks of a file that were read last, at most 8 MiB: neighbouring rows lie in one block, so a page of the timeline
 * costs a few reads. A longer piece goes past the cache.
 */
export class BlockCache implements ByteSource {
  readonly #source: ByteSource
  /** By number, the one used last at the end. Only whole blocks: the file may grow. */
  readonly #blocks = new Map<number, Uint8Array>()

  constructor(source: ByteSource) {
    this.#source = source
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    const first = Math.floor(offset / blockBytes)
    const last = Math.floor((offset + Math.max(length, 1) - 1) / blockBytes)
    if (last - first > 1) return await this.#source.read(offset, length)
    const start = offset - first * blockBytes
    const block = await this.#block(first)
    if (last === first) return block.subarray(start, start + length)
    const bytes = new Uint8Array(length)
    const head = block.subarray(start)
    const tail = (await this.#block(last)).subarray(0, length - head.length)
    bytes.set(head)
    bytes.set(tail, head.length)
    return bytes.subarray(0, head.length + tail.length)
  }

  async #block(number: number): Promise<Uint8Array> {
    const known = this.#blocks.get(number)
    if (known) {
      this.#blocks.delete(number)
      this.#blocks.set(number, known)
      return known
    }
    const bytes = await this.#source.read(number * blockBytes, blockBytes)
    if (bytes.length === blockBytes) {
      this.#blocks.set(number, bytes)
      for (const oldest of this.#blocks.keys()) {
        if (this.#blocks.size <= maxBlocks) break
        this.#blocks.delete(oldest)
      }
    }
    return bytes
  }
}
