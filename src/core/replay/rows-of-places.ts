import type { EventIndex } from '../index/event-index.ts'
import { rowKinds } from '../index/row-kind.ts'
import type { PlaceInRun } from './review.ts'

const rowsAtOnce = 1 << 13

/** The rows of places that are still there, ascending: those whose line, kind and time are the same. */
export function rowsOfPlaces(index: EventIndex, places: readonly PlaceInRun[]): readonly number[] {
  const found = new Set<number>()
  /** By line: the places on it, of all files. */
  const wanted = new Map<number, PlaceInRun[]>()
  for (const place of places) wanted.set(place.line, [...(wanted.get(place.line) ?? []), place])
  /** Rows of a line so far, by file and line. */
  const met = new Map<string, number>()
  for (let from = 0; from < index.rows && wanted.size > 0; from += rowsAtOnce) {
    const count = Math.min(rowsAtOnce, index.rows - from)
    const lines = index.linesOf(from, new Uint32Array(count))
    const files = index.filesOf(from, new Uint16Array(count))
    for (let i = 0; i < count; i++) {
      const here = wanted.get(lines[i] ?? 0)
      if (here === undefined) continue
      const file = index.fileNamed(files[i] ?? 0) ?? null
      const key = JSON.stringify([file, lines[i]])
      const ordinal = met.get(key) ?? 0
      met.set(key, ordinal + 1)
      const row = from + i
      const isHere = (place: PlaceInRun): boolean =>
        place.file === file && place.ordinal === ordinal && isSame(index, row, place)
      if (here.some(isHere)) found.add(row)
    }
  }
  return [...found].toSorted((a, b) => a - b)
}

function isSame(index: EventIndex, row: number, { kind, time }: PlaceInRun): boolean {
  const [now = NaN] = index.timesOf(row, new Float64Array(1))
  return rowKinds[index.kindAt(row)] === kind && (time === null ? Number.isNaN(now) : now === time)
}
