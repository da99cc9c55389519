/** Work that yields where others may go on. What it returns is its result. */
export type Steps<T> = Generator<undefined, T>

/** Items of a list between two yields: about a millisecond. */
export const itemsOfStep = 4096

/** All steps in one go. */
export function allSteps<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Sorts numbers in ascending order, in place. */
export function* sortNumbers(numbers: Float64Array<ArrayBuffer>): Steps<undefined> {
  yield* mergeSort<number, Float64Array<ArrayBuffer>>(
    numbers,
    new Float64Array(numbers.length),
    8 * itemsOfStep,
    sortBlock,
    (a, b) => a - b
  )
  return undefined
}

function sortBlock(numbers: Float64Array<ArrayBuffer>, from: number, to: number): void {
  numbers.subarray(from, to).sort()
}

/** Sorts a list, in place. Equal ones keep their order. */
export function* sortList<T>(list: T[], compare: (a: T, b: T) => number): Steps<undefined> {
  const sort = (items: T[], from: number, to: number): void => {
    for (const [i, item] of items.slice(from, to).sort(compare).entries()) items[from + i] = item
  }
  yield* mergeSort<T, T[]>(list, [...list], itemsOfStep, sort, compare)
  return undefined
}

interface Items<T> {
  readonly length: number
  [at: number]: T
}

function* mergeSort<T, L extends Items<T>>(
  items: L,
  room: L,
  block: number,
  sort: (items: L, from: number, to: number) => void,
  compare: (a: T, b: T) => number
): Steps<undefined> {
  const { length } = items
  for (let from = 0; from < length; from += block) {
    sort(items, from, Math.min(length, from + block))
    yield
  }
  let [source, target] = [items, room]
  for (let width = block; width < length; width *= 2) {
    for (let from = 0; from < length; from += 2 * width) {
      const middle = Math.min(length, from + width)
      const to = Math.min(length, middle + width)
      let [left, right] = [from, middle]
      for (let at = from; at < to; at++) {
        const isLeft = left < middle && (right >= to || compare(source[left] as T, source[right] as T) <= 0)
        target[at] = source[isLeft ? left++ : right++] as T
        if (at % itemsOfStep === 0) yield
      }
    }
    ;[source, target] = [target, source]
  }
  if (source !== items) for (let at = 0; at < length; at++) items[at] = source[at] as T
  return undefined
}
