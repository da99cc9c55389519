import type { EventIndex } from '../index/event-index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { kindOf, ofTable, read, type RowTerm } from './row-term.ts'
import type { MatchesText } from './value-match.ts'

// Terms about calls. A call and its results are asked as one.

const callKind = kindOf('tool')
const resultKind = kindOf('tool-result')
const failedKind = kindOf('tool-error')
const turnKind = kindOf('turn')

/** The call of a row: the row itself, the call of a result, or a result without a call. -1 for other rows. */
export function callOf(rows: EventIndex, row: number): number {
  const kind = rows.kindAt(row)
  if (kind === callKind) return row
  if (kind !== resultKind && kind !== failedKind) return -1
  const call = rows.callOf(row)
  return call >= 0 && rows.isCall(call) ? call : row
}

/** The result that counts of a row's call: the first one. -1: none. */
export function resultOf(rows: EventIndex, row: number): number {
  const call = callOf(rows, row)
  if (call < 0 || !rows.isCall(call)) return call
  return rows.resultsOf(call).at(-1) ?? -1
}

export function ofTools(rows: EventIndex, matches: MatchesText): RowTerm {
  return ofTable(
    ['', ...rows.tools],
    (tool) => tool !== '' && matches(tool),
    (row) => {
      const kind = rows.kindAt(row)
      return kind === callKind || kind === resultKind || kind === failedKind ? rows.toolNumberAt(row) : 0
    }
  )
}

/** The server in the name of its tool: `mcp__github__create_issue`. */
export function mcpServer(tool: string): string | null {
  return /^mcp__(.+?)__/.exec(tool)?.[1] ?? null
}

/** How the call of a row ended; null where the row has none. Without a result it is `running` while its turn goes on, else `unknown`. */
export function callStatuses(rows: EventIndex): (row: number) => 'ok' | 'error' | 'running' | 'unknown' | null {
  let lastTurnEnd = rows.rows - 1
  while (lastTurnEnd >= 0 && rows.kindAt(lastTurnEnd) !== turnKind) lastTurnEnd--
  return (row) => {
    const call = callOf(rows, row)
    if (call < 0) return null
    const result = resultOf(rows, row)
    if (result < 0) return call > lastTurnEnd ? 'running' : 'unknown'
    return rows.kindAt(result) === failedKind ? 'error' : 'ok'
  }
}

export function readInput(rows: EventIndex, matches: (input: JsonObject) => boolean): RowTerm {
  const rowFor = (row: number): number => {
    const call = callOf(rows, row)
    return call >= 0 && rows.isCall(call) ? call : -1
  }
  return read(rowFor, ({ event }) => event?.type === 'tool.started' && matches(event.input))
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
