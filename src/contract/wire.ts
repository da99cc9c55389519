import { isJsonObject, type JsonObject } from '#core/json.ts'
import { HostError } from './host-error.ts'
import type { WireMessage } from './transport.ts'

/**
 * One message as one frame. Without buffers: the body as JSON text. With buffers, little-endian:
 *
 *   u32 bytes of JSON · u32 number of buffers · u32 bytes of each buffer · JSON · buffers
 *
 * JSON and every buffer start at a multiple of 8 bytes, so that a reader may lay typed arrays over the frame.
 */
export type Frame = string | ArrayBuffer

const maxBuffers = 64

/** The frame of a message, without `undefined` keys. */
export function encodeFrame(message: WireMessage): Frame {
  const text = JSON.stringify(message.body)
  if (message.buffers.length === 0) return text
  const json = new TextEncoder().encode(text)
  const lengths = message.buffers.map((buffer) => buffer.byteLength)
  const layout = layOut(json.byteLength, lengths)
  const frame = new ArrayBuffer(layout.size)
  const head = new DataView(frame)
  head.setUint32(0, json.byteLength, true)
  head.setUint32(4, lengths.length, true)
  lengths.forEach((length, i) => head.setUint32(8 + 4 * i, length, true))
  const bytes = new Uint8Array(frame)
  bytes.set(json, layout.json)
  message.buffers.forEach((buffer, i) => bytes.set(new Uint8Array(buffer), layout.buffers[i]))
  return frame
}

/** Throws a `HostError` 'bad-params' for anything that `encodeFrame` does not return. */
export function decodeFrame(frame: unknown): WireMessage {
  if (typeof frame === 'string') return { body: parseBody(frame), buffers: [] }
  if (!(frame instanceof ArrayBuffer)) throw garbled('it is neither text nor binary')
  if (frame.byteLength < 8) throw garbled('its header is cut')
  const head = new DataView(frame)
  const jsonLength = head.getUint32(0, true)
  const count = head.getUint32(4, true)
  if (count > maxBuffers || frame.byteLength < 8 + 4 * count) throw garbled('its header is cut')
  const lengths = Array.from({ length: count }, (_, i) => head.getUint32(8 + 4 * i, true))
  const layout = layOut(jsonLength, lengths)
  if (layout.size !== frame.byteLength) throw garbled(`it has ${frame.byteLength} bytes and announces ${layout.size}`)
  const body = parseBody(decodeText(new Uint8Array(frame, layout.json, jsonLength)))
  return { body, buffers: layout.buffers.map((start, i) => frame.slice(start, start + (lengths[i] ?? 0))) }
}

function layOut(jsonLength: number, lengths: readonly number[]): { json: number; buffers: number[]; size: number } {
  const json = align(8 + 4 * lengths.length)
  let size = align(json + jsonLength)
  const buffers = lengths.map((length) => {
    const start = size
    size = align(start + length)
    return start
  })
  return { json, buffers, size }
}

function align(offset: number): number {
  return Math.ceil(offset / 8) * 8
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw garbled('its text is not UTF-8')
  }
}

function parseBody(text: string): JsonObject {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw garbled('its text is not JSON')
  }
  if (!isJsonObject(body)) throw garbled('its JSON is not an object')
  return body
}

function garbled(why: string): HostError {
  return new HostError('bad-params', `A message does not follow Playhead's protocol: ${why}.`)
}
