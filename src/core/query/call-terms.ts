import type { EventIndex } from '../index/event-index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { isInRanges, type NumberRanges } from './number-match.ts'
import { callEnds, callOf, resultOf } from './row-block.ts'
import { kindOf, no, ofTable, read, type RowTerm, yes } from './row-term.ts'
import type { MatchesText } from './value-match.ts'

// Terms about calls. A call and its results are asked as one.

const failedKind = kindOf('tool-error')
const turnKind = kindOf('turn')
const rowsAtOnce = 1 << 14

export function ofTools(rows: EventIndex, matches: MatchesText): RowTerm {
  return ofTable(
    ['', ...rows.tools],
    (tool) => tool !== '' && matches(tool),
    (block) => block.tools
  )
}

/** By how the call of a row ended. */
export function ofStatus(rows: EventIndex, matches: MatchesText): RowTerm {
  const lastEnd = lastTurnEnd(rows)
  const holds = (status: CallEnd): number => (matches(status) ? yes : no)
  const table = (open: CallEnd): Uint8Array =>
    Uint8Array.from(callEnds, (end) => (end === null ? no : holds(end === 'open' ? open : end)))
  const [before, after] = [table('unknown'), table('running')]
  return {
    fill({ ends, from }, into) {
      const passed = Math.max(0, Math.min(into.length, lastEnd + 1 - from))
      for (let i = 0; i < passed; i++) into[i] = before[ends[i] ?? 0] ?? no
      for (let i = passed; i < into.length; i++) into[i] = after[ends[i] ?? 0] ?? no
    }
  }
}

/** By how long the call of a row took. */
export function ofDuration(rows: EventIndex, ranges: NumberRanges): RowTerm {
  // Few of all rows have a duration.
  const holds = new Uint8Array(rows.rows)
  const stated = rows.durationsBetween(0, rows.rows)
  const repeated = rows.repeatedResults
  for (let i = 0; i < stated.rows.length; i++) {
    if (!isInRanges(ranges, stated.values[i] ?? NaN)) continue
    const result = stated.rows[i] ?? 0
    // The first result of a call counts.
    if (repeated.length > 0 && resultOf(rows, result) !== result) continue
    holds[result] = yes
    holds[callOf(rows, result)] = yes
  }
  for (const row of repeated) holds[row] = holds[resultOf(rows, row)] ?? no
  return { fill: ({ from }, into) => void into.set(holds.subarray(from, from + into.length)) }
}

/** The server in the name of its tool: `mcp__github__create_issue`. */
export function mcpServer(tool: string): string | null {
  return /^mcp__(.+?)__/.exec(tool)?.[1] ?? null
}

type CallEnd = 'ok' | 'error' | 'running' | 'unknown'

/** How the call of a row ended; null where the row has none. */
export function callStatuses(rows: EventIndex): (row: number) => CallEnd | null {
  const lastEnd = lastTurnEnd(rows)
  return (row) => {
    const call = callOf(rows, row)
    if (call < 0) return null
    const result = resultOf(rows, row)
    // Without a result, a call is `running` while its turn goes on.
    if (result < 0) return call > lastEnd ? 'running' : 'unknown'
    return rows.kindAt(result) === failedKind ? 'error' : 'ok'
  }
}

function lastTurnEnd(rows: EventIndex): number {
  const kinds = new Uint8Array(rowsAtOnce)
  for (let to = rows.rows; to > 0; to -= rowsAtOnce) {
    const from = Math.max(0, to - rowsAtOnce)
    const last = rows.kindsOf(from, kinds.subarray(0, to - from)).lastIndexOf(turnKind)
    if (last >= 0) return from + last
  }
  return -1
}

/** `folder`: of the session. */
export function readInput(matches: (input: JsonObject, folder: string | null) => boolean): RowTerm {
  return read(
    ({ calls }) => calls,
    ({ event, folder }) => event?.type === 'tool.started' && matches(event.input, folder)
  )
}

export function someText(value: JsonValue | undefined, matches: MatchesText): boolean {
  if (typeof value === 'string') return matches(value)
  if (Array.isArray(value)) return value.some((each: JsonValue) => someText(each, matches))
  if (isJsonObject(value)) return Object.values(value).some((each) => someText(each, matches))
  return typeof value === 'number' || typeof value === 'boolean' ? matches(String(value)) : false
}

/** `path`: names of members, `edits.old_string`; of a list, any entry. */
export function memberMatches(value: JsonValue | undefined, path: string, matches: MatchesText): boolean {
  if (Array.isArray(value)) return value.some((each: JsonValue) => memberMatches(each, path, matches))
  if (path === '') return someText(value, matches)
  if (!isJsonObject(value)) return false
  const own = value[path]
  if (own !== undefined) return someText(own, matches)
  const dot = path.indexOf('.')
  return dot > 0 && memberMatches(value[path.slice(0, dot)], path.slice(dot + 1), matches)
}
