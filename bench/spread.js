/** Of some numbers the median, the 95th percentile and the most, to a tenth. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN) * 10) / 10
  return { p50: at(0.5), p95: at(0.95), max: at(1) }
}
