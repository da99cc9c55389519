import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import {
  type Direction,
  nextOfKind,
  nextOfTool,
  nextWithIssue,
  type PassesRow,
  type StepColumns,
  stepInto,
  stepOut,
  stepOver,
  type StepTrack
} from './steps.ts'

interface Row {
  readonly kind: RowKind
  readonly severity?: number
  readonly tool?: number
  readonly track?: number
  /** On a completion the row of its call. */
  readonly call?: number
}

/** Columns with room behind their rows, as a page's have. */
function columnsOf(rows: readonly Row[]): StepColumns {
  const room = rows.length + 8
  const columns = {
    rows: rows.length,
    kind: new Uint8Array(room),
    severity: new Uint8Array(room).fill(3),
    seq: new Int32Array(room),
    tool: new Uint16Array(room).fill(1),
    track: new Uint16Array(room).fill(1),
    pairOf: new Int32Array(room).fill(-1)
  }
  // What stands behind the rows means nothing.
  columns.kind.fill(rowKinds.indexOf('prompt'))
  let seq = 0
  for (const [at, row] of rows.entries()) {
    columns.kind[at] = rowKinds.indexOf(row.kind)
    columns.severity[at] = row.severity ?? 0
    columns.seq[at] = row.kind === 'record' ? -1 : seq++
    columns.tool[at] = row.tool ?? 0
    columns.track[at] = row.track ?? 0
    if (row.call === undefined) continue
    columns.pairOf[at] = row.call
    columns.pairOf[row.call] = at
  }
  return columns
}

const all: PassesRow = () => true

describe('the next row of a kind', () => {
  const columns = columnsOf([{ kind: 'prompt' }, { kind: 'tool' }, { kind: 'record' }, { kind: 'prompt' }])

  test('is looked for on either side, the row itself not counted', () => {
    expect(nextOfKind(columns, 'prompt', 0, 1, all)).toBe(3)
    expect(nextOfKind(columns, 'prompt', 3, -1, all)).toBe(0)
    expect(nextOfKind(columns, 'prompt', -1, 1, all)).toBe(0)
    expect(nextOfKind(columns, 'prompt', 0, -1, all)).toBe(-1)
    expect(nextOfKind(columns, 'prompt', 3, 1, all)).toBe(-1)
    expect(nextOfKind(columns, 'turn', 0, 1, all)).toBe(-1)
  })

  test('is one that the timeline shows', () => {
    expect(nextOfKind(columns, 'prompt', -1, 1, (row) => row > 0)).toBe(3)
    expect(nextOfKind(columns, 'prompt', 4, -1, (row) => row < 3)).toBe(0)
  })

  test('may be one with issues', () => {
    const wrong = columnsOf([{ kind: 'record', severity: 1 }, { kind: 'tool' }, { kind: 'tool', severity: 2 }])
    expect(nextWithIssue(wrong, -1, 1, all)).toBe(0)
    expect(nextWithIssue(wrong, 0, 1, all)).toBe(2)
    expect(nextWithIssue(wrong, 2, -1, all)).toBe(0)
    expect(nextWithIssue(wrong, 2, 1, all)).toBe(-1)
  })
})

describe('the next event of the same tool', () => {
  const columns = columnsOf([
    { kind: 'tool', tool: 1 },
    { kind: 'tool-result', tool: 1, call: 0 },
    { kind: 'tool', tool: 2 },
    { kind: 'tool', tool: 1 },
    { kind: 'tool-error', tool: 1, call: 3 },
    { kind: 'assistant' }
  ])

  test('is a call, whether one is on a call or a result', () => {
    expect(nextOfTool(columns, 0, 1, all)).toBe(3)
    expect(nextOfTool(columns, 1, 1, all)).toBe(3)
    expect(nextOfTool(columns, 4, -1, all)).toBe(3)
    expect(nextOfTool(columns, 3, -1, all)).toBe(0)
    expect(nextOfTool(columns, 3, 1, all)).toBe(-1)
  })

  test('is none for an event without a tool', () => {
    expect(nextOfTool(columns, 5, -1, all)).toBe(-1)
    expect(nextOfTool(columns, -1, 1, all)).toBe(-1)
  })
})

describe('a subagent', () => {
  // Two that run at the same time, one of which starts another one.
  const columns = columnsOf([
    { kind: 'tool', tool: 1 },
    { kind: 'tool', tool: 1 },
    { kind: 'prompt', track: 2 },
    { kind: 'record', track: 1 },
    { kind: 'prompt', track: 1 },
    { kind: 'tool', tool: 1, track: 1 },
    { kind: 'assistant', track: 3 },
    { kind: 'tool-result', tool: 1, call: 1 },
    { kind: 'assistant', track: 1 },
    { kind: 'tool-result', tool: 1, call: 0 },
    { kind: 'assistant' }
  ])
  const tracks: StepTrack[] = [
    { depth: 0, call: -1 },
    { depth: 1, call: 0 },
    { depth: 1, call: 1 },
    { depth: 2, call: 5 }
  ]

  test('is stepped into at its first event, from its call and from its result', () => {
    expect(stepInto(columns, tracks, 0, all)).toBe(4)
    expect(stepInto(columns, tracks, 9, all)).toBe(4)
    expect(stepInto(columns, tracks, 1, all)).toBe(2)
    expect(stepInto(columns, tracks, 5, all)).toBe(6)
    expect(stepInto(columns, tracks, 10, all)).toBe(-1)
    expect(stepInto(columns, tracks, -1, all)).toBe(-1)
  })

  test('is stepped out of at the result of its own call', () => {
    expect(stepOut(columns, tracks, 2, all)).toBe(7)
    expect(stepOut(columns, tracks, 4, all)).toBe(9)
    expect(stepOut(columns, tracks, 10, all)).toBe(-1)
  })

  test('without a result is stepped out of at the next event that is less deep', () => {
    expect(stepOut(columns, tracks, 6, all)).toBe(7)
    const unknown = tracks.map((track) => ({ ...track, call: -1 }))
    expect(stepOut(columns, unknown, 4, all)).toBe(7)
    expect(stepInto(columns, unknown, 0, all)).toBe(-1)
  })

  test('is stepped over from its call, and out of from inside', () => {
    expect(stepOver(columns, tracks, 0, all)).toBe(9)
    expect(stepOver(columns, tracks, 1, all)).toBe(7)
    expect(stepOver(columns, tracks, 8, all)).toBe(9)
    // A call without a result: on to the next event that is not deeper.
    expect(stepOver(columns, tracks, 5, all)).toBe(7)
    expect(stepOver(columns, tracks, 9, all)).toBe(10)
    expect(stepOver(columns, tracks, 10, all)).toBe(-1)
  })
})

const anyRow = fc.record({
  kind: fc.constantFrom(...rowKinds),
  severity: fc.nat(3),
  tool: fc.nat(2),
  track: fc.nat(2)
})
const tracks: StepTrack[] = [
  { depth: 0, call: -1 },
  { depth: 1, call: -1 },
  { depth: 2, call: -1 }
]
type Step = (columns: StepColumns, from: number, direction: Direction, passes: PassesRow) => number
const steps: readonly [string, Step, (columns: StepColumns, row: number) => boolean][] = [
  [
    'prompt',
    (columns, from, direction, passes) => nextOfKind(columns, 'prompt', from, direction, passes),
    (columns, row) => columns.kind[row] === rowKinds.indexOf('prompt')
  ],
  ['issue', nextWithIssue, (columns, row) => (columns.severity[row] ?? 0) > 0],
  ['tool', nextOfTool, (columns, row) => columns.kind[row] === rowKinds.indexOf('tool') && (columns.tool[row] ?? 0) > 0]
]

describe.each(steps)('steps by %s', (_, step, isGoal) => {
  test('never leave the log or what is shown, and the next one and back is where one was', () => {
    fc.assert(
      fc.property(fc.array(anyRow, { maxLength: 40 }), fc.nat(2 ** 16), (rows, mask) => {
        const columns = columnsOf(rows)
        const passes: PassesRow = (row) => ((mask >> (row % 16)) & 1) === 1
        for (let from = 0; from < rows.length; from++) {
          const to = step(columns, from, 1, passes)
          if (to < 0) continue
          expect(to).toBeGreaterThan(from)
          expect(to).toBeLessThan(rows.length)
          expect(isGoal(columns, to) && passes(to)).toBe(true)
          if (isGoal(columns, from) && passes(from)) expect(step(columns, to, -1, passes)).toBe(from)
        }
      })
    )
  })
})

test('steps out of and over subagents go forwards, end at events, and never deeper', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 40 }), (rows) => {
      const columns = columnsOf(rows)
      const depthOf = (row: number) => tracks[columns.track[row] ?? 0]?.depth ?? 0
      for (let from = 0; from < rows.length; from++) {
        for (const step of [stepOut, stepOver]) {
          const to = step(columns, tracks, from, all)
          if (to < 0) continue
          expect(to).toBeGreaterThan(from)
          expect(columns.seq[to]).toBeGreaterThanOrEqual(0)
          expect(depthOf(to)).toBeLessThanOrEqual(depthOf(from))
          if (step === stepOut) expect(depthOf(to)).toBeLessThan(depthOf(from))
        }
      }
    })
  )
})
