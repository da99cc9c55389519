import fc from 'fast-check'
import { expect, test } from 'vitest'
import { batchesOf, batchSizes } from './batches.ts'

const sizes = fc.oneof(fc.nat(1 << 16), fc.nat(1 << 24), fc.nat(1 << 28))

test('batches hold all of each log once, in their order, and the last ones leave no thread much more than another', () => {
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 200 }), fc.integer({ min: 1, max: 8 }), (bytes, threads) => {
      const logs = bytes.map((size, i) => ({ session: i, path: `${i}`, bytes: size }))
      const batches = [...batchesOf(logs, batchSizes.text, threads)]
      const searched = bytes.map(() => 0)
      for (const batch of batches) for (const [i, log] of batch.logs.entries()) searched[log]! += batch.bytes[i] ?? 0
      expect(searched).toEqual(bytes)
      expect(batches.flatMap((batch) => (batch.isEnd ? batch.logs : []))).toEqual(logs.map((_, i) => i))
      const total = bytes.reduce((sum, size) => sum + size + (1 << 16), 0)
      const { last, piece } = batchSizes.text
      for (const batch of batches) {
        const size = batch.bytes.reduce((sum, one) => sum + one, 0)
        expect(size).toBeLessThanOrEqual(Math.max(2 * last, total / threads, 1.5 * piece))
      }
    }),
    { numRuns: 200 }
  )
})
