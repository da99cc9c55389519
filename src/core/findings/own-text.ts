import { oneLine } from '../index/one-line.ts'

/** Characters of a text that a finding quotes. */
const maxQuoted = 160

/** A short line of `text` to keep. A part of a string would keep the whole one in memory, so the characters are copied. */
export function ownText(text: string, max: number = maxQuoted): string {
  const line = oneLine(text, max)
  let copy = ''
  for (let at = 0; at < line.length; at += 64) {
    copy += String.fromCharCode(
      ...Array.from({ length: Math.min(64, line.length - at) }, (_, i) => line.charCodeAt(at + i))
    )
  }
  return copy
}
