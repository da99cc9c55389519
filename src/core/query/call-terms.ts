import type { EventIndex } from '../index/event-index.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import type { MatchesNumber } from './number-match.ts'
import { callOf, resultOf } from './row-block.ts'
import { kindOf, no, ofTable, read, type RowTerm, yes } from './row-term.ts'
import type { MatchesText } from './value-match.ts'

// Terms about calls. A call and its results are asked as one.

const callKind = kindOf('tool')
const failedKind = kindOf('tool-error')
const turnKind = kindOf('turn')

export function ofTools(rows: EventIndex, matches: MatchesText): RowTerm {
  return ofTable(
    ['', ...rows.tools],
    (tool) => tool !== '' && matches(tool),
    (block) => block.callTools
  )
}

/** By how the call of a row ended. */
export function ofStatus(rows: EventIndex, matches: MatchesText): RowTerm {
  const lastEnd = lastTurnEnd(rows)
  const holds = Object.fromEntries(callEnds.map((status) => [status, matches(status) ? yes : no]))
  return {
    fill({ results, kinds, from }, into) {
      for (let i = 0; i < into.length; i++) {
        const result = results[i] ?? -1
        const isOpen = result < 0 && kinds[i] === callKind
        into[i] = result < 0 && !isOpen ? no : (holds[callEnd(rows, from + i, result, lastEnd)] ?? no)
      }
    }
  }
}

/** By how long the call of a row took. */
export function ofDuration(rows: EventIndex, matches: MatchesNumber): RowTerm {
  return {
    fill({ results }, into) {
      const durationOf = rows.durationReader()
      for (let i = 0; i < into.length; i++) {
        const result = results[i] ?? -1
        into[i] = result >= 0 && matches(durationOf(result) ?? NaN) ? yes : no
      }
    }
  }
}

/** The server in the name of its tool: `mcp__github__create_issue`. */
export function mcpServer(tool: string): string | null {
  return /^mcp__(.+?)__/.exec(tool)?.[1] ?? null
}

const callEnds = ['ok', 'error', 'running', 'unknown'] as const
type CallEnd = (typeof callEnds)[number]

/** How the call of a row ended; null where the row has none. */
export function callStatuses(rows: EventIndex): (row: number) => CallEnd | null {
  const lastEnd = lastTurnEnd(rows)
  return (row) => {
    const call = callOf(rows, row)
    return call < 0 ? null : callEnd(rows, call, resultOf(rows, row), lastEnd)
  }
}

/** Without a result, a call is `running` while its turn goes on, else `unknown`. */
function callEnd(rows: EventIndex, call: number, result: number, lastEnd: number): CallEnd {
  if (result < 0) return call > lastEnd ? 'running' : 'unknown'
  return rows.kindAt(result) === failedKind ? 'error' : 'ok'
}

function lastTurnEnd(rows: EventIndex): number {
  let last = rows.rows - 1
  while (last >= 0 && rows.kindAt(last) !== turnKind) last--
  return last
}

export function readInput(matches: (input: JsonObject) => boolean): RowTerm {
  return read(
    ({ calls }) => calls,
    ({ event }) => event?.type === 'tool.started' && matches(event.input)
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
