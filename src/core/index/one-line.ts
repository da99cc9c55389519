import { withoutTerminalSequences } from './terminal-sequences.ts'

/** The longest text a row shows. */
export const maxSummaryLength = 300

/**
 * `text` as one bounded line: control characters, line ends and runs of white space become one space; terminal sequences,
 * and what reorders or hides text on screen (bidirectional controls), are dropped. Cut at `max` characters, the last of
 * them then being `…`.
 */
export function oneLine(text: string, max: number = maxSummaryLength): string {
  // Looking at a few times the length is enough for any text that is not mostly white space, and bounds the work.
  const head = wellFormedHead(text, max * 4)
  const line = withoutTerminalSequences(head)
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > max || head.length < text.length ? `${wellFormedHead(line, max - 1)}…` : line
}

/** The first `max` characters, one fewer where that would cut a surrogate pair. */
export function wellFormedHead(text: string, max: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(max - 1)) && text.length > max ? max - 1 : max)
}

/** The first half of a character of two code units. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
