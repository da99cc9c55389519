import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { type CannedRow, columnsOf, testHost, testStart } from '../../../test/page/host.ts'
import { LogColumns, type SeverityName } from './log-columns.ts'
import { type FilterChoice, isNoFilter, noFilter, RowFilter } from './row-filter.ts'
import { TimelineLayout } from './timeline-layout.ts'

const day = 86_400_000
const endOfDay = (time: number) => (Math.floor(time / day) + 1) * day
const second = (seconds: number) => testStart + seconds * 1000
const { tools, tracks } = testHost([]).status
const names = { tools, tracks }
const noHits = { text: '', hits: new Uint32Array(), searching: false }

function linesOf(layout: TimelineLayout): string[] {
  return Array.from({ length: layout.count }, (_, view) => {
    const [kind, row, amount] = [layout.kindAt(view), layout.rowAt(view), layout.amountAt(view)]
    return `${kind} ${row}${amount === 0 ? '' : ` ${amount}`}`
  })
}

function filtered(rows: readonly CannedRow[], choice: Partial<FilterChoice>, find = noHits) {
  const columns = new LogColumns()
  columns.append(columnsOf(rows))
  const layout = new TimelineLayout(columns, endOfDay)
  layout.setFilter(new RowFilter({ ...noFilter, ...choice }, names, find))
  return layout
}

const record: CannedRow = { kind: 'record' }
const bash: CannedRow = { kind: 'tool', tool: 1 }
const read: CannedRow = { kind: 'tool', tool: 2 }

describe('a filtered timeline', () => {
  it('needs one member of each group', () => {
    const rows: CannedRow[] = [
      bash,
      read,
      { kind: 'tool-result', tool: 1, pair: 0 },
      { ...bash, track: 1 },
      { kind: 'prompt', track: 1 },
      { ...read, severity: 'notice' }
    ]
    expect(linesOf(filtered(rows, { tools: new Set(['Bash']) }))).toEqual(['pair 0 2', 'row 3'])
    expect(linesOf(filtered(rows, { tools: new Set(['Bash', 'Read']), kinds: new Set(['tool']) }))).toEqual([
      'row 0',
      'row 1',
      'row 3',
      'row 5',
      'issue 5'
    ])
    expect(linesOf(filtered(rows, { tracks: new Set(['call-1']) }))).toEqual(['row 3', 'row 4'])
    expect(linesOf(filtered(rows, { tracks: new Set([null]), severities: new Set(['notice', 'violation']) }))).toEqual([
      'row 5',
      'issue 5'
    ])
    expect(filtered(rows, { tools: new Set(['unheard of']) }).count).toBe(0)
  })

  it('excludes members in any case, also when their names are known later', () => {
    const rows: CannedRow[] = [bash, read, { ...bash, track: 1 }, { kind: 'prompt' }]
    const leftOut = (without: Partial<FilterChoice['without']>, choice: Partial<FilterChoice> = {}) =>
      linesOf(filtered(rows, { ...choice, without: { ...noFilter.without, ...without } }))
    expect(leftOut({ tools: new Set(['Bash']) })).toEqual(['row 1', 'turn 3', 'row 3'])
    expect(leftOut({ kinds: new Set(['tool']) })).toEqual(['turn 3', 'row 3'])
    expect(leftOut({ tracks: new Set([null]) })).toEqual(['row 2'])
    expect(leftOut({ tracks: new Set(['call-1']) }, { tools: new Set(['Bash']) })).toEqual(['row 0'])
    const columns = new LogColumns()
    columns.append(columnsOf(rows))
    const choice = { ...noFilter, without: { ...noFilter.without, tools: new Set(['Read']) } }
    expect(isNoFilter(choice)).toBe(false)
    const filter = new RowFilter(choice, { ...names, tools: ['Bash'] }, noHits)
    expect([filter.passes(columns, 1), filter.onStatus(names), filter.passes(columns, 1)]).toEqual([true, 0, false])
    expect(filter.onStatus(names)).toBe(Infinity)
  })

  it('hides plain records, and counts matching rows', () => {
    const rows = [record, record, { ...record, track: 1 }, record, record, bash]
    const mainTrack = filtered(rows, { tracks: new Set([null]) })
    expect([linesOf(mainTrack), mainTrack.records]).toEqual([['row 5'], 4])
    expect(mainTrack.singleOut([2])).toBe(false)
    mainTrack.showRecords(true)
    expect(linesOf(mainTrack)).toEqual(['row 0', 'row 1', 'row 3', 'row 4', 'row 5'])
    expect(filtered(rows, { kinds: new Set(['record']) }).count).toBe(5)
    const hits = { text: 'x', hits: Uint32Array.of(0, 1, 3), searching: false }
    expect(linesOf(filtered(rows, { onlyHits: true }, hits))).toEqual(['row 0', 'row 1', 'row 3'])
  })

  it('shows idle time of the session, not between shown rows', () => {
    const times = [0, 50, 100, 150, 250, 300, 420].map(second)
    const rows = times.map((time, at): CannedRow => ({ ...(at % 2 === 0 ? bash : read), time }))
    // Idle times between 0, 100, 250 and 420 s: 100 s and 120 s.
    expect(linesOf(filtered(rows, { tools: new Set(['Bash']) }))).toEqual([
      'row 0',
      'row 2',
      'gap 4 100000',
      'row 4',
      'gap 6 120000',
      'row 6'
    ])
    expect(linesOf(filtered(rows, { tools: new Set(['Read']) }))).toEqual(['row 1', 'row 3', 'gap 5 100000', 'row 5'])
  })

  it('shows a new day at its first shown row', () => {
    const midnight = Math.ceil(testStart / day) * day
    const rows: CannedRow[] = [
      { ...bash, time: midnight - 2000 },
      { ...read, time: midnight - 1000 },
      { ...read, time: midnight },
      { ...bash, time: midnight - 3000 },
      { ...bash, time: midnight + 1000 }
    ]
    expect(linesOf(filtered(rows, { tools: new Set(['Bash']) }))).toEqual(['row 0', 'row 3', 'day 4', 'row 4'])
  })

  it('finds the place of a hidden row', () => {
    const layout = filtered([read, bash, read, read, bash, read], { tools: new Set(['Bash']) })
    expect([0, 1, 2, 3, 4, 5].map((row) => layout.viewOf(row))).toEqual([-1, 0, -1, -1, 1, -1])
    expect([0, 1, 2, 3, 4, 5].map((row) => layout.placeOf(row))).toEqual([0, 0, 0, 0, 1, 1])
    expect([layout.shown, layout.laid]).toEqual([2, 6])
  })

  it('leaves rows undecided that are not searched yet', () => {
    const columns = new LogColumns()
    columns.append(columnsOf(Array.from({ length: 10 }, () => bash)))
    const layout = new TimelineLayout(columns, endOfDay)
    const filter = new RowFilter({ ...noFilter, onlyHits: true }, names, {
      text: 'x',
      hits: Uint32Array.of(2),
      searching: true
    })
    layout.setFilter(filter)
    expect([linesOf(layout), layout.laid]).toEqual([['row 2'], 3])
    layout.refilter(filter.setHits({ text: 'x', hits: Uint32Array.of(2, 3, 7), searching: true }, 3))
    expect([linesOf(layout), layout.laid]).toEqual([['row 2', 'row 3', 'row 7'], 8])
    layout.refilter(filter.setHits({ text: 'x', hits: Uint32Array.of(2, 3, 7), searching: false }, Infinity))
    expect(layout.laid).toBe(10)
    layout.refilter(filter.setHits(noHits, 0))
    expect(layout.shown).toBe(10)
  })

  it('shows rows whose tool name is known later', () => {
    const columns = new LogColumns()
    columns.append(columnsOf([bash, read]))
    const filter = new RowFilter({ ...noFilter, tools: new Set(['Read']) }, { ...names, tools: ['Bash'] }, noHits)
    const layout = new TimelineLayout(columns, endOfDay)
    layout.setFilter(filter)
    expect(layout.count).toBe(0)
    expect(filter.onStatus(names)).toBe(0)
    layout.refilter(0)
    expect(linesOf(layout)).toEqual(['row 1'])
    expect(filter.onStatus(names)).toBe(Infinity)
  })
})

it('shows only failed calls and their results', () => {
  const rows: CannedRow[] = [
    ...[bash, read, { kind: 'todo' } as const, bash],
    ...[{ kind: 'tool-result', tool: 2, pair: 1 } as const, { kind: 'tool-error', tool: 1, pair: 0 } as const],
    ...[{ kind: 'tool-error', pair: 2 } as const, { kind: 'tool-result', tool: 1, pair: 0 } as const],
    { kind: 'error' }
  ]
  expect(rowsOf(filtered(rows, { onlyFailed: true }))).toEqual([0, 2, 5, 6, 7])
  expect(rowsOf(filtered(rows, { onlyFailed: true, tools: new Set(['Bash']) }))).toEqual([0, 5, 7])
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
const namedArbitraries = {
  kinds: fc.subarray<RowKind>(['record', 'tool', 'prompt']).map((some) => new Set(some)),
  tools: fc.subarray(['Bash', 'Read']).map((some) => new Set(some)),
  tracks: fc.subarray([null, 'call-1']).map((some) => new Set(some))
}
const choiceArbitrary: fc.Arbitrary<FilterChoice> = fc.record({
  ...namedArbitraries,
  without: fc.oneof(fc.constant(noFilter.without), fc.record(namedArbitraries)),
  severities: fc.subarray(['notice' as const, 'malformed' as const]).map((some) => new Set(some)),
  onlyHits: fc.boolean(),
  onlyFailed: fc.boolean()
})
const hitsArbitrary = fc
  .uniqueArray(fc.nat(79), { maxLength: 40 })
  .map((rows) => ({ text: 'x', hits: Uint32Array.from(rows).sort(), searching: false }))

/** Whether a row passes, computed without tables. */
function passes(row: CannedRow, at: number, choice: FilterChoice, hits: Uint32Array): boolean {
  const any = <T>(chosen: ReadonlySet<T>, own: T | undefined) => chosen.size === 0 || chosen.has(own as T)
  const { without } = choice
  const tool = tools[(row.tool ?? 0) - 1]
  const track = tracks[row.track ?? 0]?.trackId ?? null
  return (
    any(choice.kinds, row.kind) &&
    any(choice.severities, row.severity === 'none' ? undefined : (row.severity as 'notice')) &&
    any(choice.tools, tool) &&
    any(choice.tracks, track) &&
    !(without.kinds.has(row.kind) || without.tools.has(tool ?? '') || without.tracks.has(track)) &&
    (!choice.onlyHits || hits.includes(at)) &&
    // No result has a call here, so each tool result stands alone.
    (!choice.onlyFailed || (row.kind === 'tool-error' && row.tool !== 0))
  )
}

/** All rows that a line shows. */
function rowsOf(layout: TimelineLayout): number[] {
  const views = Array.from({ length: layout.count }, (_, view) => view)
  return views.flatMap((view) => {
    const [row, result] = [layout.rowAt(view), layout.resultAt(view)]
    return result >= 0 ? [row, result] : layout.kindAt(view) === 'row' ? [row] : []
  })
}

describe('any filter', () => {
  it('shows matching rows once and in order, and finds each one', () => {
    fc.assert(
      fc.property(rowsArbitrary, choiceArbitrary, hitsArbitrary, (rows, choice, find) => {
        const layout = filtered(rows, choice, find)
        layout.showRecords(true)
        const wanted = rows.flatMap((row, at) => (passes(row, at, choice, find.hits) ? [at] : []))
        expect(rowsOf(layout)).toEqual(wanted)
        expect(layout.shown).toBe(wanted.length)
        for (let at = 0; at < rows.length; at++) expect(layout.viewOf(at) >= 0).toBe(wanted.includes(at))
        const filter = new RowFilter(choice, names, find)
        const columns = new LogColumns()
        columns.append(columnsOf(rows))
        expect(rows.flatMap((_, at) => (filter.passes(columns, at) ? [at] : []))).toEqual(wanted)
      })
    )
  })

  it('gives the same lines after any growth, truncation and filter', () => {
    const step = fc.record({ back: fc.nat(80), to: fc.nat(80), choice: fc.option(choiceArbitrary) })
    fc.assert(
      fc.property(rowsArbitrary, rowsArbitrary, hitsArbitrary, fc.array(step), (first, others, find, steps) => {
        const columns = new LogColumns()
        const layout = new TimelineLayout(columns, endOfDay)
        let rows = first
        let chosen: FilterChoice = noFilter
        columns.append(columnsOf(rows))
        layout.extend()
        for (const { back, to, choice } of steps) {
          rows = rows.slice(0, back)
          columns.rows = rows.length
          layout.truncate(back)
          if (choice !== null) {
            chosen = choice
            layout.setFilter(isNoFilter(choice) ? null : new RowFilter(choice, names, find))
          }
          const from = rows.length
          rows = [...rows, ...others.slice(from, to)]
          columns.append(columnsOf(rows, from))
          layout.extend()
          expect(linesOf(layout)).toEqual(linesOf(filtered(rows, chosen, find)))
        }
      })
    )
  })

  it('gives the lines of all matches that arrive in any order', () => {
    const pagesArbitrary = fc.array(fc.uniqueArray(fc.nat(79), { maxLength: 8 }), { maxLength: 8 })
    fc.assert(
      fc.property(rowsArbitrary, choiceArbitrary, pagesArbitrary, (rows, choice, pages) => {
        const columns = new LogColumns()
        columns.append(columnsOf(rows))
        const layout = new TimelineLayout(columns, endOfDay)
        const filter = new RowFilter({ ...choice, onlyHits: true }, names, { ...noHits, text: 'x', searching: true })
        layout.setFilter(filter)
        const hits = new Set<number>()
        const find = () => ({ text: 'x', hits: Uint32Array.from(hits).sort() })
        for (const page of pages) {
          for (const row of page) hits.add(row)
          layout.refilter(filter.setHits({ ...find(), searching: true }, Math.min(Infinity, ...page)))
        }
        layout.refilter(filter.setHits({ ...find(), searching: false }, Infinity))
        const whole = filtered(rows, { ...choice, onlyHits: true }, { ...find(), searching: false })
        expect(linesOf(layout)).toEqual(linesOf(whole))
        expect(layout.laid).toBe(rows.length)
      })
    )
  })

  it('covers every kind in its tables', () => {
    for (const kind of rowKinds) expect(filtered([{ kind }], { kinds: new Set([kind]) }).shown).toBe(1)
  })
})
