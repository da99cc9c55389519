import * as z from 'zod'
import { isJsonObject, type JsonObject } from '#core/json.ts'
import { errorCodes } from './host-error.ts'
import type { WireMessage } from './transport.ts'

/** The four things that cross: a call, its result or its error (same `id`), and a notice nobody asked for. */

const Id = z.int().min(0)
const Fields = z.custom<JsonObject>(isJsonObject, 'expected an object')

export const Call = z.object({ kind: z.literal('call'), id: Id, method: z.string(), params: Fields })

export const Answer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    id: Id,
    result: Fields,
    /** Keys of `result` whose values travel beside it, in the order of the message's buffers. */
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

/** The message of a result: its top-level `ArrayBuffer`s beside the JSON. Nested ones do not travel. */
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

/** The result as its handler gave it, or null if message and list of buffers do not fit. */
export function joinResult(
  result: JsonObject,
  keys: readonly string[],
  buffers: readonly ArrayBuffer[]
): Record<string, unknown> | null {
  if (keys.length !== buffers.length) return null
  return Object.fromEntries([...Object.entries(result), ...keys.map((key, i) => [key, buffers[i]] as const)])
}

/** Fields as a JSON object; that the values are JSON is the contract's promise (methods.ts). */
export function jsonFields(fields: readonly (readonly [string, unknown])[]): JsonObject {
  const object: Record<string, unknown> = Object.fromEntries(fields)
  return object as JsonObject
}
