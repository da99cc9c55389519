/** A parsed JSON value. Logs are untrusted: docs/formats/README.md#documented-types-are-not-trusted. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject

/** A JSON object. A key that is absent reads as `undefined`. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** True for `{…}`; false for `null`, arrays and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The string at `key`, or undefined when it is absent or of another type. */
export function stringAt(object: JsonObject, key: string): string | undefined {
  const value = object[key]
  return typeof value === 'string' ? value : undefined
}

/** The object at `key`, or undefined when it is absent or of another type. */
export function objectAt(object: JsonObject, key: string): JsonObject | undefined {
  const value = object[key]
  return isJsonObject(value) ? value : undefined
}

/** The array at `key`, or undefined when it is absent or of another type. */
export function arrayAt(object: JsonObject, key: string): readonly JsonValue[] | undefined {
  const value = object[key]
  return Array.isArray(value) ? (value as readonly JsonValue[]) : undefined
}

/** The finite number at `key`, or undefined when it is absent or of another type. */
export function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key]
  return isFiniteNumber(value) ? value : undefined
}

/** The members that are not undefined. */
export function stated<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const result: Partial<T> = {}
  for (const key in members) if (members[key] !== undefined) result[key] = members[key]
  return result as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** False for `1e999`, which is parsed as infinity. */
export function isFiniteNumber(value: JsonValue | undefined): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** The type for an issue's message, never the content. */
export function jsonTypeName(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
