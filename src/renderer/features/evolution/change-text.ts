import type { TodoSnapshot } from '#contract/methods.ts'
import { formatPlural } from '../../ui/format.ts'
import { displayText } from '../../ui/display-text.ts'
import { changedItems, listChanges } from '../todos/list-changes.ts'

/** Further items of a kind are only counted. */
const mostNamed = 3
const longestText = 80

/** The changes of a list in words: "done: Read it · started: Write it · 4 added". */
export function changeText(
  snapshot: Pick<TodoSnapshot, 'items' | 'changes' | 'moreChanges' | 'edited' | 'returned'>
): string {
  const changes = listChanges(snapshot)
  if (changes.length + snapshot.moreChanges === 0) return 'no change'
  const cleared = snapshot.items.length === 0
  // "Cleared" covers all items except the dropped ones.
  const told = changedItems(changes).filter(({ word }) => !cleared || word === 'dropped')
  const words = told.map(({ word, texts }) =>
    texts.length > mostNamed
      ? `${formatPlural(texts.length, 'item')} ${word}`
      : `${word}: ${texts.map(oneLine).join(', ')}`
  )
  if (cleared) return ['cleared', ...words].join(' · ')
  if (snapshot.moreChanges > 0) words.push(formatPlural(snapshot.moreChanges, 'more change'))
  return words.join(' · ')
}

function oneLine(text: string): string {
  const line = displayText(text.slice(0, longestText + 1)).replaceAll(/\s+/g, ' ')
  return line.length > longestText ? `${line.slice(0, longestText - 1)}…` : line
}
