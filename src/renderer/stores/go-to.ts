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
