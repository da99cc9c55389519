import { terminalSequence } from '#core/index/terminal-sequences.ts'
import { withPictures } from '../ui/display-text.ts'
import { plainStyle, sameStyle, StyleReader, type TerminalStyle } from './terminal-style.ts'

/** Characters in one style. */
export interface TerminalSpan {
  text: string
  readonly style: TerminalStyle
}

/** The characters that begin sequences: ESC, and CSI, which means ESC and a bracket. */
const escape = String.fromCharCode(0x1b)
const control = String.fromCharCode(0x9b)
const sequenceHere = new RegExp(terminalSequence.source, 'y')
/** Moves within a line, or back. */
const movesInLine = new RegExp(`[\\r\\b]|(?:${escape}\\[|${control})\\d*[CDG]`)
const styleSequence = new RegExp(`^(?:${escape}\\[|${control})([\\d;:]*)m$`)
const moveSequence = new RegExp(`^(?:${escape}\\[|${control})(\\d{0,9})([CDGK])$`)
const escapes = new RegExp(`[${escape}${control}]`, 'g')
/** Columns of an overwritten line that are shown. */
const widestScreen = 2000

/** The terminal sequence at `at` of `text`; null for none. */
export function sequenceAt(text: string, at: number): string | null {
  const code = text.charCodeAt(at)
  if (code !== 0x1b && code !== 0x9b) return null
  sequenceHere.lastIndex = at
  return sequenceHere.exec(text)?.[0] ?? null
}

/** The codes of an SGR sequence, "1;31"; null for other sequences. */
export function styleCodes(sequence: string): string | null {
  return styleSequence.exec(sequence)?.[1] ?? null
}

/** Whether this line overwrites a part of itself. */
export function isRewritten(line: string): boolean {
  let end = line.length
  while (line[end - 1] === '\r') end--
  return movesInLine.test(line.slice(0, end))
}

/** `line` as written, starting in `style`. All other sequences are removed. */
export function terminalSpans(line: string, style: TerminalStyle): TerminalSpan[] {
  const spans: TerminalSpan[] = []
  walk(line, style, {
    write: (text, now) => addSpan(spans, text, now),
    move: () => {}
  })
  return spans
}

/** The final state of `line` on a terminal, without overwritten characters. */
export function screenSpans(line: string, style: TerminalStyle): TerminalSpan[] {
  const cells: { character: string; style: TerminalStyle }[] = []
  let column = 0
  let cut = false
  walk(line, style, {
    write: (text, now) => {
      for (const character of text) {
        if (character === '\r') column = 0
        else if (character === '\b') column = Math.max(0, column - 1)
        else if (column < widestScreen) {
          while (cells.length < column) cells.push({ character: ' ', style: plainStyle })
          cells[column++] = { character, style: now }
        } else cut = true
      }
    },
    move: (by, amount) => {
      if (by === 'C') column = Math.min(widestScreen, column + Math.max(1, amount))
      else if (by === 'D') column = Math.max(0, column - Math.max(1, amount))
      else if (by === 'G') column = Math.min(widestScreen, Math.max(1, amount) - 1)
      else if (amount === 0) cells.length = Math.min(cells.length, column)
      else if (amount === 2) cells.length = 0
      else cells.fill({ character: ' ', style: plainStyle }, 0, column + 1)
    }
  })
  const spans: TerminalSpan[] = []
  for (const { character, style: own } of cells) addSpan(spans, character, own)
  if (cut) addSpan(spans, '…', plainStyle)
  return spans
}

interface Screen {
  write(text: string, style: TerminalStyle): void
  /** `by`: the last letter of the sequence, one of C, D, G (moves) and K (erases). */
  move(by: string, amount: number): void
}

function walk(line: string, style: TerminalStyle, screen: Screen): void {
  const reader = new StyleReader(style)
  let written = 0
  for (let at = nextEscape(line, 0); at >= 0; at = nextEscape(line, at)) {
    const sequence = sequenceAt(line, at)
    if (sequence === null) {
      at++
      continue
    }
    if (at > written) screen.write(line.slice(written, at), reader.style)
    const codes = styleCodes(sequence)
    if (codes !== null) reader.read(codes)
    else {
      const move = moveSequence.exec(sequence)
      if (move !== null) screen.move(move[2] ?? '', Number(move[1] ?? 0))
    }
    at += sequence.length
    written = at
  }
  if (written < line.length) screen.write(line.slice(written), reader.style)
}

function nextEscape(text: string, from: number): number {
  escapes.lastIndex = from
  return escapes.exec(text)?.index ?? -1
}

function addSpan(spans: TerminalSpan[], text: string, style: TerminalStyle): void {
  const last = spans.at(-1)
  if (last !== undefined && sameStyle(last.style, style)) last.text += text
  else spans.push({ text, style })
}

/** The text of spans. */
export function textOfSpans(spans: readonly TerminalSpan[]): string {
  return withPictures(spans.map(({ text }) => text).join(''))
}
