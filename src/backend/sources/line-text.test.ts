import fc from 'fast-check'
import { expect, test } from 'vitest'
import { utf8Text } from '#core/formats/decode-line.ts'
import { lineText } from './run.ts'

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('é', '語', '😀', '\ufeff', '\ufffd', '\0').map((one) => one.repeat(40)),
  fc.uint8Array({ maxLength: 4 })
)
const bytes = fc.array(part, { maxLength: 8 }).map((parts) => Buffer.concat(parts.map((one) => Buffer.from(one))))

test('the text of any bytes, as the platform decodes it', () => {
  fc.assert(
    fc.property(bytes, fc.nat(3), (whole, from) => {
      // Also a part of a larger buffer, at any address.
      const line = Uint8Array.from(whole).subarray(from)
      expect(lineText(line)).toBe(utf8Text(line))
    }),
    { numRuns: 3000 }
  )
})

test('lines of any length', () => {
  for (const length of [0, 1, 2, 1000, (1 << 20) - 1, 1 << 20, (1 << 20) + 1]) {
    for (const one of ['a', 'é', '語']) {
      const line = Buffer.from(one.repeat(length)).subarray(0, length)
      expect(lineText(line) === utf8Text(line), `${length} bytes of ${one}`).toBe(true)
    }
  }
})
