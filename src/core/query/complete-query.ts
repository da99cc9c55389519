import { parseQuery } from './parse-query.ts'
import { type QueryKey, queryKeyOf, type QuerySubject } from './query-keys.ts'

/** The part of a query that is being typed. `from` and `to` count UTF-16 units. */
export interface TypedPart {
  /** The key whose value it is; null: a key, or a text. */
  readonly key: QueryKey | null
  readonly typed: string
  readonly from: number
  readonly to: number
  /** One of several values in brackets. */
  readonly inList: boolean
}

/** The part that ends at the caret. It may be empty. */
export function typedAt(text: string, caret: number, subject: QuerySubject): TypedPart {
  const head = text.slice(0, caret)
  const { tokens } = parseQuery(head, subject)
  const last = tokens.at(-1)
  const nothing = { key: null, typed: '', from: caret, to: caret, inList: false }
  if (last === undefined) return nothing
  const word = head.slice(last.from, last.to)
  // What cannot be read has no token.
  const rest = /\S*$/.exec(head.slice(last.to))?.[0] ?? ''
  if (rest !== '') return { ...nothing, typed: rest, from: caret - rest.length }
  const touches = last.to === caret
  const at = tokens.findLastIndex(({ kind }) => kind === 'key')
  const keyToken = tokens[at]
  const key = keyToken && queryKeyOf(head.slice(keyToken.from, keyToken.to - 1), subject)
  const bracket = tokens[at + 1]
  const hasList = bracket?.kind === 'bracket' && bracket.from === keyToken?.to
  const closes = tokens.slice(at + 1).some(({ from, to }) => head.slice(from, to) === ')')
  const inList = hasList && !closes
  if (last.kind === 'text' && touches) {
    const from = word.startsWith('-') ? last.from + 1 : last.from
    return { ...nothing, typed: head.slice(from, caret), from }
  }
  // An expression without a key is a text.
  const isOfKey = inList || !/\s/.test(head.slice(keyToken?.to, last.from))
  const isValue = isOfKey && (last.kind === 'value' || last.kind === 'regex')
  if (key && touches && isValue) return { key, typed: word, from: last.from, to: caret, inList }
  const begins = last.kind === 'key' || last.kind === 'operator'
  if (key && ((touches && begins && last.from >= (keyToken?.from ?? 0)) || inList)) return { ...nothing, key, inList }
  return touches && last.kind === 'regex' ? { ...nothing, typed: word, from: last.from } : nothing
}
