import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type RowKind, rowKinds } from '../index/row-kind.ts'
import { Turns } from './turns.ts'

interface Row {
  readonly kind: RowKind
  readonly track?: number
}

class Columns {
  rows = 0
  kind = new Uint8Array(200)
  track = new Uint16Array(200)

  take(rows: readonly Row[], count = rows.length): void {
    for (const { kind, track = 0 } of rows.slice(this.rows, this.rows + count)) {
      this.kind[this.rows] = rowKinds.indexOf(kind)
      this.track[this.rows++] = track
    }
  }
}

function turnsOf(rows: readonly Row[]): Turns {
  const columns = new Columns()
  columns.take(rows)
  const turns = new Turns(columns)
  turns.extend()
  return turns
}

function startsOf(turns: Turns): number[] {
  return Array.from({ length: turns.count }, (_, turn) => turns.startOf(turn))
}

const starts = (...kinds: RowKind[]) => startsOf(turnsOf(kinds.map((kind) => ({ kind }))))

describe('turns', () => {
  test('a prompt begins one, once the turn before it has ended', () => {
    expect(starts('prompt', 'assistant', 'tool', 'tool-result', 'turn', 'prompt', 'assistant')).toEqual([0, 5])
  })

  test('a prompt that is typed while the agent works begins none', () => {
    expect(starts('prompt', 'assistant', 'prompt', 'tool', 'turn', 'prompt')).toEqual([0, 5])
    expect(starts('session', 'assistant', 'prompt', 'assistant')).toEqual([0, 2])
  })

  test('several prompts in a row are one: what is attached comes as prompts too', () => {
    expect(starts('prompt', 'record', 'prompt', 'status', 'prompt', 'assistant')).toEqual([0])
  })

  test('where prompts are not in the log, a session that starts begins one', () => {
    expect(starts('session', 'assistant', 'turn', 'session', 'assistant')).toEqual([0, 3])
    expect(starts('session', 'prompt', 'assistant')).toEqual([0])
  })

  test('what comes before the first belongs to none', () => {
    const turns = turnsOf([{ kind: 'record' }, { kind: 'assistant' }, { kind: 'prompt' }, { kind: 'assistant' }])
    expect([0, 1, 2, 3].map((row) => turns.turnAt(row))).toEqual([-1, -1, 0, 0])
    expect([turns.startOf(0), turns.endOf(0)]).toEqual([2, 4])
  })

  test("a subagent's prompt and work are part of the turn of its caller", () => {
    const turns = turnsOf([
      { kind: 'prompt' },
      { kind: 'prompt', track: 1 },
      { kind: 'assistant', track: 1 },
      { kind: 'prompt', track: 1 },
      { kind: 'prompt' },
      { kind: 'assistant' }
    ])
    expect(startsOf(turns)).toEqual([0])
  })

  test('are the same however the log came, and after rows were taken back', () => {
    const rowsArbitrary = fc.array(
      fc.record({
        kind: fc.constantFrom<RowKind>('prompt', 'session', 'assistant', 'record', 'turn'),
        track: fc.nat(1)
      }),
      { maxLength: 60 }
    )
    const step = fc.record({ rows: fc.nat(20), back: fc.nat(10) })
    fc.assert(
      fc.property(rowsArbitrary, fc.array(step), (rows, steps) => {
        const columns = new Columns()
        const turns = new Turns(columns)
        for (const { rows: more, back } of steps) {
          columns.take(rows, more)
          turns.extend()
          columns.rows = Math.max(0, columns.rows - back)
          turns.truncate(columns.rows)
        }
        columns.take(rows)
        turns.extend()
        expect(startsOf(turns)).toEqual(startsOf(turnsOf(rows)))
      })
    )
  })
})
