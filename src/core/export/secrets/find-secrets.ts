import { terminalSequence } from '../../index/terminal-sequences.ts'
import { privateKeys } from './private-keys.ts'
import { announcedSecrets } from './secret-contexts.ts'
import { formattedSecrets } from './secret-formats.ts'
import { shapedSecrets } from './secret-shapes.ts'
import { mergedSpans, type SecretSpan } from './secret-span.ts'

/**
 * The secrets of a text, ascending, none overlapping. The same for the same text; linear in its length. Also what a terminal shows as one
 * where colours stand in it, as where `grep` marks what it found.
 */
export function findSecrets(text: string): SecretSpan[] {
  return escape.test(text) ? mergedSpans(writtenSecrets(text), shownSecrets(text)) : writtenSecrets(text)
}

function writtenSecrets(text: string): SecretSpan[] {
  return mergedSpans(privateKeys(text), formattedSecrets(text), shapedSecrets(text), announcedSecrets(text))
}

/** What begins a terminal sequence. */
const escape = new RegExp(String.raw`[\u001b\u009b]`)

/** The secrets of what a terminal shows of a text, at their places in the text. */
function shownSecrets(text: string): SecretSpan[] {
  let shown = ''
  /** Of each stretch between sequences: where it begins in what is shown, and how much was left out before it. */
  const stretches: { from: number; hidden: number }[] = []
  let at = 0
  for (const { 0: sequence, index } of text.matchAll(terminalSequence)) {
    stretches.push({ from: shown.length, hidden: at - shown.length })
    shown += text.slice(at, index)
    at = index + sequence.length
  }
  stretches.push({ from: shown.length, hidden: at - shown.length })
  shown += text.slice(at)
  let stretch = 0
  const placeOf = (character: number): number => {
    while ((stretches[stretch + 1]?.from ?? Infinity) <= character) stretch++
    return character + (stretches[stretch]?.hidden ?? 0)
  }
  return writtenSecrets(shown).map(({ kind, start, end }) => ({
    kind,
    start: placeOf(start),
    end: placeOf(end - 1) + 1
  }))
}
