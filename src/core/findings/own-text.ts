import { oneLine } from '../index/one-line.ts'

/** Characters of a text that a finding quotes. */
const maxQuoted = 160

/** A short line of `text` to keep. */
export function ownText(text: string, max: number = maxQuoted): string {
  return copied(oneLine(text, max))
}

/** The same text with memory of its own: a part of a string would keep the whole one. */
export function copied(text: string): string {
  // Joining makes the engine write the characters anew once they are cut again.
  return ` ${text}`.slice(1)
}
