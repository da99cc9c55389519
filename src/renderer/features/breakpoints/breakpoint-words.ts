import { queryTextOf } from '#core/query/rule-query.ts'
import type { BreakpointRule, PlaceInRun } from '#core/replay/review.ts'
import { formatCount } from '../../ui/format.ts'
import { kindNames } from '../filter/filter-words.ts'

/** The name of a breakpoint: its query, or its row. */
export function breakpointName(rule: BreakpointRule): string {
  return rule.type === 'place' ? placeName(rule.place) : queryTextOf(rule)
}

/** The name of a breakpoint at one row: its text and line. */
export function placeName({ kind, line, text }: PlaceInRun): string {
  return text === '' ? `${kindNames[kind]}, line ${formatCount(line)}` : text
}
