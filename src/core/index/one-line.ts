import { withoutTerminalSequences } from './terminal-sequences.ts'

/** Characters of a row's text. */
export const maxSummaryLength = 300

/** `text` as one line of `max` characters, without terminal sequences and bidirectional controls; white space is joined. */
export function oneLine(text: string, max: number = maxSummaryLength): string {
  // Four times the length suffices for all but mostly white space, and bounds the work.
  const head = wellFormedHead(text, max * 4)
  const line = withoutTerminalSequences(head)
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  return line.length > max || head.length < text.length ? `${wellFormedHead(line, max - 1)}…` : line
}

/** The first `max` characters, one fewer if that cuts a surrogate pair. */
export function wellFormedHead(text: string, max: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(max - 1)) && text.length > max ? max - 1 : max)
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}
