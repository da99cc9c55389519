/** Numbers names from 1; 0 is no name. Above `limit` names, as in a hostile log, all share the last number, `overflow`. */
export class Interned {
  private readonly numbers = new Map<string, number>()
  private readonly limit: number
  private readonly overflow: string
  private readonly known: string[] = []

  constructor(limit: number, overflow: string) {
    this.limit = limit
    this.overflow = overflow
  }

  /** All names so far; number n is at n - 1. */
  get names(): readonly string[] {
    return this.known
  }

  /** The number of `name`; adds a new name. */
  numberOf(name: string): number {
    const known = this.numbers.get(name)
    if (known !== undefined) return known
    if (this.known.length >= this.limit) return this.known.length
    this.known.push(this.known.length === this.limit - 1 ? this.overflow : name)
    this.numbers.set(name, this.known.length)
    return this.known.length
  }

  /** The number of a known name. */
  knownNumberOf(name: string): number | undefined {
    return this.numbers.get(name)
  }

  /** The name of a number that `numberOf` returned. */
  nameOf(number: number): string {
    return this.known[number - 1] ?? ''
  }
}
