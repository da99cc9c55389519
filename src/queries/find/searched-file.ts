import { Ascending } from './ascending.ts'
import type { Found, Piece } from './search.ts'

/**
 * How far one file is searched, and where in it something was found. Pieces are given out in order and may be done in any. All pieces up
 * to one limit are done before those up to a later one begin: what ends at the limit may go on behind it, and is looked at again.
 */
export class SearchedFile {
  readonly #hits = new Ascending((length) => new Float64Array(length))
  #limit = 0
  #dealt = 0
  #searchedTo = 0
  /** From where on everything is searched again when there is more. */
  #open = Infinity
  /** Done before a piece that comes earlier; by their beginnings. */
  readonly #early = new Map<number, { readonly to: number; readonly found: Found }>()
  /** What `holds` was asked last, and the first hit from there on. */
  #asked = Infinity
  #cursor = 0

  /** Every hit before it is known. */
  get searchedTo(): number {
    return this.#searchedTo
  }

  /** How many bytes of it are searched, whatever comes before them. */
  get bytesSearched(): number {
    return [...this.#early].reduce((sum, [from, { to }]) => sum + to - from, this.#searchedTo)
  }

  /** No piece of it is being searched, or waits to be given out. */
  get isResting(): boolean {
    return this.#searchedTo >= this.#limit
  }

  /**
   * The next piece to search, about `pieceBytes` long; null if none can be now. `bytes`: what may be looked at so far. `patient`: more
   * will come at once, so a line that has not ended is not looked at again before twice as much of it is there.
   */
  deal(bytes: number, pieceBytes: number, patient: boolean): Piece | null {
    if (this.#dealt >= this.#limit && !this.#goOn(bytes, patient)) return null
    const from = this.#dealt
    const rest = this.#limit - from
    // What remains is no piece of its own if it is small.
    this.#dealt = rest < 1.5 * pieceBytes ? this.#limit : from + pieceBytes
    return { from, to: this.#dealt, limit: this.#limit }
  }

  /** What was found in a piece that was given out. */
  add({ from, to }: Piece, found: Found): void {
    this.#early.set(from, { to, found })
    for (let next = this.#early.get(this.#searchedTo); next; next = this.#early.get(this.#searchedTo)) {
      this.#early.delete(this.#searchedTo)
      this.#searchedTo = next.to
      this.#hits.append(next.found.offsets)
      this.#open = Math.min(this.#open, next.found.open ?? Infinity)
    }
  }

  /** Whether something was found at `from` … `to`. */
  holds(from: number, to: number): boolean {
    if (from < this.#asked) this.#cursor = this.#hits.countBelow(from)
    else while (this.#hits.at(this.#cursor) < from) this.#cursor++
    this.#asked = from
    return this.#hits.at(this.#cursor) < to
  }

  /** Begins with what has come behind the limit, and what was left open there. */
  #goOn(bytes: number, patient: boolean): boolean {
    if (this.#searchedTo < this.#limit || bytes <= this.#limit) return false
    const from = Math.min(this.#open, this.#limit)
    if (patient && bytes - from < 2 * (this.#limit - from)) return false
    this.#hits.cutAt(from)
    this.#asked = Infinity
    this.#searchedTo = from
    this.#dealt = from
    this.#limit = bytes
    this.#open = Infinity
    return true
  }
}
