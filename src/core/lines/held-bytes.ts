/** Bytes of a buffer that is reused for the next record; larger ones are released. */
const keptCapacity = 1 << 20
const nothing = new Uint8Array(0)

/** The bytes of a record from earlier chunks. Above `maxBytes` they are counted, not stored. */
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

  /** Appends the first `count` of `bytes` and returns all bytes. Valid until the next call. */
  with(bytes: Uint8Array, count: number): Uint8Array {
    this.append(bytes, 0, count)
    return this.#bytes.subarray(0, this.#length)
  }

  /** The number of trailing bytes that satisfy `test`. */
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

  /** Doubles, so appending many chunks stays linear. */
  #grow(length: number): void {
    const bytes = this.#bytes
    this.#bytes = new Uint8Array(Math.max(length, Math.min(length * 2, this.#maxBytes)))
    this.#bytes.set(bytes.subarray(0, this.#length))
  }
}
