/**
 * Instructions of WebAssembly, as far as they are needed here, each as its bytes with those of its operands before it: an
 * expression here reads like one, `add(get(at), constant(16))`. See the core specification, chapter "Binary Format".
 */
export type Code = readonly number[]

/** Types of values. */
export const i32 = 0x7f
export const v128 = 0x7b

const noResult = 0x40

export const constant = (value: number): Code => [0x41, ...signed(value)]
export const get = (local: number): Code => [0x20, local]
export const set = (local: number, value: Code): Code => [...value, 0x21, local]

export const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a]
export const subtract = (a: Code, b: Code): Code => [...a, ...b, 0x6b]
export const and = (a: Code, b: Code): Code => [...a, ...b, 0x71]
export const or = (a: Code, b: Code): Code => [...a, ...b, 0x72]
export const shiftLeft = (a: Code, b: Code): Code => [...a, ...b, 0x74]
export const shiftRight = (a: Code, b: Code): Code => [...a, ...b, 0x76]
export const equal = (a: Code, b: Code): Code => [...a, ...b, 0x46]
export const greater = (a: Code, b: Code): Code => [...a, ...b, 0x4a]
export const less = (a: Code, b: Code): Code => [...a, ...b, 0x48]
export const isZero = (a: Code): Code => [...a, 0x45]
/** How many zeros a number ends in, written in binary. */
export const trailingZeros = (a: Code): Code => [...a, 0x68]
/** The 32-bit number at an address. */
export const load = (address: Code, offset = 0): Code => [...address, 0x28, 0, ...unsigned(offset)]
/** The 16-bit number at an address. */
export const load16 = (address: Code, offset = 0): Code => [...address, 0x2f, 0, ...unsigned(offset)]
export const loadByte = (address: Code, offset = 0): Code => [...address, 0x2d, 0, ...unsigned(offset)]
/** The low 8 bits of a number, to an address. */
export const storeByte = (address: Code, value: Code, offset = 0): Code => [
  ...[...address, ...value],
  ...[0x3a, 0, ...unsigned(offset)]
]
/** The low 16 bits of a number, to an address. */
export const store16 = (address: Code, value: Code, offset = 0): Code => [
  ...[...address, ...value],
  ...[0x3b, 0, ...unsigned(offset)]
]
/** Vectors of 16 bytes. */
export const vector = {
  load: (address: Code, offset = 0): Code => [...address, ...simd(0x00), 0, ...unsigned(offset)],
  /** The byte at an address, 16 times. */
  loadSplat: (address: Code, offset = 0): Code => [...address, ...simd(0x07), 0, ...unsigned(offset)],
  store: (address: Code, value: Code, offset = 0): Code => [
    ...[...address, ...value],
    ...[...simd(0x0b), 0, ...unsigned(offset)]
  ],
  /** A byte, 16 times. */
  splat: (byte: Code): Code => [...byte, ...simd(0x0f)],
  /** The numbers of 16 bits of both as bytes: 255 for larger ones, 0 for negative ones. */
  narrow: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x66)],
  and: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x4e)],
  or: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x50)],
  /** Of bytes, without a carry. */
  add: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x6e)],
  /** All ones where the bytes are the same. */
  equal: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x23)],
  /** All ones where the byte is less, both with a sign. */
  less: (a: Code, b: Code): Code => [...a, ...b, ...simd(0x25)],
  any: (a: Code): Code => [...a, ...simd(0x53)],
  all: (a: Code): Code => [...a, ...simd(0x63)],
  /** A bit for each byte, its highest one. */
  bits: (a: Code): Code => [...a, ...simd(0x64)]
}

/** `leave` and `again` count from the innermost `block`, `loop` or `when` outwards, from 0. */
export const block = (...body: Code[]): Code => [0x02, noResult, ...body.flat(), 0x0b]
export const loop = (...body: Code[]): Code => [0x03, noResult, ...body.flat(), 0x0b]
export const when = (condition: Code, ...body: Code[]): Code => [...condition, 0x04, noResult, ...body.flat(), 0x0b]
/** Goes to the end of a block, or to the beginning of a loop. */
export const go = (depth: number): Code => [0x0c, depth]
export const goIf = (depth: number, condition: Code): Code => [...condition, 0x0d, depth]
export const give = (value: Code): Code => [...value, 0x0f]

/** A module of one function, `run`, of `params` numbers, and its memory, `memory`, of `pages` (64 KiB each). */
export function moduleOf(
  params: number,
  locals: readonly number[],
  body: Code,
  pages: number
): Uint8Array<ArrayBuffer> {
  const type = [0x60, ...vectorOf(Array.from({ length: params }, () => [i32])), ...vectorOf([[i32]])]
  const code = [...vectorOf(locals.map((type) => [1, type])), ...body, 0x0b]
  return Uint8Array.from([
    ...[0x00, ...bytesOf('asm'), 1, 0, 0, 0],
    ...section(1, [type]),
    ...section(3, [[0]]),
    ...section(5, [[0, ...unsigned(pages)]]),
    ...section(7, [
      [...name('run'), 0, 0],
      [...name('memory'), 2, 0]
    ]),
    ...section(10, [[...unsigned(code.length), ...code]])
  ])
}

function section(id: number, entries: readonly Code[]): Code {
  const content = vectorOf(entries)
  return [id, ...unsigned(content.length), ...content]
}

function vectorOf(entries: readonly Code[]): Code {
  return [...unsigned(entries.length), ...entries.flat()]
}

const bytesOf = (text: string): Code => [...new TextEncoder().encode(text)]
const name = (text: string): Code => vectorOf(bytesOf(text).map((byte) => [byte]))
const simd = (code: number): Code => [0xfd, ...unsigned(code)]

/** LEB128. */
function unsigned(value: number): Code {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): Code {
  const last = value >= -0x40 && value < 0x40
  return last ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
