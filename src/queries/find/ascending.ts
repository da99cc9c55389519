type Numbers = Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** A growing list of ascending numbers. */
export class Ascending<T extends Numbers> {
  readonly #make: (length: number) => T
  #numbers: T
  #length = 0

  /** `make`: a typed array of a length. */
  constructor(make: (length: number) => T) {
    this.#make = make
    this.#numbers = make(0)
  }

  get length(): number {
    return this.#length
  }

  /** Infinity beyond the end. */
  at(index: number): number {
    return index < this.#length ? (this.#numbers[index] ?? Infinity) : Infinity
  }

  /** `number` must not be less than the last one. */
  push(number: number): void {
    this.#reserve(1)
    this.#numbers[this.#length++] = number
  }

  /** `numbers` must ascend, from no less than the last one. */
  append(numbers: T): void {
    this.#reserve(numbers.length)
    this.#numbers.set(numbers, this.#length)
    this.#length += numbers.length
  }

  /** The number of entries below `number`. */
  countBelow(number: number): number {
    let low = 0
    let high = this.#length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#numbers[middle] ?? 0) < number) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Keeps only those below `number`. */
  cutAt(number: number): void {
    this.#length = this.countBelow(number)
  }

  /** A copy of `count` numbers from index `from` on, fewer at the end. */
  slice(from: number, count: number): T {
    return this.#numbers.slice(Math.min(from, this.#length), Math.min(from + count, this.#length)) as T
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#numbers.length) return
    const grown = this.#make(Math.max(2 * this.#numbers.length, this.#length + more, 256))
    grown.set(this.#numbers.subarray(0, this.#length))
    this.#numbers = grown
  }
}
