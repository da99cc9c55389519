import { GrowingList } from './growing-list.ts'

/** Files of a run take turns. */
const remembered = 16

type Tuple = readonly (string | undefined)[]

/** Numbers tuples of texts; recent ones are found again. */
export class TextTuples {
  private readonly tuples = new GrowingList<Tuple>()
  /** Recent numbers, latest first. */
  private readonly recent: number[] = []

  /** The number of texts must not vary. */
  numberOf(...texts: Tuple): number {
    const place = this.recent.findIndex((number) => isSame(this.at(number), texts))
    const [number = this.tuples.length] = place < 0 ? [] : this.recent.splice(place, 1)
    if (place < 0) this.tuples.push(Object.freeze(texts))
    this.recent.unshift(number)
    if (this.recent.length > remembered) this.recent.pop()
    return number
  }

  /** The texts of a number; empty if unknown. */
  at(number: number): Tuple {
    return this.tuples.at(number) ?? []
  }
}

function isSame(a: Tuple, b: Tuple): boolean {
  return a.every((text, place) => text === b[place])
}
