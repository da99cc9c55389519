import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Line, LineSplitter } from '#core/lines/line-splitter.ts'
import { BatchCutter } from './batch-cutter.ts'

/** Bytes in which lines end often, in every way, and a byte order mark may stand anywhere. */
const someBytes = fc
  .array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', '\n\n', '\uFEFF', 'größer', '"'), { maxLength: 60 })
  .map((parts) => Buffer.from(parts.join('')))

function linesOf(feed: (splitter: LineSplitter) => void): unknown[] {
  const lines: unknown[] = []
  const splitter = new LineSplitter((line) => lines.push(textOf(line)))
  feed(splitter)
  splitter.end()
  return lines
}

function textOf({ bytes, ...place }: Line): unknown {
  return { ...place, text: Buffer.from(bytes ?? []).toString() }
}

test('lines of batches cut elsewhere are those of the whole, whatever the chunks', () => {
  fc.assert(
    fc.property(someBytes, fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 12 }), (bytes, chunk, batch) => {
      const cutter = new BatchCutter({ line: 1, offset: 0 }, batch)
      const seen = linesOf((splitter) => {
        for (let at = 0; at < bytes.length; at += chunk) {
          for (const piece of cutter.cut(bytes.subarray(at, at + chunk))) {
            if ('part' in piece) splitter.push(piece.part)
            else {
              // What another thread does: a splitter of its own, that begins where the batch does.
              expect(splitter.next).toEqual({ line: piece.line, offset: piece.offset })
              let count = 0
              const own = new LineSplitter(
                (line) => {
                  batched.push(textOf(line))
                  count += 1
                },
                { from: piece }
              )
              own.push(piece.bytes)
              expect(own.rest()).toBe(null)
              splitter.pass(count, piece.bytes.length)
            }
          }
        }
      })
      expect(inOrder([...seen, ...batched.splice(0)])).toEqual(linesOf((splitter) => splitter.push(bytes)))
    }),
    { numRuns: 500 }
  )
})

const batched: unknown[] = []

function inOrder(lines: unknown[]): unknown[] {
  return (lines as { line: number }[]).sort((a, b) => a.line - b.line)
}

test('batches are no longer than asked for, unless a line is', () => {
  const cutter = new BatchCutter({ line: 7, offset: 100 }, 10)
  expect(cutter.cut(Buffer.from('end\naaa\nbbb\na line too long\nccc\nrest'))).toEqual([
    { part: Buffer.from('end\n') },
    { bytes: Buffer.from('aaa\nbbb\n'), line: 8, offset: 104 },
    { bytes: Buffer.from('a line too long\n'), line: 10, offset: 112 },
    { bytes: Buffer.from('ccc\n'), line: 11, offset: 128 },
    { part: Buffer.from('rest') }
  ])
  expect(cutter.cut(Buffer.from(' of it\nddd\n'))).toEqual([
    { part: Buffer.from(' of it\n') },
    { bytes: Buffer.from('ddd\n'), line: 13, offset: 143 }
  ])
})
