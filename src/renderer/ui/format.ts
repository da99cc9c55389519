import { countText } from '#core/measure-text.ts'

export {
  bytesText as formatBytes,
  costText as formatCost,
  durationText as formatShortDuration
} from '#core/measure-text.ts'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/** 1204 → "1,204". */
export function formatCount(count: number): string {
  return whole.format(count)
}

/** "1 line", "1,204 lines". */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** Large counts are rounded: 2_318 → "2,318", 332_400 → "332k". */
export function formatLarge(count: number): string {
  return count < 10_000 ? formatCount(count) : countText(count)
}

const pad = (value: number, digits: number) => String(value).padStart(digits, '0')

/** Local time of day, "12:04:33". `time`: ms since the epoch. "" for NaN or an invalid date. */
export function formatClock(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  return `${pad(date.getHours(), 2)}:${pad(date.getMinutes(), 2)}:${pad(date.getSeconds(), 2)}`
}

/** The milliseconds after `formatClock`: ".120". */
export function formatMillis(time: number): string {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? '' : `.${pad(date.getMilliseconds(), 3)}`
}

/** "12:04:33.120", local. */
export function formatTime(time: number): string {
  return formatClock(time) + formatMillis(time)
}

/** "2026-11-19", local. */
export function formatDay(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`
}

/** For tooltips: local date and time with UTC offset, "2026-11-19 12:04:33.120 +01:00". */
export function formatFullTime(time: number): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const offset = -date.getTimezoneOffset()
  const zone = `${offset < 0 ? '-' : '+'}${pad(Math.floor(Math.abs(offset) / 60), 2)}:${pad(Math.abs(offset) % 60, 2)}`
  return `${formatDay(time)} ${formatTime(time)} ${zone}`
}

/** "today 13:01", "yesterday 22:01", "2026-11-14 09:40". `time` and `now` in ms. */
export function formatWhen(time: number, now: number): string {
  const clock = formatClock(time).slice(0, 5)
  const day = formatDay(time)
  if (day === formatDay(now)) return `today ${clock}`
  const yesterday = new Date(now)
  yesterday.setDate(yesterday.getDate() - 1)
  return day === formatDay(yesterday.getTime()) ? `yesterday ${clock}` : `${day} ${clock}`
}

/** "79 ms", "1.2 s", "6 min 12 s", "47 min", "2 h 05 min". `ms` may be negative; "" for NaN. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return ''
  if (ms < 0) return `−${formatDuration(-ms)}`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min${smaller(seconds % 60, 1, 's')}`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h${smaller(minutes % 60, 2, 'min')}`
  const hours = Math.round(ms / 3_600_000)
  return `${formatCount(Math.floor(hours / 24))} d${smaller(hours % 24, 1, 'h')}`
}

/** The smaller unit of a duration; "" for 0. */
function smaller(value: number, digits: number, unit: string): string {
  return value === 0 ? '' : ` ${pad(value, digits)} ${unit}`
}

/** A running duration in seconds: "0:42", "12:05", "1:02:33". A negative one is 0. */
export function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const minutes = Math.floor(seconds / 60)
  const [hours, rest] = [Math.floor(minutes / 60), pad(seconds % 60, 2)]
  return hours > 0 ? `${hours}:${pad(minutes % 60, 2)}:${rest}` : `${minutes}:${rest}`
}

/** 0.614 → "61%". Below 1 never "100%". */
export function formatPercent(part: number): string {
  return `${part >= 1 ? 100 : Math.max(0, Math.min(99, Math.floor(part * 100)))}%`
}
