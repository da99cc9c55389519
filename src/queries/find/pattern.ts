/** What stands at one place of a text: byte strings of the same length, any of which is right. */
export type Alternatives = readonly Uint8Array[]

/** Bytes to look for. A byte b of a log is that of the pattern at a place if `b & mask` is: so a letter may be upper or lower case. */
export interface Pattern {
  readonly bytes: Uint8Array
  readonly masks: Uint8Array
  /** Where bytes and masks allow more than is meant: what is meant. */
  readonly alternatives: readonly Alternatives[] | null
}

/** The pattern of a text, given as what may stand at each of its places. */
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

/** Whether the bytes at a place that fits by bytes and masks are what is meant. */
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
