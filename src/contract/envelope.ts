import * as z from 'zod'
import { isJsonObject, type JsonObject } from '#core/json.ts'
import { errorCodes } from './host-error.ts'
import type { WireMessage } from './transport.ts'

/** A call, its result or error (same `id`), or a notice. */

const Id = z.int().min(0)
const Fields = z.custom<JsonObject>(isJsonObject, 'expected an object')

export const Call = z.object({ kind: z.literal('call'), id: Id, method: z.string(), params: Fields })

export const Answer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    id: Id,
    result: Fields,
    /** Keys of `result` whose values are the message's buffers, in order. */
    buffers: z.array(z.string())
  }),
  z.object({
    kind: z.literal('error'),
    id: Id,
    code: z.enum(errorCodes),
    message: z.string(),
    field: z.string().optional()
  }),
  z.object({ kind: z.literal('notice'), name: z.string(), payload: Fields })
])

/** The message of a result with its top-level `ArrayBuffer`s. Nested ones are lost. */
export function resultMessage(id: number, result: object): WireMessage {
  const bulk: [string, ArrayBuffer][] = []
  const plain: [string, unknown][] = []
  for (const [key, value] of Object.entries(result)) {
    if (value instanceof ArrayBuffer) bulk.push([key, value])
    else plain.push([key, value])
  }
  const body = { kind: 'result', id, result: jsonFields(plain), buffers: bulk.map(([key]) => key) }
  return { body, buffers: bulk.map(([, buffer]) => buffer) }
}

/** The result of a message; null if its buffers do not match. */
export function joinResult(
  result: JsonObject,
  keys: readonly string[],
  buffers: readonly ArrayBuffer[]
): Record<string, unknown> | null {
  if (keys.length !== buffers.length) return null
  return Object.fromEntries([...Object.entries(result), ...keys.map((key, i) => [key, buffers[i]] as const)])
}

/** The contract guarantees JSON values. */
export function jsonFields(fields: readonly (readonly [string, unknown])[]): JsonObject {
  const object: Record<string, unknown> = Object.fromEntries(fields)
  return object as JsonObject
}
