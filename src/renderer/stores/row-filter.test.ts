import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { RowKind } from '#core/index/row-kind.ts'
import { parseQuery } from '#core/query/parse-query.ts'
import { printQuery } from '#core/query/print-query.ts'
import type { Query } from '#core/query/query.ts'
import { textQuery } from '#core/query/query-choices.ts'
import { cannedHits, type CannedRow, columnsOf, testStart } from '../../../test/page/host.ts'
import { LogColumns, type SeverityName } from './log-columns.ts'
import { noFind } from './log-find.ts'
import { QueryRows } from './row-filter.ts'
import { TimelineLayout } from './timeline-layout.ts'

const day = 86_400_000
const endOfDay = (time: number) => (Math.floor(time / day) + 1) * day
const second = (seconds: number) => testStart + seconds * 1000

function linesOf(layout: TimelineLayout): string[] {
  return Array.from({ length: layout.count }, (_, view) => {
    const [kind, row, amount] = [layout.kindAt(view), layout.rowAt(view), layout.amountAt(view)]
    return `${kind} ${row}${amount === 0 ? '' : ` ${amount}`}`
  })
}

function layAll(layout: TimelineLayout): void {
  while (layout.layOn()) continue
}

const of = (text: string): Query => parseQuery(text, 'rows').query as Query

function found(rows: readonly CannedRow[], query: Query, searching = false) {
  return { ...noFind, hits: Uint32Array.from(cannedHits(rows, query)), searching }
}

function filtered(rows: readonly CannedRow[], text: string) {
  const columns = new LogColumns()
  columns.append(columnsOf(rows))
  const layout = new TimelineLayout(columns, endOfDay)
  layout.setFilter(new QueryRows(of(text), found(rows, of(text))))
  layAll(layout)
  return layout
}

const record: CannedRow = { kind: 'record' }
const bash: CannedRow = { kind: 'tool', tool: 1 }
const read: CannedRow = { kind: 'tool', tool: 2 }

describe('a filtered timeline', () => {
  it('takes any of a group, and wants all groups', () => {
    const rows: CannedRow[] = [
      bash,
      read,
      { kind: 'tool-result', tool: 1, pair: 0 },
      { ...bash, track: 1 },
      { kind: 'prompt', track: 1 },
      { ...read, severity: 'notice' }
    ]
    expect(linesOf(filtered(rows, 'tool:Bash'))).toEqual(['pair 0 2', 'row 3'])
    expect(linesOf(filtered(rows, 'tool:(Bash OR Read) kind:tool'))).toEqual([
      'row 0',
      'row 1',
      'row 3',
      'row 5',
      'issue 5'
    ])
    expect(linesOf(filtered(rows, 'track:call-1'))).toEqual(['row 3', 'row 4'])
    expect(linesOf(filtered(rows, 'track:main issue:(notice OR violation)'))).toEqual(['row 5', 'issue 5'])
    expect(filtered(rows, 'tool:unheard').count).toBe(0)
  })

  it('hides records that nobody asked for, and counts those that pass', () => {
    const rows = [record, record, { ...record, track: 1 }, record, record, bash]
    const mainTrack = filtered(rows, 'track:main')
    expect([linesOf(mainTrack), mainTrack.records]).toEqual([['row 5'], 4])
    expect(mainTrack.singleOut([2])).toBe(false)
    mainTrack.showRecords(true)
    expect(linesOf(mainTrack)).toEqual(['row 0', 'row 1', 'row 3', 'row 4', 'row 5'])
    expect(filtered(rows, 'kind:record').count).toBe(5)
    expect(linesOf(filtered(rows, '/record [013]/'))).toEqual(['row 0', 'row 1', 'row 3'])
  })

  it('says when the run was idle, not when nothing was shown', () => {
    const times = [0, 50, 100, 150, 250, 300, 420].map(second)
    const rows = times.map((time, at): CannedRow => ({ ...(at % 2 === 0 ? bash : read), time }))
    // Between 0, 100, 250 and 420 the run was idle once for 100 s and once for 120 s.
    expect(linesOf(filtered(rows, 'tool:Bash'))).toEqual([
      'row 0',
      'row 2',
      'gap 4 100000',
      'row 4',
      'gap 6 120000',
      'row 6'
    ])
    expect(linesOf(filtered(rows, 'tool:Read'))).toEqual(['row 1', 'row 3', 'gap 5 100000', 'row 5'])
  })

  it('says a new day at the first row of it that is shown', () => {
    const midnight = Math.ceil(testStart / day) * day
    const rows: CannedRow[] = [
      { ...bash, time: midnight - 2000 },
      { ...read, time: midnight - 1000 },
      { ...read, time: midnight },
      { ...bash, time: midnight - 3000 },
      { ...bash, time: midnight + 1000 }
    ]
    expect(linesOf(filtered(rows, 'tool:Bash'))).toEqual(['row 0', 'row 3', 'day 4', 'row 4'])
  })

  it('knows the place of a row that it does not show', () => {
    const layout = filtered([read, bash, read, read, bash, read], 'tool:Bash')
    expect([0, 1, 2, 3, 4, 5].map((row) => layout.viewOf(row))).toEqual([-1, 0, -1, -1, 1, -1])
    expect([0, 1, 2, 3, 4, 5].map((row) => layout.placeOf(row))).toEqual([0, 0, 0, 0, 1, 1])
    expect([layout.shown, layout.laid]).toEqual([2, 6])
  })

  it('does not tell what a search will find in rows it has not come to', () => {
    const columns = new LogColumns()
    columns.append(columnsOf(Array.from({ length: 10 }, () => bash)))
    const layout = new TimelineLayout(columns, endOfDay)
    const filter = new QueryRows(of('"x"'), { ...noFind, hits: Uint32Array.of(2), searching: true })
    layout.setFilter(filter)
    layAll(layout)
    expect([linesOf(layout), layout.laid]).toEqual([['row 2'], 3])
    filter.search = { ...noFind, hits: Uint32Array.of(2, 3, 7), searching: true }
    layout.refilter(3)
    layAll(layout)
    expect([linesOf(layout), layout.laid]).toEqual([['row 2', 'row 3', 'row 7'], 8])
    filter.search = { ...noFind, hits: Uint32Array.of(2, 3, 7), searching: false }
    layout.refilter(Infinity)
    layAll(layout)
    expect(layout.laid).toBe(10)
  })
})

it.each([
  [{ text: 'npm', regex: false, caseSensitive: false }, 'npm'],
  [{ text: 'npm test', regex: false, caseSensitive: false }, '"npm test"'],
  [{ text: 'tool:x', regex: false, caseSensitive: false }, '"tool:x"'],
  [{ text: 'a.b', regex: false, caseSensitive: true }, String.raw`/a\.b/`],
  [{ text: 'a|b', regex: true, caseSensitive: false }, '/a|b/i']
])('finds what Find finds: %j', (find, text) => {
  expect(printQuery(textQuery(find))).toBe(text)
  expect(of(text)).toEqual(textQuery(find))
})

const rowsArbitrary = fc.array(
  fc.record({
    kind: fc.constantFrom<RowKind>('record', 'record', 'tool', 'prompt', 'tool-error'),
    severity: fc.constantFrom<SeverityName>('none', 'none', 'none', 'notice', 'malformed'),
    tool: fc.nat(2),
    track: fc.nat(1),
    time: fc.oneof(fc.constant(NaN), fc.integer({ min: 0, max: 400 }).map(second))
  }),
  { maxLength: 80 }
)
const textArbitrary = fc.constantFrom(
  'kind:tool',
  '-tool:Bash',
  'track:main',
  'issue:notice',
  'kind:record OR tool:Read'
)

/** Every row that a line shows. */
function rowsOf(layout: TimelineLayout): number[] {
  const views = Array.from({ length: layout.count }, (_, view) => view)
  return views.flatMap((view) => {
    const [row, result] = [layout.rowAt(view), layout.resultAt(view)]
    return result >= 0 ? [row, result] : layout.kindAt(view) === 'row' ? [row] : []
  })
}

describe('any filter', () => {
  it('shows the rows that pass, once and in order, and finds each of them', () => {
    fc.assert(
      fc.property(rowsArbitrary, textArbitrary, (rows, text) => {
        const layout = filtered(rows, text)
        layout.showRecords(true)
        const wanted = cannedHits(rows, of(text))
        expect(rowsOf(layout)).toEqual(wanted)
        expect(layout.shown).toBe(wanted.length)
        for (let at = 0; at < rows.length; at++) expect(layout.viewOf(at) >= 0).toBe(wanted.includes(at))
      })
    )
  })

  it('gives the same lines whatever the log did before: grew, went back, was filtered otherwise', () => {
    const step = fc.record({ back: fc.nat(80), to: fc.nat(80), text: textArbitrary })
    fc.assert(
      fc.property(rowsArbitrary, rowsArbitrary, fc.array(step), (first, others, steps) => {
        const columns = new LogColumns()
        const layout = new TimelineLayout(columns, endOfDay)
        let rows = first
        columns.append(columnsOf(rows))
        layout.extend()
        for (const { back, to, text } of steps) {
          rows = rows.slice(0, back)
          columns.rows = rows.length
          layout.truncate(back)
          const from = rows.length
          rows = [...rows, ...others.slice(from, to)]
          layout.setFilter(new QueryRows(of(text), found(rows, of(text))))
          columns.append(columnsOf(rows, from))
          layout.extend()
          layAll(layout)
          expect(linesOf(layout)).toEqual(linesOf(filtered(rows, text)))
        }
      })
    )
  })

  it('gives the lines of all hits when they came a few at a time, in any order', () => {
    const pagesArbitrary = fc.array(fc.uniqueArray(fc.nat(79), { maxLength: 8 }), { maxLength: 8 })
    fc.assert(
      fc.property(rowsArbitrary, pagesArbitrary, (rows, pages) => {
        const columns = new LogColumns()
        columns.append(columnsOf(rows))
        const layout = new TimelineLayout(columns, endOfDay)
        const hits = new Set<number>()
        const search = (searching: boolean) => ({ ...noFind, hits: Uint32Array.from(hits).sort(), searching })
        const filter = new QueryRows(of('"x"'), search(true))
        layout.setFilter(filter)
        layAll(layout)
        for (const page of pages) {
          for (const row of page) hits.add(row)
          filter.search = search(true)
          layout.refilter(Math.min(Infinity, ...page))
          layAll(layout)
        }
        filter.search = search(false)
        layout.refilter(Infinity)
        layAll(layout)
        const wanted = [...hits].filter((row) => row < rows.length).toSorted((a, b) => a - b)
        expect(rowsOf(layout)).toEqual(wanted)
        expect(layout.laid).toBe(rows.length)
      })
    )
  })
})
