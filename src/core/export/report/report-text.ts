import { wellFormedHead } from '../../index/one-line.ts'
import type { Redactor } from '../redact.ts'

/** A text cut to what is shown, plus enough to detect a secret that begins in it. */
export interface KeptText {
  readonly text: string
  /** Characters of the whole. */
  readonly length: number
}

/** Characters kept after the shown text, to detect a secret that begins in it. */
const margin = 8192

/** Copies the head of a text, so the whole can be freed. */
export function kept(text: string, max: number): KeptText {
  const head = wellFormedHead(text, max + margin)
  // A slice retains the whole string.
  return { text: head.length < text.length ? joinedAnew(head) : text, length: text.length }
}

function joinedAnew(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

/** A redacted, cut text; `left` states what was cut. */
export interface CutText {
  readonly text: string
  readonly left: string | null
}

/** Redacts, then cuts after `max` characters or `maxLines` lines, at a line end if near. */
export function cutText({ text, length }: KeptText, max: number, maxLines: number, redactor: Redactor | null): CutText {
  const clean = redactor === null ? text : redactor.text(text)
  let end = 0
  for (let line = 0; line < maxLines && end < clean.length; line++) {
    const next = clean.indexOf('\n', end)
    if (next < 0 || next > max) {
      // Does not drop a line that makes up most of the text.
      end = line > 0 && end > max / 2 ? end : Math.min(clean.length, max)
      break
    }
    end = next + 1
  }
  const shown = wellFormedHead(clean, end)
  const left = length - text.length + clean.length - shown.length
  return {
    text: shown.trimEnd(),
    left: left <= 0 || clean.slice(end).trim() === '' ? leftOf(length - text.length) : leftOf(left)
  }
}

function leftOf(characters: number): string | null {
  return characters <= 0 ? null : `… ${grouped(characters)} more character${characters === 1 ? '' : 's'}`
}

/** Redacts a line. If it was cut, also removes what may be the start of a secret. */
export function cleanLine(line: string, redactor: Redactor | null): string {
  if (redactor === null) return line
  const isCut = line.endsWith('…')
  const last = Math.max(line.lastIndexOf(' '), line.lastIndexOf('/'))
  return redactor.text(isCut && last > line.length - 120 ? `${line.slice(0, last + 1)}…` : line)
}

/** Head and tail of program output; errors are mostly in the tail. */
export interface KeptEnds {
  readonly head: KeptText
  /** Whole lines; null if the head has all. */
  readonly tail: string | null
}

/** Longer than any private key, so a key in the last lines begins in the tail. */
const tailLength = 65_536

/** Copies both ends of a text: `max` characters, plus enough to detect secrets. */
export function keptEnds(text: string, max: number): KeptEnds {
  if (text.length <= max) return { head: kept(text, max), tail: null }
  const from = Math.max(0, text.length - tailLength)
  const start = from === 0 ? 0 : text.indexOf('\n', from) + 1
  return { head: kept(text, max), tail: start === 0 && from > 0 ? null : joinedAnew(text.slice(start)) }
}

/** Redacts, then cuts: a few first lines, more last lines, and the count between. */
export function cutEnds({ head, tail }: KeptEnds, max: number, maxLines: number, redactor: Redactor | null): string {
  const begin = cutText(head, max, maxLines, redactor)
  if (begin.left === null) return begin.text
  if (tail === null) return `${begin.text}\n${begin.left}`
  const first = cutText(head, max / 4, Math.floor(maxLines / 4), redactor).text
  const lines = (redactor === null ? tail : redactor.text(tail)).trimEnd().split('\n')
  const last: string[] = []
  for (let room = max, at = lines.length - 1; at >= 0 && last.length < maxLines; at--) {
    const line = lines[at] ?? ''
    room -= line.length
    if (room < 0) break
    last.unshift(line)
  }
  if (last.length === 0) return `${begin.text}\n${begin.left}`
  return `${first}\n… ${grouped(Math.max(0, head.length - first.length - last.join('\n').length))} characters left out\n${last.join('\n')}`
}

/** `12,345`. */
export function grouped(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

/** `3 calls`, `1 call`. */
export function counted(count: number, word: string, plural = `${word}s`): string {
  return `${grouped(count)} ${count === 1 ? word : plural}`
}

/** Time of day in UTC; empty if unknown. */
export function clockText(time: number): string {
  return isTime(time) ? new Date(time).toISOString().slice(11, 19) : ''
}

/** Date and time in UTC. */
export function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

/** 0 means unknown; above the limit a number is not a date. */
export function isTime(time: number): boolean {
  return time !== 0 && Math.abs(time) <= 8.64e15
}
