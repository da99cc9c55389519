import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EventDraft, FoldedEvent } from '../formats/log-format.ts'
import { EventIndex } from '../index/event-index.ts'
import { rowKinds } from '../index/row-kind.ts'
import { callEnds, callOf, resultOf, RowBlock } from './row-block.ts'

interface Step {
  readonly of: 'call' | 'result' | 'failure' | 'todo' | 'text' | 'record'
  readonly id: string
  readonly time: number
  readonly tookMs: number | undefined
  readonly trackId: string | undefined
}

const step: fc.Arbitrary<Step> = fc.record({
  of: fc.constantFrom('call', 'call', 'result', 'result', 'failure', 'todo', 'text', 'record'),
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  time: fc.oneof(fc.nat(5000), fc.double({ min: 1, max: 9e12, noNaN: true }), fc.constant(0)),
  tookMs: fc.option(fc.nat(900), { nil: undefined }),
  trackId: fc.constantFrom(undefined, 'sub')
})

function draftOf({ of, id }: Step): EventDraft | null {
  switch (of) {
    case 'call':
      return { type: 'tool.started', toolName: `tool ${id}`, toolId: id, input: {} }
    case 'result':
      return { type: 'tool.completed', toolId: id, output: 'ok' }
    case 'failure':
      return { type: 'tool.completed', toolId: id, error: 'no' }
    case 'todo':
      return { type: 'todo_list', todoId: id, items: [] }
    case 'text':
      return { type: 'text', text: id, role: 'assistant' }
    case 'record':
      return null
  }
}

function indexOf(steps: readonly Step[]): EventIndex {
  const index = new EventIndex()
  for (const [i, each] of steps.entries()) {
    const at = { line: i + 1, offset: i * 100, length: 10 + i }
    const draft = draftOf(each)
    const { time: timestamp, tookMs, trackId } = each
    const event: FoldedEvent | null = draft && {
      ...{ at, ordinal: 0, draft, body: 0, timestamp, sessionId: 's' },
      ...(tookMs !== undefined && draft.type === 'tool.completed' && { tookMs }),
      ...(trackId !== undefined && { trackId }),
      ...(i % 5 === 0 && { timestampFrom: 'previous' })
    }
    index.addLine({ at: { ...at, terminated: true }, text: '', blank: false, events: event ? [event] : [], issues: [] })
  }
  return index
}

/** What the index says row by row. */
function expectSame(rows: EventIndex, block: RowBlock): void {
  const of = <T>(one: (row: number) => T): T[] => Array.from({ length: block.length }, (_, i) => one(block.from + i))
  const call = (row: number): number => {
    const at = callOf(rows, row)
    return rows.isCall(at) ? at : -1
  }
  const end = (row: number): string | null => {
    if (callOf(rows, row) < 0) return null
    const result = resultOf(rows, row)
    return result < 0 ? 'open' : rows.kindAt(result) === rowKinds.indexOf('tool-error') ? 'error' : 'ok'
  }
  expect([...block.kinds]).toEqual(of((row) => rows.kindAt(row)))
  expect([...block.tracks]).toEqual(of((row) => rows.trackAt(row)))
  expect([...block.tools]).toEqual(of((row) => rows.toolNumberAt(row)))
  expect([...block.lines]).toEqual(of((row) => rows.lineAt(row)))
  expect([...block.lengths]).toEqual(of((row) => rows.lengthAt(row)))
  expect([...block.times]).toEqual(of((row) => rows.timeAt(row)))
  expect([...block.statedTimes]).toEqual(of((row) => rows.statedTime(row) ?? NaN))
  expect([...block.calls]).toEqual(of(call))
  expect([...block.results]).toEqual(of((row) => resultOf(rows, row)))
  expect(Array.from(block.ends, (each) => callEnds[each])).toEqual(of(end))
  const { rows: results, values } = rows.durationsBetween(block.from, block.from + block.length)
  const stated = of((row) => [row, rows.durationAt(row)]).filter(([, ms]) => ms !== undefined)
  expect(Array.from(results, (row, i) => [row, values[i]])).toEqual(stated)
}

test('a block has what the index says of each row, wherever it begins and ends', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 60 }),
      fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }),
      (steps, parts) => {
        const index = indexOf(steps)
        const block = new RowBlock(index, index.rows)
        for (const [at, count] of parts) {
          const from = at % index.rows
          expectSame(index, block.moveTo(from, 1 + (count % (index.rows - from))))
        }
      }
    )
  )
})

test('a result far behind its call is its result', () => {
  const plain = { time: 5, tookMs: undefined, trackId: undefined, id: 'a' }
  const between = Array.from({ length: 70_000 }, (): Step => ({ ...plain, of: 'record' }))
  const index = indexOf([{ ...plain, of: 'call' }, ...between, { ...plain, of: 'failure' }])
  const block = new RowBlock(index, 3)
  expectSame(index, block.moveTo(0, 3))
  expect(block.results[0]).toBe(70_001)
  expectSame(index, block.moveTo(69_999, 3))
  expect(block.calls[2]).toBe(0)
})
