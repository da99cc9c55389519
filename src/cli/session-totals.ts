import { oneLine } from '#core/index/one-line.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import { type SessionTotals, type TotalsGroup, totalsGroups, totalsOf } from '#core/library/session-totals.ts'
import { totalWords } from '#core/library/totals-words.ts'
import { UsageError } from './command.ts'
import { folderText } from './session-lines.ts'
import { columnsOfText, padded } from './text-columns.ts'

export function totalsGroupOf(word: string): TotalsGroup {
  const group = totalsGroups.find((known) => known === word)
  if (group === undefined) throw new UsageError(`--totals ${word}: use one of ${totalsGroups.join(', ')}`)
  return group
}

/** The totals as one JSON object, as `library.totals` answers them. */
export function totalsJson(cards: readonly SessionCard[], by: TotalsGroup): string {
  return JSON.stringify({ by, ...totalsOf(cards, by) })
}

/** The totals as a table. */
export function totalsLines(cards: readonly SessionCard[], by: TotalsGroup, home: string): string[] {
  const { all, groups } = totalsOf(cards, by)
  const rows = [
    [by, 'sessions', 'active time', 'tokens in', 'tokens out', 'cost'],
    ...groups.map(({ key, ...totals }) => [nameOf(key, by, home), ...figures(totals)]),
    ['total', ...figures(all)]
  ]
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => columnsOfText(row[column] ?? ''))))
  const notes = ['inputTokens', 'outputTokens', 'cost'] as const
  return [
    ...rows.map((row) =>
      row
        .map((cell, column) => padded(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd()
    ),
    ...notes.map((what) => `${noteNames[what]}: ${totalWords(all, what).because || 'Not known.'}`)
  ]
}

const noteNames = { inputTokens: 'tokens in', outputTokens: 'tokens out', cost: 'cost' } as const

/** A sum that is not of all sessions says of how many. */
function figures(totals: SessionTotals): string[] {
  const sum = (what: Parameters<typeof totalWords>[1]): string => {
    const { text, of } = totalWords(totals, what)
    return text === null ? 'unknown' : of === '' ? text : `${text} (${of})`
  }
  return [String(totals.sessions), sum('activeMs'), sum('inputTokens'), sum('outputTokens'), sum('cost')]
}

function nameOf(key: string, by: TotalsGroup, home: string): string {
  if (key === '') return 'unknown'
  if (by === 'project') return folderText(key, home)
  return oneLine(key, 80)
}
