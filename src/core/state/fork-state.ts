import { Column } from '../column.ts'

/**
 * A deep copy of a reader's state: numbers, texts, plain objects, lists, maps, sets, typed arrays, columns, and
 * instances with such fields (no `#private` ones, which cannot be walked). Shared parts stay shared. Frozen objects and
 * full column chunks are not copied. Throws a TypeError for anything else, such as a function.
 */
export function forkState<T>(root: T): T {
  const copies = new Map<object, object>()
  const copyOf = (value: unknown): unknown => {
    if (typeof value === 'function') throw new TypeError('a function is no state')
    if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
    const known = copies.get(value)
    if (known !== undefined) return known
    if (value instanceof Column) return keep(value, value.fork())
    if (isTypedArray(value)) return keep(value, value.slice())
    if (Array.isArray(value)) {
      const list: unknown[] = []
      keep(value, list)
      for (const part of value) list.push(copyOf(part))
      return list
    }
    if (value instanceof Map) {
      const map = new Map<unknown, unknown>()
      keep(value, map)
      for (const [key, part] of value) map.set(copyOf(key), copyOf(part))
      return map
    }
    if (value instanceof Set) {
      const set = new Set<unknown>()
      keep(value, set)
      for (const part of value) set.add(copyOf(part))
      return set
    }
    const copy = keep(value, Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>)
    for (const [key, part] of Object.entries(value)) setField(copy, key, copyOf(part))
    return copy
  }
  function keep<C extends object>(original: object, copy: C): C {
    copies.set(original, copy)
    return copy
  }
  return copyOf(root) as T
}

/** Some keys come from logs and may be `__proto__`. */
export function setField(part: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') part[key] = value
  else Object.defineProperty(part, key, { value, writable: true, enumerable: true, configurable: true })
}

/** The typed arrays that state may hold. */
export type StateArray =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

export function isTypedArray(value: object): value is StateArray {
  return ArrayBuffer.isView(value) && !(value instanceof DataView)
}
