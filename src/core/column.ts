import { firstWhere } from './first-where.ts'

export type ColumnType = 'uint8' | 'uint16' | 'uint32' | 'int32' | 'float64'

export type ColumnChunk =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

const arrays: Record<ColumnType, new (length: number) => ColumnChunk> = {
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float64: Float64Array
}

/** Initial capacity: most logs are short, and many are open at once. */
const firstRoom = 64

/**
 * A growing list of numbers in chunks of typed arrays. Growing copies at most the first chunk, which doubles until it
 * is full, and wastes at most one chunk. A `fork` copies at most the last one.
 */
export class Column {
  readonly type: ColumnType
  readonly chunkBits: number
  private readonly parts: ColumnChunk[] = []
  /** By chunk: shared with a fork, so copied before a write. Never the last chunk while it has room. */
  private readonly shared: boolean[] = []
  private count = 0
  /** How many numbers the chunks have room for. */
  private capacity = 0

  /** A chunk has two to the power of `chunkBits` numbers; use few for many short columns. */
  constructor(type: ColumnType, chunkBits = 14) {
    this.type = type
    this.chunkBits = chunkBits
  }

  /**
   * A column from the `chunks()` of another. Takes ownership of full chunks. Throws a RangeError unless they have
   * `length` numbers of that type.
   */
  static from(type: ColumnType, chunkBits: number, length: number, chunks: Iterable<ColumnChunk>): Column {
    const column = new Column(type, chunkBits)
    const chunkLength = 1 << chunkBits
    for (const chunk of chunks) {
      const expected = Math.min(chunkLength, length - column.count)
      if (!(chunk instanceof arrays[type]) || expected <= 0 || chunk.length !== expected) {
        throw new RangeError(`not the chunks of a ${type} column of ${length}`)
      }
      column.addChunk(expected === chunkLength ? chunk : copyOf(chunk, type, column.room(expected)), false)
      column.count += expected
    }
    if (column.count !== length) throw new RangeError(`not the chunks of a ${type} column of ${length}`)
    return column
  }

  /** A column of `length` zeros. */
  static zeros(type: ColumnType, chunkBits: number, length: number): Column {
    const column = new Column(type, chunkBits)
    for (let count = 0; count < length; count += 1 << chunkBits) {
      column.addChunk(new arrays[type](1 << chunkBits), false)
    }
    column.count = length
    return column
  }

  get length(): number {
    return this.count
  }

  push(value: number): void {
    if (this.count === this.capacity) this.makeRoom()
    const chunk = this.parts[this.count >>> this.chunkBits]
    if (!chunk) return
    this.put(chunk, this.count & ((1 << this.chunkBits) - 1), value)
    this.count++
  }

  /** For one more number. */
  private makeRoom(): void {
    const place = this.count & ((1 << this.chunkBits) - 1)
    if (place === 0) {
      this.addChunk(new arrays[this.type](this.room(1)), false)
      return
    }
    const part = this.count >>> this.chunkBits
    const chunk = this.parts[part]
    if (!chunk) return
    const grown = copyOf(chunk, this.type, this.room(place + 1))
    this.parts[part] = grown
    this.capacity += grown.length - chunk.length
  }

  private addChunk(chunk: ColumnChunk, isShared: boolean): void {
    this.parts.push(chunk)
    this.shared.push(isShared)
    this.capacity += chunk.length
  }

  /** The capacity of the last chunk for `count` numbers. */
  private room(count: number): number {
    const whole = 1 << this.chunkBits
    if (this.count >= whole) return whole
    let room = Math.min(firstRoom, whole)
    while (room < count) room *= 2
    return room
  }

  /** Removes all numbers from `length` on. `length` must not exceed the current one. */
  truncate(length: number): void {
    const left = length & ((1 << this.chunkBits) - 1)
    const full = length >>> this.chunkBits
    this.parts.length = left === 0 ? full : full + 1
    this.shared.length = this.parts.length
    this.count = length
    const last = this.parts[full]
    this.capacity = (full << this.chunkBits) + (last?.length ?? 0)
    if (last === undefined) return
    // Copied, as it is written to from here on.
    this.parts[full] = copyOf(last.subarray(0, left), this.type, last.length)
    this.shared[full] = false
  }

  /** The number at `index`; 0 beyond the end. */
  at(index: number): number {
    const chunk = this.parts[index >>> this.chunkBits]
    if (!chunk) return 0
    const place = index & ((1 << this.chunkBits) - 1)
    switch (this.type) {
      case 'uint8':
        return (chunk as Uint8Array)[place] ?? 0
      case 'uint16':
        return (chunk as Uint16Array)[place] ?? 0
      case 'uint32':
        return (chunk as Uint32Array)[place] ?? 0
      case 'int32':
        return (chunk as Int32Array)[place] ?? 0
      case 'float64':
        return (chunk as Float64Array)[place] ?? 0
    }
  }

  /** The place of the first number that is not below `value`, `length` for none. The numbers must ascend. */
  firstFrom(value: number): number {
    return firstWhere(this.count, (index) => this.at(index) >= value)
  }

  /** `index` must be below `length`. */
  set(index: number, value: number): void {
    const part = index >>> this.chunkBits
    let chunk = this.parts[part]
    if (!chunk) return
    if (this.shared[part] === true) {
      this.parts[part] = chunk = copyOf(chunk, this.type, chunk.length)
      this.shared[part] = false
    }
    this.put(chunk, index & ((1 << this.chunkBits) - 1), value)
  }

  /** A copy of `from` … `from + count`; both must be in the column. */
  slice(from: number, count: number): ArrayBuffer {
    return this.copy(from, new arrays[this.type](count)).buffer
  }

  /** Fills `into`, an array of the column's type, with the numbers from `from` on; they must be in the column. */
  copy<T extends ColumnChunk>(from: number, into: T): T {
    const chunkLength = 1 << this.chunkBits
    for (let done = 0; done < into.length;) {
      const start = (from + done) & (chunkLength - 1)
      const take = Math.min(chunkLength - start, into.length - done)
      const chunk = this.parts[(from + done) >>> this.chunkBits]
      if (chunk) into.set(chunk.subarray(start, start + take), done)
      done += take
    }
    return into
  }

  /** An independent copy. Costs one step a chunk. */
  fork(): Column {
    const fork = new Column(this.type, this.chunkBits)
    const full = this.count >>> this.chunkBits
    this.parts.forEach((chunk, part) => {
      const isFull = part < full
      const used = isFull ? chunk : chunk.subarray(0, this.count - (part << this.chunkBits))
      fork.addChunk(isFull ? chunk : copyOf(used, this.type, chunk.length), isFull)
      this.shared[part] = isFull
    })
    fork.count = this.count
    return fork
  }

  /** The numbers in order, as views of the chunks: valid until the column is written to. */
  *chunks(): Iterable<ColumnChunk> {
    for (const [part, chunk] of this.parts.entries()) {
      yield chunk.subarray(0, Math.min(chunk.length, this.count - (part << this.chunkBits)))
    }
  }

  /** One access per type: a polymorphic one is many times slower, as in `at`. */
  private put(chunk: ColumnChunk, place: number, value: number): void {
    switch (this.type) {
      case 'uint8':
        ;(chunk as Uint8Array)[place] = value
        return
      case 'uint16':
        ;(chunk as Uint16Array)[place] = value
        return
      case 'uint32':
        ;(chunk as Uint32Array)[place] = value
        return
      case 'int32':
        ;(chunk as Int32Array)[place] = value
        return
      case 'float64':
        ;(chunk as Float64Array)[place] = value
    }
  }
}

function copyOf(chunk: ColumnChunk, type: ColumnType, length: number): ColumnChunk {
  const copy = new arrays[type](length)
  copy.set(chunk)
  return copy
}
