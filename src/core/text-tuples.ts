import { GrowingList } from './growing-list.ts'

/** Files of a run that are read side by side take turns. */
const remembered = 16

type Tuple = readonly (string | undefined)[]

/** A few texts that belong together, as a number: one that was met lately has the same number again. */
export class TextTuples {
  private readonly tuples = new GrowingList<Tuple>()
  /** The numbers met lately, the last one first. */
  private readonly recent: number[] = []

  /** `texts` are always as many. */
  numberOf(...texts: Tuple): number {
    const place = this.recent.findIndex((number) => isSame(this.at(number), texts))
    const [number = this.tuples.length] = place < 0 ? [] : this.recent.splice(place, 1)
    if (place < 0) this.tuples.push(Object.freeze(texts))
    this.recent.unshift(number)
    if (this.recent.length > remembered) this.recent.pop()
    return number
  }

  /** The texts of a number that `numberOf` gave; none of any other. */
  at(number: number): Tuple {
    return this.tuples.at(number) ?? []
  }
}

function isSame(a: Tuple, b: Tuple): boolean {
  return a.every((text, place) => text === b[place])
}
