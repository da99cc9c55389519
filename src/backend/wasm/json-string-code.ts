import { terminalSafeText } from '#core/terminal-safe-text.ts'
import { add, and, block, type Code, constant, equal, get, go, goIf, i32, isZero, less } from './wasm-code.ts'
import { load16, loadByte, loop, moduleOf, or, set, shiftLeft, shiftRight, store16, storeByte } from './wasm-code.ts'
import { subtract, trailingZeros, v128, vector, when } from './wasm-code.ts'

const lane = 16

/** What `jsonStringCode` may read beyond `to`, and write beyond what it writes, in bytes. */
export const slack = 2 * lane

/** Bytes of a character of UTF-16 (a code unit), and the most it becomes: `\u0000`. */
export const unitBytes = 2
export const mostOfUnit = 6

const asciiUnits = 128
export const escapeTableBytes = asciiUnits * lane

/**
 * What has to stand at the beginning of the memory: for each ASCII character 16 bytes, of which the first are its escape and the last
 * says how many these are; zero for a character that is written as it is.
 */
export function escapeTable(): Uint8Array {
  const table = new Uint8Array(escapeTableBytes)
  for (let unit = 0; unit < asciiUnits; unit++) {
    const escape = terminalSafeText(JSON.stringify(String.fromCharCode(unit))).slice(1, -1)
    if (escape.length === 1) continue
    table.set(new TextEncoder().encode(escape), unit * lane)
    table[(unit + 1) * lane - 1] = escape.length
  }
  return table
}

/**
 * The module of a function `run(at, to, out)`: writes the UTF-16 text between two even addresses to the address `out`, in UTF-8 and with
 * the escapes that `JSON.stringify` writes (of lone surrogates, too) and those of `terminalSafeText`, and gives where that ends. 16
 * characters at a time, as far as they are ASCII without escapes. `escapeTable` has to stand at the beginning of its memory.
 */
export function jsonStringCode(pages: number): Uint8Array<ArrayBuffer> {
  const [at, to, out, unit, next, units] = [0, 1, 2, 3, 4, 5] as const
  const forward = (local: number, by: number): Code => set(local, add(get(local), constant(by)))
  /** Bits of a character from `shift` on, as the byte of UTF-8 that has `mark` before them. */
  const byteOf = (local: number, shift: number, mask: number, mark: number): Code =>
    or(and(shiftRight(get(local), constant(shift)), constant(mask)), constant(mark))
  const rest = (local: number, shift: number): Code => byteOf(local, shift, 0x3f, 0x80)
  const write = (units: number, ...bytes: Code[]): Code => [
    ...bytes.flatMap((byte, i) => storeByte(get(out), byte, i)),
    ...forward(at, units * unitBytes),
    ...forward(out, bytes.length)
  ]
  const isBetween = (local: number, from: number, to: number): Code =>
    and(isZero(less(get(local), constant(from))), less(get(local), constant(to)))
  const hex = (shift: number): Code => {
    const digit = and(shiftRight(get(unit), constant(shift)), constant(0xf))
    return add(add(digit, constant(0x30)), and(subtract(constant(0), less(constant(9), digit)), constant(0x27)))
  }

  /** Each goes on with the next character. */
  const escaped = [
    ...set(next, shiftLeft(get(unit), constant(4))),
    ...vector.store(get(out), vector.load(get(next))),
    ...set(next, loadByte(get(next), lane - 1)),
    // An ASCII character that is written as it is: others may follow it.
    ...goIf(2, isZero(get(next))),
    ...forward(at, unitBytes),
    ...set(out, add(get(out), get(next))),
    ...go(1)
  ]
  const asHex = write(1, constant(0x5c), constant(0x75), hex(12), hex(8), hex(4), hex(0))
  /** What `terminalSafeText` does with all that is not ASCII. */
  const unsafeOfTwo = when(or(less(get(unit), constant(0xa0)), equal(get(unit), constant(0x61c))), asHex, go(2))
  const unsafeOfThree = when(
    equal(and(get(unit), constant(0xff80)), constant(0x2000)),
    when(
      or(isBetween(unit, 0x200e, 0x2010), or(isBetween(unit, 0x202a, 0x202f), isBetween(unit, 0x2066, 0x206a))),
      asHex,
      go(2)
    )
  )
  const ofTwo = when(
    less(get(unit), constant(0x800)),
    unsafeOfTwo,
    write(1, byteOf(unit, 6, 0x1f, 0xc0), rest(unit, 0)),
    go(1)
  )
  const paired = when(
    and(less(get(unit), constant(0xdc00)), isBetween(next, 0xdc00, 0xe000)),
    set(
      unit,
      add(
        shiftLeft(subtract(get(unit), constant(0xd800)), constant(10)),
        add(subtract(get(next), constant(0xdc00)), constant(0x10000))
      )
    ),
    write(2, byteOf(unit, 18, 0x07, 0xf0), rest(unit, 12), rest(unit, 6), rest(unit, 0)),
    go(2)
  )
  const surrogate = when(isBetween(unit, 0xd800, 0xe000), set(next, load16(get(at), unitBytes)), paired, asHex, go(1))
  const ofThree: Code = [...write(1, byteOf(unit, 12, 0x0f, 0xe0), rest(unit, 6), rest(unit, 0)), ...go(0)]
  const otherCharacters = block(
    loop(
      goIf(1, isZero(less(get(at), get(to)))),
      set(unit, load16(get(at))),
      when(less(get(unit), constant(0x80)), escaped),
      ofTwo,
      surrogate,
      unsafeOfThree,
      ofThree
    )
  )
  // DEL and what is below zero come out below the blank, too, each moved up by one.
  const special = vector.or(
    vector.less(vector.add(get(units), vector.splat(constant(1))), vector.splat(constant(0x21))),
    vector.or(
      vector.equal(get(units), vector.splat(constant(0x22))),
      vector.equal(get(units), vector.splat(constant(0x5c)))
    )
  )
  const body = [
    // What stands behind the text may look like the rest of a pair.
    ...store16(get(to), constant(0)),
    ...block(
      loop(
        goIf(1, isZero(less(get(at), get(to)))),
        // All that is not ASCII becomes negative or zero.
        set(units, vector.narrow(vector.load(get(at)), vector.load(get(at), lane))),
        vector.store(get(out), get(units)),
        set(unit, vector.bits(special)),
        when(isZero(get(unit)), forward(at, lane * unitBytes), forward(out, lane), go(1)),
        set(unit, trailingZeros(get(unit))),
        set(at, add(get(at), shiftLeft(get(unit), constant(1)))),
        set(out, add(get(out), get(unit))),
        otherCharacters,
        go(0)
      )
    )
  ]
  // The last 16 characters may have gone on behind the text.
  const end = subtract(get(out), shiftRight(subtract(get(at), get(to)), constant(1)))
  return moduleOf(3, [i32, i32, v128], [...body, ...end], pages)
}
