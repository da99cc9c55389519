import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Bytes } from '#queries/find/search.ts'
import { LastRead, LineBytes } from './line-bytes.ts'

const lineFeed = 0x0a
/** Short ones, and such that need more than one read. */
const lengths = fc.oneof(fc.nat(300), fc.nat(9000), fc.nat(150_000))
const files = fc
  .tuple(fc.array(lengths, { minLength: 1, maxLength: 12 }), fc.constantFrom('', '\n'), fc.constantFrom('', '\ufeff'))
  .map(([lines, end, mark]) => Buffer.from(mark + lines.map((length) => 'x'.repeat(length)).join('\n') + end))

test('finds the line of each place, with and without what a search read last', () => {
  const looks = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean()), { maxLength: 30 })
  fc.assert(
    fc.property(files, looks, (file, given) => {
      const bytes: Bytes = { read: (target, offset) => file.copy(target, 0, offset, offset + target.length) }
      const read = new LastRead(bytes)
      const lines = new LineBytes(bytes, file.length, read)
      const places = given.map(([part, reads]) => [Math.floor(part * file.length), reads] as const)
      for (const [place, reads] of places.sort(([a], [b]) => a - b)) {
        // A window of a search begins somewhere before what it finds.
        if (reads) read.read(Buffer.alloc(5000), Math.max(0, place - 2000))
        const start = place === 0 ? 0 : file.lastIndexOf(lineFeed, place - 1) + 1
        const end = file.indexOf(lineFeed, place)
        const mark = start === 0 && file[0] === 0xef ? 3 : 0
        expect(lines.startOf(place, 0)).toBe(start + mark)
        expect(lines.byteAt(start)).toBe(file[start] ?? 0)
        expect(lines.endOf(place)).toBe(end < 0 ? file.length : end)
        expect(lines.lineFeeds(0, place)).toBe(file.subarray(0, place).filter((byte) => byte === lineFeed).length)
      }
    }),
    { numRuns: 300 }
  )
})
