import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bytesOfBase64 } from './base64.ts'
import { imageTypeOf } from './image-type.ts'
import { countImages, logImages } from './log-images.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='
const claude = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }
const codex = { type: 'input_image', image_url: `data:image/jpeg;base64,${png}` }
const gemini = { inlineData: { mimeType: 'image/png', data: png } }

test.each([
  ['a block of a message', { message: { content: [claude] } }],
  ['a part with a data URL', { payload: { content: [codex] } }],
  ['inline data', { content: [{ text: 'Look' }, gemini] }],
  ['the content of a server', { content: [{ type: 'image', data: png, mimeType: 'image/png' }] }]
])('%s is an image, whose bytes say what it is', (_, record) => {
  expect(logImages(record, null)).toMatchObject([{ type: 'image/png', problem: null }])
  expect(logImages(record, null)[0]?.bytes.length).toBe(70)
})

test('an image belongs to the call that its part of the record is about', () => {
  const record = {
    message: { content: [claude, { type: 'tool_result', tool_use_id: 't1', content: [{ ...claude, n: 1 }] }] },
    toolCalls: [
      {
        id: 't2',
        name: 'shot',
        args: {},
        result: [{ inlineData: { mimeType: 'image/png', data: png.replace('P4z8', 'P4z9') } }]
      }
    ]
  }
  expect(logImages(record, null)).toMatchObject([{ path: '$.message.content[0]' }])
  expect(countImages(record, 't2')).toBe(1)
  expect(countImages(record, 'none')).toBe(0)
})

test('what is written twice is given once', () => {
  expect(countImages({ message: { content: [claude] }, toolUseResult: [claude] }, null)).toBe(1)
})

test('what is no image, too large, or too many is named and has no bytes', () => {
  const svg = { type: 'image', source: { type: 'base64', media_type: 'image/svg+xml', data: 'PHN2Zz48L3N2Zz4=' } }
  const bad = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '%%%%' } }
  const large = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(30_000_000) } }
  const found = logImages({ content: [svg, bad, large] }, null)
  expect(found.map(({ type, bytes }) => [type, bytes.length])).toEqual([
    [null, 0],
    [null, 0],
    [null, 0]
  ])
  expect(found.every(({ problem }) => problem !== null)).toBe(true)
  const many = Array.from({ length: 50 }, (_, n) => ({ inlineData: { mimeType: 'image/png', data: `AAA${n}` } }))
  expect(countImages(many, null)).toBe(20)
})

test('other media are none', () => {
  expect(countImages({ inlineData: { mimeType: 'audio/wav', data: 'AAAA' } }, null)).toBe(0)
  expect(countImages({ type: 'input_image', image_url: 'https://example.com/a.png' }, null)).toBe(0)
})

test('images are told by how they begin', () => {
  const start = (...bytes: number[]) => imageTypeOf(Uint8Array.from([...bytes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
  expect(start(0xff, 0xd8, 0xff, 0xe0)).toBe('image/jpeg')
  expect(start(0x47, 0x49, 0x46, 0x38, 0x39, 0x61)).toBe('image/gif')
  expect(start(0x52, 0x49, 0x46, 0x46, 1, 2, 3, 4, 0x57, 0x45, 0x42, 0x50)).toBe('image/webp')
  expect(start(0x3c, 0x73, 0x76, 0x67)).toBeNull()
  expect(imageTypeOf(new Uint8Array())).toBeNull()
})

test('base64 is read as it is written elsewhere', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, url) => {
      const text = Buffer.from(bytes).toString(url ? 'base64url' : 'base64')
      expect([...(bytesOfBase64(text) ?? [])]).toEqual([...bytes])
      expect([...(bytesOfBase64(text.replace(/(.{5})/g, '$1\n')) ?? [])]).toEqual([...bytes])
    })
  )
  expect(bytesOfBase64('A')).toBeNull()
  expect(bytesOfBase64('AA*A')).toBeNull()
})
