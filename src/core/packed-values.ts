/**
 * Values in a row, packed to cross to another thread: several times cheaper to make and to read than JSON, and nothing is lost on
 * the way: neither `undefined`, -0 and infinity, nor that a list stands in two places of one value.
 */
export interface PackedValues {
  /** What stands where: a kind, and with most kinds a number, as below. */
  readonly codes: ArrayBuffer
  /** Numbers that are not small whole ones, in the order of their codes. */
  readonly numbers: ArrayBuffer
  /** Each text once. */
  readonly texts: readonly string[]
  /** The keys of objects: most have the same ones. */
  readonly shapes: readonly (readonly string[])[]
}

const kindBits = 3
const kindMask = (1 << kindBits) - 1
const plainKind = 0
const numberKind = 1
const smallKind = 2
const textKind = 3
const listKind = 4
const objectKind = 5
/** A list that stood in the same value before, by its place among the lists of the value. */
const againKind = 6

const plain: readonly unknown[] = [undefined, null, true, false]
const largestSmall = 2 ** (31 - kindBits) - 1

/** Deeper values are not packed: reading one takes a frame of the stack for each level. */
const maxDepth = 200

/** A list of keys, as far as it is known: which key follows which. */
interface KeyNode {
  readonly keys: readonly string[]
  shape: number
  readonly next: Map<string, KeyNode>
  /** The key that followed last. */
  lastKey: string | undefined
  lastNode: KeyNode | undefined
}

/** Packs values one after the other. */
export class ValuePacker {
  private codes = new Uint32Array(1 << 12)
  private used = 0
  private numbers = new Float64Array(1 << 8)
  private numbersUsed = 0
  private readonly texts: string[] = []
  private readonly textNumbers = new Map<string, number>()
  private readonly shapes: (readonly string[])[] = []
  private readonly root = keyNode([])
  /** Lists of the value being packed. */
  private lists: unknown[] = []

  /** Adds a value of what JSON can hold, `undefined` and any number; false for one that cannot be packed, which is not added. */
  add(value: unknown): boolean {
    const { used, numbersUsed } = this
    this.lists = []
    if (this.write(value, maxDepth)) return true
    this.used = used
    this.numbersUsed = numbersUsed
    return false
  }

  /** All values added. Call once. */
  take(): PackedValues {
    return {
      codes: this.codes.slice(0, this.used).buffer,
      numbers: this.numbers.slice(0, this.numbersUsed).buffer,
      texts: this.texts,
      shapes: this.shapes
    }
  }

  private write(value: unknown, depth: number): boolean {
    switch (typeof value) {
      case 'string':
        this.code(textKind, this.textNumber(value))
        return true
      case 'number':
        this.number(value)
        return true
      case 'boolean':
        this.code(plainKind, value ? 2 : 3)
        return true
      case 'undefined':
        this.code(plainKind, 0)
        return true
      case 'object':
        if (value === null) {
          this.code(plainKind, 1)
          return true
        }
        if (depth === 0) return false
        return Array.isArray(value)
          ? this.list(value, depth - 1)
          : this.object(value as Readonly<Record<string, unknown>>, depth - 1)
      default:
        return false
    }
  }

  private list(list: readonly unknown[], depth: number): boolean {
    if (list.length > 0) {
      const before = this.lists.indexOf(list)
      if (before >= 0) {
        this.code(againKind, before)
        return true
      }
      this.lists.push(list)
    }
    this.code(listKind, list.length)
    for (let i = 0; i < list.length; i++) if (!this.write(list[i], depth)) return false
    return true
  }

  private object(object: Readonly<Record<string, unknown>>, depth: number): boolean {
    const place = this.used
    this.code(objectKind, 0)
    let node = this.root
    for (const key in object) {
      node = node.lastKey === key && node.lastNode !== undefined ? node.lastNode : follow(node, key)
      if (!this.write(object[key], depth)) return false
    }
    if (node.shape < 0) node.shape = this.shapes.push(node.keys) - 1
    this.codes[place] = (node.shape << kindBits) | objectKind
    return true
  }

  private number(value: number): void {
    if (value >= 0 && value <= largestSmall && Number.isInteger(value) && !Object.is(value, -0)) {
      this.code(smallKind, value)
      return
    }
    this.code(numberKind, 0)
    if (this.numbersUsed === this.numbers.length) {
      const larger = new Float64Array(this.numbers.length * 2)
      larger.set(this.numbers)
      this.numbers = larger
    }
    this.numbers[this.numbersUsed++] = value
  }

  private textNumber(text: string): number {
    const known = this.textNumbers.get(text)
    if (known !== undefined) return known
    const number = this.texts.push(text) - 1
    this.textNumbers.set(text, number)
    return number
  }

  private code(kind: number, rest: number): void {
    if (this.used === this.codes.length) {
      const larger = new Uint32Array(this.codes.length * 2)
      larger.set(this.codes)
      this.codes = larger
    }
    this.codes[this.used++] = ((rest << kindBits) | kind) >>> 0
  }
}

function keyNode(keys: readonly string[]): KeyNode {
  return { keys, shape: -1, next: new Map(), lastKey: undefined, lastNode: undefined }
}

function follow(node: KeyNode, key: string): KeyNode {
  let next = node.next.get(key)
  if (next === undefined) node.next.set(key, (next = keyNode([...node.keys, key])))
  node.lastKey = key
  node.lastNode = next
  return next
}

/** Reads what a packer took, value by value. */
export class ValueReader {
  private readonly codes: Uint32Array
  private readonly numbers: Float64Array
  private readonly texts: readonly string[]
  private readonly shapes: readonly (readonly string[])[]
  private at = 0
  private numberAt = 0
  private lists: unknown[][] = []

  constructor({ codes, numbers, texts, shapes }: PackedValues) {
    this.codes = new Uint32Array(codes)
    this.numbers = new Float64Array(numbers)
    this.texts = texts
    this.shapes = shapes
  }

  /** No value is left. */
  get ended(): boolean {
    return this.at >= this.codes.length
  }

  /** The next value; undefined where none is left. */
  next(): unknown {
    this.lists = []
    return this.read()
  }

  private read(): unknown {
    const code = this.codes[this.at++] ?? 0
    const rest = code >>> kindBits
    switch (code & kindMask) {
      case plainKind:
        return plain[rest]
      case numberKind:
        return this.numbers[this.numberAt++]
      case smallKind:
        return rest
      case textKind:
        return this.texts[rest]
      case listKind:
        return this.list(rest)
      case objectKind:
        return this.object(this.shapes[rest] ?? [])
      default:
        return this.lists[rest]
    }
  }

  private list(length: number): unknown[] {
    const list: unknown[] = []
    if (length > 0) this.lists.push(list)
    for (let i = 0; i < length; i++) list.push(this.read())
    return list
  }

  private object(keys: readonly string[]): object {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string
      const value = this.read()
      if (key === '__proto__')
        Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true })
      else object[key] = value
    }
    return object
  }
}
