import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HostError } from './host-error.ts'
import { decodeFrame, encodeFrame } from './wire.ts'

const buffer = fc.uint8Array({ maxLength: 50 }).map((bytes) => Uint8Array.from(bytes).buffer)
const jsonObject = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }))

describe('wire', () => {
  test('every message survives its frame', () => {
    fc.assert(
      fc.property(jsonObject, fc.array(buffer, { maxLength: 12 }), (fields, buffers) => {
        const body = JSON.parse(JSON.stringify(fields))
        expect(decodeFrame(encodeFrame({ body, buffers }))).toEqual({ body, buffers })
      })
    )
  })

  test('without buffers a frame is the JSON text itself', () => {
    expect(encodeFrame({ body: { kind: 'call', id: 1 }, buffers: [] })).toBe('{"kind":"call","id":1}')
  })

  test('JSON and buffers start at multiples of 8', () => {
    const frame = encodeFrame({ body: { a: 1 }, buffers: [Uint8Array.of(1, 2, 3).buffer, Uint8Array.of(9).buffer] })
    expect([...new Uint8Array(frame as ArrayBuffer)]).toEqual([
      ...[7, 0, 0, 0, 2, 0, 0, 0],
      ...[3, 0, 0, 0, 1, 0, 0, 0],
      ...[...'{"a":1}'].map((char) => char.charCodeAt(0)),
      ...[0, 1, 2, 3, 0, 0, 0, 0, 0],
      ...[9, 0, 0, 0, 0, 0, 0, 0]
    ])
  })

  test('any garbage is a HostError', () => {
    const garbage = fc.oneof(fc.string(), buffer, fc.anything(), fc.json())
    fc.assert(
      fc.property(garbage, (frame) => {
        try {
          const message = decodeFrame(frame)
          expect(Object.keys(message)).toEqual(['body', 'buffers'])
        } catch (error) {
          expect(error).toBeInstanceOf(HostError)
          expect((error as HostError).code).toBe('bad-params')
        }
      })
    )
  })

  test('truncated frames and changed lengths are refused', () => {
    const frame = encodeFrame({ body: { a: 1 }, buffers: [new ArrayBuffer(20)] }) as ArrayBuffer
    for (let end = 0; end < frame.byteLength; end++) expect(() => decodeFrame(frame.slice(0, end))).toThrow(HostError)
    const longer = new Uint8Array([...new Uint8Array(frame), ...new Uint8Array(8)])
    expect(() => decodeFrame(longer.buffer)).toThrow('announces')
    const many = Uint8Array.from([0, 0, 0, 0, 255, 255, 255, 255])
    expect(() => decodeFrame(many.buffer)).toThrow('header is cut')
  })

  test.each([
    ['[]', 'not an object'],
    ['null', 'not an object'],
    ['{', 'not JSON'],
    ['', 'not JSON']
  ])('text %j is refused: %s', (frame, why) => {
    expect(() => decodeFrame(frame)).toThrow(why)
  })
})
