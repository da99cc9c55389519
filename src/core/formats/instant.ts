const isoDate = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i

/**
 * The moment an ISO 8601 string names, in ms since the epoch; undefined for anything else (formats.md 1.6: a value may be no date).
 * Without a zone it is UTC: what a log means must not depend on the machine that reads it.
 */
export function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string' || value.length > 40) return undefined
  const match = isoDate.exec(value)
  if (match === null) return undefined
  const withZone = match[1] !== undefined || value.length === 10 ? value : `${value}Z`
  const instant = Date.parse(withZone.replace(' ', 'T').replace(',', '.'))
  return Number.isNaN(instant) ? undefined : instant
}
