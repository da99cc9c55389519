import type { AgentEvent } from '../events/agent-event.ts'
import type { EventIndex } from '../index/event-index.ts'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import type { RunIndex } from '../index/run-index.ts'
import { commandOfCall, filesOfCall } from '../index/tool-files.ts'
import { TurnStarts } from '../replay/turns.ts'
import { fileEdits } from '../tools/file-edits.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { callStatuses, mcpServer, memberMatches, ofTools, readInput, resultOf, someText } from './call-terms.ts'
import { type MatchesNumber, quantityMatch, timeMatch } from './number-match.ts'
import type { QueryTest, QueryValue } from './query.ts'
import { ofRequests, ofTokens } from './request-terms.ts'
import {
  firstFrom,
  kindOf,
  no,
  ofIntervals,
  ofNumber,
  ofRow,
  ofTable,
  type QueriedRun,
  read,
  type ReadRow,
  type RowTerm,
  yes
} from './row-term.ts'
import { todoIntervals } from './todo-intervals.ts'
import { insideMatch, type MatchesText, pathMatch, wholeMatch } from './value-match.ts'

const failedKind = kindOf('tool-error')
const todoKind = kindOf('todo')
const turnKind = kindOf('turn')
const recordKind = kindOf('record')
const maxIssuesOfRow = 1000

/** The type of the event of each kind of row; null for a record without one. */
export const typeOfKind: Readonly<Record<RowKind, AgentEvent['type'] | null>> = {
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
    case 'status': {
      const statusOf = callStatuses(rows)
      return [
        ofRow((row) => {
          const status = statusOf(row)
          return status !== null && named(status)
        })
      ]
    }
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
    case 'out':
    case 'ctx':
    case 'tokens':
      return [ofTokens(index, key, test)]
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

/** The first rows of the turns. */
export function turnStarts(rows: EventIndex): readonly number[] {
  const starts: number[] = []
  const rule = new TurnStarts()
  for (let row = 0; row < rows.rows; row++) {
    if (rows.trackAt(row) === 0 && rule.next(rows.kindAt(row))) starts.push(row)
  }
  return starts
}

function ofTurns(rows: EventIndex, matches: MatchesNumber): RowTerm {
  const starts = turnStarts(rows)
  return {
    fill(from, into) {
      let turn = firstFrom(starts, from + 1)
      for (let i = 0; i < into.length; i++) {
        if (starts[turn] === from + i) turn++
        into[i] = turn > 0 && matches(turn) ? yes : no
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

function namesOf(test: QueryTest, match: (value: QueryValue) => MatchesText): MatchesText {
  const matches = test.type === 'any' ? test.values.map(match) : []
  return (text) => matches.some((matches) => matches(text))
}

function wordsOf(test: QueryTest): readonly string[] {
  return test.type === 'any' ? test.values.flatMap((value) => (value.type === 'word' ? [value.text] : [])) : []
}
