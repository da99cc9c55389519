import { expect, test } from 'vitest'
import { callBeside, fallRows, heightOf, spanAt, rowAtY } from './fall-rows.ts'
import type { FallTrack } from './fall-tracks.ts'
import { packed, type PlacedSpan, SpanLine } from './span-line.ts'

const none = new SpanLine([])
const span = (number: number, from: number, to: number): PlacedSpan => ({ number, from, to, failed: false })

function track(number: number, calls: readonly PlacedSpan[], more: Partial<FallTrack> = {}): FallTrack {
  const { lines, beyond } = packed(calls, 3)
  return {
    ...{ track: number, depth: Number(number > 0), call: -1, turns: none, waits: none, models: none, unknowns: none },
    ...{ calls: lines, beyond, extent: null },
    ...more
  }
}

const main = track(0, [span(1, 0, 40), span(2, 10, 20), span(3, 60, 70)], {
  turns: new SpanLine([span(0, 0, 100)]),
  models: new SpanLine([span(9, 70, 90)])
})
const subagent = track(1, [span(4, 12, 15)], { extent: { from: 11, to: 19 } })
const whole = { from: 0, to: 100 }

test('each track has a row as high as its parts', () => {
  const rows = fallRows([main, subagent], whole)
  expect(
    rows.map(({ top, height, turnsAt, modelsAt, callsAt }) => ({ top, height, turnsAt, modelsAt, callsAt }))
  ).toEqual([
    { top: 0, height: 66, turnsAt: 5, modelsAt: 22, callsAt: 31 },
    { top: 66, height: 24, turnsAt: -1, modelsAt: -1, callsAt: 5 }
  ])
  expect(heightOf(rows)).toBe(90)
  expect([-1, 0, 65, 66, 89, 90].map((y) => rowAtY(rows, y))).toEqual([-1, 0, 0, 1, 1, -1])
})

test('a track without anything in the view has no row, the main agent always has one', () => {
  expect(fallRows([main, subagent], { from: 50, to: 55 }).map((row) => row.track.track)).toEqual([0])
  expect(fallRows([main, subagent], { from: 18, to: 19 }).map((row) => row.track.track)).toEqual([0, 1])
})

test('what is under a point', () => {
  const rows = fallRows([main, subagent], whole)
  expect(spanAt(rows, 50, 10, 1)).toEqual({ row: 0, of: 'turn', number: 0 })
  expect(spanAt(rows, 80, 25, 1)).toEqual({ row: 0, of: 'model', number: 9 })
  expect(spanAt(rows, 12, 35, 1)).toEqual({ row: 0, of: 'call', number: 1 })
  expect(spanAt(rows, 12, 50, 1)).toEqual({ row: 0, of: 'call', number: 2 })
  expect(spanAt(rows, 50, 35, 1)).toBeNull()
  expect(spanAt(rows, 13, 75, 1)).toEqual({ row: 1, of: 'call', number: 4 })
})

test('keys go through the calls of a track in order', () => {
  const order = [callBeside(main, -1, 1, whole)]
  for (let at = order[0]; at !== null && at !== undefined;) order.push((at = callBeside(main, at, 1, whole)))
  expect(order).toEqual([1, 2, 3, null])
  expect([callBeside(main, 3, -1, whole), callBeside(main, 1, -1, whole)]).toEqual([2, null])
  expect(callBeside(main, -1, 1, { from: 30, to: 100 })).toBe(1)
  expect(callBeside(main, -1, 1, { from: 45, to: 100 })).toBe(3)
  expect(callBeside(subagent, 3, 1, whole)).toBe(4)
})
