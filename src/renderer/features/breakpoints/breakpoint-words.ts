import type { BreakpointRule, PlaceInRun } from '#core/replay/review.ts'
import { formatCount } from '../../ui/format.ts'
import { kindNames } from '../filter/filter-words.ts'
import { statusWords } from '../todos/status-words.ts'
import { toolLabels } from '../../ui/row-label.ts'

/** Names told of a list; the others are counted. */
const mostNames = 3

/** What a breakpoint is called: what it stops at. */
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

/** A row that was chosen by itself: what it said, and where it stands. */
export function placeName({ kind, line, text }: PlaceInRun): string {
  return text === '' ? `${kindNames[kind]}, line ${formatCount(line)}` : text
}

function listed(names: readonly string[]): string {
  const told = names.slice(0, mostNames).join(', ')
  return names.length > mostNames ? `${told} and ${names.length - mostNames} more` : told
}
