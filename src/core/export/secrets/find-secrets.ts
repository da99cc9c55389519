import { terminalSequence } from '../../index/terminal-sequences.ts'
import { privateKeys, privateKeySign } from './private-keys.ts'
import { contextSigns, type SecretContext } from './secret-contexts.ts'
import { formatSigns, formattedSecrets, type SecretFormat } from './secret-formats.ts'
import { type SecretShape, shapedSecret, shapeSigns } from './secret-shapes.ts'
import { mergedSpans, type SecretSpan } from './secret-span.ts'
import { type Sign, type SignPlace, SignScanner } from './sign-scanner.ts'

/**
 * The secrets of a text, ascending, none overlapping. The same for the same text; linear in its length. Also what is seen as one where
 * something stands in it that is not: colours of a terminal, as where `grep` marks what it found, and characters without a shape.
 */
export function findSecrets(text: string): SecretSpan[] {
  return unseen.test(text) ? mergedSpans(writtenSecrets(text), shownSecrets(text)) : writtenSecrets(text)
}

type Rule =
  | { readonly sort: 'key' }
  | { readonly sort: 'format'; readonly sign: Sign<SecretFormat> }
  | { readonly sort: 'shape'; readonly sign: Sign<SecretShape> }
  | { readonly sort: 'context'; readonly sign: Sign<SecretContext> }

const scanner = new SignScanner<Rule>([
  { text: privateKeySign, of: { sort: 'key' } },
  ...formatSigns.map((sign) => ({ ...sign, of: { sort: 'format', sign } as const })),
  ...shapeSigns.map((sign) => ({ ...sign, of: { sort: 'shape', sign } as const })),
  ...contextSigns.map((sign) => ({ ...sign, of: { sort: 'context', sign } as const }))
])

function writtenSecrets(text: string): SecretSpan[] {
  const places = scanner.places(text)
  if (places.length === 0) return []
  const keys = places.some(({ sign }) => sign.of.sort === 'key') ? privateKeys(text) : []
  return mergedSpans(
    keys,
    ofSort('format', text, places),
    ofSort('shape', text, places),
    ofSort('context', text, places)
  )
}

/** What one sort of rules finds; a secret that was found is not looked into again. */
function ofSort(sort: Rule['sort'], text: string, places: readonly SignPlace<Rule>[]): SecretSpan[] {
  const spans: SecretSpan[] = []
  let from = 0
  for (const { at, sign } of places) {
    if (sign.of.sort !== sort || at < from) continue
    for (const span of found(text, at, sign.of)) {
      spans.push(span)
      from = Math.max(from, span.end)
    }
  }
  return spans
}

function found(text: string, at: number, rule: Rule): readonly SecretSpan[] {
  if (rule.sort === 'format') return formattedSecrets(text, at, rule.sign)
  if (rule.sort === 'key') return []
  const span =
    rule.sort === 'shape' ? shapedSecret(text, at, rule.sign) : rule.sign.of.find(text, at, at + rule.sign.text.length)
  return span === null ? [] : [span]
}

/** Characters without a shape: zero-width ones, soft hyphens, marks of direction. */
const shapeless = String.raw`\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff`
/** What begins a terminal sequence, and what is not seen. */
const unseen = new RegExp(String.raw`[\u001b\u009b${shapeless}]`)
const hidden = new RegExp(`${terminalSequence.source}|[${shapeless}]+`, 'g')

/** The secrets of what is seen of a text, at their places in the text. */
function shownSecrets(text: string): SecretSpan[] {
  let shown = ''
  /** Of each stretch between sequences: where it begins in what is shown, and how much was left out before it. */
  const stretches: { from: number; hidden: number }[] = []
  let at = 0
  for (const { 0: sequence, index } of text.matchAll(hidden)) {
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
