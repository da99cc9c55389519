import { maxStreamText } from './stream-events.ts'

/** `cut`: whether the text was cut. */
export interface CutText {
  readonly text: string
  readonly cut: boolean
}

/** Cuts a text to the limit of an event. */
export function cutText(text: string): CutText {
  return text.length <= maxStreamText ? { text, cut: false } : { text: text.slice(0, endOfPiece(text, 0)), cut: true }
}

/** Splits a text into pieces within the limit of an event, never inside a character. Empty for an empty text. */
export function* piecesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    const to = endOfPiece(text, from)
    yield text.slice(from, to)
    from = to
  }
}

function endOfPiece(text: string, from: number): number {
  const to = from + maxStreamText
  if (to >= text.length) return text.length
  const last = text.charCodeAt(to - 1)
  return last >= 0xd800 && last <= 0xdbff ? to - 1 : to
}
