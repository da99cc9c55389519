import { expect, test } from 'vitest'
import { parseQuery } from '#core/query/parse-query.ts'
import { type CannedRow, columnsOf, testHost } from '../../../test/page/host.ts'
import { type ExportPart, exportPart } from './export-parts.ts'
import { noFind } from './log-find.ts'
import { LogColumns } from './log-columns.ts'
import { noFilter } from './row-filter.ts'
import { TimelineLayout } from './timeline-layout.ts'

/** Two turns after a status; a call fails in the second one, in a subagent. */
const rows: readonly CannedRow[] = [
  { kind: 'status' },
  { kind: 'prompt' },
  { kind: 'record' },
  { kind: 'assistant' },
  { kind: 'turn' },
  { kind: 'prompt' },
  { kind: 'tool', tool: 1, track: 1 },
  { kind: 'tool-error', tool: 1, track: 1, pair: 6 },
  { kind: 'turn' }
]

function log(canned: readonly CannedRow[] = rows, row = 3) {
  const columns = new LogColumns()
  columns.append(columnsOf(canned))
  const layout = new TimelineLayout(columns, () => Infinity)
  layout.extend()
  return { columns, layout, filter: noFilter, status: testHost(canned).status, row }
}

function seqsOf(part: ExportPart, of: ReturnType<typeof log> = log()): number[] | null | undefined {
  const found = exportPart(of, part)
  if (found === null) return undefined
  const { set } = found
  return set && Array.from({ length: of.columns.events }, (_, seq) => seq).filter((seq) => set.has(seq))
}

test('the whole session needs no list of events', () => {
  expect(seqsOf({ of: 'session' })).toBeNull()
  expect(exportPart(log(), { of: 'session' })?.events).toBe(8)
})

test('turns are their events, those of subagents among them', () => {
  expect(seqsOf({ of: 'turn' })).toEqual([1, 2, 3])
  expect(seqsOf({ of: 'failed' })).toEqual([4, 5, 6, 7])
  expect(seqsOf({ of: 'turns', from: 1, to: 2 })).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(seqsOf({ of: 'turns', from: 2, to: 99 })).toEqual([4, 5, 6, 7])
})

test('what failed before the first turn is a part of its own', () => {
  const failed: CannedRow[] = [{ kind: 'tool', tool: 1 }, { kind: 'tool-error', tool: 1, pair: 0 }, { kind: 'prompt' }]
  expect(seqsOf({ of: 'failed' }, log(failed))).toEqual([0, 1])
})

test('there is no such part', () => {
  expect(seqsOf({ of: 'filtered' })).toBeUndefined()
  expect(seqsOf({ of: 'turn' }, log(rows, 0))).toBeUndefined()
  expect(seqsOf({ of: 'failed' }, log(rows.slice(0, 5)))).toBeUndefined()
  for (const [from, to] of [
    [2, 1],
    [0, 1],
    [NaN, 2],
    [1, NaN],
    [3, 4],
    [1.5, 2]
  ] as const)
    expect([from, to, seqsOf({ of: 'turns', from, to })]).toEqual([from, to, undefined])
})

test('what is filtered is the events of the rows shown', () => {
  const search = { ...noFind, hits: Uint32Array.of(1, 2, 5) }
  const query = parseQuery('kind:(prompt OR record)', 'rows').query
  const filtered = { ...log(), filter: { ...noFilter, query, search } }
  expect(seqsOf({ of: 'filtered' }, filtered)).toEqual([1, 4])
})
