import { expect, test } from 'vitest'
import { type CallChange, ToolClock } from './tool-clock.ts'

const limitMs = 1000

/** A clock that was told these changes, at these moments. */
function clockOf(...changes: readonly (readonly [atMs: number, change: CallChange])[]): ToolClock {
  const clock = new ToolClock()
  for (const [atMs, change] of changes) clock.take(change, atMs)
  return clock
}

const started = (tool: string, trackId: string | null = null): CallChange => ({ kind: 'started', tool, trackId })
const over = (tool: string): CallChange => ({ kind: 'over', tool })
const asked = (request: string, tool: string | null): CallChange => ({ kind: 'asked', request, tool })
const decided = (request: string): CallChange => ({ kind: 'decided', request })
const lateAt = (clock: ToolClock, nowMs: number): string[] =>
  clock.late(limitMs, nowMs).map(({ tool, elapsedMs }) => `${tool} ${elapsedMs}`)

test('a call is late at the limit, once', () => {
  const clock = clockOf([50, started('a')])
  expect(clock.wakeAtMs(limitMs)).toBe(1050)
  expect(lateAt(clock, 1049)).toEqual([])
  expect(lateAt(clock, 1050)).toEqual(['a 1000'])
  expect(clock.wakeAtMs(limitMs)).toBe(null)
  expect(lateAt(clock, 5000)).toEqual([])
})

test('a call that is over in time is not late', () => {
  expect(lateAt(clockOf([0, started('a')], [999, over('a')]), 5000)).toEqual([])
})

test('several calls at once have their own time', () => {
  const clock = clockOf([0, started('a')], [300, started('b')], [400, started('c')], [600, over('b')])
  expect(clock.wakeAtMs(limitMs)).toBe(1000)
  expect(lateAt(clock, 1000)).toEqual(['a 1000'])
  expect(clock.wakeAtMs(limitMs)).toBe(1400)
  expect(lateAt(clock, 9000)).toEqual(['c 8600'])
})

test('a call that is stated twice has begun once', () => {
  expect(lateAt(clockOf([0, started('a')], [900, started('a')]), 1000)).toEqual(['a 1000'])
})

test('its time stands while a person is asked about it, also where the ask is told first', () => {
  for (const changes of [
    [[0, started('a')] as const, [100, asked('r', 'a')] as const],
    [[0, asked('r', 'a')] as const, [100, started('a')] as const]
  ]) {
    const clock = clockOf(...changes, [100, started('b')])
    expect(clock.wakeAtMs(limitMs)).toBe(1100)
    expect(lateAt(clock, 60_000)).toEqual(['b 59900'])
    expect(clock.wakeAtMs(limitMs)).toBe(null)
    clock.take(decided('r'), 60_000)
    const ran = changes[0]?.[1].kind === 'started' ? 100 : 0
    expect(clock.wakeAtMs(limitMs)).toBe(61_000 - ran)
    expect(lateAt(clock, 61_000 - ran)).toEqual(['a 1000'])
  }
})

test('two asks about one call both stop it', () => {
  const clock = clockOf([0, started('a')], [0, asked('r', 'a')], [0, asked('q', 'a')], [500, decided('r')])
  expect(clock.wakeAtMs(limitMs)).toBe(null)
  clock.take(decided('q'), 700)
  expect(clock.wakeAtMs(limitMs)).toBe(1700)
})

test('the call of a subagent waits with what its subagent asks, and its sibling does not', () => {
  const clock = clockOf(
    [0, started('agent')],
    [0, started('other')],
    [0, started('inner', 'agent')],
    [0, started('deep', 'inner')],
    [200, asked('r', 'deep')]
  )
  expect(lateAt(clock, 5000)).toEqual(['other 5000'])
  clock.take(decided('r'), 5000)
  expect(clock.wakeAtMs(limitMs)).toBe(5800)
  expect(lateAt(clock, 5800)).toEqual(['agent 1000', 'inner 1000', 'deep 1000'])
})

test('an ask that names no call stops the calls of the main agent', () => {
  const clock = clockOf([0, started('a')], [0, started('b', 'x')], [100, asked('r', null)])
  expect(lateAt(clock, 2000)).toEqual(['b 2000'])
})

test('the limit is the one of now', () => {
  const clock = clockOf([0, started('a')])
  expect(clock.wakeAtMs(50)).toBe(50)
  expect(clock.wakeAtMs(5000)).toBe(5000)
  expect(clock.late(5000, 4999)).toEqual([])
  expect(clock.late(50, 4999)).toEqual([{ tool: 'a', elapsedMs: 4999 }])
})

test('answers to what nobody asked, and ends of what never began, change nothing', () => {
  const clock = clockOf([0, started('a')], [10, decided('r')], [20, over('b')])
  expect(clock.wakeAtMs(limitMs)).toBe(1000)
})

test('keeps the latest of very many calls', () => {
  const clock = new ToolClock()
  for (let at = 0; at < 10_050; at++) clock.take(started(`${at}`), 0)
  expect(clock.late(limitMs, limitMs)).toHaveLength(10_000)
})
