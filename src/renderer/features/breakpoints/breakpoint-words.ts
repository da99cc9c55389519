import type { BreakpointRule, PlaceInRun } from '#core/replay/review.ts'
import { formatCount } from '../../ui/format.ts'
import { kindNames } from '../filter/filter-words.ts'
import { statusWords } from '../todos/status-words.ts'
import { toolLabels } from '../../ui/row-label.ts'

/** Names of a list that are shown; the others are counted. */
const maxNames = 3

/** The name of a breakpoint: its conditions. */
export function breakpointName(rule: BreakpointRule): string {
  switch (rule.type) {
    case 'rows': {
      const words = [listed(toolLabels(rule.tools)), listed(rule.kinds.map((kind) => kindNames[kind]))]
      if (rule.text !== null) words.push(rule.text.regex ? `/${rule.text.text}/` : `“${rule.text.text}”`)
      return words.filter((each) => each !== '').join(' · ')
    }
    case 'todo':
      return `${rule.text === '' ? 'Any todo' : `“${rule.text}”`} ${rule.status === 'dropped' ? 'is' : 'reaches'} ${statusWords[rule.status]}`
    case 'place':
      return placeName(rule.place)
  }
}

/** The name of a breakpoint at one row: its text and line. */
export function placeName({ kind, line, text }: PlaceInRun): string {
  return text === '' ? `${kindNames[kind]}, line ${formatCount(line)}` : text
}

function listed(names: readonly string[]): string {
  const listed = names.slice(0, maxNames).join(', ')
  return names.length > maxNames ? `${listed} and ${names.length - maxNames} more` : listed
}
