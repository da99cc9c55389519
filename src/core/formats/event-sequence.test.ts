import { expect, test } from 'vitest'
import { EventSequence } from './event-sequence.ts'
import type { EventDraft, FoldContext, FoldedEvent } from './log-format.ts'

const started: EventDraft = { type: 'tool.started', toolName: 'Bash', toolId: 'a', input: {} }
const done: EventDraft = { type: 'tool.completed', toolId: 'a', output: 'ok' }

/** A sequence with lines added in order. */
class Lines {
  readonly sequence: EventSequence
  #line = 0

  constructor(context: FoldContext = {}) {
    this.sequence = new EventSequence(context)
  }

  /** Adds a line with a `time`; returns its events. */
  add(time: number | undefined, ...drafts: EventDraft[]): readonly FoldedEvent[] {
    this.begin(time)
    for (const [body, draft] of drafts.entries()) this.sequence.emit(draft, body, undefined)
    return this.sequence.drain().events
  }

  /** Adds the line of a call that is no event. */
  called(time: number | undefined, toolId: string): void {
    this.begin(time)
    this.sequence.called(toolId)
    this.sequence.drain()
  }

  calledSometime(toolId: string): void {
    this.sequence.calledSometime(toolId)
  }

  /** Adds the result of `a`; returns its duration in ms. */
  took(time: number | undefined, draft = done): number | undefined {
    return this.add(time, draft)[0]?.tookMs
  }

  begin(time: number | undefined): void {
    this.#line += 1
    this.sequence.begin({ line: this.#line, offset: this.#line * 10, length: 9 }, time, 's')
  }
}

test('a call took the time between its record and that of its result', () => {
  const lines = new Lines()
  lines.add(1000, started)
  expect(lines.took(1250)).toBe(250)
})

test('a call that is no event as well', () => {
  const lines = new Lines()
  lines.called(1000, 'a')
  expect(lines.took(4000)).toBe(3000)
})

test('what a result states counts, not the times of the records', () => {
  const lines = new Lines()
  lines.add(1000, started)
  const [event] = lines.add(2000, { ...done, durationMs: 7, durationFrom: 'stated' })
  expect(event?.draft).toMatchObject({ durationMs: 7 })
  expect(event).not.toHaveProperty('tookMs')
})

test.each<[string, number | undefined, number | undefined]>([
  ['the times are equal: many logs state one for both', 1000, 1000],
  ['the result is earlier than the call', 1000, 999],
  ['the call states no time', undefined, 2000],
  ['the result states no time', 1000, undefined],
  ['no record states a time', undefined, undefined]
])('how long it took is not known where %s', (_, from, to) => {
  const lines = new Lines()
  lines.add(from, started)
  const [event] = lines.add(to, done)
  expect(event).toMatchObject({ draft: done })
  expect(event).not.toHaveProperty('tookMs')
})

test('a time that only the clock of the reader tells is none', () => {
  let now = 1000
  const lines = new Lines({ now: () => (now += 500) })
  lines.add(undefined, started)
  const [event] = lines.add(undefined, done)
  expect(event).toMatchObject({ timestamp: 2000, timestampFrom: 'observed' })
  expect(event).not.toHaveProperty('tookMs')
})

test('a time carried on from the line before is none', () => {
  const lines = new Lines()
  lines.add(500, { type: 'text', text: 'x', role: 'assistant' })
  lines.add(undefined, started)
  expect(lines.took(2000)).toBeUndefined()
})

test('it is unknown for a result before its call, or without one', () => {
  const lines = new Lines()
  expect(lines.took(1000)).toBeUndefined()
  lines.add(2000, started)
  expect(lines.took(2500)).toBe(500)
})

test('a repeated result has none', () => {
  const lines = new Lines()
  lines.add(1000, started)
  expect(lines.took(1500)).toBe(500)
  expect(lines.took(9000)).toBeUndefined()
})

test('nor does one that follows a result whose time is not known, or is stated', () => {
  const lines = new Lines()
  lines.add(1000, started)
  expect(lines.took(undefined)).toBeUndefined()
  expect(lines.took(9000)).toBeUndefined()
  lines.add(10_000, started)
  expect(lines.took(11_000, { ...done, durationMs: 1, durationFrom: 'stated' })).toBeUndefined()
  expect(lines.took(12_000)).toBeUndefined()
})

test('an id used again means the latest call', () => {
  const lines = new Lines()
  lines.add(1000, started)
  expect(lines.took(2000)).toBe(1000)
  lines.add(5000, started)
  expect(lines.took(5500)).toBe(500)
})

test('calls that share an id while one is open have none', () => {
  const lines = new Lines()
  lines.add(1000, started)
  lines.add(5000, started)
  expect([lines.took(6000), lines.took(7000)]).toEqual([undefined, undefined])
  lines.add(7000, started)
  lines.add(undefined, started)
  expect(lines.took(9000)).toBeUndefined()
})

test('a call that was made at some time has no duration', () => {
  const lines = new Lines()
  lines.add(10_000, started)
  lines.calledSometime('a')
  expect(lines.took(12_000)).toBeUndefined()
})

test('ids of different scopes are different calls', () => {
  const lines = new Lines()
  const inScope = (idScope: string | undefined): Lines => {
    lines.sequence.idScope = idScope
    return lines
  }
  inScope('one').add(1000, started)
  inScope('two').add(2000, started)
  inScope(undefined).called(3000, 'a')
  expect(inScope('one').took(5000)).toBe(4000)
  expect(inScope('three').took(5000)).toBeUndefined()
  expect(inScope('two').took(5000)).toBe(3000)
  expect(inScope(undefined).took(5000)).toBe(2000)
})

test('calls that are never answered do not pile up: the oldest are forgotten', () => {
  const lines = new Lines()
  for (let call = 0; call <= 10_000; call += 1) lines.called(1000, `c${call}`)
  expect(lines.took(2000, { ...done, toolId: 'c0' })).toBeUndefined()
  expect(lines.took(2000, { ...done, toolId: 'c5001' })).toBe(1000)
  expect(lines.took(2000, { ...done, toolId: 'c10000' })).toBe(1000)
})

test('a tool’s name applies only to its result', () => {
  const lines = new Lines()
  lines.begin(1000)
  lines.sequence.emit(done, 0, undefined, { toolName: 'TodoWrite' })
  lines.sequence.emit(done, 1, undefined, { toolName: undefined })
  const [named, plain] = lines.sequence.drain().events
  expect(named?.toolName).toBe('TodoWrite')
  expect(plain).not.toHaveProperty('toolName')
})
