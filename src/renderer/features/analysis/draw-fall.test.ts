import { describe, expect, test } from 'vitest'
import { evenScale, TimeScale } from '#core/replay/event-scale.ts'
import { runAxis } from '../axis/run-axis.ts'
import { cutWords, drawFall, type FallScene } from './draw-fall.ts'
import type { FallColors } from './fall-colors.ts'
import { fallRows } from './fall-rows.ts'
import type { FallTrack } from './fall-tracks.ts'
import { packed, type PlacedSpan, SpanLine } from './span-line.ts'

const names = [
  'ground',
  'band',
  'line',
  'edge',
  'hatch',
  'text',
  'words',
  'call',
  'callSoft',
  'failed',
  'failedSoft',
  'quiet',
  'context'
] as const
const colors = Object.fromEntries(names.map((name) => [name, name])) as unknown as FallColors
const width = 800

interface Call {
  readonly of: string
  readonly style: string
  readonly args: readonly unknown[]
}

/** A context that keeps what is drawn on it. */
function fakeContext() {
  const calls: Call[] = []
  const state = { fillStyle: '', strokeStyle: '', lineWidth: 1, font: '', textBaseline: '', textAlign: '' }
  const draw =
    (of: string) =>
    (...args: unknown[]) =>
      void calls.push({ of, style: of.startsWith('stroke') ? state.strokeStyle : state.fillStyle, args })
  const methods =
    'fillRect strokeRect fillText clearRect beginPath rect clip moveTo lineTo stroke fill closePath save restore setLineDash'
  const context = Object.assign(state, Object.fromEntries(methods.split(' ').map((name) => [name, draw(name)])), {
    measureText: (text: string) => ({ width: text.length * 6 })
  }) as unknown as Parameters<typeof drawFall>[0]
  return { context, calls }
}

function draw(spans: readonly PlacedSpan[], events: number, more: Partial<FallScene> = {}): readonly Call[] {
  const { lines, beyond } = packed(spans, 3)
  const none = new SpanLine([])
  const track: FallTrack = {
    ...{ track: 0, depth: 0, call: -1, turns: none, waits: none, models: none, unknowns: none },
    ...{ calls: lines, beyond, extent: null }
  }
  const scale = evenScale(events)
  const view = { from: 0, to: scale.total }
  const rows = fallRows([track], view)
  const { context, calls } = fakeContext()
  const timeScale = new TimeScale({ events: 0, time: new Float64Array(), rowOfSeq: new Int32Array() })
  const scene: FallScene = {
    ...{ rows, top: 0, height: 400, axis: runAxis(scale, view, width), timeScale },
    ...{ wordsOf: (number) => `call ${number}`, starts: () => false, isChosen: null, sent: null, startOf: () => null },
    ...more
  }
  drawFall(context, scene, colors, '11px x')
  return calls
}

const filled = (calls: readonly Call[], style: string) =>
  calls.filter((call) => call.of === 'fillRect' && call.style === style)

describe('drawing', () => {
  test('a million spans take a bounded number of calls', () => {
    const count = 1_000_000
    const spans = Array.from({ length: count }, (_, number) => ({
      ...{ number, from: number, to: number + (number % 7) * 0.9, failed: number % 1000 === 0 }
    }))
    const calls = draw(spans, count)
    // Three lines of calls, each with at most a rectangle for each 3 px, in two parts if failed.
    expect(calls.length).toBeLessThan(3 * 2 * (width / 3) + 20)
    expect(calls.length).toBeGreaterThan(width / 3)
  })

  test('wide spans have an edge, and words if there is room', () => {
    const calls = draw([{ number: 4, from: 10, to: 60, failed: false }], 100)
    expect(calls.find(({ of }) => of === 'strokeRect')).toMatchObject({ style: 'call' })
    expect(calls.find(({ of }) => of === 'fillText')?.args[0]).toBe('call 4')
    expect(draw([{ number: 4, from: 10, to: 12, failed: false }], 100).some(({ of }) => of === 'fillText')).toBe(false)
  })

  test('a failed call has a cross before its words, and its own color', () => {
    const calls = draw([{ number: 4, from: 10, to: 60, failed: true }], 100)
    expect(calls.find(({ of }) => of === 'fillText')?.args[0]).toBe('× call 4')
    expect(filled(calls, 'failedSoft')).toHaveLength(1)
  })

  test('one failed call among many narrow ones is seen', () => {
    const spans = Array.from({ length: 1000 }, (_, number) => ({
      number,
      from: number,
      to: number,
      failed: number === 500
    }))
    expect(filled(draw(spans, 1000), 'failed')).toHaveLength(2)
  })

  test('a call of unknown length is a tick with a head, never a box', () => {
    const calls = draw([{ number: 4, from: 10, to: NaN, failed: false }], 100)
    expect(calls.filter(({ of }) => of === 'strokeRect')).toEqual([])
    expect(calls.filter(({ of }) => of === 'fill')).toHaveLength(1)
    expect(filled(calls, 'call')[0]?.args.slice(2)).toEqual([1, 10])
  })

  test('a long span among short ones is drawn, also if it began before the view', () => {
    const spans = Array.from({ length: 10_000 }, (_, number) => ({ number, from: number, to: number, failed: false }))
    const calls = draw([...spans, { number: 10_000, from: 5000, to: 9000, failed: false }], 10_000)
    expect(calls.some(({ of, args }) => of === 'strokeRect' && Number(args[2]) > 200)).toBe(true)
    const view = { from: 6000, to: 7000 }
    const zoomed = draw([{ number: 0, from: 0, to: 9000, failed: false }], 10_000, {
      axis: runAxis(evenScale(10_000), view, width)
    })
    expect(zoomed.some(({ of, args }) => of === 'strokeRect' && Number(args[2]) >= width)).toBe(true)
  })

  test('calls that are not chosen are quiet', () => {
    const spans = [0, 1].map((number) => ({ number, from: number * 40, to: number * 40 + 30, failed: false }))
    const calls = draw(spans, 100, { isChosen: (number) => number === 1 })
    expect(calls.filter(({ of }) => of === 'strokeRect').map(({ style }) => style)).toEqual(['quiet', 'call'])
  })
})

test('words are cut to their room', () => {
  const widthOf = (text: string) => text.length * 6
  expect(['Bash', 'Read a file', 'x'].map((words) => cutWords(words, 30, widthOf))).toEqual(['Bash', 'Read…', 'x'])
  expect(cutWords('Bash', 5, widthOf)).toBe('')
  expect(cutWords('x'.repeat(1e6), 30, widthOf)).toBe('xxxx…')
})

describe('the context below the tracks', () => {
  const lineOf = (places: readonly number[], tokens: readonly number[]) => ({
    ...{ length: places.length, places: Float64Array.from(places), tokens: Float64Array.from(tokens) },
    ...{ least: Math.min(...tokens), most: Math.max(...tokens) },
    firstFrom: (place: number) => places.findIndex((each) => each >= place)
  })

  test('each request goes on until the next one, as high as what it sent', () => {
    const areas = filled(draw([], 100, { sent: lineOf([0, 50], [1000, 500]) }), 'context')
    expect(areas.map(({ args }) => args.map(Number).map(Math.round))).toEqual([
      [0, 29, 1, 26],
      [1, 29, 399, 26],
      [400, 42, 400, 13]
    ])
  })

  test('of many requests, a column of px has two areas', () => {
    const many = Array.from({ length: 20_000 }, (_, at) => at / 200)
    const areas = filled(
      draw([], 100, {
        sent: lineOf(
          many,
          many.map((at) => 1 + at)
        )
      }),
      'context'
    )
    expect(areas.length).toBeLessThanOrEqual(2 * width)
  })
})
