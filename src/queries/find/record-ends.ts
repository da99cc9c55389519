import type { Framing } from '#core/formats/log-format.ts'
import { type Pattern, patternOf } from './pattern.ts'

const exactly = (text: string): Pattern => patternOf([[new TextEncoder().encode(text)]])

/**
 * One of them stands between any two records: after what was found in one, the next one can only begin behind it. Records of a document
 * have many of them inside, too; they are there because a search for one letter must not collect every letter of a file.
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
