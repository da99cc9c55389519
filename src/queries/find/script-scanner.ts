import type { Pattern } from './pattern.ts'
import { countBytes, fittingBytes, type Scanner } from './scanner.ts'

/** A scanner for all platforms, some hundreds of MB a second. */
export class ScriptScanner implements Scanner {
  window: Uint8Array
  readonly #patterns: readonly Pattern[]
  /** By pattern: the place that is checked first. */
  #rarest: readonly number[]

  constructor(patterns: readonly Pattern[], windowBytes: number) {
    this.#patterns = patterns
    this.#rarest = patterns.map(() => 0)
    this.window = new Uint8Array(windowBytes)
  }

  grow(windowBytes: number): void {
    this.window = new Uint8Array(windowBytes)
  }

  tune(sample: Uint8Array): void {
    const counts = countBytes(sample)
    this.#rarest = this.#patterns.map((pattern) => {
      const often = fittingBytes(pattern, counts)
      return often.indexOf(Math.min(...often))
    })
  }

  next(number: number, from: number, to: number): number {
    const pattern = this.#patterns[number]
    if (pattern === undefined) return -1
    const place = this.#rarest[number] ?? 0
    const last = to - pattern.bytes.length + place
    for (let at = from + place; ; at++) {
      at = this.#nextByte(pattern.bytes[place] ?? 0, pattern.masks[place] ?? 0, at, last)
      if (at < 0) return -1
      if (this.#fits(pattern, at - place)) return at - place
    }
  }

  /** Where a byte b from `at` to `last` has `b & mask` equal `wanted`; -1: nowhere. */
  #nextByte(wanted: number, mask: number, at: number, last: number): number {
    const { window } = this
    // `indexOf` is much faster for a single value.
    if (mask === 0xff) {
      const found = window.subarray(at, Math.max(at, last + 1)).indexOf(wanted)
      return found < 0 ? -1 : at + found
    }
    for (let i = at; i <= last; i++) if (((window[i] ?? 0) & mask) === wanted) return i
    return -1
  }

  #fits({ bytes, masks }: Pattern, at: number): boolean {
    for (let i = 0; i < bytes.length; i++) {
      if (((this.window[at + i] ?? 0) & (masks[i] ?? 0)) !== bytes[i]) return false
    }
    return true
  }
}
