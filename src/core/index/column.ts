type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

const chunkBits = 14
const chunkLength = 1 << chunkBits

/** Numbers of one typed array type, growing at the end. Kept in chunks: growing copies nothing and wastes at most one chunk. */
export class Column {
  readonly #make: (length: number) => Numbers
  readonly #chunks: Numbers[] = []
  #length = 0

  /** `make` gives an empty array of the column's type, e.g. `(n) => new Int32Array(n)`. */
  constructor(make: (length: number) => Numbers) {
    this.#make = make
  }

  get length(): number {
    return this.#length
  }

  push(value: number): void {
    const place = this.#length & (chunkLength - 1)
    if (place === 0) this.#chunks.push(this.#make(chunkLength))
    this.#length++
    this.set(this.#length - 1, value)
  }

  /** The number at `index`; 0 beyond the end. */
  at(index: number): number {
    return this.#chunks[index >>> chunkBits]?.[index & (chunkLength - 1)] ?? 0
  }

  /** `index` must be below `length`. */
  set(index: number, value: number): void {
    const chunk = this.#chunks[index >>> chunkBits]
    if (chunk) chunk[index & (chunkLength - 1)] = value
  }

  /** A copy of `from` … `from + count`; both must lie in the column. */
  slice(from: number, count: number): ArrayBuffer {
    const copy = this.#make(count)
    for (let done = 0; done < count;) {
      const start = (from + done) & (chunkLength - 1)
      const take = Math.min(chunkLength - start, count - done)
      const chunk = this.#chunks[(from + done) >>> chunkBits]
      if (chunk) copy.set(chunk.subarray(start, start + take), done)
      done += take
    }
    return copy.buffer
  }
}
