import type { Pattern } from './pattern.ts'

/** Looks for patterns in a window of bytes. */
export interface Scanner {
  /** What is searched; another one after `grow`. */
  readonly window: Uint8Array
  /** Makes the window larger. What was in it is lost. */
  grow(windowBytes: number): void
  /** Looks from now on first at those bytes of each pattern that are rare in `sample`. Slower or faster, it finds the same. */
  tune(sample: Uint8Array): void
  /** Where the pattern with that number begins in the window, at `from` or later, and ends before `to`; -1 where it does not. */
  next(pattern: number, from: number, to: number): number
}

/** Makes a scanner whose window has so many bytes. */
export type CreateScanner = (patterns: readonly Pattern[], windowBytes: number) => Scanner

/** For each place of a pattern how many of the bytes that were counted, by their values, may stand there. */
export function fittingBytes({ bytes, masks }: Pattern, counts: Uint32Array): number[] {
  return Array.from(bytes, (wanted, place) =>
    counts.reduce((sum, count, byte) => ((byte & (masks[place] ?? 0)) === wanted ? sum + count : sum), 0)
  )
}

/** How often each byte stands in a sample, by its value. */
export function countBytes(sample: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256)
  for (const byte of sample) counts[byte]!++
  return counts
}
