import { isHighSurrogate } from '#core/index/one-line.ts'
import { withoutTerminalSequences } from '#core/index/terminal-sequences.ts'

/** Control characters except tab and line feed, and bidirectional marks, which can disguise a text. */
const unseen = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu

/** The replacement of an invisible character: a control picture ("␀"), or its code point ("⟨U+202E⟩"). */
export function pictureOf(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}

/** `text` with invisible characters replaced by pictures. */
export function withPictures(text: string): string {
  return text.replace(unseen, (character) => pictureOf(character.codePointAt(0) ?? 0))
}

/** Readable text of a log: no terminal sequences, only line feeds, nothing invisible. */
export function displayText(text: string): string {
  return withPictures(withoutTerminalSequences(text).replaceAll('\r\n', '\n'))
}

/** Splits `text` into pieces of at most `size` characters, if possible at lines, never inside a surrogate pair. */
export function chunkText(text: string, size: number): string[] {
  const chunks: string[] = []
  let start = 0
  while (start < text.length) {
    let end = Math.min(text.length, start + size)
    if (end < text.length) {
      const lineEnd = text.lastIndexOf('\n', end - 1)
      if (lineEnd >= start) end = lineEnd + 1
      else if (isHighSurrogate(text.charCodeAt(end - 1)) && end - 1 > start) end--
    }
    chunks.push(text.slice(start, end))
    start = end
  }
  return chunks
}
