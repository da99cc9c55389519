import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Pattern } from '#queries/find/pattern.ts'
import type { CreateScanner } from '#queries/find/scanner.ts'
import { ScriptScanner } from '#queries/find/script-scanner.ts'
import { VectorScanner } from './vector-scanner.ts'

const room = 400
const byte = fc.constantFrom(0x00, 0x41, 0x61, 0x62, 0xff)
const pattern: fc.Arbitrary<Pattern> = fc
  .array(fc.tuple(byte, fc.constantFrom(0xff, 0xff, 0xdf, 0x00)), { minLength: 1, maxLength: 40 })
  .map((places) => ({
    bytes: Uint8Array.from(places, ([value, mask]) => value & mask),
    masks: Uint8Array.from(places, ([, mask]) => mask),
    alternatives: null
  }))
/** Long stretches of the same, so that patterns of some length are found, and almost found. */
const content = fc
  .array(fc.tuple(byte, fc.integer({ min: 1, max: 60 })), { maxLength: 14 })
  .map((runs) => Uint8Array.from(runs.flatMap(([value, count]) => Array<number>(count).fill(value))).subarray(0, room))

/** Byte by byte. */
function naiveNext({ bytes, masks }: Pattern, window: Uint8Array, from: number, to: number): number {
  for (let at = from; at + bytes.length <= to; at++) {
    if (bytes.every((value, i) => ((window[at + i] ?? 0) & (masks[i] ?? 0)) === value)) return at
  }
  return -1
}

const scanners: readonly (readonly [string, CreateScanner])[] = [
  ['in WebAssembly', (patterns, windowBytes) => new VectorScanner(patterns, windowBytes)],
  ['in JavaScript', (patterns, windowBytes) => new ScriptScanner(patterns, windowBytes)]
]

describe.each(scanners)('the scanner %s', (_, createScanner) => {
  test('finds what a loop over the bytes finds, whatever it looks at first', () => {
    fc.assert(
      fc.property(
        fc.array(pattern, { minLength: 1, maxLength: 3 }),
        content,
        fc.uint8Array({ maxLength: 50 }),
        fc.nat(room),
        fc.nat(room),
        (patterns, bytes, sample, one, other) => {
          const scanner = createScanner(patterns, room)
          // What lies behind the bytes must not matter.
          scanner.window.fill(0x61)
          scanner.window.set(bytes)
          scanner.tune(sample)
          const [from, to] = [Math.min(one, other), Math.max(one, other)]
          const expected = patterns.map((wanted) => naiveNext(wanted, scanner.window, from, to))
          expect(patterns.map((_, i) => scanner.next(i, from, to))).toEqual(expected)
        }
      ),
      { numRuns: 2000 }
    )
  })

  test('keeps its patterns when its window grows', () => {
    const scanner = createScanner(
      [{ bytes: Buffer.from('word'), masks: Buffer.from([255, 255, 255, 255]), alternatives: null }],
      8
    )
    scanner.grow(1 << 20)
    scanner.window.set(Buffer.from('word'), 1_000_000)
    expect(scanner.next(0, 0, scanner.window.length)).toBe(1_000_000)
  })
})
