import { add, and, block, type Code, constant, get, give, go, goIf, greater, i32 } from '../wasm/wasm-code.ts'
import {
  isZero,
  less,
  load,
  loop,
  moduleOf,
  set,
  subtract,
  trailingZeros,
  v128,
  vector,
  when
} from '../wasm/wasm-code.ts'

/** Bytes of one vector. */
export const lane = 16

/**
 * How a pattern lies in memory: four numbers, then its bytes, then its masks, each filled up with zeros to `padded` bytes, whole vectors.
 * A byte b of the memory is that of the pattern if `b & mask` is. `first` and `second`: the places in the pattern to look at first.
 */
export const patternHeader = { length: 0, first: 4, second: 8, padded: 12, end: 16 } as const

/** What `scanCode` may read beyond `to`. */
export const slack = 4 * lane

/**
 * The module of a function `run(at, to, pattern)`: the address at which a pattern first begins that lies between two addresses, -1 if none
 * does. 64 addresses at a time are asked whether two bytes of the pattern, the rarest ones, stand where they should; only where both do,
 * all of it is compared (the "packed pair" search of ripgrep's memchr).
 */
export function scanCode(pages: number): Uint8Array<ArrayBuffer> {
  const [at, to, pattern, last, first, second, rest, candidate, compared] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const
  const [firstByte, firstMask, secondByte, secondMask] = [9, 10, 11, 12] as const
  const padded = load(get(pattern), patternHeader.padded)
  const byteAt = (place: number): Code => add(get(pattern), get(place))
  const maskAt = (place: number): Code => add(byteAt(place), padded)

  /** Of 16 addresses from `at + offset` on: all ones where both bytes are right. */
  const both = (offset: number): Code =>
    vector.and(
      vector.equal(vector.and(vector.load(add(get(at), get(first)), offset), get(firstMask)), get(firstByte)),
      vector.equal(vector.and(vector.load(add(get(at), get(second)), offset), get(secondMask)), get(secondByte))
    )
  const same = vector.equal(
    vector.and(vector.load(add(get(candidate), get(compared))), vector.load(maskAt(compared), patternHeader.end)),
    vector.load(byteAt(compared), patternHeader.end)
  )

  /** Gives the candidate if all of it is right. */
  const compare = block(
    set(compared, constant(0)),
    loop(
      goIf(1, isZero(vector.all(same))),
      set(compared, add(get(compared), constant(lane))),
      goIf(0, less(get(compared), padded)),
      give(get(candidate))
    )
  )
  const compareRest = block(
    loop(
      goIf(1, isZero(get(rest))),
      set(candidate, add(get(at), trailingZeros(get(rest)))),
      when(greater(get(candidate), get(last)), give(constant(-1))),
      compare,
      set(rest, and(get(rest), subtract(get(rest), constant(1)))),
      go(0)
    )
  )
  const search = loop(
    when(greater(get(at), get(last)), give(constant(-1))),
    when(
      isZero(vector.any(vector.or(vector.or(both(0), both(lane)), vector.or(both(2 * lane), both(3 * lane))))),
      set(at, add(get(at), constant(4 * lane))),
      go(1)
    ),
    set(rest, vector.bits(both(0))),
    compareRest,
    set(at, add(get(at), constant(lane))),
    go(0)
  )
  const body = [
    set(last, subtract(get(to), load(get(pattern), patternHeader.length))),
    set(first, load(get(pattern), patternHeader.first)),
    set(second, load(get(pattern), patternHeader.second)),
    set(firstByte, vector.loadSplat(byteAt(first), patternHeader.end)),
    set(firstMask, vector.loadSplat(maskAt(first), patternHeader.end)),
    set(secondByte, vector.loadSplat(byteAt(second), patternHeader.end)),
    set(secondMask, vector.loadSplat(maskAt(second), patternHeader.end)),
    search,
    constant(-1)
  ]
  const locals = [...Array<number>(6).fill(i32), ...Array<number>(4).fill(v128)]
  return moduleOf(3, locals, body.flat(), pages)
}
