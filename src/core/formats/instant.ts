import { isFiniteNumber, type JsonValue } from '../json.ts'

const isoDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/** Ms since the epoch of an ISO 8601 string, UTC by default: docs/formats/README.md#time-comes-from-the-record. */
export function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined
  const usual = usualInstant(value)
  if (!Number.isNaN(usual)) return usual
  const match = isoDate.exec(value)
  if (match === null) return undefined
  const withZone = match[1] !== undefined || value.length === 10 ? value : `${value}Z`
  const instant = Date.parse(withZone.replace(' ', 'T').replace(',', '.'))
  return Number.isNaN(instant) ? undefined : instant
}

/** The largest number of ms that is a time. */
const latestMs = 8.64e15

/** Ms since the epoch of a number that a record states so. */
export function instantOfMs(ms: JsonValue | undefined): number | undefined {
  return isFiniteNumber(ms) && ms > 0 && ms <= latestMs ? ms : undefined
}

/** Four times as fast for the usual forms, `2026-11-21T12:00:00.000Z` and without ms. NaN for others, and after the 28th. */
function usualInstant(text: string): number {
  const hasMs = text.length === 24
  if (!hasMs && text.length !== 20) return NaN
  if (text[4] !== '-' || text[7] !== '-' || text[10] !== 'T' || text[13] !== ':') return NaN
  if (text[16] !== ':' || text[text.length - 1] !== 'Z' || (hasMs && text[19] !== '.')) return NaN
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hours = twoDigits(text, 11)
  const minutes = twoDigits(text, 14)
  const seconds = twoDigits(text, 17)
  const ms = hasMs ? twoDigits(text, 20) * 10 + (twoDigits(text, 21) % 10) : 0
  const isDate = year >= 100 && month >= 1 && month <= 12 && day >= 1 && day <= 28
  if (!isDate || !(hours < 24 && minutes < 60 && seconds < 60 && ms < 1000)) return NaN
  return Date.UTC(year, month - 1, day, hours, minutes, seconds, ms)
}

const zero = 48

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero
  const ones = text.charCodeAt(at + 1) - zero
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN
}
