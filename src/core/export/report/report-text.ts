import { wellFormedHead } from '../../index/one-line.ts'
import type { Redactor } from '../redact.ts'

/** A text of the log as far as a report keeps it: what is shown, and enough behind it to know a secret that goes on there. */
export interface KeptText {
  readonly text: string
  /** Characters of the whole. */
  readonly length: number
}

/** A secret that begins in what is shown may be this long and still be known. */
const margin = 8192

/** A copy of the head of a text: what it was cut from can be forgotten. */
export function kept(text: string, max: number): KeptText {
  const head = wellFormedHead(text, max + margin)
  // A part of a string holds on to the whole.
  return { text: head.length < text.length ? joinedAnew(head) : text, length: text.length }
}

function joinedAnew(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string
}

/** A text without its secrets and no longer than may be shown; `left` says how much was left out. */
export interface CutText {
  readonly text: string
  readonly left: string | null
}

/** Takes the secrets out, then cuts: after `max` characters or `maxLines` lines, at a line end where one is near. */
export function cutText({ text, length }: KeptText, max: number, maxLines: number, redactor: Redactor | null): CutText {
  const clean = redactor === null ? text : redactor.text(text)
  let end = 0
  for (let line = 0; line < maxLines && end < clean.length; line++) {
    const next = clean.indexOf('\n', end)
    if (next < 0 || next > max) {
      // A line that is not much longer is not worth cutting.
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

/** One line of the log without its secrets. It was cut somewhere: what may be the begin of a secret is cut away. */
export function cleanLine(line: string, redactor: Redactor | null): string {
  if (redactor === null) return line
  const isCut = line.endsWith('…')
  const last = Math.max(line.lastIndexOf(' '), line.lastIndexOf('/'))
  return redactor.text(isCut && last > line.length - 120 ? `${line.slice(0, last + 1)}…` : line)
}

/** Of what a program printed: its begin and its end, where errors stand. */
export interface KeptEnds {
  readonly head: KeptText
  /** Whole lines; null where the head has all. */
  readonly tail: string | null
}

/** Longer than any private key: one that reaches into the last lines begins in the tail. */
const tailLength = 65_536

/** A copy of both ends of a text: `max` characters, and what it takes to know the secrets in them. */
export function keptEnds(text: string, max: number): KeptEnds {
  if (text.length <= max) return { head: kept(text, max), tail: null }
  const from = Math.max(0, text.length - tailLength)
  const start = from === 0 ? 0 : text.indexOf('\n', from) + 1
  return { head: kept(text, max), tail: start === 0 && from > 0 ? null : joinedAnew(text.slice(start)) }
}

/** Takes the secrets out, then cuts: some lines of the begin, more of the end, and between how much was left out. */
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

/** Time of day, in UTC; empty where no time is known. */
export function clockText(time: number): string {
  return isTime(time) ? new Date(time).toISOString().slice(11, 19) : ''
}

/** Day and time, in UTC. */
export function dateText(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

/** 0 is what an event has when nothing states its time; beyond the limit a number is no date. */
export function isTime(time: number): boolean {
  return time !== 0 && Math.abs(time) <= 8.64e15
}
