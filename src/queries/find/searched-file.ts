import { Ascending } from './ascending.ts'
import type { Found, Piece } from './search.ts'

const none = new Float64Array()

/** Progress and hits of a file. All pieces up to a limit finish before later ones, as the last line may grow. */
export class SearchedFile {
  /** By text. */
  readonly #hits: readonly Ascending<Float64Array<ArrayBuffer>>[]
  #limit = 0
  #dealt = 0
  #searchedTo = 0
  /** The offset to search again from when there are more bytes. */
  #open = Infinity
  /** Pieces done before an earlier one, by start. */
  readonly #early = new Map<number, { readonly to: number; readonly found: Found }>()
  /** By text: the last place that `holds` was asked for, and the first hit there. */
  readonly #asked: number[]
  readonly #cursors: number[]

  /** `texts`: how many are searched for. */
  constructor(texts: number) {
    this.#hits = Array.from({ length: texts }, () => new Ascending((length) => new Float64Array(length)))
    this.#asked = this.#hits.map(() => Infinity)
    this.#cursors = this.#hits.map(() => 0)
  }

  /** All hits before it are known. */
  get searchedTo(): number {
    return this.#searchedTo
  }

  /** Bytes searched, in any order. */
  get bytesSearched(): number {
    return [...this.#early].reduce((sum, [from, { to }]) => sum + to - from, this.#searchedTo)
  }

  /** Whether no piece is being searched or queued. */
  get isResting(): boolean {
    return this.#searchedTo >= this.#limit
  }

  /** The next piece or null. `patient`: bytes follow soon, so an unterminated line is searched at twice its length. */
  deal(bytes: number, pieceBytes: number, patient: boolean): Piece | null {
    if (this.#dealt >= this.#limit && !this.#goOn(bytes, patient)) return null
    const from = this.#dealt
    const rest = this.#limit - from
    // A small rest joins the last piece.
    this.#dealt = rest < 1.5 * pieceBytes ? this.#limit : from + pieceBytes
    return { from, to: this.#dealt, limit: this.#limit }
  }

  /** Adds the hits of a piece. */
  add({ from, to }: Piece, found: Found): void {
    this.#early.set(from, { to, found })
    for (let next = this.#early.get(this.#searchedTo); next; next = this.#early.get(this.#searchedTo)) {
      this.#early.delete(this.#searchedTo)
      this.#searchedTo = next.to
      for (const [text, hits] of this.#hits.entries()) hits.append(next.found.offsets[text] ?? none)
      this.#open = Math.min(this.#open, next.found.open ?? Infinity)
    }
  }

  /** Whether there is a hit of a text in `from` … `to`. */
  holds(text: number, from: number, to: number): boolean {
    const hits = this.#hits[text]
    if (hits === undefined) return false
    let cursor = this.#cursors[text] ?? 0
    if (from < (this.#asked[text] ?? Infinity)) cursor = hits.countBelow(from)
    else while (hits.at(cursor) < from) cursor++
    this.#asked[text] = from
    this.#cursors[text] = cursor
    return hits.at(cursor) < to
  }

  /** Starts on the bytes after the limit, and those left open there. */
  #goOn(bytes: number, patient: boolean): boolean {
    if (this.#searchedTo < this.#limit || bytes <= this.#limit) return false
    const from = Math.min(this.#open, this.#limit)
    if (patient && bytes - from < 2 * (this.#limit - from)) return false
    for (const hits of this.#hits) hits.cutAt(from)
    this.#asked.fill(Infinity)
    this.#searchedTo = from
    this.#dealt = from
    this.#limit = bytes
    this.#open = Infinity
    return true
  }
}
