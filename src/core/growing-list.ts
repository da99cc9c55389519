const pieceLength = 256

/**
 * An append-only list of immutable values: texts, numbers, frozen objects. All pieces but the last are frozen, so a
 * copy (`forkState`) costs little for any length.
 */
export class GrowingList<T> {
  private readonly full: (readonly T[])[] = []
  private last: T[] = []

  get length(): number {
    return this.full.length * pieceLength + this.last.length
  }

  push(value: T): void {
    this.last.push(value)
    if (this.last.length < pieceLength) return
    // `slice` drops the spare capacity.
    this.full.push(Object.freeze(this.last.slice()))
    this.last = []
  }

  /** Undefined beyond the end. */
  at(index: number): T | undefined {
    const piece = Math.floor(index / pieceLength)
    return (piece === this.full.length ? this.last : this.full[piece])?.[index % pieceLength]
  }
}
