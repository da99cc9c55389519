/** A buffer up to this size is kept for the next record that spans chunks; a larger one was an exception. */
const keptCapacity = 1 << 20
const nothing = new Uint8Array(0)

/** The bytes of a record that began in an earlier chunk. More than `maxBytes` are counted, not kept. */
export class HeldBytes {
  readonly #maxBytes: number
  #bytes = nothing
  #length = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Appends `source[start … end)`. Copies. */
  append(source: Uint8Array, start: number, end: number): void {
    const length = this.#length + end - start
    if (length > this.#maxBytes) {
      this.#bytes = nothing
    } else {
      if (length > this.#bytes.length) this.#grow(length)
      this.#bytes.set(source.subarray(start, end), this.#length)
    }
    this.#length = length
  }

  /** All bytes held, and the first `count` of `bytes` after them. Valid until the next call. */
  with(bytes: Uint8Array, count: number): Uint8Array {
    this.append(bytes, 0, count)
    return this.#bytes.subarray(0, this.#length)
  }

  /** How many bytes at the end hold `test`. */
  trailing(test: (byte: number) => boolean): number {
    const held = Math.min(this.#length, this.#bytes.length)
    let count = 0
    while (count < held && test(this.#bytes[held - 1 - count] ?? 0)) count++
    return count
  }

  clear(): void {
    this.#length = 0
    if (this.#bytes.length > keptCapacity) this.#bytes = nothing
  }

  /** Doubles, so that a record of many chunks is copied a constant number of times. */
  #grow(length: number): void {
    const bytes = this.#bytes
    this.#bytes = new Uint8Array(Math.max(length, Math.min(length * 2, this.#maxBytes)))
    this.#bytes.set(bytes.subarray(0, this.#length))
  }
}
