import type { Query, QueryTest, QueryValue } from './query.ts'
import { isQueryKey } from './query-keys.ts'

/** The text form of a query, which `parseQuery` reads back to an equal tree. A word that cannot stand as one is put in quotes. */
export function printQuery(query: Query | null): string {
  return query === null ? '' : printed(query, 'or')
}

/** `place`: the loosest operator that needs no brackets there. */
function printed(query: Query, place: 'or' | 'and' | 'not'): string {
  switch (query.op) {
    case 'or':
      return bracketed(query.of.map((part) => printed(part, 'and')).join(' OR '), place !== 'or')
    case 'and':
      return bracketed(query.of.map((part) => printed(part, 'not')).join(' '), place === 'not')
    case 'not': {
      const text = printed(query.of, 'not')
      return `${takesMinus(query.of) ? '-' : 'NOT '}${text}`
    }
    case 'text':
      return valueText(query.value, isBareWord)
    case 'term':
      return `${query.key}:${testText(query.test)}`
  }
}

function bracketed(text: string, wanted: boolean): string {
  return wanted ? `(${text})` : text
}

/** A minus before anything else is part of a word. */
function takesMinus(query: Query): boolean {
  return query.op === 'not' ? false : query.op !== 'text' || valueText(query.value, isBareWord).startsWith('"')
}

function testText(test: QueryTest): string {
  switch (test.type) {
    case 'any': {
      const texts = test.values.map((value) => valueText(value, isWord))
      return bracketed(texts.join(' OR '), texts.length > 1)
    }
    case 'compare':
      return test.by + test.to
    case 'range':
      return `${test.from}..${test.to}`
    case 'todo':
      return todoText(test.text, test.status)
  }
}

/** Only a quoted text may have a status behind it. */
function todoText(text: QueryValue | null, status: string | null): string {
  if (text === null) return `=${status ?? ''}`
  if (status === null) return valueText(text, isWord)
  return `${text.type === 'regex' ? valueText(text, isWord) : quoted(text.text)}=${status}`
}

function valueText(value: QueryValue, mayStand: (word: string) => boolean): string {
  if (value.type === 'regex')
    return `/${value.source.replace(/\\[^]|\//g, (part) => (part === '/' ? '\\/' : part))}/${value.ignoreCase ? 'i' : ''}`
  return value.type === 'word' && mayStand(value.text) ? value.text : quoted(value.text)
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

/** Whether a text reads back as one word behind a key. */
export function isWord(text: string): boolean {
  return /^[^\s()"][^\s()]*$/.test(text) && !startsAsRegex(text)
}

/** Whether a text reads back as one word that is no term and no operator. */
export function isBareWord(text: string): boolean {
  const [, name] = /^-?([a-z][\w.-]*):/.exec(text) ?? []
  if (name !== undefined && isQueryKey(name)) return false
  return isWord(text) && !/^(?:OR|AND|NOT)$/.test(text) && !text.startsWith('-"')
}

/** Whether a word could be read as the beginning of a regular expression, given the text that may follow it. */
function startsAsRegex(word: string): boolean {
  const closing = /^\/(?:[^\\/]|\\[^])*(\/?)/.exec(word)
  return closing !== null && (closing[1] === '' || /^i?$/.test(word.slice(closing[0].length)))
}
