/**
 * Names as small numbers, counted from 1; 0 is no name. At most `limit` names: a log is untrusted and may hold a new one on
 * each line, so the last number stands for all further ones and is called `overflow`.
 */
export class Interned {
  readonly #numbers = new Map<string, number>()
  readonly #limit: number
  readonly #overflow: string
  readonly #names: string[] = []

  constructor(limit: number, overflow: string) {
    this.#limit = limit
    this.#overflow = overflow
  }

  /** All names so far; number n stands at n - 1. */
  get names(): readonly string[] {
    return this.#names
  }

  /** The number of `name`, a new one if it was not met before. */
  numberOf(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    if (this.#names.length >= this.#limit) return this.#names.length
    this.#names.push(this.#names.length === this.#limit - 1 ? this.#overflow : name)
    this.#numbers.set(name, this.#names.length)
    return this.#names.length
  }

  /** The number of `name` if it was met before. */
  knownNumberOf(name: string): number | undefined {
    return this.#numbers.get(name)
  }

  /** The name of a number that `numberOf` gave. */
  nameOf(number: number): string {
    return this.#names[number - 1] ?? ''
  }
}
