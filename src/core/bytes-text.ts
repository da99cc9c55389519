const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

const byteUnits = ['kB', 'MB', 'GB', 'TB']

/** Powers of 1000, as disks and `ls --si` count: 612 -> "612 B", 9_431_040 -> "9.4 MB". */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${whole.format(bytes)} B`
  let value = bytes
  let unit = -1
  // Where rounding would give "1000 kB" the next unit is meant.
  while (unit < byteUnits.length - 1 && (unit < 0 || value >= 999.5)) {
    value /= 1000
    unit++
  }
  return `${value < 9.95 ? value.toFixed(1) : whole.format(value)} ${byteUnits[unit]}`
}
