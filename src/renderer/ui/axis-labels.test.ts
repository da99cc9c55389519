import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type AxisLabel, drawAxisLabels } from './axis-labels.ts'

/** The drawn labels, with characters 7 px wide. */
function drawn(labels: readonly AxisLabel[], width: number) {
  const found: { text: string; left: number; right: number }[] = []
  const context = {
    textAlign: 'center' as CanvasTextAlign,
    measureText: (text: string) => ({ width: 7 * text.length }) as TextMetrics,
    fillText: (text: string, x: number) => void found.push({ text, left: x, right: x + 7 * text.length })
  }
  drawAxisLabels(context, labels, width, 0)
  return found
}

test('centers labels at their positions, the outer ones within the axis', () => {
  const labels = [0, 100, 200].map((x) => ({ x, text: `at${x}` }))
  expect(drawn(labels, 200)).toEqual([
    { text: 'at0', left: 0, right: 21 },
    { text: 'at100', left: 82.5, right: 117.5 },
    { text: 'at200', left: 165, right: 200 }
  ])
})

test('omits labels that would touch, the last one only for the first', () => {
  const clock = ['12:00:00.000', '12:00:00.500', '12:00:01.000']
  const labels = clock.map((text, at) => ({ text, x: at * 96 }))
  expect(drawn(labels, 192).map(({ text }) => text)).toEqual([clock[0], clock[2]])
  expect(drawn(labels, 90).map(({ text }) => text)).toEqual([clock[0]])
  expect(
    drawn(
      [
        { x: 0, text: 'a' },
        { x: 50, text: 'a' },
        { x: 90, text: '' }
      ],
      100
    )
  ).toHaveLength(1)
})

test('labels never overlap', () => {
  const some = fc.array(fc.record({ x: fc.nat(600), text: fc.string({ maxLength: 20 }) }), { maxLength: 12 })
  fc.assert(
    fc.property(some, fc.integer({ min: 200, max: 600 }), (labels, width) => {
      const boxes = drawn(
        labels.toSorted((one, other) => one.x - other.x),
        width
      )
      boxes.slice(1).forEach(({ left }, at) => expect(left).toBeGreaterThanOrEqual((boxes[at]?.right ?? 0) + 8))
      for (const { left, right } of boxes) {
        expect(left).toBeGreaterThanOrEqual(0)
        expect(right).toBeLessThanOrEqual(width)
      }
    })
  )
})
