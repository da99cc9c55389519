const pieceLength = 256

/**
 * A list that only grows, of values that never change: texts, numbers, frozen objects. All but its last piece is frozen, so that
 * a copy (`forkState`) of a long list costs little more than one of a short list.
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
    // `slice`: a list that grew has room for more.
    this.full.push(Object.freeze(this.last.slice()))
    this.last = []
  }

  /** Undefined where there is none. */
  at(index: number): T | undefined {
    const piece = Math.floor(index / pieceLength)
    return (piece === this.full.length ? this.last : this.full[piece])?.[index % pieceLength]
  }
}
