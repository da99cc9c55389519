import type { LogStatus } from '#contract/methods.ts'
import { formatClock, formatCount, formatPlural } from '../ui/format.ts'
import type { LogColumns } from './log-columns.ts'

/** A typed target: a line, an event (seq), or a time with an optional date. */
export type GoToTarget =
  | { kind: 'line'; line: number }
  | { kind: 'event'; seq: number }
  | { kind: 'time'; day: { year: number; month: number; date: number } | null; msOfDay: number }

const number = String.raw`([\d,_ ]*\d)`
const linePattern = new RegExp(`^(?:line|l)?\\s*${number}$`, 'i')
const eventPattern = new RegExp(`^(?:(?:event|seq|e)\\s*#?|#)\\s*${number}$`, 'i')
const timePattern = /^(?:(\d{4})-(\d{1,2})-(\d{1,2})[ T]+)?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,3}))?)?$/

/** Parses "line 128", "128", "event 40", "#40", "12:04", "12:04:33.120", "2026-11-19 12:04:33". Null for others. */
export function parseGoTo(text: string): GoToTarget | null {
  const trimmed = text.trim()
  const line = linePattern.exec(trimmed)
  if (line) return { kind: 'line', line: wholeNumber(line[1]) }
  const event = eventPattern.exec(trimmed)
  if (event) return { kind: 'event', seq: wholeNumber(event[1]) }
  const time = timePattern.exec(trimmed)
  return time ? timeTarget(time) : null
}

/** The first time from `first` on that the target may mean, in ms since the epoch, local. */
export function timeOf(target: Extract<GoToTarget, { kind: 'time' }>, first: number): number {
  const { day, msOfDay } = target
  const start = new Date(first)
  const at = day
    ? new Date(day.year, day.month - 1, day.date, 0, 0, 0, msOfDay)
    : new Date(start.getFullYear(), start.getMonth(), start.getDate(), 0, 0, 0, msOfDay)
  // A time of day before the first event, to the second, is on the next day.
  if (!day && at.getTime() < Math.floor(first / 1000) * 1000) at.setDate(at.getDate() + 1)
  return at.getTime()
}

/** The row of a typed target, or the reason that there is none. */
export function rowOfTarget(columns: LogColumns, status: LogStatus, target: GoToTarget): number | string {
  const more = status.phase === 'reading' ? ' so far' : ''
  if (target.kind === 'line') {
    const row = columns.rowAtLine(target.line)
    return row >= 0 ? row : `The log has ${formatPlural(status.lines, 'line')}${more}.`
  }
  if (target.kind === 'event') {
    const row = columns.rowOfSeq[target.seq]
    if (row !== undefined && target.seq < columns.events) return row
    if (columns.events === 0) return `The log has no events${more}.`
    return `The log's events run from 0 to ${formatCount(columns.events - 1)}${more}.`
  }
  if (status.firstTimestamp === null) return 'This log has no timestamps.'
  const row = columns.rowAtTime(timeOf(target, status.firstTimestamp))
  if (row >= 0) return row
  return `The last event${more} is at ${formatClock(status.lastTimestamp ?? status.firstTimestamp)}.`
}

function timeTarget(match: RegExpExecArray): GoToTarget | null {
  const [year, month, date, hours, minutes, seconds] = match.slice(1, 7).map((part) => Number(part ?? 0))
  if (hours === undefined || minutes === undefined || seconds === undefined) return null
  if (hours > 23 || minutes > 59 || seconds > 59) return null
  const msOfDay = ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number((match[7] ?? '').padEnd(3, '0'))
  const day = match[1] === undefined ? null : { year: year ?? 0, month: month ?? 1, date: date ?? 1 }
  return { kind: 'time', day, msOfDay }
}

function wholeNumber(text: string | undefined): number {
  return Number((text ?? '').replaceAll(/[,_ ]/g, ''))
}
