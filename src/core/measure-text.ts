/** Thousands by commas, as `en-US` writes an integer: "12,345". The first use of `Intl` takes each process and each thread 20 ms. */
export function groupedText(value: number): string {
  const digits = String(Math.round(value))
  return digits.length < 4 ? digits : digits.replace(/\B(?=(?:\d{3})+$)/g, ',')
}

const byteUnits = ['kB', 'MB', 'GB', 'TB']

/** Powers of 1000, as disks and `ls --si` count: 612 -> "612 B", 9_431_040 -> "9.4 MB". */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${groupedText(bytes)} B`
  let value = bytes
  let unit = -1
  // 999.5, so rounding never gives "1000 kB".
  while (unit < byteUnits.length - 1 && (unit < 0 || value >= 999.5)) {
    value /= 1000
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1) : groupedText(value)} ${byteUnits[unit]}`
}

const countUnits = ['k', 'M', 'G']

/** Rounded counts: "950", "12.3k", "332k", "14.0M". */
export function countText(count: number): string {
  if (count < 1000) return String(Math.round(count))
  let value = count / 1000
  let unit = 0
  while (value >= 999.5 && unit < countUnits.length - 1) {
    value /= 1000
    unit++
  }
  return `${value < 99.95 ? value.toFixed(1) : groupedText(value)}${countUnits[unit]}`
}

/** "950 ms", "1.2 s", "6m 33s", "1h 02m", "2d 8h"; "" for NaN. Records may go back in time: negative. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return ''
  if (ms < 0) return `−${durationText(-ms)}`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${twoDigits(seconds % 60)}s`
  const minutes = Math.round(ms / 60_000)
  if (minutes < 1440) return `${Math.floor(minutes / 60)}h ${twoDigits(minutes % 60)}m`
  const hours = Math.round(ms / 3_600_000)
  return `${groupedText(Math.floor(hours / 24))}d ${hours % 24}h`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** US dollars: "$0.11", with four digits below $0.10. `down`: a lower bound, which rounding must not raise. */
export function costText(usd: number, down = false): string {
  const digits = Math.abs(usd) < 0.1 && usd !== 0 ? 4 : 2
  if (!down) return `$${usd.toFixed(digits)}`
  const unit = 10 ** digits
  // 0.29 × 100 is 28.999999999999996.
  return `$${(Math.floor(usd * unit + 1e-6) / unit).toFixed(digits)}`
}
