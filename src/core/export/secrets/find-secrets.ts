import { terminalSequence } from '../../index/terminal-sequences.ts'
import { privateKeys, privateKeySigns } from './private-keys.ts'
import { contextSigns, type SecretContext } from './secret-contexts.ts'
import type { SecretFormat } from './secret-format.ts'
import { formatSigns, formattedSecrets } from './secret-formats.ts'
import { type SecretShape, shapedSecret, shapeSigns } from './secret-shapes.ts'
import { mergedSpans, type SecretSpan } from './secret-span.ts'
import { type Sign, type SignPlace, SignScanner } from './sign-scanner.ts'

/**
 * The secrets of a text, ascending and without overlaps. Deterministic and linear. Also finds secrets interrupted by
 * invisible text: terminal colours, as of `grep`, and zero-width characters.
 */
export function findSecrets(text: string): SecretSpan[] {
  return unseen.test(text) ? mergedSpans(writtenSecrets(text), shownSecrets(text)) : writtenSecrets(text)
}

/** The places of the signs of secrets in a text, ascending. */
export function signPlaces(text: string): number[] {
  return scanner.places(text).map(({ at }) => at)
}

type Rule =
  | { readonly sort: 'key' }
  | { readonly sort: 'format'; readonly sign: Sign<SecretFormat> }
  | { readonly sort: 'shape'; readonly sign: Sign<SecretShape> }
  | { readonly sort: 'context'; readonly sign: Sign<SecretContext> }

const scanner = new SignScanner<Rule>([
  ...privateKeySigns.map((text) => ({ text, of: { sort: 'key' } as const })),
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

/** The secrets of one sort of rules; does not search inside a found secret. */
function ofSort(sort: Rule['sort'], text: string, places: readonly SignPlace<Rule>[]): SecretSpan[] {
  const spans: SecretSpan[] = []
  let from = 0
  for (const { at, sign } of places) {
    if (sign.of.sort !== sort || at < from) continue
    const found = secretsOf(text, at, sign.of)
    spans.push(...found)
    // Several are those of a table or an object, with other secrets between them.
    if (found.length === 1) from = Math.max(from, found[0]?.end ?? 0)
  }
  return spans
}

function secretsOf(text: string, at: number, rule: Rule): readonly SecretSpan[] {
  if (rule.sort === 'format') return formattedSecrets(text, at, rule.sign)
  if (rule.sort === 'key') return []
  const found =
    rule.sort === 'shape' ? shapedSecret(text, at, rule.sign) : rule.sign.of.find(text, at, at + rule.sign.text.length)
  return found === null ? [] : 'kind' in found ? [found] : found
}

/** Invisible characters: zero-width ones, soft hyphens, marks of direction. */
const shapeless = String.raw`\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff`
/** Starts of terminal sequences, and invisible characters. */
const unseen = new RegExp(String.raw`[\u001b\u009b${shapeless}]`)
const hidden = new RegExp(`${terminalSequence.source}|[${shapeless}]+`, 'g')

/** The secrets of the visible text, at their places in `text`. */
function shownSecrets(text: string): SecretSpan[] {
  let shown = ''
  /** Visible stretches: their start in `shown`, and the number of hidden characters before. */
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
