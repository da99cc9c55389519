type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

/** Numbers of one typed array type, growing at the end. Kept in chunks: growing copies nothing and wastes at most one chunk. */
export class Column {
  readonly #make: (length: number) => Numbers
  readonly #chunkBits: number
  readonly #chunkLength: number
  readonly #chunks: Numbers[] = []
  #length = 0

  /**
   * `make` gives an empty array of the column's type, e.g. `(n) => new Int32Array(n)`. A chunk holds two to the power of `chunkBits`
   * numbers: few where many columns stay short.
   */
  constructor(make: (length: number) => Numbers, chunkBits = 14) {
    this.#make = make
    this.#chunkBits = chunkBits
    this.#chunkLength = 1 << chunkBits
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    const place = this.#length & (this.#chunkLength - 1)
    if (place === 0) this.#chunks.push(this.#make(this.#chunkLength))
    this.#length++
    this.set(this.#length - 1, value)
  }

  /** The number at `index`; 0 beyond the end. */
  at(index: number): number {
    return this.#chunks[index >>> this.#chunkBits]?.[index & (this.#chunkLength - 1)] ?? 0
  }

  /** `index` must be below `length`. */
  set(index: number, value: number): void {
    const chunk = this.#chunks[index >>> this.#chunkBits]
    if (chunk) chunk[index & (this.#chunkLength - 1)] = value
  }

  /** A copy of `from` … `from + count`; both must lie in the column. */
  slice(from: number, count: number): ArrayBuffer {
    const copy = this.#make(count)
    for (let done = 0; done < count;) {
      const start = (from + done) & (this.#chunkLength - 1)
      const take = Math.min(this.#chunkLength - start, count - done)
      const chunk = this.#chunks[(from + done) >>> this.#chunkBits]
      if (chunk) copy.set(chunk.subarray(start, start + take), done)
      done += take
    }
    return copy.buffer
  }
}
