import type { SavedView } from '#contract/settings.ts'
import { typedAt } from '#core/query/complete-query.ts'
import { isWord } from '#core/query/print-query.ts'
import { type QueryKey, queryKeys, type QuerySubject } from '#core/query/query-keys.ts'
import type { QueryValueOption, ValueCounts } from './query-values.ts'

/** What can be put into a query at the caret. */
export interface Completion {
  readonly group: string
  /** `status:` before its value. */
  readonly key: string
  readonly value: string
  readonly note: string
  readonly count: number | null
  /** Replaces the text from `from` to `to`. */
  readonly insert: string
  readonly from: number
  readonly to: number
}

export interface CompletionSource {
  /** Keys about rows, or about sessions. */
  readonly asks: QuerySubject
  readonly valuesOf: (key: QueryKey, counts: ValueCounts) => readonly QueryValueOption[]
  /** Queries that were used before, the newest first. */
  readonly recent: readonly string[]
  readonly views?: readonly SavedView[]
}

const maxValues = 8
const maxRecent = 8

/** The key whose values are offered at the caret; null: of none. */
export function offeredKeyAt(text: string, caret: number, subject: QuerySubject): QueryKey | null {
  const { key, typed } = typedAt(text, caret, subject)
  return key ?? meantBy(typed, subject)
}

/** Of a key that is begun, not of one that is whole. */
function meantBy(typed: string, subject: QuerySubject): QueryKey | null {
  const [meant = null] = typed === '' ? [] : offered(subject).filter(({ name }) => name.startsWith(typed))
  return meant?.name === typed ? null : meant
}

/**
 * Completions at the caret: values of the key there; else keys, with the values of the one that is meant; views and recent queries without
 * a text. `counts`: of the values of `offeredKeyAt`.
 */
export function completionsAt(
  text: string,
  caret: number,
  source: CompletionSource,
  counts: ValueCounts
): readonly Completion[] {
  const { key, typed, from, to, inList } = typedAt(text, caret, source.asks)
  const valuesFor = (of: QueryKey, wanted: string, start: number, most: number): readonly Completion[] =>
    source
      .valuesOf(of, counts)
      .filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()) && name !== wanted)
      .slice(0, most)
      .map(({ name, count }) => ({
        ...{ group: `Values of ${of.name}`, key: `${of.name}:`, value: name, note: '', count },
        insert: `${start < from || key === null ? `${of.name}:` : ''}${valueText(name)}${inList ? '' : ' '}`,
        from,
        to
      }))
  if (key !== null) return valuesFor(key, typed.replace(/^["/]|["/]$/g, ''), from, 100)
  const asked = offered(source.asks).filter(({ name }) => name.startsWith(typed))
  const meant = meantBy(typed, source.asks)
  const values = meant === null ? [] : valuesFor(meant, '', from, maxValues)
  const keys = asked.map(({ name, reads }): Completion => ({
    ...{ group: 'Keys', key: `${name}:`, value: '', note: reads, count: null },
    insert: `${name}:`,
    from,
    to
  }))
  return [...(text.trim() === '' ? wholeQueries(source, text.length) : []), ...values, ...keys]
}

/** Whether the word at the caret is the beginning of a key, or a key that has no value yet. */
export function isBegunAt(text: string, caret: number, subject: QuerySubject): boolean {
  const { key, typed } = typedAt(text, caret, subject)
  if (key !== null) return typed === ''
  return typed !== '' && offered(subject).some(({ name }) => name.startsWith(typed))
}

function offered(subject: QuerySubject): readonly QueryKey[] {
  return queryKeys[subject].filter(({ former }) => former !== true)
}

function wholeQueries({ recent, views = [] }: CompletionSource, to: number): readonly Completion[] {
  const whole = (group: string, query: string, note: string): Completion => ({
    ...{ group, key: '', value: query, note, count: null },
    insert: query,
    from: 0,
    to
  })
  return [
    ...views.map(({ name, query }) => whole('Views', query, name)),
    ...recent
      .filter((query) => !views.some((view) => view.query === query))
      .slice(0, maxRecent)
      .map((query) => whole('Recent', query, ''))
  ]
}

function valueText(name: string): string {
  return isWord(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`
}
