import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CannedRow, columnsOf, testStart } from '../../../test/page/host.ts'
import { LogColumns } from './log-columns.ts'
import { TimelineLayout } from './timeline-layout.ts'

const day = 86_400_000
const endOfDay = (time: number) => (Math.floor(time / day) + 1) * day
const second = (seconds: number) => testStart + seconds * 1000

/** The lines as text: "row 0", "issue 0", "70 s before 4". */
function linesOf(layout: TimelineLayout): string[] {
  return Array.from({ length: layout.count }, (_, view) => {
    const [kind, row, amount] = [layout.kindAt(view), layout.rowAt(view), layout.amountAt(view)]
    if (kind === 'day') return `new day, ${amount / 1000} s before ${row}`
    return kind === 'gap' ? `${amount / 1000} s before ${row}` : `${kind} ${row}`
  })
}

function laidOut(rows: readonly CannedRow[], hides = true) {
  const columns = new LogColumns()
  columns.append(columnsOf(rows))
  const layout = new TimelineLayout(columns, endOfDay, hides)
  layout.extend()
  return layout
}

function layAll(layout: TimelineLayout): void {
  while (layout.layOn()) continue
}

const record: CannedRow = { kind: 'record' }
const tool: CannedRow = { kind: 'tool' }

describe('TimelineLayout', () => {
  it('has a line per row, and another one for issues', () => {
    const layout = laidOut([tool, { kind: 'record', severity: 'violation' }, tool])
    expect(linesOf(layout)).toEqual(['row 0', 'row 1', 'issue 1', 'row 2'])
  })

  it('hides records without an event or an issue, counts them and shows them on demand', () => {
    const layout = laidOut([record, tool, record, record, { kind: 'record', severity: 'notice' }, record])
    expect(linesOf(layout)).toEqual(['row 1', 'row 4', 'issue 4'])
    expect([layout.records, layout.recordsShown]).toEqual([4, false])
    expect([0, 2, 5].map((row) => layout.viewOf(row))).toEqual([-1, -1, -1])
    layout.showRecords(true)
    expect(linesOf(layout)).toEqual(['row 0', 'row 1', 'row 2', 'row 3', 'row 4', 'issue 4', 'row 5'])
    expect([layout.records, layout.recordsShown]).toEqual([4, true])
    layout.showRecords(false)
    expect(linesOf(layout)).toEqual(['row 1', 'row 4', 'issue 4'])
  })

  it('shows a selected record until all are shown or hidden', () => {
    const layout = laidOut([record, tool, record, record, tool])
    expect(layout.singleOut([2])).toBe(true)
    expect(linesOf(layout)).toEqual(['row 1', 'row 2', 'row 4'])
    expect(layout.singleOut([-1, 1, 2, 4, 99])).toBe(false)
    layout.showRecords(true)
    layout.showRecords(false)
    expect(linesOf(layout)).toEqual(['row 1', 'row 4'])
  })

  const result: CannedRow = { kind: 'tool-result', pair: 0 }

  it('puts a result that directly follows its call on the line of the call', () => {
    const layout = laidOut([tool, record, result, { kind: 'assistant' }])
    expect(linesOf(layout)).toEqual(['pair 0', 'row 3'])
    expect([layout.resultAt(0), layout.resultAt(1), layout.viewOf(2), layout.viewOf(1)]).toEqual([2, -1, 0, -1])
    layout.showRecords(true)
    expect(linesOf(layout)).toEqual(['row 0', 'row 1', 'row 2', 'row 3'])
    expect(linesOf(laidOut([{ ...tool, severity: 'notice' }, result]))).toEqual(['pair 0', 'issue 0'])
  })

  it('gives a result its own line if it has an issue or does not directly follow its call', () => {
    const other: CannedRow = { ...result, pair: 1 }
    expect(linesOf(laidOut([tool, tool, result, other]))).toEqual(['row 0', 'row 1', 'row 2', 'row 3'])
    expect(linesOf(laidOut([tool, { ...result, severity: 'notice' }]))).toEqual(['row 0', 'row 1', 'issue 1'])
    expect(linesOf(laidOut([tool, result, result]))).toEqual(['pair 0', 'row 2'])
  })

  it('shows no gap between a call and its result, but a new day', () => {
    const late = { ...result, time: second(100) }
    expect(linesOf(laidOut([{ ...tool, time: second(0) }, late, { ...tool, time: second(101) }]))).toEqual([
      'pair 0',
      'row 2'
    ])
    const midnight = Math.ceil(testStart / day) * day
    const overnight = laidOut([
      { ...tool, time: midnight - 1 },
      { ...result, time: midnight }
    ])
    expect(linesOf(overnight)).toEqual(['row 0', 'new day, 0 s before 1', 'row 1'])
  })

  it('moves a result to its own line and back', () => {
    const layout = laidOut([tool, result, tool])
    expect(layout.toggleResult(0)).toBe(true)
    expect(linesOf(layout)).toEqual(['row 0', 'row 1', 'row 2'])
    expect([layout.toggleResult(1), linesOf(layout)]).toEqual([true, ['pair 0', 'row 2']])
    expect([layout.toggleResult(1), linesOf(layout)]).toEqual([true, ['row 0', 'row 1', 'row 2']])
    expect([layout.toggleResult(0), linesOf(layout)]).toEqual([true, ['pair 0', 'row 2']])
    expect(layout.toggleResult(2)).toBe(false)
  })

  const damage: CannedRow = { kind: 'error', severity: 'malformed', line: 2 }
  const text: CannedRow = { kind: 'unparsed', line: 2 }

  it('gives a line that is not JSON one line: error, issue and text', () => {
    const layout = laidOut([tool, damage, text, { ...tool, line: 3 }])
    expect(linesOf(layout)).toEqual(['row 0', 'pair 1', 'row 3'])
    expect([layout.resultAt(1), layout.viewOf(2), layout.count]).toEqual([2, 1, 3])
    expect(linesOf(laidOut([damage, { ...damage, line: 3 }]))).toEqual(['row 0', 'row 1'])
    const cut: CannedRow = { ...text, severity: 'malformed' }
    expect(linesOf(laidOut([tool, cut]))).toEqual(['row 0', 'row 1'])
  })

  it('keeps the records of a damaged line, and the line of the issue below one of them', () => {
    const second: CannedRow = { kind: 'assistant', severity: 'malformed', line: 2 }
    const rest: CannedRow = { kind: 'error', line: 2 }
    const layout = laidOut([{ kind: 'assistant', line: 2 }, second, rest, text])
    expect(linesOf(layout)).toEqual(['row 0', 'row 1', 'issue 1', 'pair 2'])
  })

  it('puts only the text of the same line on the line of an error', () => {
    expect(linesOf(laidOut([damage, { ...text, line: 3 }]))).toEqual(['row 0', 'row 1'])
    expect(linesOf(laidOut([damage, { ...text, file: 1 }]))).toEqual(['row 0', 'row 1'])
    expect(linesOf(laidOut([damage, { ...tool, line: 2 }, text]))).toEqual(['row 0', 'row 1', 'row 2'])
    expect(linesOf(laidOut([text, damage]))).toEqual(['row 0', 'row 1'])
  })

  it('moves the text of a line to its own line and back, from either', () => {
    const layout = laidOut([damage, text, tool])
    expect([layout.toggleResult(1), linesOf(layout)]).toEqual([true, ['row 0', 'row 1', 'row 2']])
    expect([layout.toggleResult(0), linesOf(layout)]).toEqual([true, ['pair 0', 'row 2']])
    expect([layout.toggleResult(0), linesOf(layout)]).toEqual([true, ['row 0', 'row 1', 'row 2']])
    expect([layout.toggleResult(1), linesOf(layout)]).toEqual([true, ['pair 0', 'row 2']])
    expect(layout.toggleResult(2)).toBe(false)
  })

  it('hides nothing in a log of unknown format', () => {
    const layout = laidOut([record, record], false)
    expect([linesOf(layout), layout.records]).toEqual([['row 0', 'row 1'], 0])
  })

  it('shows idle time from a minute on, and every new day', () => {
    const midnight = Math.ceil(testStart / day) * day
    const layout = laidOut([
      { ...tool, time: second(0) },
      { ...tool, time: second(59) },
      { ...tool, time: second(119) },
      { ...tool, time: midnight - 1000 },
      { ...tool, time: midnight }
    ])
    const beforeMidnight = (midnight - 1000 - second(119)) / 1000
    expect(linesOf(layout)).toEqual([
      'row 0',
      'row 1',
      '60 s before 2',
      'row 2',
      `${beforeMidnight} s before 3`,
      'row 3',
      'new day, 0 s before 4',
      'row 4'
    ])
  })

  it('shows no gap for unknown or decreasing times', () => {
    const times = [second(100), NaN, second(0), second(101)]
    expect(linesOf(laidOut(times.map((time) => ({ ...tool, time }))))).toEqual(['row 0', 'row 1', 'row 2', 'row 3'])
  })

  it('shows idle time before a hidden record at the next shown row', () => {
    const rows = [tool, record, tool].map((row, at) => ({ ...row, time: second([0, 100, 101][at] ?? 0) }))
    expect(linesOf(laidOut(rows))).toEqual(['row 0', '100 s before 2', 'row 2'])
  })
})

const rowsArbitrary = fc
  .array(
    fc.record({
      kind: fc.constantFrom<CannedRow['kind']>(
        ...(['record', 'record', 'tool', 'tool', 'tool-result', 'tool-error', 'todo', 'error', 'unparsed'] as const)
      ),
      severity: fc.constantFrom<NonNullable<CannedRow['severity']>>('none', 'none', 'none', 'violation', 'malformed'),
      line: fc.constantFrom(1, 1, 2),
      time: fc.oneof(fc.constant(NaN), fc.integer({ min: 0, max: 400 }).map(second))
    }),
    { maxLength: 80 }
  )
  .map(withCalls)

/** Each result belongs to the last call before it, or to none. */
function withCalls(rows: readonly CannedRow[]): CannedRow[] {
  return rows.map((row, at) => {
    const isResult = row.kind === 'tool-result' || row.kind === 'tool-error'
    return isResult ? { ...row, pair: rows.slice(0, at).findLastIndex(({ kind }) => kind === 'tool') } : row
  })
}

/** A layout of `rows` with the records that `like` shows. */
function laidOutLike(like: TimelineLayout, rows: readonly CannedRow[]) {
  const whole = laidOut(rows)
  if (like.recordsShown) whole.showRecords(true)
  whole.singleOut(like.singled)
  return whole
}

describe('growing', () => {
  it('gives the same lines in any steps, also with records shown meanwhile', () => {
    const step = fc.record({
      rows: fc.integer({ min: 1, max: 20 }),
      single: fc.nat(80),
      all: fc.constantFrom(true, false, null)
    })
    fc.assert(
      fc.property(rowsArbitrary, fc.array(step), (rows, steps) => {
        const columns = new LogColumns()
        const layout = new TimelineLayout(columns, endOfDay)
        for (const { rows: more, single, all } of [...steps, { rows: rows.length, single: -1, all: null }]) {
          columns.append(columnsOf(rows, columns.rows, more))
          layout.extend()
          if (all !== null) layout.showRecords(all)
          layout.singleOut([single])
        }
        expect(linesOf(layout)).toEqual(linesOf(laidOutLike(layout, rows)))
        expect(layout.records).toBe(rows.filter(isPlain).length)
      })
    )
  })

  it('has a line for every shown row, found by its number', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.array(fc.nat(80)), (rows, singled) => {
        const layout = laidOut(rows)
        layout.singleOut(singled)
        for (const [row, canned] of rows.entries()) {
          const view = layout.viewOf(row)
          if (isPlain(canned) && !singled.includes(row)) expect(view).toBe(-1)
          else expect([layout.rowAt(view), layout.resultAt(view)]).toContain(row)
        }
      })
    )
  })
})

function isPlain({ kind, severity }: CannedRow): boolean {
  return kind === 'record' && severity === 'none'
}

/** Rows of several blocks; `salt` varies them. */
function manyRows(salt: number): CannedRow[] {
  let seconds = 0
  return Array.from({ length: 9000 }, (_, at): CannedRow => {
    const dice = (at * 7919 + salt * 104_729) % 23
    seconds += dice === 4 ? 90 : at % 500 === 0 ? 90_000 : 1
    const kind = dice < 17 || (at > 4000 && at < 4200) ? 'record' : 'tool'
    return { kind, severity: dice === 16 ? 'notice' : 'none', time: dice === 6 ? NaN : second(seconds) }
  })
}

/** Adds and truncates rows at random: the layout always equals one from scratch. */
function checkTakingBack(rows: CannedRow[], steps: { back: number; other: CannedRow[]; to: number; single: number }[]) {
  const columns = new LogColumns()
  const layout = new TimelineLayout(columns, endOfDay)
  let now = rows
  columns.append(columnsOf(now))
  layout.extend()
  const expectAsFromScratch = () => {
    expect(linesOf(layout)).toEqual(linesOf(laidOutLike(layout, now)))
    expect([layout.laid, layout.shown]).toEqual([now.length, now.length])
  }
  for (const { back, other, to, single } of steps) {
    if (layout.singleOut([single])) expectAsFromScratch()
    now = now.slice(0, back)
    columns.rows = now.length
    layout.truncate(back)
    expectAsFromScratch()
    const from = now.length
    now = withCalls([...now, ...other.slice(from, to)])
    columns.append(columnsOf(now, from))
    layout.extend()
    expectAsFromScratch()
  }
}

describe('truncation', () => {
  it('gives the layout of the remaining rows, with records shown there', () => {
    const step = fc.record({ back: fc.nat(80), other: rowsArbitrary, to: fc.nat(80), single: fc.nat(80) })
    fc.assert(fc.property(rowsArbitrary, fc.array(step, { maxLength: 6 }), checkTakingBack))
  })

  it('gives the same at the end of a long log', () => {
    const step = fc.record({
      back: fc.oneof(fc.nat(9000), fc.constantFrom(4095, 4096, 4097, 4150, 8192)),
      other: fc.nat(100).map(manyRows),
      to: fc.nat(9000),
      single: fc.integer({ min: 4000, max: 4200 })
    })
    const stepsArbitrary = fc.array(step, { minLength: 1, maxLength: 3 })
    fc.assert(fc.property(fc.nat(100).map(manyRows), stepsArbitrary, checkTakingBack), { numRuns: 10 })
  })
})

describe('turns', () => {
  const prompt: CannedRow = { kind: 'prompt' }
  const answer: CannedRow = { kind: 'assistant' }
  const end: CannedRow = { kind: 'turn' }

  it('have a head above their first row', () => {
    expect(linesOf(laidOut([tool, prompt, end, prompt, prompt, answer]))).toEqual([
      'row 0',
      'turn 1',
      'row 1',
      'row 2',
      'turn 3',
      'row 3',
      'row 4',
      'row 5'
    ])
  })

  it('collapse and expand with their rows, issues and gaps', () => {
    const rows: CannedRow[] = [
      { ...prompt, time: second(0) },
      { ...record, time: second(1) },
      { ...record, time: second(2) },
      { ...end, time: second(200), severity: 'violation' },
      { ...prompt, time: second(400) },
      { ...answer, time: second(401) }
    ]
    const layout = laidOut(rows)
    const open = linesOf(layout)
    expect(layout.setTurnOpen(2, false)).toBe(true)
    expect(linesOf(layout)).toEqual(['closed-turn 0', '200 s before 4', 'turn 4', 'row 4', 'row 5'])
    expect([0, 3, 4].map((row) => layout.viewOf(row))).toEqual([0, 0, 3])
    expect([0, 3, 4].map((row) => layout.isInClosedTurn(row))).toEqual([true, true, false])
    expect(layout.setTurnOpen(0, false)).toBe(false)
    layout.setAllTurnsOpen(false)
    expect(linesOf(layout)).toEqual(['closed-turn 0', '200 s before 4', 'closed-turn 4'])
    layout.setAllTurnsOpen(true)
    expect(linesOf(layout)).toEqual(open)
  })

  it('are all expanded under a filter', () => {
    const layout = laidOut([prompt, answer, tool])
    layout.setAllTurnsOpen(false)
    layout.setFilter({
      showsEach: false,
      decided: Infinity,
      mark: (_, from, to, into) => into.fill(1, 0, to - from).fill(0, 0, 1)
    })
    layAll(layout)
    expect(linesOf(layout)).toEqual(['turn 1', 'row 1', 'row 2'])
    expect(layout.setTurnOpen(1, false)).toBe(false)
    layout.setFilter(null)
    layAll(layout)
    expect(linesOf(layout)).toEqual(['closed-turn 0'])
  })

  it('give the same lines after any growth, truncation and collapsing', () => {
    const turnRows = fc.array(
      fc.record({
        kind: fc.constantFrom<CannedRow['kind']>('record', 'record', 'prompt', 'assistant'),
        time: fc.oneof(fc.constant(NaN), fc.integer({ min: 0, max: 400 }).map(second))
      }),
      { maxLength: 80 }
    )
    const steps = fc.array(fc.record({ rows: fc.nat(20), back: fc.nat(12), toggled: fc.nat(80), single: fc.nat(80) }))
    fc.assert(
      fc.property(turnRows, steps, (rows, steps) => {
        const columns = new LogColumns()
        const layout = new TimelineLayout(columns, endOfDay)
        for (const { rows: more, back, toggled, single } of [
          ...steps,
          { rows: 80, back: 0, toggled: -1, single: -1 }
        ]) {
          if (more > 0) columns.append(columnsOf(rows, columns.rows, more))
          layout.extend()
          layout.setTurnOpen(toggled, layout.isInClosedTurn(toggled))
          layout.singleOut([single])
          const kept = Math.max(0, columns.rows - back)
          layout.truncate(kept)
          columns.truncate(kept)
          layout.extend()
        }
        const whole = laidOutLike(layout, rows)
        whole.closeTurns(layout.closedTurns)
        expect(linesOf(layout)).toEqual(linesOf(whole))
        for (let row = 0; row < rows.length; row++) {
          const view = layout.viewOf(row)
          if (view >= 0) expect(layout.rowAt(view)).toBeLessThanOrEqual(row)
          if (layout.isInClosedTurn(row)) expect(layout.turns.turnAt(layout.rowAt(view))).toBe(layout.turns.turnAt(row))
        }
      })
    )
  })
})
