import { Column, type ColumnType } from '../column.ts'
import { isTypedArray, setField, type StateArray } from './fork-state.ts'

/** A class in the state. Only its fields are restored. */
export type StateClass = abstract new (...given: never[]) => object

/** State as a text, which has its structure, and arrays of numbers. */
export interface SavedState {
  /** JSON. */
  readonly structure: string
  /** Views of the state's memory: valid until it changes. */
  readonly arrays: readonly StateArray[]
}

const typedArrays = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array } as const
type ArrayName = keyof typeof typedArrays

/**
 * A part of the structure. Values: number, text, boolean, null; `[n]` is part n; `[]` undefined; `["NaN"]` a number
 * that JSON lacks. A part starts with its kind: a class number or a name, in capitals if frozen.
 */
type Node = [number | string, ...unknown[]]

/** Serializes `state`. `classes`: all of its classes. Throws a TypeError for anything else. */
export function saveState(state: object, classes: readonly StateClass[]): SavedState {
  const numbers = new Map<object, number>()
  const found: object[] = []
  const arrays: StateArray[] = []
  const classNumbers = new Map<unknown, number>(classes.map((one, number) => [one.prototype, number]))
  const write = (value: unknown): unknown => {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0) ? value : [Object.is(value, -0) ? '-0' : String(value)]
      case 'undefined':
        return []
      case 'object':
        if (value === null) return null
        break
      default:
        throw new TypeError(`a ${typeof value} is no state`)
    }
    let number = numbers.get(value)
    if (number === undefined) {
      number = found.push(value) - 1
      numbers.set(value, number)
    }
    return [number]
  }
  const nodeOf = (part: object): Node => {
    if (part instanceof Column) {
      const first = arrays.length
      arrays.push(...part.chunks())
      return ['column', part.type, part.chunkBits, part.length, first, arrays.length - first]
    }
    if (isTypedArray(part)) return ['array', nameOf(part), arrays.push(part) - 1]
    if (Array.isArray(part)) return [Object.isFrozen(part) ? 'L' : 'l', ...Array.from(part, write)]
    if (part instanceof Map) return ['m', ...[...part].flatMap(([key, value]) => [write(key), write(value)])]
    if (part instanceof Set) return ['s', ...[...part].map(write)]
    const prototype: unknown = Object.getPrototypeOf(part)
    const fields = Object.entries(part).flatMap(([key, value]) => [key, write(value)])
    if (prototype === Object.prototype) return [Object.isFrozen(part) ? 'O' : 'o', ...fields]
    const number = classNumbers.get(prototype)
    if (number === undefined) throw new TypeError(`${nameOfClass(part)} is not among the classes of the state`)
    return [number, ...fields]
  }
  write(state)
  const nodes: string[] = []
  // `found` grows while parts are written.
  for (let at = 0; at < found.length; at++) nodes.push(JSON.stringify(nodeOf(found[at] ?? {})))
  return { structure: `[${nodes.join(',\n')}]`, arrays }
}

/** Restores a state. Throws unless `saveState` wrote it with the same classes. */
export function restoreState({ structure, arrays }: SavedState, classes: readonly StateClass[]): object {
  const nodes = JSON.parse(structure) as Node[]
  const parts = nodes.map((node) => emptyPart(node, arrays, classes))
  const read = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value
    const [inner] = value as unknown[]
    if (typeof inner !== 'number') return inner === undefined ? undefined : Number(inner)
    const part = parts[inner]
    if (part === undefined) throw new TypeError('a part of the saved state is missing')
    return part
  }
  for (const [at, node] of nodes.entries()) fill(parts[at], node, read)
  for (const [at, node] of nodes.entries()) if (node[0] === 'O' || node[0] === 'L') Object.freeze(parts[at])
  const [root] = parts
  if (root === undefined) throw new TypeError('the saved state is empty')
  return root
}

function emptyPart(node: Node, arrays: readonly StateArray[], classes: readonly StateClass[]): object {
  const [kind] = node
  if (typeof kind === 'number') {
    const made = classes[kind]
    if (made === undefined) throw new TypeError('a class of the saved state is not known')
    return Object.create(made.prototype as object) as object
  }
  switch (kind) {
    case 'column': {
      const [, type, chunkBits, length, first, count] = node as [string, ColumnType, number, number, number, number]
      return Column.from(type, chunkBits, length, arrays.slice(first, first + count))
    }
    case 'array': {
      const [, name, at] = node as [string, ArrayName, number]
      const array = arrays[at]
      if (array === undefined || nameOf(array) !== name) throw new TypeError('an array of the saved state is missing')
      return array
    }
    case 'l':
    case 'L':
      return []
    case 'm':
      return new Map()
    case 's':
      return new Set()
    case 'o':
    case 'O':
      return {}
    default:
      throw new TypeError('the saved state is not one')
  }
}

/** Plain loops, as there may be a million parts. */
function fill(part: unknown, node: Node, read: (value: unknown) => unknown): void {
  const [kind] = node
  if (part instanceof Map) for (let i = 1; i < node.length; i += 2) part.set(read(node[i]), read(node[i + 1]))
  else if (part instanceof Set) for (let i = 1; i < node.length; i++) part.add(read(node[i]))
  else if (Array.isArray(part)) for (let i = 1; i < node.length; i++) part.push(read(node[i]))
  else if (typeof kind === 'number' || kind === 'o' || kind === 'O') {
    const fields = part as Record<string, unknown>
    for (let i = 1; i < node.length; i += 2) setField(fields, String(node[i]), read(node[i + 1]))
  }
}

function nameOfClass({ constructor: made }: { readonly constructor?: unknown }): string {
  return typeof made === 'function' ? made.name : 'an object without a class'
}

/** The name of an array's type, for `arrayOf`. */
export function nameOf(array: StateArray): ArrayName {
  for (const [name, made] of Object.entries(typedArrays)) if (array instanceof made) return name as ArrayName
  throw new TypeError('no such array is part of a state')
}

/** An array over `bytes`. Throws for an unknown name or length. */
export function arrayOf(name: string, bytes: ArrayBuffer): StateArray {
  const made = Object.hasOwn(typedArrays, name) ? typedArrays[name as ArrayName] : undefined
  if (made === undefined) throw new TypeError('no such array is part of a state')
  return new made(bytes)
}
