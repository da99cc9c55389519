import type { EventIndex } from '../index/event-index.ts'
import { rowKinds } from '../index/row-kind.ts'

/** Rows of a line that are looked at: a line with more results counts more than once. */
const maxRows = 1000
const isResult = rowKinds.map((kind) => kind === 'tool-result' || kind === 'tool-error')

/** Whether an earlier row is a result on the same line, so that the line's bytes count there. */
export function isSameLine(rows: EventIndex, result: number): boolean {
  const line = rows.lineAt(result)
  for (let row = result - 1; row >= 0 && row > result - maxRows && rows.lineAt(row) === line; row--) {
    if (isResult[rows.kindAt(row)] === true && rows.isSamePlace(row, result)) return true
  }
  return false
}
