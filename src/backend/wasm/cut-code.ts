import { add, and, block, type Code, constant, copy, equal, get, give, go, goIf, i32, isZero } from './wasm-code.ts'
import {
  less,
  load,
  loadByte,
  loop,
  moduleOf,
  or,
  set,
  shiftLeft,
  storeByte,
  subtract,
  trailingZeros,
  v128,
  vector,
  when
} from './wasm-code.ts'

const lane = 16

/** What `cutCode` may read beyond `to`. */
export const slack = 2 * lane

/** A byte of the memory for each byte of a text, of these bits. */
export const traits = { shortEscape: 1, unicodeEscape: 2, hexDigit: 4, wholeText: 8 } as const

/** Where the traits lie, and behind them the names. A name: its bytes and a quote, filled up with zeros, then its mask. The last is zeros. */
export const traitsAt = 0
export const namesAt = 256
export const nameBytes = 4 * lane
export const longestName = 2 * lane - 1

/** So many bytes of a text stay, at least. */
export const keptBytes = 32
/** Fewer are not worth a cut. */
const leastCut = 32

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const space = 0x20
const del = 0x7f

/**
 * The module of a function `run(at, to, out)`: writes the JSON text between two addresses to the address `out`, with long strings cut, and
 * gives twice the address where that ends, and one more where not all of it is ASCII; -1 where the text has a fault in a string. A
 * string is cut that directly follows one of the names and a colon, unless it begins with a byte of the trait `wholeText`. What is cut away
 * has neither control characters nor bad escapes. The bytes must be UTF-8; faults between strings are kept as they are.
 */
export function cutCode(pages: number): Uint8Array<ArrayBuffer> {
  const [at, to, out, from, start, kept, name, nameEnd, bits, next, entry] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const
  const [begin, bytes, quotes, backslashes, controls] = [11, 12, 13, 14, 15] as const
  const move = (local: number, by: number): Code => set(local, add(get(local), constant(by)))
  const traitsOf = (byte: Code): Code => loadByte(byte, traitsAt)
  const has = (trait: number, byte: Code): Code => and(traitsOf(byte), constant(trait))
  const fault = give(constant(-1))
  const atEnd = isZero(less(get(at), get(to)))

  /** Goes to the next byte that `found` (bits, one for each of 16 bytes) tells, or beyond the end of the text. */
  const seek = (found: Code): Code => [
    ...block(
      loop(
        goIf(1, atEnd),
        set(bytes, vector.load(get(at))),
        set(bits, found),
        goIf(1, get(bits)),
        move(at, lane),
        go(0)
      )
    ),
    ...set(at, add(get(at), trailingZeros(get(bits))))
  ]

  const hexAt = (offset: number): Code => has(traits.hexDigit, loadByte(get(at), offset))
  const escape = [
    set(next, add(get(at), constant(2))),
    when(
      isZero(has(traits.shortEscape, loadByte(get(at), 1))),
      when(isZero(has(traits.unicodeEscape, loadByte(get(at), 1))), fault),
      when(isZero(hexAt(2)), fault),
      when(isZero(hexAt(3)), fault),
      when(isZero(hexAt(4)), fault),
      when(isZero(hexAt(5)), fault),
      set(next, add(get(at), constant(6)))
    ),
    // It counts as one character, and stays whole.
    when(less(get(at), get(kept)), set(kept, add(get(kept), subtract(get(next), add(get(at), constant(1)))))),
    set(at, get(next))
  ]
  /** From a string's first byte to its closing quote. */
  const skipString = loop(
    seek(
      vector.bits(
        vector.or(
          vector.or(vector.equal(get(bytes), get(quotes)), vector.equal(get(bytes), get(backslashes))),
          vector.below(get(bytes), get(controls))
        )
      )
    ),
    when(atEnd, fault),
    set(bits, loadByte(get(at))),
    when(equal(get(bits), constant(backslash)), ...escape, go(1)),
    when(less(get(bits), constant(space)), fault)
  )

  /** Whether 16 bytes of the name before the string are those of the entry: all ones where they are, or do not matter. */
  const sameName = (offset: number): Code =>
    vector.equal(
      vector.and(vector.load(get(name), offset), vector.load(get(entry), nameBytes / 2 + offset)),
      vector.load(get(entry), offset)
    )
  /** Cuts the string that ends here, if it may be cut. */
  const cut = block(
    goIf(0, less(subtract(get(at), get(kept)), constant(leastCut))),
    set(bits, subtract(get(start), get(nameEnd))),
    goIf(
      0,
      isZero(
        or(
          equal(get(bits), constant(3)),
          and(equal(get(bits), constant(4)), equal(loadByte(get(nameEnd), 2), constant(space)))
        )
      )
    ),
    goIf(0, has(traits.wholeText, loadByte(get(start)))),
    set(entry, constant(namesAt)),
    block(
      loop(
        goIf(2, isZero(load(get(entry)))),
        goIf(1, vector.all(vector.and(sameName(0), sameName(lane)))),
        move(entry, nameBytes),
        go(0)
      )
    ),
    // As far as it is ASCII; what begins with another character begins with one that no text begins with.
    set(next, get(start)),
    block(
      loop(
        set(bits, vector.bits(vector.load(get(next)))),
        goIf(1, get(bits)),
        move(next, lane),
        goIf(0, less(get(next), get(kept)))
      )
    ),
    set(next, add(get(next), trailingZeros(get(bits)))),
    when(less(get(next), get(kept)), set(kept, get(next))),
    when(equal(get(kept), get(start)), storeByte(get(kept), constant(del)), move(kept, 1)),
    set(bits, subtract(get(kept), get(from))),
    copy(get(out), get(from), get(bits)),
    set(out, add(get(out), get(bits))),
    set(from, get(at))
  )

  const strings = block(
    loop(
      seek(vector.bits(vector.equal(get(bytes), get(quotes)))),
      goIf(1, atEnd),
      move(at, 1),
      set(start, get(at)),
      set(kept, add(get(at), constant(keptBytes))),
      skipString,
      cut,
      when(equal(loadByte(get(at), 1), constant(colon)), set(name, get(start)), set(nameEnd, get(at))),
      move(at, 1),
      go(0)
    )
  )
  const body = [
    set(begin, get(out)),
    set(from, get(at)),
    set(quotes, vector.splat(constant(quote))),
    set(backslashes, vector.splat(constant(backslash))),
    set(controls, vector.splat(constant(space))),
    strings,
    set(bits, subtract(get(to), get(from))),
    copy(get(out), get(from), get(bits)),
    set(to, add(get(out), get(bits))),
    set(bytes, vector.splat(constant(0))),
    // Behind it ASCII, as far as the last lane goes.
    vector.store(get(to), get(bytes)),
    set(at, get(begin)),
    loop(set(bytes, vector.or(get(bytes), vector.load(get(at)))), move(at, lane), goIf(0, less(get(at), get(to)))),
    add(shiftLeft(get(to), constant(1)), isZero(isZero(vector.bits(get(bytes)))))
  ]
  return moduleOf(3, [...Array<number>(9).fill(i32), ...Array<number>(4).fill(v128)], body.flat(), pages)
}
