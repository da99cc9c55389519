import { linearRegexError } from './linear-regex.ts'
import { type Quantity, quantityExamples, quantityOf } from './quantities.ts'
import { type Comparison, maxQueryDepth, maxQueryLength, type Query, type QueryTest, type QueryValue } from './query.ts'
import { isQueryKey, type QueryKey, queryKeyOf, type QuerySubject, todoStates } from './query-keys.ts'
import { queryTimeOf } from './query-times.ts'
import { sinceTime } from './since-time.ts'
import { groupedText } from '../measure-text.ts'

/** A stretch of the text with one meaning, for colours and completion. `from` and `to` count UTF-16 units. */
export interface QueryToken {
  readonly kind: 'operator' | 'bracket' | 'key' | 'value' | 'text' | 'regex'
  readonly from: number
  readonly to: number
}

/** What is wrong with a query, in words, and where. */
export interface QueryError {
  readonly message: string
  readonly from: number
  readonly to: number
}

/** `query` is null for an empty text, which asks for all rows, and for one with an error. `tokens` end at the error. */
export interface ParsedQuery {
  readonly query: Query | null
  readonly error: QueryError | null
  readonly tokens: readonly QueryToken[]
}

/**
 * Reads the text form of a query (docs/query.md). A key that asks about another subject is an error. Never throws; takes time linear in the
 * length of the text.
 */
export function parseQuery(text: string, subject: QuerySubject): ParsedQuery {
  if (last?.text !== text || last.subject !== subject) last = { text, subject, parsed: parsedAnew(text, subject) }
  return last.parsed
}

/** The last text: for each key that is pressed, a page asks for its parts, its errors, its completions and its tree. */
let last: { readonly text: string; readonly subject: QuerySubject; readonly parsed: ParsedQuery } | null = null

function parsedAnew(text: string, subject: QuerySubject): ParsedQuery {
  const parser = new Parser(text, subject)
  try {
    return { query: parser.whole(), error: null, tokens: parser.tokens }
  } catch (thrown) {
    if (!(thrown instanceof Misplaced)) throw thrown
    const { message, from, to } = thrown
    return { query: null, error: { message, from, to }, tokens: parser.tokens }
  }
}

class Misplaced extends Error {
  readonly from: number
  readonly to: number

  constructor(message: string, from: number, to: number) {
    super(message)
    this.from = from
    this.to = to
  }
}

const space = /\s*/y
const keyName = /-?([a-z][\w.-]*):/y
// A bracket ends a word, so that `(a b)` needs no space before it.
const wordText = /[^\s()]+/y
const operatorWord = /(?:OR|AND|NOT)(?![^\s()])/y
const comparison = /<=|>=|<|>|=/y
const unordered: ReadonlySet<QueryKey['type']> = new Set(['choice', 'name', 'text', 'since'])

/** Of a key about another subject. */
const elsewhere: Readonly<Record<QuerySubject, string>> = {
  rows: 'is a key for sessions. Use it in the library.',
  sessions: 'is a key for events. Open a session to use it.'
}

class Parser {
  readonly tokens: QueryToken[] = []
  readonly #text: string
  readonly #subject: QuerySubject
  /** The texts without a key so far. */
  readonly #texts: { readonly from: number; readonly to: number; isLeftOut: boolean }[] = []
  #at = 0
  #depth = 0

  constructor(text: string, subject: QuerySubject) {
    this.#text = text
    this.#subject = subject
  }

  whole(): Query | null {
    if (this.#text.length > maxQueryLength) {
      throw new Misplaced(
        `A query has at most ${groupedText(maxQueryLength)} characters.`,
        maxQueryLength,
        this.#text.length
      )
    }
    this.#skipSpace()
    if (this.#ended) return null
    const query = this.#or()
    if (!this.#ended) this.#fail('This bracket closes nothing.', this.#at, this.#at + 1)
    if (this.#texts.every(({ isLeftOut }) => isLeftOut))
      this.#refuseTexts(0, 'needs a text to find beside those it leaves out.')
    return query
  }

  /** The lines of all sessions are searched for texts that all have to be in a line, or not: the library can do no more. */
  #refuseTexts(from: number, message: string): void {
    const text = this.#texts[from]
    if (this.#subject === 'sessions' && text !== undefined) {
      this.#fail(`A search of all sessions ${message}`, text.from, text.to)
    }
  }

  get #ended(): boolean {
    return this.#at >= this.#text.length
  }

  #or(): Query {
    const texts = this.#texts.length
    const of = [this.#and()]
    while (this.#operator('OR')) of.push(this.#and())
    if (of.length > 1) this.#refuseTexts(texts, 'takes no text beside OR. Write an expression, as in /one|other/i.')
    return joined('or', of)
  }

  #and(): Query {
    const of = [this.#not()]
    for (;;) {
      if (this.#ended || this.#peek() === ')' || this.#peekOperator() === 'OR') return joined('and', of)
      this.#operator('AND')
      of.push(this.#not())
    }
  }

  #not(): Query {
    const from = this.#at
    if (this.#operator('NOT')) return this.#nested(from, () => this.#negated(() => this.#not()))
    if (!this.#negates()) return this.#atom()
    this.#token('operator', 1)
    return this.#negated(() => this.#atom())
  }

  #negated(read: () => Query): Query {
    const texts = this.#texts.length
    const of = read()
    if (of.op !== 'text') this.#refuseTexts(texts, 'leaves out texts one by one, as in -"one" -"other".')
    for (const text of this.#texts.slice(texts)) text.isLeftOut = true
    return { op: 'not', of }
  }

  /** A minus negates before a key, a quote and a bracket only: `-rf` and `--no-verify` are text. */
  #negates(): boolean {
    if (this.#peek() !== '-') return false
    const next = this.#text.charAt(this.#at + 1)
    return next === '"' || next === '(' || this.#peekKey() !== null
  }

  #atom(): Query {
    const from = this.#at
    if (this.#peek() === '(') {
      return this.#nested(from, () => {
        this.#token('bracket', 1)
        this.#skipSpace()
        const query = this.#or()
        this.#close(from)
        return query
      })
    }
    const operator = this.#peekOperator()
    if (operator !== null) this.#fail(`${operator} needs a term before it.`, from, from + operator.length)
    if (this.#ended || this.#peek() === ')') this.#missing()
    const key = this.#peekKey()
    if (key === null) {
      const value = this.#value('text')
      const { from: start, to } = this.tokens.at(-1) ?? { from, to: this.#at }
      this.#texts.push({ from: start, to, isLeftOut: false })
      return { op: 'text', value }
    }
    this.#token('key', key.name.length + 1)
    const test = this.#test(key, from)
    this.#skipSpace()
    return { op: 'term', key: key.name, test }
  }

  #test(key: QueryKey, from: number): QueryTest {
    if (this.#ended || /\s/.test(this.#peek()) || this.#peek() === ')') {
      this.#fail(`${key.name}: needs a value, as in ${key.example}`, from, this.#at)
    }
    if (key.type === 'todo') return this.#todo(key)
    const isOrdered = !unordered.has(key.type)
    if (isOrdered) {
      const by = this.#take(comparison)
      if (by !== null) this.tokens.push({ kind: 'operator', from: this.#at - by.length, to: this.#at })
      if (by !== null) return { type: 'compare', by: by as Comparison, to: this.#quantity(key, this.#orderedWord(key)) }
      const [first, last] = this.#rangeEnds()
      if (last !== undefined) {
        this.#at += first.length + 2 + last.length
        this.tokens.push({ kind: 'value', from: this.#at - first.length - 2 - last.length, to: this.#at })
        return { type: 'range', from: this.#quantity(key, first), to: this.#quantity(key, last) }
      }
    }
    if (this.#peek() !== '(') return { type: 'any', values: [this.#valueOf(key)] }
    const open = this.#at
    this.#token('bracket', 1)
    this.#skipSpace()
    const values = [this.#valueOf(key)]
    this.#skipSpace()
    while (this.#operator('OR')) {
      values.push(this.#valueOf(key))
      this.#skipSpace()
    }
    this.#close(open)
    return { type: 'any', values }
  }

  /** `"text"=status`, `=status`, or a text alone. */
  #todo(key: QueryKey): QueryTest {
    const start = this.#at
    const text = this.#peek() === '=' ? null : this.#value('value', false)
    if (text !== null) this.#checkLinear(text, start)
    if (this.#peek() !== '=') return { type: 'todo', text, status: null }
    this.#at += 1
    const from = this.#at
    const status = this.#take(wordText) ?? ''
    if (!todoStates.includes(status)) {
      this.#fail(`${key.name}: a status is one of ${todoStates.join(', ')}.`, from - 1, this.#at)
    }
    this.tokens.push({ kind: 'value', from: from - 1, to: this.#at })
    return { type: 'todo', text, status }
  }

  /** `100..200`: both ends; a single value has no second one. */
  #rangeEnds(): [string, string?] {
    wordText.lastIndex = this.#at
    const word = wordText.exec(this.#text)?.[0] ?? ''
    const dots = word.indexOf('..')
    return dots < 0 ? [word] : [word.slice(0, dots), word.slice(dots + 2)]
  }

  #orderedWord(key: QueryKey): string {
    const from = this.#at
    const word = this.#take(wordText)
    if (word === null) this.#fail(`${key.name}: needs a value, as in ${key.example}`, from - 1, from)
    this.tokens.push({ kind: 'value', from, to: this.#at })
    return word
  }

  #valueOf(key: QueryKey): QueryValue {
    const from = this.#at
    const value = this.#value('value', false)
    if (key.cost !== 'scan') this.#checkLinear(value, from)
    const meant = value.type === 'word' ? key.meant?.(value.text.toLowerCase()) : null
    if (meant != null) return { type: 'word', text: meant }
    if (key.type === 'name' || key.type === 'text') return value
    if (value.type !== 'word') this.#fail(`${key.name}: takes a word here, as in ${key.example}`, from, this.#at)
    if (key.type === 'since') this.#since(key, value.text)
    else if (key.type !== 'choice') this.#quantity(key, value.text)
    else if (key.choices?.includes(value.text) !== true) {
      this.#fail(`${key.name}: is one of ${key.choices?.join(', ')}.`, from, this.#at)
    }
    return value
  }

  #checkLinear(value: QueryValue, from: number): void {
    const message = value.type === 'regex' ? linearRegexError(value.source) : null
    if (message !== null) this.#fail(`Unsupported regular expression: ${message}.`, from, this.#at)
  }

  #since(key: QueryKey, word: string): void {
    if (sinceTime(word, 0) !== null) return
    const message = `${key.name}: "${short(word)}" is no time. Write it as 7d, today, 2026-11-22 or 2026-11-22T14:05.`
    this.#fail(message, this.#at - word.length, this.#at)
  }

  /** Checks that `word`, which was just read, is of the key's type. */
  #quantity(key: QueryKey, word: string): string {
    const isTime = key.type === 'time'
    const known = isTime ? queryTimeOf(word) : quantityOf(word, key.type as Quantity)
    if (known !== null) return word
    const example = isTime ? '14:05, 2026-11-22 or 2026-11-22T14:05' : quantityExamples[key.type as Quantity]
    return this.#fail(
      `${key.name}: "${short(word)}" is no ${isTime ? 'time' : 'number'}. Write it as ${example}.`,
      this.#at - word.length,
      this.#at
    )
  }

  #value(kind: 'text' | 'value', skips = true): QueryValue {
    const from = this.#at
    const first = this.#peek()
    const value = first === '"' ? this.#quoted() : ((first === '/' ? this.#regex() : null) ?? this.#word())
    this.tokens.push({ kind: value.type === 'regex' ? 'regex' : kind, from, to: this.#at })
    if (skips) this.#skipSpace()
    return value
  }

  #word(): QueryValue {
    const text = this.#take(wordText)
    if (text === null) this.#fail('A value is missing here.', this.#at, this.#at + 1)
    return { type: 'word', text }
  }

  #quoted(): QueryValue {
    const from = this.#at
    let text = ''
    for (let at = from + 1; at < this.#text.length; at += 1) {
      const char = this.#text.charAt(at)
      if (char === '"') {
        this.#at = at + 1
        return { type: 'quoted', text }
      }
      const escaped = char === '\\' ? this.#text.charAt(at + 1) : ''
      if (escaped === '"' || escaped === '\\') at += 1
      text += escaped === '"' || escaped === '\\' ? escaped : char
    }
    return this.#fail('This quote is not closed.', from, this.#text.length)
  }

  /** Null where what begins with a slash is a path: `/usr/bin/env`. */
  #regex(): QueryValue | null {
    const from = this.#at
    let source = ''
    for (let at = from + 1; at < this.#text.length; at += 1) {
      const char = this.#text.charAt(at)
      if (char === '\\') {
        at += 1
        source += this.#text.charAt(at) === '/' ? '/' : char + this.#text.charAt(at)
        continue
      }
      if (char !== '/') {
        source += char
        continue
      }
      const flag = this.#text.charAt(at + 1) === 'i' ? 1 : 0
      const end = at + 1 + flag
      if (source === '' || !/^[\s)]?$/.test(this.#text.charAt(end))) return null
      this.#at = end
      const message = regexError(source)
      if (message !== null) this.#fail(`Invalid regular expression: ${message}.`, from, end)
      return { type: 'regex', source, ignoreCase: flag === 1 }
    }
    return null
  }

  /** The text before determines the expected value. */
  #missing(): never {
    const before = this.tokens.at(-1)
    const said = before === undefined ? '' : this.#text.slice(before.from, before.to)
    const message =
      said === '(' || said === '' ? 'There is nothing in these brackets.' : `${said} needs a term behind it.`
    return this.#fail(message, before?.from ?? this.#at, before?.to ?? this.#at + 1)
  }

  #nested(from: number, read: () => Query): Query {
    this.#depth += 1
    if (this.#depth > maxQueryDepth) {
      this.#fail(`Brackets and NOT can be nested ${maxQueryDepth} deep.`, from, from + 1)
    }
    const query = read()
    this.#depth -= 1
    return query
  }

  #close(open: number): void {
    if (this.#peek() !== ')') this.#fail('This bracket is not closed.', open, open + 1)
    this.#token('bracket', 1)
    this.#skipSpace()
  }

  #peek(): string {
    return this.#text.charAt(this.#at)
  }

  #peekKey(): QueryKey | null {
    keyName.lastIndex = this.#at
    const [whole, name] = keyName.exec(this.#text) ?? []
    if (whole === undefined || name === undefined) return null
    const key = queryKeyOf(name, this.#subject)
    if (key !== null || !isQueryKey(name)) return key
    const from = this.#at + whole.length - name.length - 1
    return this.#fail(
      `${name}: ${elsewhere[this.#subject]} Put it in quotes to find it as a text.`,
      from,
      from + name.length + 1
    )
  }

  #peekOperator(): string | null {
    operatorWord.lastIndex = this.#at
    return operatorWord.exec(this.#text)?.[0] ?? null
  }

  #operator(name: string): boolean {
    if (this.#peekOperator() !== name) return false
    this.#token('operator', name.length)
    this.#skipSpace()
    return true
  }

  #token(kind: QueryToken['kind'], length: number): void {
    this.tokens.push({ kind, from: this.#at, to: this.#at + length })
    this.#at += length
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0] ?? null
    if (found !== null) this.#at += found.length
    return found
  }

  #skipSpace(): void {
    this.#take(space)
  }

  #fail(message: string, from: number, to: number): never {
    const end = this.#text.length
    throw new Misplaced(message, Math.min(from, end), Math.min(Math.max(to, from), end))
  }
}

function joined(op: 'and' | 'or', of: readonly Query[]): Query {
  const [only] = of
  return of.length === 1 && only !== undefined ? only : { op, of }
}

/** What JavaScript says of a pattern that it refuses; null for one it takes. */
function regexError(source: string): string | null {
  try {
    void new RegExp(source, 'u')
    return null
  } catch (thrown) {
    return short(String(thrown instanceof Error ? thrown.message : thrown).replace(/^.*: /s, ''))
  }
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
