import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BlockCache } from './block-cache.ts'

const content = Buffer.from(Uint8Array.from({ length: 900_000 }, (_, i) => (i * 7919) % 251))

test('gives the bytes of its source, read by whole blocks that are kept', async () => {
  let reads = 0
  const cache = new BlockCache({
    async read(offset, length) {
      reads++
      return Buffer.from(content.subarray(offset, offset + length))
    }
  })
  for (let at = 0; at < 200_000; at += 1000) expect(await cache.read(at, 1000)).toEqual(content.subarray(at, at + 1000))
  expect(reads).toBe(1)
  await fc.assert(
    fc.asyncProperty(fc.nat(950_000), fc.nat(700_000), async (offset, length) => {
      const bytes = await cache.read(offset, length)
      expect(Buffer.compare(bytes, content.subarray(offset, offset + length))).toBe(0)
    })
  )
})

test('the last, partial block is read again: the file may have grown', async () => {
  let file = Buffer.from('first')
  const cache = new BlockCache({ read: async (offset, length) => file.subarray(offset, offset + length) })
  expect(Buffer.from(await cache.read(0, 100)).toString()).toBe('first')
  file = Buffer.from('first, second')
  expect(Buffer.from(await cache.read(0, 100)).toString()).toBe('first, second')
})
