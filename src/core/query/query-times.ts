/**
 * A moment that a query names, as the stretch of time it covers: `2026-11-22` covers a day, `14:05` a minute of each day. Times are those of
 * the reader's time zone unless they end in `Z` or an offset.
 */
export type QueryTime =
  /** Ms since the epoch, the end not included. */
  | { readonly type: 'moment'; readonly from: number; readonly to: number }
  /** Ms since local midnight, the end not included. */
  | { readonly type: 'time of day'; readonly from: number; readonly to: number }

const secondMs = 1000
const minuteMs = 60 * secondMs
const dayMs = 24 * 60 * minuteMs

const timeOfDay = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/
const moment = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?)?$/

/** Reads `14:05`, `14:05:30`, `2026-11-22`, `2026-11-22T14:05` and `2026-11-22T14:05:30Z`; null for all else. */
export function queryTimeOf(word: string): QueryTime | null {
  const clock = timeOfDay.exec(word)
  if (clock !== null) {
    const [, hours, minutes, seconds] = clock
    const from = (Number(hours) * 60 + Number(minutes)) * minuteMs + Number(seconds ?? 0) * secondMs
    return { type: 'time of day', from, to: from + (seconds === undefined ? minuteMs : secondMs) }
  }
  const parts = moment.exec(word)
  if (parts === null) return null
  const [, date = '', minutes, seconds = '', zone = ''] = parts
  // A date alone is UTC to JavaScript; with a time and no zone it is local.
  const from = Date.parse(minutes === undefined ? `${date}T00:00` : `${date}T${minutes}${seconds}${zone}`)
  if (Number.isNaN(from) || !isDate(date)) return null
  if (minutes === undefined) return { type: 'moment', from, to: nextDay(from) }
  return { type: 'moment', from, to: from + (seconds === '' ? minuteMs : seconds.includes('.') ? 1 : secondMs) }
}

/** JavaScript reads 2026-02-30 as the 2nd of March. */
function isDate(date: string): boolean {
  const ms = Date.parse(`${date}T00:00Z`)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(date)
}

/** A day has 23 or 25 hours when the clocks change. */
function nextDay(from: number): number {
  const next = new Date(from)
  next.setDate(next.getDate() + 1)
  const ms = next.getTime()
  return ms > from ? ms : from + dayMs
}
