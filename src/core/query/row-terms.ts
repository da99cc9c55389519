import type { AgentEvent } from '../events/agent-event.ts'
import type { EventIndex } from '../index/event-index.ts'
import type { RowFacts } from '../index/row-facts.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import type { RunIndex } from '../index/run-index.ts'
import { commandOfCall, filesOfCall } from '../index/tool-files.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts'
import { TurnStarts } from '../replay/turns.ts'
import type { ModelRequest } from '../requests/request-list.ts'
import { sentOf } from '../requests/tokens.ts'
import { fileEdits } from '../tools/file-edits.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { isOfAtLeast, type MatchesNumber, quantityMatch, timeMatch } from './number-match.ts'
import type { QueryTest, QueryValue } from './query.ts'
import { todoIntervals } from './todo-intervals.ts'
import { insideMatch, type MatchesText, pathMatch, wholeMatch } from './value-match.ts'

/** Whether a row meets a term, as far as the index tells: `maybe` is decided by reading the log. `and` takes the least, `or` the greatest. */
export const no = 0
export const maybe = 1
export const yes = 2

/** A row that was read again. */
export interface ReadRow {
  readonly event: AgentEvent | null
  readonly facts: RowFacts
}

/** A term of a query, made ready for one index. */
export interface RowTerm {
  /** Writes `no`, `maybe` or `yes` for each row from `from` on. */
  fill(from: number, into: Uint8Array): void
  /** The row to read where `fill` said `maybe`, and what decides then. Absent: no row is `maybe`, or a search decides. */
  readonly reads?: { rowFor(row: number): number; decide(read: ReadRow): boolean }
}

/** A log whose rows are asked about. */
export interface QueriedRun {
  readonly index: RunIndex
  /** Id of its format. */
  readonly format: string
}

const kindOf = (name: RowKind): number => rowKinds.indexOf(name)
const callKind = kindOf('tool')
const resultKind = kindOf('tool-result')
const failedKind = kindOf('tool-error')
const todoKind = kindOf('todo')
const turnKind = kindOf('turn')
const recordKind = kindOf('record')
const maxIssuesOfRow = 1000

/** The type of the event of each kind of row; null for a record without one. */
const typeOfKind: Readonly<Record<RowKind, AgentEvent['type'] | null>> = {
  record: null,
  session: 'session.started',
  prompt: 'text',
  assistant: 'text',
  reasoning: 'text',
  status: 'text',
  'result-text': 'text',
  tool: 'tool.started',
  'tool-result': 'tool.completed',
  'tool-error': 'tool.completed',
  turn: 'turn.completed',
  error: 'error',
  todo: 'todo_list',
  unparsed: 'text'
}
const textKinds = new Set(rowKinds.flatMap((kind, number) => (typeOfKind[kind] === 'text' ? [number] : [])))

/** The term of a key that asks about rows. Several terms: one of them has to hold. */
export function rowTerms(key: string, test: QueryTest, run: QueriedRun): readonly RowTerm[] {
  const { index, format } = run
  const { rows } = index
  const named = namesOf(test, wholeMatch)
  const inside = namesOf(test, insideMatch)
  switch (key) {
    case 'kind':
      return [ofTable(rowKinds, named, (row) => rows.kindAt(row))]
    case 'type':
      return [
        ofTable(
          rowKinds.map((kind) => typeOfKind[kind] ?? ''),
          (type) => type !== '' && named(type),
          (row) => rows.kindAt(row)
        )
      ]
    case 'role': {
      const decide = ({ event }: ReadRow): boolean =>
        event?.type === 'text' && event.role !== undefined && named(event.role)
      return [read((row) => (textKinds.has(rows.kindAt(row)) ? row : -1), decide)]
    }
    case 'track':
      return [
        ofTable(
          rows.tracks.map(({ trackId, label }) => [trackId ?? 'main', label] as const),
          (names) => names.some((name) => name !== '' && named(name)),
          (row) => rows.trackAt(row)
        )
      ]
    case 'agent':
      return [ofRow((row) => named(rows.agentAt(row) ?? rows.agentType ?? index.agentType ?? 'unknown'))]
    case 'format':
      return [named(format) ? ofRow(() => true) : ofRow(() => false)]
    case 'tool': {
      // Kinds as they are written: `tool:edit` is every tool that edits, `tool:Edit` the one of this name.
      const kinds = new Set(wordsOf(test))
      return [ofTools(rows, (tool) => named(tool) || kinds.has(toolKind(tool) ?? ''))]
    }
    case 'mcp':
      return [ofTools(rows, (tool) => named(mcpServer(tool) ?? ''))]
    case 'status':
      return [ofStatus(rows, named)]
    case 'dur': {
      const matches = quantityMatch(test, 'duration')
      return [
        ofRow((row) => {
          const result = resultOf(rows, row)
          return result >= 0 && matches(rows.tookAt(result))
        })
      ]
    }
    case 'stop': {
      const decide = ({ event }: ReadRow): boolean => event?.type === 'turn.completed' && named(event.finishReason)
      return [read((row) => (rows.kindAt(row) === turnKind ? row : -1), decide)]
    }
    case 'exit': {
      const matches = quantityMatch(test, 'count')
      return [
        read(
          (row) => resultOf(rows, row),
          ({ facts }) => matches(facts.exitCode ?? NaN)
        )
      ]
    }
    case 'gap':
      return [ofGap(rows, quantityMatch(test, 'duration'))]
    case 'at': {
      const matches = timeMatch(test)
      return [ofRow((row) => matches(rows.timeAt(row)))]
    }
    case 'seq':
      return [ofNumber(quantityMatch(test, 'count'), (row) => rows.seqOf(row), 0)]
    case 'line':
      return [ofNumber(quantityMatch(test, 'count'), (row) => rows.lineAt(row), 1)]
    case 'size':
      return [ofNumber(quantityMatch(test, 'size'), (row) => rows.lengthAt(row), 0)]
    case 'turn':
      return [ofTurns(rows, quantityMatch(test, 'count'))]
    case 'file': {
      const matches = namesOf(test, pathMatch)
      return [readInput(rows, (input) => filesOfCall(input).some(matches))]
    }
    case 'cmd':
      return [readInput(rows, (input) => inside(commandOfCall(input) ?? ''))]
    case 'input':
      return [readInput(rows, (input) => someText(input, inside))]
    case 'output': {
      const decide = ({ event }: ReadRow): boolean =>
        event?.type === 'tool.completed' && inside(event.error ?? event.output ?? '')
      return [read((row) => resultOf(rows, row), decide)]
    }
    case 'todo':
      return test.type === 'todo' ? [ofIntervals(todoIntervals(index, test.text, test.status))] : []
    case 'changed':
      return [ofIntervals(todoChangeRows(index))]
    case 'issue':
      return [
        ofRow(
          (row) =>
            rows.hasIssues(row) &&
            rows.issues.ofRow(row, maxIssuesOfRow).some(({ code, severity }) => named(code) || named(severity))
        )
      ]
    case 'has':
      return wordsOf(test).flatMap((what) => termsOfHas(what, index))
    case 'model':
      return [ofRequests(index, ({ model }) => model !== null && named(model))]
    case 'in':
      return [ofRequests(index, numberOf(test, inputOf))]
    case 'ctx':
      return [ofRequests(index, numberOf(test, contextOf))]
    case 'out':
      return [ofRequests(index, outputOf(test, writtenOf))]
    case 'tokens':
      return [ofRequests(index, outputOf(test, totalOf))]
    default:
      return key.startsWith('input.') ? [readInput(rows, (input) => memberMatches(input, key.slice(6), named))] : []
  }
}

function termsOfHas(what: string, index: RunIndex): readonly RowTerm[] {
  const { rows } = index
  switch (what) {
    case 'error': {
      const kinds = new Set([kindOf('error'), failedKind])
      return [ofRow((row) => kinds.has(rows.kindAt(row)))]
    }
    case 'issue':
      return [ofRow((row) => rows.hasIssues(row))]
    case 'todo':
      return [ofRow((row) => rows.kindAt(row) === todoKind)]
    case 'usage':
      return [ofRequests(index, () => true)]
    case 'image':
      return [
        read(
          (row) => (rows.kindAt(row) === recordKind ? -1 : row),
          ({ facts }) => facts.images > 0
        )
      ]
    case 'diff':
      return [
        readInput(rows, (input) => (fileEdits(input)?.length ?? 0) > 0),
        read(
          (row) => resultOf(rows, row),
          ({ facts }) => facts.diffs.length > 0
        )
      ]
    default:
      return []
  }
}

// ---- calls: a call and its results are asked as one ----

/** The call of a row: the row itself, the call of a result, or a result without a call. -1 for other rows. */
function callOf(rows: EventIndex, row: number): number {
  const kind = rows.kindAt(row)
  if (kind === callKind) return row
  if (kind !== resultKind && kind !== failedKind) return -1
  const call = rows.callOf(row)
  return call >= 0 && rows.isCall(call) ? call : row
}

/** The result that counts of a row's call: the first one. -1: none. */
function resultOf(rows: EventIndex, row: number): number {
  const call = callOf(rows, row)
  if (call < 0 || !rows.isCall(call)) return call
  return rows.resultsOf(call).at(-1) ?? -1
}

function ofTools(rows: EventIndex, matches: MatchesText): RowTerm {
  const tools = rows.tools
  return ofTable(
    ['', ...tools],
    (tool) => tool !== '' && matches(tool),
    (row) => {
      const kind = rows.kindAt(row)
      return kind === callKind || kind === resultKind || kind === failedKind ? rows.toolNumberAt(row) : 0
    }
  )
}

/** The server in the name of its tool: `mcp__github__create_issue`. */
function mcpServer(tool: string): string | null {
  return /^mcp__(.+?)__/.exec(tool)?.[1] ?? null
}

/** A call without a result is `running` while its turn goes on, else `unknown`. */
function ofStatus(rows: EventIndex, named: MatchesText): RowTerm {
  const [ok, error, running, unknown] = [named('ok'), named('error'), named('running'), named('unknown')]
  let lastTurnEnd = rows.rows - 1
  while (lastTurnEnd >= 0 && rows.kindAt(lastTurnEnd) !== turnKind) lastTurnEnd--
  return ofRow((row) => {
    const call = callOf(rows, row)
    if (call < 0) return false
    const result = resultOf(rows, row)
    if (result < 0) return call > lastTurnEnd ? running : unknown
    return rows.kindAt(result) === failedKind ? error : ok
  })
}

function readInput(rows: EventIndex, matches: (input: JsonObject) => boolean): RowTerm {
  const rowFor = (row: number): number => {
    const call = callOf(rows, row)
    return call >= 0 && rows.isCall(call) ? call : -1
  }
  return read(rowFor, ({ event }) => event?.type === 'tool.started' && matches(event.input))
}

function someText(value: JsonValue | undefined, matches: MatchesText): boolean {
  if (typeof value === 'string') return matches(value)
  if (Array.isArray(value)) return value.some((each: JsonValue) => someText(each, matches))
  if (isJsonObject(value)) return Object.values(value).some((each) => someText(each, matches))
  return typeof value === 'number' || typeof value === 'boolean' ? matches(String(value)) : false
}

/** `path`: names of members, `edits.old_string`; of a list, any entry. */
function memberMatches(value: JsonValue | undefined, path: string, matches: MatchesText): boolean {
  if (Array.isArray(value)) return value.some((each: JsonValue) => memberMatches(each, path, matches))
  if (path === '') return someText(value, matches)
  if (!isJsonObject(value)) return false
  const own = value[path]
  if (own !== undefined) return someText(own, matches)
  const dot = path.indexOf('.')
  return dot > 0 && memberMatches(value[path.slice(0, dot)], path.slice(dot + 1), matches)
}

// ---- numbers ----

/** `least`: smaller numbers mean that there is none. */
function ofNumber(matches: MatchesNumber, numberAt: (row: number) => number, least: number): RowTerm {
  return ofRow((row) => {
    const value = numberAt(row)
    return value >= least && matches(value)
  })
}

/** The time since the last row before that states one. */
function ofGap(rows: EventIndex, matches: MatchesNumber): RowTerm {
  return {
    fill(from, into) {
      let before: number | null = null
      for (let row = from - 1; row >= 0 && before === null; row--) before = rows.statedTime(row)
      for (let i = 0; i < into.length; i++) {
        const now = rows.statedTime(from + i)
        into[i] = now !== null && before !== null && matches(now - before) ? yes : no
        before = now ?? before
      }
    }
  }
}

function ofTurns(rows: EventIndex, matches: MatchesNumber): RowTerm {
  const starts: number[] = []
  const rule = new TurnStarts()
  for (let row = 0; row < rows.rows; row++) {
    if (rows.trackAt(row) === 0 && rule.next(rows.kindAt(row))) starts.push(row)
  }
  return {
    fill(from, into) {
      let turn = starts.findLastIndex((start) => start <= from) + 1
      for (let i = 0; i < into.length; i++) {
        if (starts[turn] === from + i) turn++
        into[i] = turn > 0 && matches(turn) ? yes : no
      }
    }
  }
}

// ---- requests ----

const inputOf = ({ tokens }: ModelRequest): number | undefined => tokens.input
const contextOf = ({ tokens }: ModelRequest): number | undefined => sentOf(tokens)
const writtenOf = ({ tokens }: ModelRequest): number | undefined => tokens.output

/** Unknown where a part of it is. */
function totalOf({ tokens }: ModelRequest): number | undefined {
  const sent = sentOf(tokens)
  return sent === undefined || tokens.output === undefined ? undefined : sent + tokens.output
}

function numberOf(
  test: QueryTest,
  read: (request: ModelRequest) => number | undefined
): (request: ModelRequest) => boolean {
  const matches = quantityMatch(test, 'count')
  return (request) => matches(read(request) ?? NaN)
}

/** An output that the log understates is at least what is stated. */
function outputOf(
  test: QueryTest,
  read: (request: ModelRequest) => number | undefined
): (request: ModelRequest) => boolean {
  const matches = numberOf(test, read)
  return (request) => (request.outputIs !== 'understated' || isOfAtLeast(test)) && matches(request)
}

/** The rows of the requests that match: of their lines, and of their track. */
function ofRequests({ rows, requests }: RunIndex, matches: (request: ModelRequest) => boolean): RowTerm {
  const numbers = new Map(rows.tracks.map(({ trackId }, number) => [trackId, number]))
  const spans = [...requests].flatMap((request) => {
    const { rowFirst, rowLast, trackId } = request
    return matches(request) ? [{ rowFirst, rowLast, track: numbers.get(trackId) ?? -1 }] : []
  })
  return {
    fill(from, into) {
      into.fill(no)
      const end = from + into.length
      for (const { rowFirst, rowLast, track } of spans) {
        if (rowFirst >= end) break
        for (let row = Math.max(from, rowFirst); row <= rowLast && row < end; row++) {
          if (rows.trackAt(row) === track) into[row - from] = yes
        }
      }
    }
  }
}

function todoChangeRows({ rows, todos }: RunIndex): readonly number[] {
  const bounds: number[] = []
  for (let i = 0; i < todos.length; i++) {
    const row = rows.rowOf(todos.seqOf(i))
    if (bounds.at(-1) === row) bounds[bounds.length - 1] = row + 1
    else bounds.push(row, row + 1)
  }
  return bounds
}

// ---- forms of terms ----

function ofRow(holds: (row: number) => boolean): RowTerm {
  return {
    fill(from, into) {
      for (let i = 0; i < into.length; i++) into[i] = holds(from + i) ? yes : no
    }
  }
}

/** Each of `members` is tested once. */
function ofTable<T>(
  members: readonly T[],
  matches: (member: T) => boolean,
  numberAt: (row: number) => number
): RowTerm {
  const table = Uint8Array.from(members, (member) => (matches(member) ? yes : no))
  return {
    fill(from, into) {
      for (let i = 0; i < into.length; i++) into[i] = table[numberAt(from + i)] ?? no
    }
  }
}

/** `bounds`: ascending rows; from the first on the term holds, from the second on not, and so on. */
function ofIntervals(bounds: readonly number[]): RowTerm {
  return {
    fill(from, into) {
      let next = bounds.findIndex((row) => row > from)
      if (next < 0) next = bounds.length
      for (let i = 0; i < into.length; i++) {
        while (next < bounds.length && (bounds[next] ?? 0) <= from + i) next++
        into[i] = next % 2 === 1 ? yes : no
      }
    }
  }
}

/** `rowFor`: the row to read for a row; -1 where the term cannot hold. */
function read(rowFor: (row: number) => number, decide: (read: ReadRow) => boolean): RowTerm {
  return {
    fill(from, into) {
      for (let i = 0; i < into.length; i++) into[i] = rowFor(from + i) >= 0 ? maybe : no
    },
    reads: { rowFor, decide }
  }
}

function namesOf(test: QueryTest, match: (value: QueryValue) => MatchesText): MatchesText {
  const matches = test.type === 'any' ? test.values.map(match) : []
  return (text) => matches.some((matches) => matches(text))
}

function wordsOf(test: QueryTest): readonly string[] {
  return test.type === 'any' ? test.values.flatMap((value) => (value.type === 'word' ? [value.text] : [])) : []
}
