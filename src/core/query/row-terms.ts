import { findingRules, type RuleName } from '../findings/finding.ts'
import { issueCodes, issueSeverities } from '../formats/issue.ts'
import type { EventIndex } from '../index/event-index.ts'
import { rowKinds, typeOfKind } from '../index/row-kind.ts'
import type { RunIndex } from '../index/run-index.ts'
import { commandOfCall, filesOfCall } from '../index/tool-files.ts'
import { rowsOfPlaces } from '../replay/rows-of-places.ts'
import { TurnStarts } from '../replay/turns.ts'
import { fileEdits } from '../tools/file-edits.ts'
import { toolKind } from '../tools/tool-kind.ts'
import { mcpServer, memberMatches, ofDuration, ofStatus, ofTools, readInput, someText } from './call-terms.ts'
import { isInRanges, type NumberRanges, quantityRanges, timeStretches } from './number-match.ts'
import type { QueryTest, QueryValue } from './query.ts'
import { ofAnyRequest, ofModels, ofRequestCosts, ofTokens, ofTurnCosts } from './request-terms.ts'
import {
  no,
  ofAll,
  ofIntervals,
  ofNumber,
  ofRows,
  ofTable,
  ofTime,
  type QueriedRun,
  read,
  readKinds,
  type ReadRow,
  type RowTerm,
  yes
} from './row-term.ts'
import { todoIntervals, withoutEmpty } from './todo-intervals.ts'
import { insideMatch, type MatchesText, pathMatch, wholeMatch } from './value-match.ts'

const rowsAtOnce = 1 << 14

const isText = rowKinds.map((kind) => typeOfKind[kind] === 'text')

const isTurn = rowKinds.map((kind) => kind === 'turn')
const recordKind = rowKinds.indexOf('record')
const isEvent = rowKinds.map((kind) => kind !== 'record')
/** By severity of a row: 0 is no issue. */
const rowsWithIssues = [false, ...issueSeverities.map(() => true)]

/** The term of a key that asks about rows. Several terms are combined by `or`. */
export function rowTerms(key: string, test: QueryTest, run: QueriedRun): readonly RowTerm[] {
  const { index, format } = run
  const { rows } = index
  const named = namesOf(test, wholeMatch)
  const inside = namesOf(test, insideMatch)
  switch (key) {
    case 'kind':
      return [ofTable(rowKinds, named, ({ kinds }) => kinds)]
    case 'type':
      return [
        ofTable(
          rowKinds.map((kind) => typeOfKind[kind] ?? ''),
          (type) => type !== '' && named(type),
          ({ kinds }) => kinds
        )
      ]
    case 'role': {
      const decide = ({ event }: ReadRow): boolean =>
        event?.type === 'text' && event.role !== undefined && named(event.role)
      return [readKinds(isText, decide)]
    }
    case 'track':
      return [
        ofTable(
          rows.tracks.map(({ trackId, label }) => [trackId ?? 'main', label] as const),
          (names) => names.some((name) => name !== '' && named(name)),
          ({ tracks }) => tracks
        )
      ]
    case 'agent':
      return [ofAgents(index, named)]
    case 'format':
      return [ofAll(named(format))]
    case 'tool': {
      // Kinds as they are written: `tool:edit` is every tool that edits, `tool:Edit` the one of this name.
      const kinds = new Set(wordsOf(test))
      return [ofTools(rows, (tool) => named(tool) || kinds.has(toolKind(tool) ?? ''))]
    }
    case 'mcp':
      return [ofTools(rows, (tool) => named(mcpServer(tool) ?? ''))]
    case 'status':
      return [ofStatus(rows, named)]
    case 'dur':
      return [ofDuration(rows, quantityRanges(test, 'duration'))]
    case 'stop': {
      const decide = ({ event }: ReadRow): boolean => event?.type === 'turn.completed' && named(event.finishReason)
      return [readKinds(isTurn, decide)]
    }
    case 'exit': {
      const codes = quantityRanges(test, 'count')
      return [
        read(
          ({ results }) => results,
          ({ facts }) => isInRanges(codes, facts.exitCode ?? NaN)
        )
      ]
    }
    case 'gap':
      return [ofGap(rows, quantityRanges(test, 'duration'))]
    case 'at':
      return [ofTime(timeStretches(test))]
    case 'seq':
      return [ofSeqs(rows, quantityRanges(test, 'count'))]
    case 'line':
      return [ofNumber(quantityRanges(test, 'count'), ({ lines }) => lines)]
    case 'size':
      return [ofNumber(quantityRanges(test, 'size'), ({ lengths }) => lengths)]
    case 'turn':
      return [ofTurns(rows, quantityRanges(test, 'count'))]
    case 'file': {
      const paths = valuesOf(test).map(pathMatch)
      return [
        readInput((input, folder) => filesOfCall(input).some((path) => paths.some((matches) => matches(path, folder))))
      ]
    }
    case 'cmd':
      return [readInput((input) => inside(commandOfCall(input) ?? ''))]
    case 'input':
      return [readInput((input) => someText(input, inside))]
    case 'output': {
      const decide = ({ event }: ReadRow): boolean =>
        event?.type === 'tool.completed' && inside(event.error ?? event.output ?? '')
      return [read(({ results }) => results, decide)]
    }
    case 'todo':
      return test.type === 'todo' ? [ofIntervals(todoIntervals(index, test.text, test.status))] : []
    case 'changed':
      return [ofIntervals(todoChangeRows(index))]
    case 'issue':
      return [ofIssues(rows, named)]
    case 'finding': {
      const rules = new Set(wordsOf(test))
      return [ofFindings(index, (rule) => rules.has(rule))]
    }
    case 'has':
      return wordsOf(test).flatMap((what) => termsOfHas(what, run))
    case 'model':
      return [ofModels(index, named)]
    case 'in':
    case 'out':
    case 'ctx':
    case 'tokens':
      return [ofTokens(index, key, test)]
    case 'cost': {
      const dollars = quantityRanges(test, 'count')
      return [ofRequestCosts(index, dollars), ofTurnCosts(index, dollars)]
    }
    default:
      return key.startsWith('input.') ? [readInput((input) => memberMatches(input, key.slice(6), named))] : []
  }
}

function termsOfHas(what: string, { index, bookmarks = [] }: QueriedRun): readonly RowTerm[] {
  switch (what) {
    case 'finding':
      return [ofFindings(index, (rule) => findingRules[rule].level === 'finding')]
    case 'bookmark':
      return [ofRows(rowsOfPlaces(index.rows, bookmarks))]
    case 'error':
      return [
        ofTable(
          rowKinds,
          (kind) => kind === 'error' || kind === 'tool-error',
          ({ kinds }) => kinds
        )
      ]
    case 'issue':
      return [
        ofTable(
          rowsWithIssues,
          (has) => has,
          ({ severities }) => severities
        )
      ]
    case 'todo':
      return [
        ofTable(
          rowKinds,
          (kind) => kind === 'todo',
          ({ kinds }) => kinds
        )
      ]
    case 'usage':
      return [ofAnyRequest(index)]
    case 'image':
      return [readKinds(isEvent, ({ facts }) => facts.images > 0)]
    case 'diff':
      return [
        readInput((input) => (fileEdits(input)?.length ?? 0) > 0),
        read(
          ({ results }) => results,
          ({ facts }) => facts.diffs.length > 0
        )
      ]
    default:
      return []
  }
}

/** The rows of the events that show findings of some rules. */
function ofFindings({ findings, rows }: RunIndex, isMeant: (rule: RuleName) => boolean): RowTerm {
  const events = findings.list.flatMap((finding) => (isMeant(finding.rule) ? finding.events : []))
  return ofRows([...new Set(events)].sort((a, b) => a - b).map((seq) => rows.rowOf(seq)))
}

function ofAgents({ rows, agentType }: RunIndex, named: MatchesText): RowTerm {
  const bounds: number[] = []
  const changes = [{ row: 0, agent: undefined }, ...rows.agentChanges]
  for (const { row, agent } of changes) {
    if (named(agent ?? rows.agentType ?? agentType ?? 'unknown') === (bounds.length % 2 === 0)) bounds.push(row)
  }
  return ofIntervals(withoutEmpty(bounds))
}

function ofIssues(rows: EventIndex, named: MatchesText): RowTerm {
  const matches = Object.entries(issueCodes).map(([code, { severity }]) => named(code) || named(severity))
  return {
    fill({ from }, into) {
      into.fill(no)
      rows.issues.eachCode(from, from + into.length, (row, code) => {
        if (matches[code] === true) into[row - from] = yes
      })
    }
  }
}

/** The time since the last row before that states one. */
function ofGap(rows: EventIndex, ranges: NumberRanges): RowTerm {
  /** The last time before a row, as it was met in the block before: the way back may be long. */
  let met: { readonly row: number; readonly time: number } = { row: 0, time: NaN }
  const timeBefore = (from: number): number => {
    for (let row = from - 1; row >= 0; row--) {
      if (row + 1 === met.row) return met.time
      const time = rows.statedTime(row)
      if (time !== null) return time
    }
    return NaN
  }
  return {
    fill({ from, statedTimes }, into) {
      const first = timeBefore(from)
      let before = first
      into.fill(no)
      for (let range = 0; range < ranges.length; range += 2) {
        const [low, high] = [ranges[range] ?? NaN, ranges[range + 1] ?? NaN]
        before = first
        for (let i = 0; i < into.length; i++) {
          const now = statedTimes[i] ?? NaN
          if (Number.isNaN(now)) continue
          const gap = now - before
          if (gap >= low && gap <= high) into[i] = yes
          before = now
        }
      }
      met = { row: from + into.length, time: before }
    }
  }
}

/** Events are numbered in the order of their rows. */
function ofSeqs(rows: EventIndex, ranges: NumberRanges): RowTerm {
  const bounds: (readonly [number, number])[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    const first = Math.max(0, Math.ceil(ranges[i] ?? NaN))
    const last = Math.min(rows.events - 1, Math.floor(ranges[i + 1] ?? NaN))
    if (first <= last) bounds.push([rows.rowOf(first), rows.rowOf(last) + 1])
  }
  return {
    fill({ from, kinds }, into) {
      into.fill(no)
      for (const [first, end] of bounds) {
        const to = Math.min(into.length, end - from)
        for (let i = Math.max(0, first - from); i < to; i++) if (kinds[i] !== recordKind) into[i] = yes
      }
    }
  }
}

/** The first rows of the turns. */
export function turnStarts(rows: EventIndex): readonly number[] {
  const starts: number[] = []
  const rule = new TurnStarts()
  const most = Math.min(rowsAtOnce, rows.rows)
  const [kinds, tracks] = [new Uint8Array(most), new Uint16Array(most)]
  for (let from = 0; from < rows.rows; from += rowsAtOnce) {
    const length = Math.min(rowsAtOnce, rows.rows - from)
    rows.kindsOf(from, kinds.subarray(0, length))
    rows.tracksOf(from, tracks.subarray(0, length))
    for (let i = 0; i < length; i++) if (tracks[i] === 0 && rule.next(kinds[i] ?? 0)) starts.push(from + i)
  }
  return starts
}

function ofTurns(rows: EventIndex, ranges: NumberRanges): RowTerm {
  const bounds: number[] = []
  for (const [i, start] of turnStarts(rows).entries())
    if (isInRanges(ranges, i + 1) === (bounds.length % 2 === 0)) bounds.push(start)
  return ofIntervals(bounds)
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
  const matches = valuesOf(test).map(match)
  return (text) => matches.some((matches) => matches(text))
}

function wordsOf(test: QueryTest): readonly string[] {
  return valuesOf(test).flatMap((value) => (value.type === 'word' ? [value.text] : []))
}

function valuesOf(test: QueryTest): readonly QueryValue[] {
  return test.type === 'any' ? test.values : []
}
