import { codeRuns, type CodeRun, knowsLanguage } from './highlighter.ts'

/** Code is coloured in parts of about this length, in characters: none takes long, and only those in view are. */
const partLength = 8192
/** A part ends at a line end this far on, or it is not coloured: such lines are made by machines. */
const mostOfLine = 16_384
/** Code up to this length is coloured at once. */
const atOnce = 2048
/** A text longer than this is not coloured. */
const mostText = 2_000_000

interface Part {
  readonly start: number
  readonly end: number
  runs: readonly CodeRun[] | null
}

/**
 * The colours of a text in one language, part by part as they are asked for. A part begins where something new seems to begin: what
 * a comment or string of many pages leaves open there is coloured as if it were closed.
 */
export class HighlightedText {
  private readonly text: string
  private readonly language: string | null
  private readonly parts: Part[] = []
  private readonly wanted = new Set<Part>()

  /** `language`: what somebody calls it; null, or one that nobody knows: no colours. */
  constructor(text: string, language: string | null) {
    this.text = text
    this.language = language !== null && text.length <= mostText && knowsLanguage(language) ? language : null
  }

  /** Some parts were asked for and have no colours yet. */
  get isBehind(): boolean {
    return this.wanted.size > 0
  }

  /**
   * Runs from `from` to `to`, which lie in one line; the last one ends at `to`. Where there are no colours yet they are wanted:
   * `colourNext` brings them.
   */
  runs(from: number, to: number): CodeRun[] {
    if (this.language === null || from >= to) return from >= to ? [] : [{ end: to, tone: null }]
    const part = this.partAt(from)
    if (part.runs === null && this.text.length <= atOnce) this.colour(part)
    if (part.runs === null) {
      this.wanted.add(part)
      return [{ end: to, tone: null }]
    }
    return clipped(part.runs, part.start, from, to)
  }

  /** Colours one part. */
  colourNext(): void {
    const [part] = this.wanted
    if (part !== undefined) this.colour(part)
  }

  private colour(part: Part): void {
    this.wanted.delete(part)
    const { start, end } = part
    const plain = this.language === null || end - start > mostOfLine
    try {
      part.runs = plain
        ? [{ end: end - start, tone: null }]
        : codeRuns(this.text.slice(start, end), this.language ?? '')
    } catch {
      // Grammars are not made for every text; what one cannot read has no colours.
      part.runs = [{ end: end - start, tone: null }]
    }
  }

  private partAt(offset: number): Part {
    for (;;) {
      const last = this.parts.at(-1)
      if (last !== undefined && offset < last.end) break
      const start = last?.end ?? 0
      this.parts.push({ start, end: partEnd(this.text, start), runs: null })
    }
    let low = 0
    let high = this.parts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.parts[middle]?.start ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const part = this.parts[low]
    if (part === undefined) throw new RangeError(`no text at ${offset}`)
    return part
  }
}

/** Where the part ends that begins at `start`: before a line without indentation that follows a blank one, if there is one soon. */
function partEnd(text: string, start: number): number {
  const least = start + partLength
  if (least >= text.length) return text.length
  const near = text.slice(least, least + partLength / 2)
  const blank = /\n\r?\n(?=[^\s])/.exec(near)
  if (blank !== null) return least + blank.index + blank[0].length
  const line = text.indexOf('\n', least)
  return line < 0 ? text.length : line + 1
}

function clipped(runs: readonly CodeRun[], start: number, from: number, to: number): CodeRun[] {
  let low = 0
  let high = runs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((runs[middle]?.end ?? 0) + start <= from) low = middle + 1
    else high = middle
  }
  const found: CodeRun[] = []
  for (let at = low; at < runs.length; at++) {
    const run = runs[at]
    if (run === undefined) break
    const end = Math.min(to, run.end + start)
    found.push({ end, tone: run.tone })
    if (end >= to) break
  }
  return found
}
