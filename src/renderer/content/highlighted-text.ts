import { firstWhere } from '#core/first-where.ts'
import { codeSpans, type CodeSpan, knowsLanguage } from './highlighter.ts'

/** Length of a highlighted part in characters, so that no step takes long and only visible parts are highlighted. */
const partLength = 8192
/** A part must end at a line end within this length. Longer lines are machine-made and not highlighted. */
const maxLineLength = 16_384
/** Code up to this length is highlighted at once. */
const atOnce = 2048
/** A longer text is not highlighted. */
const maxTextLength = 2_000_000

interface Part {
  readonly start: number
  readonly end: number
  spans: readonly CodeSpan[] | null
}

/** The highlighting of a text in parts, on demand. A comment or string across parts is treated as closed. */
export class HighlightedText {
  private readonly text: string
  private readonly language: string | null
  private readonly parts: Part[] = []
  private readonly wanted = new Set<Part>()

  /** `language`: its name; no colors for null or an unknown one. */
  constructor(text: string, language: string | null) {
    this.text = text
    this.language = language !== null && text.length <= maxTextLength && knowsLanguage(language) ? language : null
  }

  /** Whether requested parts are not highlighted yet. */
  get isBehind(): boolean {
    return this.wanted.size > 0
  }

  /** Runs from `from` to `to`, which are in one line. Missing parts are requested; `colourNext` highlights them. */
  spans(from: number, to: number): CodeSpan[] {
    if (this.language === null || from >= to) return from >= to ? [] : [{ end: to, tone: null }]
    const part = this.partAt(from)
    if (part.spans === null && this.text.length <= atOnce) this.colour(part)
    if (part.spans === null) {
      this.wanted.add(part)
      return [{ end: to, tone: null }]
    }
    return clipped(part.spans, part.start, from, to)
  }

  /** Highlights one part. */
  colourNext(): void {
    const [part] = this.wanted
    if (part !== undefined) this.colour(part)
  }

  private colour(part: Part): void {
    this.wanted.delete(part)
    const { start, end } = part
    const plain = this.language === null || end - start > maxLineLength
    try {
      part.spans = plain
        ? [{ end: end - start, tone: null }]
        : codeSpans(this.text.slice(start, end), this.language ?? '')
    } catch {
      // A grammar may fail on unusual text, which then has no colors.
      part.spans = [{ end: end - start, tone: null }]
    }
  }

  private partAt(offset: number): Part {
    for (;;) {
      const last = this.parts.at(-1)
      if (last !== undefined && offset < last.end) break
      const start = last?.end ?? 0
      this.parts.push({ start, end: partEnd(this.text, start), spans: null })
    }
    const part = this.parts[firstWhere(this.parts.length, (at) => (this.parts[at]?.start ?? 0) > offset) - 1]
    if (part === undefined) throw new RangeError(`no text at ${offset}`)
    return part
  }
}

/** The end of the part that begins at `start`: if possible before an unindented line after a blank one. */
function partEnd(text: string, start: number): number {
  const least = start + partLength
  if (least >= text.length) return text.length
  const near = text.slice(least, least + partLength / 2)
  const blank = /\n\r?\n(?=[^\s])/.exec(near)
  if (blank !== null) return least + blank.index + blank[0].length
  const line = text.indexOf('\n', least)
  return line < 0 ? text.length : line + 1
}

function clipped(spans: readonly CodeSpan[], start: number, from: number, to: number): CodeSpan[] {
  const first = firstWhere(spans.length, (at) => (spans[at]?.end ?? 0) + start > from)
  const found: CodeSpan[] = []
  for (let at = first; at < spans.length; at++) {
    const span = spans[at]
    if (span === undefined) break
    const end = Math.min(to, span.end + start)
    found.push({ end, tone: span.tone })
    if (end >= to) break
  }
  return found
}
