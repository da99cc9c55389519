/** The alternatives of one character: byte strings of equal length. */
export type Alternatives = readonly Uint8Array[]

/** Bytes to find. A byte b matches if `b & mask` is equal, so a letter matches in both cases. */
export interface Pattern {
  readonly bytes: Uint8Array
  readonly masks: Uint8Array
  /** The exact alternatives, if bytes and masks match more. */
  readonly alternatives: readonly Alternatives[] | null
}

/** The pattern of a text, from the alternatives of each character. */
export function patternOf(places: readonly Alternatives[]): Pattern {
  const length = places.reduce((sum, [first]) => sum + (first?.length ?? 0), 0)
  const bytes = new Uint8Array(length)
  const masks = new Uint8Array(length)
  let at = 0
  let exact = true
  for (const alternatives of places) {
    let freeBits = 0
    const end = at + (alternatives[0]?.length ?? 0)
    for (let i = 0; at < end; i++, at++) {
      const all = alternatives.reduce((bits, bytes) => bits & (bytes[i] ?? 0), 0xff)
      const some = alternatives.reduce((bits, bytes) => bits | (bytes[i] ?? 0), 0)
      bytes[at] = all
      masks[at] = ~(all ^ some)
      for (let bits = all ^ some; bits !== 0; bits &= bits - 1) freeBits++
    }
    if (2 ** freeBits !== alternatives.length) exact = false
  }
  return { bytes, masks, alternatives: exact ? null : places }
}

/** Whether a match by bytes and masks is exact. */
export function isMeant({ alternatives }: Pattern, window: Uint8Array, at: number): boolean {
  if (alternatives === null) return true
  let from = at
  for (const choice of alternatives) {
    const start = from
    if (!choice.some((bytes) => bytes.every((byte, i) => window[start + i] === byte))) return false
    from += choice[0]?.length ?? 0
  }
  return true
}
