import { placesInOrder } from '../replay/item-matches.ts'
import type { Step } from './step.ts'

/** By place in the first list, the place in the second, or -1. A step is in one of the two, or in none. */
export interface Alignment {
  /** Pairs in order: both places ascend. */
  readonly pairs: Int32Array
  /** Equal steps that are elsewhere in the other list. */
  readonly moved: Int32Array
}

/** Costs of a step without a partner. Two of them cost less than a pair with nothing in common. */
const gapCost = 0.1
const equalScore = 1
const sameTargetScore = 0.8
/** Places to either side of the diagonal, beyond the difference of the lengths. */
const band = 64
/** Bytes of one table. */
const maxCells = 16_000_000
/** Cells computed for a gap: at least the first number, and at most the second one for each of its steps. */
const cells = { least: 4_000_000, perStep: 100 }

/**
 * Aligns two lists of steps. Equal beginnings are pairs: those of a fork and its parent end where it was forked. Prompts
 * that occur once on both sides divide what follows into sections; other equal steps that occur once on both sides of a
 * section are its anchors (patience diff). What is between anchors is aligned by similarity (Needleman-Wunsch in a
 * band). Swapping the lists swaps the result.
 */
export function alignSteps(a: readonly Step[], b: readonly Step[]): Alignment {
  // Ties are decided by order, so the lists have one that does not depend on which is given first.
  if (isAfter(a, b)) return swapped(new Aligner(b, a).align(), a.length)
  return new Aligner(a, b).align()
}

/** Whether `a` is the second one in an order of all lists. */
export function isAfter(a: readonly Step[], b: readonly Step[]): boolean {
  if (a.length !== b.length) return a.length > b.length
  for (const [place, { hash, kind, target }] of a.entries()) {
    const other = b[place]
    if (other === undefined) return false
    if (hash !== other.hash) return hash > other.hash
    if (kind !== other.kind) return kind > other.kind
    if (target !== other.target) return target > other.target
  }
  return false
}

function swapped({ pairs, moved }: Alignment, length: number): Alignment {
  const inverse = (places: Int32Array): Int32Array => {
    const result = new Int32Array(length).fill(-1)
    for (const [place, other] of places.entries()) if (other >= 0) result[other] = place
    return result
  }
  return { pairs: inverse(pairs), moved: inverse(moved) }
}

/** Numbers for texts, equal for equal ones, so comparing costs little. */
class Numbers {
  private readonly numbers = new Map<string | number, number>()

  of(value: string | number): number {
    let number = this.numbers.get(value)
    if (number === undefined) this.numbers.set(value, (number = this.numbers.size))
    return number
  }
}

/** One list as numbers. */
interface Side {
  readonly steps: readonly Step[]
  readonly hash: Int32Array
  /** Kind and tool. */
  readonly act: Int32Array
  readonly target: Int32Array
}

const maxWords = 48

class Aligner {
  private readonly a: Side
  private readonly b: Side
  private readonly wordNumbers = new Numbers()
  private readonly pairs: Int32Array
  private readonly moved: Int32Array
  /** By place in `b`: it has a partner, also one elsewhere. */
  private readonly isTaken: Uint8Array

  constructor(a: readonly Step[], b: readonly Step[]) {
    const [hashes, acts, targets] = [new Numbers(), new Numbers(), new Numbers()]
    const side = (steps: readonly Step[]): Side => ({
      steps,
      hash: Int32Array.from(steps, ({ hash }) => hashes.of(hash)),
      act: Int32Array.from(steps, ({ kind, tool }) => acts.of(`${kind} ${tool}`)),
      target: Int32Array.from(steps, ({ target }) => targets.of(target))
    })
    this.a = side(a)
    this.b = side(b)
    this.pairs = new Int32Array(a.length).fill(-1)
    this.moved = new Int32Array(a.length).fill(-1)
    this.isTaken = new Uint8Array(b.length)
  }

  align(): Alignment {
    const { a, b } = this
    const [endA, endB] = [a.steps.length, b.steps.length]
    let same = 0
    while (same < endA && same < endB && a.hash[same] === b.hash[same]) this.pair(same, same++)
    this.between(same, endA, same, endB, isPrompt, (fromA, toA, fromB, toB) => {
      this.between(fromA, toA, fromB, toB, canAnchor, (...gap) => this.gap(...gap))
    })
    this.findMoved()
    return { pairs: this.pairs, moved: this.moved }
  }

  /** Pairs the unique equal steps that keep their order, and passes on the parts between them. */
  private between(
    fromA: number,
    toA: number,
    fromB: number,
    toB: number,
    wanted: (step: Step | undefined) => boolean,
    part: (fromA: number, toA: number, fromB: number, toB: number) => void
  ): void {
    const { a, b } = this
    const [onlyA, onlyB] = [uniquePlaces(a, fromA, toA, wanted), uniquePlaces(b, fromB, toB, wanted)]
    const places: number[] = []
    const placesA: number[] = []
    for (const [hash, place] of onlyA) {
      const other = onlyB.get(hash) ?? -1
      if (place < 0 || other < 0) continue
      placesA.push(place)
      places.push(other - fromB)
    }
    const inOrder = placesInOrder(places, Math.max(0, toB - fromB))
    let [nextA, nextB] = [fromA, fromB]
    for (const [i, place] of placesA.entries()) {
      const other = places[i] ?? -1
      if (inOrder[other] !== 1) {
        this.move(place, other + fromB)
        continue
      }
      part(nextA, place, nextB, other + fromB)
      this.pair(place, other + fromB)
      nextA = place + 1
      nextB = other + fromB + 1
    }
    part(nextA, toA, nextB, toB)
  }

  private pair(place: number, other: number): void {
    this.pairs[place] = other
    this.isTaken[other] = 1
  }

  private move(place: number, other: number): void {
    this.moved[place] = other
    this.isTaken[other] = 1
  }

  private gap(fromA: number, toA: number, fromB: number, toB: number): void {
    const { a, b, moved, isTaken } = this
    const placesA = a.hash
      .subarray(fromA, toA)
      .map((_, i) => fromA + i)
      .filter((place) => moved[place] === -1)
    const placesB = b.hash
      .subarray(fromB, toB)
      .map((_, i) => fromB + i)
      .filter((place) => isTaken[place] === 0)
    this.similar(placesA, placesB, null)
  }

  /** `most`: cells of a table; null: as many as the lists may have. A larger table is cut at the proportional middle. */
  private similar(allA: Int32Array, allB: Int32Array, most: number | null): void {
    const isEqual = (i: number, j: number): boolean => this.a.hash[allA[i] ?? -1] === this.b.hash[allB[j] ?? -1]
    let [from, endA, endB] = [0, allA.length, allB.length]
    while (from < endA && from < endB && isEqual(from, from)) this.pair(allA[from] ?? -1, allB[from++] ?? -1)
    while (from < endA && from < endB && isEqual(endA - 1, endB - 1)) this.pair(allA[--endA] ?? -1, allB[--endB] ?? -1)
    const [placesA, placesB] = [allA.subarray(from, endA), allB.subarray(from, endB)]
    const [rows, columns] = [placesA.length, placesB.length]
    if (rows === 0 || columns === 0) return
    const reach = Math.abs(rows - columns) + band
    const width = Math.min(2 * reach + 1, columns + 1)
    const limit = most ?? mostCells(rows, columns, (rows + 1) * width)
    if ((rows + 1) * width > limit) {
      const [middleA, middleB] = [rows >> 1, columns >> 1]
      this.similar(placesA.subarray(0, middleA), placesB.subarray(0, middleB), limit)
      this.similar(placesA.subarray(middleA), placesB.subarray(middleB), limit)
    } else this.table(placesA, placesB, reach, width)
  }

  /** `width`: cells kept of each row of the table, which begin at `reach` left of the diagonal. */
  private table(placesA: Int32Array, placesB: Int32Array, reach: number, width: number): void {
    const [rows, columns] = [placesA.length, placesB.length]
    const moves = new Uint8Array((rows + 1) * width)
    const [wordsA, wordsB] = [this.words(this.a, placesA), this.words(this.b, placesB)]
    const startOf = (row: number): number => Math.max(0, Math.min(row - reach, columns + 1 - width))
    let above = new Float64Array(width)
    let scores = new Float64Array(width)
    for (let cell = 0; cell < width; cell++) {
      above[cell] = -gapCost * cell
      moves[cell] = left
    }
    for (let row = 1; row <= rows; row++) {
      const [start, former] = [startOf(row), startOf(row - 1)]
      for (let cell = 0; cell < width; cell++) {
        const column = start + cell
        const up = column - former
        let best = (above[up] ?? -Infinity) - gapCost
        let move: number = upwards
        if (cell > 0) {
          const score = (scores[cell - 1] ?? -Infinity) - gapCost
          if (score > best) [best, move] = [score, left]
        }
        if (column > 0) {
          const from = above[up - 1] ?? -Infinity
          // A pair is worth more than two gaps, or it is none.
          const score =
            from === -Infinity
              ? from
              : from +
                this.similarity(placesA[row - 1] ?? -1, placesB[column - 1] ?? -1, wordsA[row - 1], wordsB[column - 1])
          if (score >= best) [best, move] = [score, diagonal]
        }
        scores[cell] = best
        moves[row * width + cell] = move
      }
      ;[above, scores] = [scores, above]
    }
    let [row, column] = [rows, columns]
    while (row > 0 && column > 0) {
      const move = moves[row * width + column - startOf(row)]
      if (move === diagonal) this.pair(placesA[--row] ?? -1, placesB[--column] ?? -1)
      else if (move === upwards) row--
      else column--
    }
  }

  private similarity(place: number, other: number, words: Int32Array = none, others: Int32Array = none): number {
    const { a, b } = this
    if (a.hash[place] === b.hash[other]) return equalScore
    if (a.act[place] !== b.act[other]) return -Infinity
    if (a.target[place] === b.target[other]) return sameTargetScore
    const common = commonShare(words, others)
    return common >= 0.5 ? 0.2 + 0.5 * common : -Infinity
  }

  /** The different words of the targets of these steps, ascending. */
  private words({ steps }: Side, places: Int32Array): readonly Int32Array[] {
    return Array.from(places, (place) => {
      const texts = new Set((steps[place]?.target.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, maxWords))
      return Int32Array.from(texts, (word) => this.wordNumbers.of(word)).sort()
    })
  }

  /** Steps without a partner that occur once in what is left of both lists. */
  private findMoved(): void {
    const { a, b, pairs, moved, isTaken } = this
    const leftA = uniquePlaces(a, 0, a.steps.length, canAnchor, (place) => pairs[place] === -1 && moved[place] === -1)
    const leftB = uniquePlaces(b, 0, b.steps.length, canAnchor, (place) => isTaken[place] === 0)
    for (const [hash, place] of leftA) {
      const other = leftB.get(hash) ?? -1
      if (place >= 0 && other >= 0) this.move(place, other)
    }
  }
}

const [diagonal, upwards, left] = [1, 2, 3] as const
const none = new Int32Array(0)

/** Cells of one table, so that all tables of a gap, which needs `needed`, have a bounded number. Cutting it n times leaves an nth. */
function mostCells(rows: number, columns: number, needed: number): number {
  const all = Math.max(cells.least, cells.perStep * (rows + columns))
  return Math.min(maxCells, needed <= all ? needed : all * (all / needed))
}

function isPrompt(step: Step | undefined): boolean {
  return step?.kind === 'prompt'
}

/** The end of a turn looks like every other, and two agents seldom say the same twice in the same place. */
function canAnchor(step: Step | undefined): boolean {
  return step !== undefined && step.kind !== 'turn' && step.kind !== 'text'
}

/** By hash: the place of the wanted step that is the only one with it in the part; -1: there are several. */
function uniquePlaces(
  { steps, hash }: Side,
  from: number,
  to: number,
  wanted: (step: Step | undefined) => boolean,
  isFree: (place: number) => boolean = () => true
): Map<number, number> {
  const places = new Map<number, number>()
  for (let place = from; place < to; place++) {
    if (!wanted(steps[place]) || !isFree(place)) continue
    const number = hash[place] ?? 0
    places.set(number, places.has(number) ? -1 : place)
  }
  return places
}

/** Common members of two ascending lists, as a share of all their members (Jaccard). */
function commonShare(a: Int32Array, b: Int32Array): number {
  const [fewer, more] = a.length < b.length ? [a.length, b.length] : [b.length, a.length]
  if (fewer * 2 < more || fewer === 0) return 0
  let common = 0
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [one = 0, other = 0] = [a[i], b[j]]
    if (one === other) common++
    if (one <= other) i++
    if (other <= one) j++
  }
  return common / (a.length + b.length - common)
}
