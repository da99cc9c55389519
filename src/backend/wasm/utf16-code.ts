import { add, and, block, type Code, constant, get, go, goIf, i32, isZero, less } from './wasm-code.ts'
import { loadByte, loop, moduleOf, or, set, shiftLeft, shiftRight, store16, subtract } from './wasm-code.ts'
import { trailingZeros, v128, vector, when } from './wasm-code.ts'

const lane = 16

/** What `utf16Code` may read beyond `to`, and write beyond what it writes, in bytes. */
export const slack = 2 * lane

/**
 * The module of a function `run(at, to, out)`: writes the text whose UTF-8 stands between two addresses to the address `out` (even, and
 * after `to`), as UTF-16, and gives where that ends. The bytes must be UTF-8. 16 bytes at a time, as far as they are ASCII.
 */
export function utf16Code(pages: number): Uint8Array<ArrayBuffer> {
  const [at, to, out, bits, first, point, bytes] = [0, 1, 2, 3, 4, 5, 6] as const
  const forward = (local: number, by: number): Code => set(local, add(get(local), constant(by)))
  /** Six bits of a character, from the byte `offset` after the first. */
  const rest = (offset: number, shift: number): Code =>
    shiftLeft(and(loadByte(get(at), offset), constant(0x3f)), constant(shift))
  /** Of the first byte, the bits of the character. */
  const begin = (mask: number, shift: number): Code => shiftLeft(and(get(first), constant(mask)), constant(shift))
  const write = (length: number): Code => [...store16(get(out), get(point)), ...forward(at, length), ...forward(out, 2)]

  /** Of a character of two, three and four bytes; each goes on with the next character. */
  const ofTwo = when(less(get(first), constant(0xe0)), set(point, or(begin(0x1f, 6), rest(1, 0))), write(2), go(1))
  const ofThree = when(
    less(get(first), constant(0xf0)),
    set(point, or(begin(0x0f, 12), or(rest(1, 6), rest(2, 0)))),
    write(3),
    go(1)
  )
  const ofFour: Code = [
    ...set(point, subtract(or(or(begin(0x07, 18), rest(1, 12)), or(rest(2, 6), rest(3, 0))), constant(0x10000))),
    ...store16(get(out), or(constant(0xd800), shiftRight(get(point), constant(10)))),
    ...store16(get(out), or(constant(0xdc00), and(get(point), constant(0x3ff))), 2),
    ...forward(at, 4),
    ...forward(out, 4),
    ...go(0)
  ]
  const otherCharacters = block(
    loop(
      goIf(1, isZero(less(get(at), get(to)))),
      set(first, loadByte(get(at))),
      goIf(1, less(get(first), constant(0x80))),
      ofTwo,
      ofThree,
      ofFour
    )
  )
  const body = block(
    loop(
      goIf(1, isZero(less(get(at), get(to)))),
      set(bytes, vector.load(get(at))),
      vector.store(get(out), vector.wideLow(get(bytes))),
      vector.store(get(out), vector.wideHigh(get(bytes)), lane),
      set(bits, vector.bits(get(bytes))),
      when(isZero(get(bits)), forward(at, lane), forward(out, 2 * lane), go(1)),
      set(bits, trailingZeros(get(bits))),
      set(at, add(get(at), get(bits))),
      set(out, add(get(out), shiftLeft(get(bits), constant(1)))),
      otherCharacters,
      go(0)
    )
  )
  // The last 16 bytes may have gone on behind the text.
  const end = subtract(get(out), shiftLeft(subtract(get(at), get(to)), constant(1)))
  return moduleOf(3, [i32, i32, i32, v128], [...body, ...end], pages)
}
