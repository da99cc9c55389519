import { durationMs } from '../duration-ms.ts'

const dateOrTime = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i

/**
 * The time of `7d`, `2w`, `24h`, `today`, `yesterday`, `2026-11-22` or `2026-11-22T14:30`, in ms since the epoch; null:
 * not a time. In local time, unless a zone is given.
 */
export function sinceTime(text: string, now: number): number | null {
  if (text === 'today' || text === 'yesterday') {
    const day = new Date(now)
    day.setHours(0, 0, 0, 0)
    if (text === 'yesterday') day.setDate(day.getDate() - 1)
    return day.getTime()
  }
  const ago = durationMs(text)
  if (ago !== null) return Number.isSafeInteger(ago) ? now - ago : null
  const [, year, month, day, hour = '0', minute = '0', second = '0', zone] = dateOrTime.exec(text) ?? []
  if (year === undefined) return null
  const parts = [year, month, day, hour, minute, second].map(Number) as [number, number, number, number, number, number]
  return timeOf(parts, zone)
}

function timeOf(
  [year, month, day, hour, minute, second]: [number, number, number, number, number, number],
  zone: string | undefined
): number | null {
  const utc = Date.UTC(year, month - 1, day, hour, minute, second)
  // Rejects February 30, which `Date.UTC` maps to March.
  const read = new Date(utc)
  if (read.getUTCMonth() !== month - 1 || read.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return null
  if (zone === undefined) return new Date(year, month - 1, day, hour, minute, second).getTime()
  if (/z/i.test(zone)) return utc
  const offset = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))
  return utc - (zone.startsWith('-') ? -1 : 1) * offset * 60_000
}
