import type { Pattern } from './pattern.ts'

/** Searches patterns in a window of bytes. */
export interface Scanner {
  /** The searched bytes; replaced by `grow`. */
  readonly window: Uint8Array
  /** Enlarges the window and clears it. */
  grow(windowBytes: number): void
  /** Checks first the bytes of each pattern that are rare in `sample`. Affects only speed. */
  tune(sample: Uint8Array): void
  /** The next match of a pattern that begins at `from` or later and ends before `to`; -1 if none. */
  next(pattern: number, from: number, to: number): number
}

export type CreateScanner = (patterns: readonly Pattern[], windowBytes: number) => Scanner

/** By place of a pattern: the number of counted bytes that match there. */
export function fittingBytes({ bytes, masks }: Pattern, counts: Uint32Array): number[] {
  return Array.from(bytes, (wanted, place) =>
    counts.reduce((sum, count, byte) => ((byte & (masks[place] ?? 0)) === wanted ? sum + count : sum), 0)
  )
}

/** The frequency of each byte in a sample. */
export function countBytes(sample: Uint8Array): Uint32Array {
  const counts = new Uint32Array(256)
  for (const byte of sample) counts[byte]!++
  return counts
}
