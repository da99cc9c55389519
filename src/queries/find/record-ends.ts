import type { Framing } from '#core/formats/log-format.ts'
import { type Pattern, patternOf } from './pattern.ts'

const exactly = (text: string): Pattern => patternOf([[new TextEncoder().encode(text)]])

/**
 * One of them is between any two records: after a hit, the next record begins behind it. They also occur inside records
 * of a document; they only limit the hits of a one-letter search.
 */
export const recordEnds: { readonly [F in Framing]: readonly Pattern[] } = {
  lines: [exactly('\n')],
  // The last one fits the four brackets, and four other bytes.
  document: [
    exactly('\n'),
    exactly(','),
    { bytes: Uint8Array.of(0x59), masks: Uint8Array.of(0xd9), alternatives: null }
  ]
}
