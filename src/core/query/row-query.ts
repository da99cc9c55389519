import type { Query, QueryValue } from './query.ts'
import { maybe, no, type QueriedRun, type ReadRow, type RowTerm, rowTerms, yes } from './row-terms.ts'

/** A text of a query. The log is searched for it, as Find searches; the rows found are given as they come. */
export class TextTerm implements RowTerm {
  readonly value: QueryValue
  #rows: Uint32Array = new Uint32Array()
  #decided = 0

  constructor(value: QueryValue) {
    this.value = value
  }

  /** `rows`: all rows below `decided` whose line holds the text, ascending. */
  setFound(rows: Uint32Array, decided: number): void {
    this.#rows = rows
    this.#decided = decided
  }

  fill(from: number, into: Uint8Array): void {
    const known = Math.max(0, Math.min(into.length, this.#decided - from))
    into.fill(no, 0, known).fill(maybe, known)
    for (let at = firstFrom(this.#rows, from); at < this.#rows.length; at++) {
      const row = this.#rows[at] ?? Infinity
      if (row >= from + known) break
      into[row - from] = yes
    }
  }
}

type Node =
  | { readonly op: 'and' | 'or'; readonly of: readonly Node[] }
  | { readonly op: 'not'; readonly of: Node }
  | { readonly op: 'term'; readonly term: RowTerm }

/** A query made ready for one index. It is made anew when rows were added or have changed. */
export class RowQuery {
  /** The texts that the log has to be searched for; equal ones once. */
  readonly texts: readonly TextTerm[]
  readonly #root: Node
  readonly #one = new Uint8Array(1)

  /** `query`: null for all rows. `texts`: of the same query, made ready before; what they found stays. */
  constructor(query: Query | null, run: QueriedRun, texts: readonly TextTerm[] = []) {
    const known = new Map(texts.map((term) => [JSON.stringify(term.value), term]))
    const used = new Set<TextTerm>()
    const text = (value: QueryValue): Node => {
      const key = JSON.stringify(value)
      const term = known.get(key) ?? new TextTerm(value)
      known.set(key, term)
      used.add(term)
      return { op: 'term', term }
    }
    this.#root = query === null ? { op: 'and', of: [] } : ready(query, run, text)
    this.texts = [...used]
  }

  /** Writes what is known of rows from `from` on without reading: `no`, `maybe` or `yes`. */
  fill(from: number, into: Uint8Array): void {
    fillNode(this.#root, from, into)
  }

  /** Whether a row meets the query. Reads rows only where that is needed; texts must have been searched for. */
  async holds(row: number, read: (row: number) => Promise<ReadRow>): Promise<boolean> {
    return await this.#holds(this.#root, row, read)
  }

  async #holds(node: Node, row: number, read: (row: number) => Promise<ReadRow>): Promise<boolean> {
    this.#one[0] = no
    fillNode(node, row, this.#one)
    if (this.#one[0] !== maybe) return this.#one[0] === yes
    switch (node.op) {
      case 'term': {
        const { reads } = node.term
        return reads !== undefined && reads.decide(await read(reads.rowFor(row)))
      }
      case 'not':
        return !(await this.#holds(node.of, row, read))
      case 'and':
        for (const part of node.of) if (!(await this.#holds(part, row, read))) return false
        return true
      case 'or':
        for (const part of node.of) if (await this.#holds(part, row, read)) return true
        return false
    }
  }
}

function ready(query: Query, run: QueriedRun, text: (value: QueryValue) => Node): Node {
  switch (query.op) {
    case 'and':
    case 'or':
      return { op: query.op, of: query.of.map((part) => ready(part, run, text)) }
    case 'not':
      return { op: 'not', of: ready(query.of, run, text) }
    case 'text':
      return text(query.value)
    case 'term': {
      const { key, test } = query
      if (key === 'text') return { op: 'or', of: test.type === 'any' ? test.values.map(text) : [] }
      return { op: 'or', of: rowTerms(key, test, run).map((term) => ({ op: 'term', term })) }
    }
  }
}

/** `and` is the least of its parts, `or` the greatest, `not` the opposite: `no` < `maybe` < `yes`. */
function fillNode(node: Node, from: number, into: Uint8Array): void {
  switch (node.op) {
    case 'term':
      node.term.fill(from, into)
      return
    case 'not':
      fillNode(node.of, from, into)
      for (let i = 0; i < into.length; i++) into[i] = yes - (into[i] ?? no)
      return
    case 'and':
    case 'or':
      fillParts(node.op, node.of, from, into)
  }
}

function fillParts(op: 'and' | 'or', parts: readonly Node[], from: number, into: Uint8Array): void {
  const [first, ...others] = parts
  if (first === undefined) {
    into.fill(op === 'and' ? yes : no)
    return
  }
  fillNode(first, from, into)
  const part = others.length === 0 ? into : new Uint8Array(into.length)
  for (const other of others) {
    fillNode(other, from, part)
    for (let i = 0; i < into.length; i++) {
      const [a = no, b = no] = [into[i], part[i]]
      into[i] = op === 'and' ? Math.min(a, b) : Math.max(a, b)
    }
  }
}

function firstFrom(rows: Uint32Array, from: number): number {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((rows[middle] ?? Infinity) < from) low = middle + 1
    else high = middle
  }
  return low
}
