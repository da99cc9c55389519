import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '#core/events/agent-event.ts'
import type { TodoItem } from '#core/events/todo.ts'
import { type FoldedEvent, scopedId } from '#core/formats/log-format.ts'
import { isFailedCall } from '#core/index/failed-call.ts'
import { rowKindOf, rowKinds } from '#core/index/row-kind.ts'
import { eventSummary } from '#core/index/row-summary.ts'
import { commandOfCall, filesOfCall } from '#core/index/tool-files.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import { printQuery } from '#core/query/print-query.ts'
import type { Query } from '#core/query/query.ts'
import { TurnStarts } from '#core/replay/turns.ts'
import { toolKind } from '#core/tools/tool-kind.ts'
import { QueriedLog } from '#backend/query/queried-log.ts'
import { readLog } from '#backend/sources/read-log.ts'
import { corpusIsHere, corpusLogs, corpusPath } from './corpus.ts'
import { searchHere } from './log-here.ts'
import { expectEqual } from './expect-equal.ts'
import { every, times } from '../thorough.ts'

/** An event as it is decoded, with what a query may ask beside it. */
interface Decoded {
  readonly event: AgentEvent
  /** The line on which it stands. */
  readonly line: string
  /** Numbers of events: of its call, and of the first result of that. */
  call: number
  result: number
  /** The turn, from 1; 0: before the first. */
  readonly turn: number
  /** Ms since the row before that states a time, if both do. */
  readonly gap: number | undefined
  /** The items of all todo lists at this event. */
  readonly todos: readonly Pick<TodoItem, 'text' | 'status'>[]
}

const words = ['test', 'error', 'read', 'the', 'src', 'package', 'json', 'todo', 'zzqx']
const tools = ['Bash', 'Read', 'TodoWrite', 'edit', 'exec_command', 'read_file', 'write_todos', 'Edit', 'Write', 'zz*']
const word = (text: string) => ({ type: 'word' as const, text })
const term = (key: string, text: string): Query => ({ op: 'term', key, test: { type: 'any', values: [word(text)] } })
const compared = (key: string, by: '>' | '<=' | '>=' | '<', to: string): Query => ({
  op: 'term',
  key,
  test: { type: 'compare', by, to }
})

const bounds = fc.constantFrom('>' as const, '<=' as const)

const leaf: fc.Arbitrary<Query> = fc.oneof(
  fc.constantFrom(...words).map((text): Query => ({ op: 'text', value: { type: 'quoted', text } })),
  fc.constantFrom(...words).map((text) => term('output', text)),
  fc.constantFrom(...words).map((text) => term('cmd', text)),
  fc.constantFrom('*.ts', '*.json', 'package.json', 'src/*').map((text) => term('file', text)),
  fc.constantFrom(...tools).map((text) => term('tool', text)),
  fc.constantFrom('ok', 'error').map((text) => term('status', text)),
  fc
    .constantFrom('text', 'tool.started', 'tool.completed', 'todo_list', 'turn.completed')
    .map((text) => term('type', text)),
  fc.constantFrom('user', 'assistant', 'system').map((text) => term('role', text)),
  fc.constantFrom('done', 'error', 'cancelled').map((text) => term('stop', text)),
  fc.tuple(bounds, fc.nat(60)).map(([by, to]) => compared('seq', by, String(to))),
  fc.tuple(bounds, fc.nat(5000)).map(([by, to]) => compared('size', by, String(to))),
  fc.tuple(bounds, fc.nat(3)).map(([by, to]) => compared('dur', by, `${to}s`)),
  fc.tuple(bounds, fc.nat(9)).map(([by, to]) => compared('gap', by, `${to}s`)),
  fc.constantFrom('e.r', 'te(st|xt)').map((source): Query => ({
    op: 'text',
    value: { type: 'regex', source, ignoreCase: true }
  })),
  fc.constantFrom(...words).map((text) => term('input', text)),
  fc.constantFrom('*.ts', '*e*').map((text) => term('input.file_path', text)),
  fc.constantFrom('error', 'todo').map((text) => term('has', text)),
  fc.constantFrom('prompt', 'assistant', 'tool-result', 'tool-error').map((text) => term('kind', text)),
  fc.constant(term('track', 'main')),
  fc.tuple(bounds, fc.nat(300)).map(([by, to]) => compared('line', by, String(to))),
  fc.tuple(bounds, fc.nat(4)).map(([by, to]) => compared('turn', by, String(to))),
  fc
    .tuple(fc.constantFrom('>=' as const, '<' as const), fc.constantFrom('2025-09-01', '2025-12-01', '2026-03-01'))
    .map(([by, day]) => compared('at', by, `${day}T00:00Z`)),
  fc
    .tuple(fc.constantFrom(null, ...words), fc.constantFrom(null, 'pending', 'in_progress', 'completed'))
    .filter(([text, status]) => text !== null || status !== null)
    .map(([text, status]): Query => ({
      op: 'term',
      key: 'todo',
      test: { type: 'todo', text: text === null ? null : { type: 'quoted', text }, status }
    }))
)
const anyQuery = fc.letrec<{ query: Query }>((tie) => ({
  query: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.record({ op: fc.constant('not' as const), of: tie('query') }),
    fc.record({
      op: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('query'), { minLength: 2, maxLength: 3 })
    })
  )
})).query

/** What a query means, event by event: everything is decoded, nothing is indexed. */
function holds(events: readonly Decoded[], seq: number, asked: Query): boolean {
  if (asked.op === 'not') return !holds(events, seq, asked.of)
  const { event, line, call, result, turn, gap, todos } = events[seq] as Decoded
  if (asked.op === 'text') {
    if (asked.value.type === 'regex') return new RegExp(asked.value.source, 'iu').test(line)
    return line.toLowerCase().includes(asked.value.text)
  }
  if (asked.op !== 'term') {
    const parts = asked.of.map((part) => holds(events, seq, part))
    return asked.op === 'and' ? parts.every(Boolean) : parts.some(Boolean)
  }
  const { key, test } = asked
  const started = events[call]?.event
  const completed = events[result]?.event
  if (test.type === 'todo') {
    const text = test.text?.type === 'quoted' ? test.text.text : ''
    return todos.some((item) => item.text.toLowerCase().includes(text) && item.status === (test.status ?? item.status))
  }
  if (test.type === 'compare') {
    const numbers: Record<string, number | undefined> = {
      seq,
      turn: turn || undefined,
      line: event.source?.line,
      size: event.source?.length,
      gap,
      at: event.timestamp || undefined,
      dur: completed?.type === 'tool.completed' ? completed.durationMs : undefined
    }
    const value = numbers[key]
    const isTime = key === 'dur' || key === 'gap'
    const to = key === 'at' ? Date.parse(test.to) : isTime ? Number(test.to.slice(0, -1)) * 1000 : Number(test.to)
    if (value === undefined) return false
    return { '>': value > to, '<=': value <= to, '>=': value >= to, '<': value < to, '=': value === to }[test.by]
  }
  const [value] = test.type === 'any' ? test.values : []
  const text = value?.type === 'word' ? value.text : ''
  const input = started?.type === 'tool.started' ? started.input : null
  switch (key) {
    case 'output':
      return (
        completed?.type === 'tool.completed' && (completed.error ?? completed.output ?? '').toLowerCase().includes(text)
      )
    case 'cmd':
      return input !== null && (commandOfCall(input) ?? '').toLowerCase().includes(text)
    case 'file': {
      const pattern = new RegExp(`(?:^|/)${text.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 'is')
      return input !== null && filesOfCall(input).some((path) => pattern.test(path))
    }
    case 'tool': {
      const name =
        started?.type === 'tool.started'
          ? started.toolName
          : completed?.type === 'tool.completed'
            ? completed.toolName
            : ''
      return name?.toLowerCase() === text.toLowerCase() || toolKind(name ?? '') === text
    }
    case 'status':
      return completed?.type === 'tool.completed' && isFailedCall(completed) === (text === 'error')
    case 'input':
      return textsIn(input).some((each) => each.toLowerCase().includes(text))
    case 'input.file_path': {
      const pattern = new RegExp(`^${text.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 'is')
      return textsIn(input?.['file_path']).some((each) => pattern.test(each))
    }
    case 'has':
      return text === 'todo' ? event.type === 'todo_list' : ['error', 'tool-error'].includes(rowKindOf(event))
    case 'kind':
      return rowKindOf(event) === text
    case 'track':
      return event.trackId === undefined
    case 'type':
      return event.type === text
    case 'role':
      return event.type === 'text' && event.role === text
    default:
      return event.type === 'turn.completed' && event.finishReason === text
  }
}

function textsIn(value: unknown): string[] {
  if (value === null || value === undefined) return []
  return typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [String(value)]
}

/** Joins calls and results, by their ids. */
async function decodedOf(path: string): Promise<Decoded[]> {
  const events: Decoded[] = []
  const bytes = readFileSync(path)
  const calls = new Map<string, number>()
  const starts = new TurnStarts()
  const lists = new Map<string | undefined, readonly TodoItem[]>()
  let turn = 0
  let todos: readonly TodoItem[] = []
  const gaps: (number | undefined)[] = []
  let last: number | undefined
  const gapOf = (time: number | undefined): number | undefined => {
    const gap = time === undefined || last === undefined ? undefined : time - last
    last = time ?? last
    return gap
  }
  const timeOf = ({ timestamp, timestampFrom, draft }: FoldedEvent): number | undefined =>
    (draft.timestampFrom ?? timestampFrom) === undefined && timestamp > 0 ? timestamp : undefined
  await readLog(
    { path, format: null, single: true },
    {
      line({ blank, issues, events: ofLine, at, timestamp }) {
        for (const one of ofLine) gaps.push(gapOf(timeOf(one)))
        // A record that has no event is a row too.
        const isRow = !blank || issues.length > 0
        if (isRow && !ofLine.some((one) => one.at.offset === at.offset)) gapOf(timestamp)
      },
      event(event, seq, folded) {
        const { at, idScope } = folded
        if (gaps.length <= seq) gaps.push(gapOf(timeOf(folded)))
        const line = bytes.toString('utf8', at.offset, at.offset + at.length)
        if (event.trackId === undefined && starts.next(rowKinds.indexOf(rowKindOf(event)))) turn++
        if (event.type === 'todo_list') {
          lists.set(event.trackId, event.items)
          todos = [...lists.values()].flat()
        }
        const decoded: Decoded = { event, line, call: -1, result: -1, turn, gap: gaps[seq], todos }
        events.push(decoded)
        if (event.type === 'tool.started') {
          calls.set(scopedId(idScope, event.toolId), seq)
          decoded.call = seq
        } else if (event.type === 'todo_list') {
          // A todo tool's call is a list; a list that a script writes belongs to the script's call.
          const call = events[calls.get(scopedId(idScope, event.todoId)) ?? -1]
          const result = events[call?.result ?? -1]
          if (call?.event.type === 'tool.started' && result === undefined) return
          if (result?.event.source?.line !== event.source?.line || result === undefined)
            calls.set(scopedId(idScope, event.todoId), seq)
        } else if (event.type === 'tool.completed') {
          const of = calls.get(scopedId(idScope, event.toolId)) ?? -1
          const call = events[of]
          if (call !== undefined && call.result < 0) call.result = seq
          const isCall = call?.event.type === 'tool.started'
          decoded.call = isCall ? of : -1
          decoded.result = isCall ? call.result : seq
        }
      }
    }
  )
  // Only calls and results have results.
  for (const decoded of events) if (!decoded.event.type.startsWith('tool.')) decoded.result = -1
  return events
}

/** The terms that rows offer beside their text, and the events that offer them. */
function termsShown(events: readonly Decoded[]): Map<string, number[]> {
  const terms = new Map<string, number[]>()
  events.forEach(({ event }, seq) => {
    const { term, badges } = eventSummary(event)
    for (const offered of new Set([term, ...badges.map((badge) => badge.term)])) {
      if (offered === undefined) continue
      const seqs = terms.get(offered) ?? []
      // So many of one log are enough.
      if (seqs.length > 0 || terms.size < times(12, 40)) terms.set(offered, [...seqs, seq])
    }
  })
  return terms
}

const queriesOfFile = times(5, 100)
const files = every(
  3,
  corpusLogs().filter((path) => /\.jsonl?$/.test(path))
)

describe.skipIf(!corpusIsHere)('queries over the corpus (skipped where it is absent)', () => {
  let asked = 0
  let found = 0

  test.each(files)('%s', async (file) => {
    const path = corpusPath(file)
    const events = await decodedOf(path)
    const log = await QueriedLog.open({ path, format: null, single: true }, searchHere, () => {})
    try {
      for (const [term, seqs] of termsShown(events)) {
        const met = new Set(await log.events(parseQuery(term, 'rows').query as Query))
        const missed = seqs.filter((seq) => !met.has(seq))
        expect({ term, missed }).toEqual({ term, missed: [] })
      }
      for (const query of fc.sample(anyQuery, { numRuns: queriesOfFile, seed: asked })) {
        const expected = events.flatMap((_, seq) => (holds(events, seq, query) ? [seq] : []))
        const seqs = await log.events(query)
        expectEqual({ query: printQuery(query), seqs }, { query: printQuery(query), seqs: expected })
        asked++
        found += Math.min(1, seqs.length)
      }
    } finally {
      await log.close()
    }
  })

  test('there was something to find', () => {
    expect(asked).toBeGreaterThan(times(66, 200) * queriesOfFile)
    expect(found).toBeGreaterThan(asked / 3)
  })
})
