const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 }

/** Ms of `90s`, `10m`, `1h30m`, `90d`, `2w`; null: not a duration. */
export function durationMs(text: string): number | null {
  if (!/^(?:\d+[smhdw])+$/.test(text)) return null
  const parts = text.match(/\d+[smhdw]/g) ?? []
  return parts.reduce((sum, part) => sum + Number(part.slice(0, -1)) * (units[part.slice(-1)] ?? 0), 0)
}
