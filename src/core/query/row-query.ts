import type { Query, QueryValue } from './query.ts'
import { RowBlock } from './row-block.ts'
import { maybe, no, type QueriedRun, type ReadRow, type RowTerm, yes } from './row-term.ts'
import { rowTerms } from './row-terms.ts'

/** Rows that are evaluated together: few enough for their columns to stay in a core's cache. */
const blockRows = 1 << 13

/** The rows so far whose line holds a text, ascending. */
export interface TextRows {
  /** Infinity beyond the end. */
  at(index: number): number
  countBelow(row: number): number
}

const noRows: TextRows = { at: () => Infinity, countBelow: () => 0 }

/** A text of a query. The log is searched for it, as Find searches. */
export class TextTerm implements RowTerm {
  readonly value: QueryValue
  #rows = noRows
  #decided = 0

  constructor(value: QueryValue) {
    this.value = value
  }

  /** `rows`: has all rows below `decided`, and is read from now on without a copy. */
  setFound(rows: TextRows, decided: number): void {
    this.#rows = rows
    this.#decided = decided
  }

  fill({ from }: RowBlock, into: Uint8Array): void {
    const known = Math.max(0, Math.min(into.length, this.#decided - from))
    into.fill(no, 0, known).fill(maybe, known)
    for (let at = this.#rows.countBelow(from); ; at++) {
      const row = this.#rows.at(at)
      if (row >= from + known) return
      into[row - from] = yes
    }
  }
}

/** What was decided by reading rows: one more than `no` or `yes`, and 0 for a row that was not read. */
class Decisions {
  #rows = new Uint8Array()

  at(row: number): number {
    return this.#rows[row] ?? 0
  }

  set(row: number, holds: boolean): void {
    if (row >= this.#rows.length) {
      const grown = new Uint8Array(Math.max(1024, 2 * this.#rows.length, row + 1))
      grown.set(this.#rows)
      this.#rows = grown
    }
    this.#rows[row] = holds ? yes + 1 : no + 1
  }

  forgetFrom(row: number): void {
    this.#rows.fill(0, row)
  }
}

type Node =
  | { readonly op: 'and' | 'or'; readonly of: readonly Node[] }
  | { readonly op: 'not'; readonly of: Node }
  | { readonly op: 'term'; readonly term: RowTerm; readonly decisions: Decisions | null }

/** A query prepared for one index. It is prepared again after rows were added or changed. */
export class RowQuery {
  /** The texts to search the log for, without duplicates. */
  readonly texts: readonly TextTerm[]
  readonly #root: Node
  readonly #decisions: ReadonlyMap<string, Decisions>
  readonly #block: RowBlock
  readonly #oneRow: RowBlock
  readonly #one = new Uint8Array(1)

  /** `query`: null for all rows. `former`: of the same query; what was found and read for it is kept. */
  constructor(query: Query | null, run: QueriedRun, former: RowQuery | null = null) {
    const { rows } = run.index
    this.#block = new RowBlock(rows, Math.min(blockRows, rows.rows))
    this.#oneRow = new RowBlock(rows, 1)
    const texts = new Map(former?.texts.map((term) => [JSON.stringify(term.value), term]))
    const decisions = new Map(former === null ? [] : former.#decisions)
    const making: Making = {
      run,
      text: (value) => kept(texts, JSON.stringify(value), () => new TextTerm(value)),
      decisions: (name) => kept(decisions, name, () => new Decisions())
    }
    this.#root = query === null ? { op: 'and', of: [] } : ready(query, making)
    this.texts = [...texts.values()]
    this.#decisions = decisions
  }

  /** Rows from `row` on may be others now. */
  forgetFrom(row: number): void {
    for (const decisions of this.#decisions.values()) decisions.forgetFrom(row)
  }

  /** Writes the answers for rows from `from` on that need no reading: `no`, `maybe` or `yes`. */
  fill(from: number, into: Uint8Array): void {
    for (let at = 0; at < into.length; at += blockRows) {
      const part = into.subarray(at, at + blockRows)
      fillNode(this.#root, this.#block.moveTo(from + at, part.length), part)
    }
  }

  /** Whether a row meets the query. Reads rows only if needed; the texts must have been searched before. */
  async holds(row: number, read: (row: number) => Promise<ReadRow>): Promise<boolean> {
    return await this.#holds(this.#root, row, read)
  }

  async #holds(node: Node, row: number, read: (row: number) => Promise<ReadRow>): Promise<boolean> {
    const block = this.#oneRow.moveTo(row, 1)
    fillNode(node, block, this.#one)
    if (this.#one[0] !== maybe) return this.#one[0] === yes
    switch (node.op) {
      case 'term': {
        const { reads } = node.term
        if (reads === undefined) return false
        const asked = reads.rowsFor(block)[0] ?? row
        const holds = reads.decide(await read(asked))
        node.decisions?.set(asked, holds)
        return holds
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

function kept<T>(map: Map<string, T>, name: string, make: () => T): T {
  const known = map.get(name) ?? make()
  map.set(name, known)
  return known
}

interface Making {
  readonly run: QueriedRun
  readonly text: (value: QueryValue) => TextTerm
  /** Of the term with this name. */
  readonly decisions: (name: string) => Decisions
}

function ready(query: Query, making: Making): Node {
  switch (query.op) {
    case 'and':
    case 'or':
      return { op: query.op, of: query.of.map((part) => ready(part, making)) }
    case 'not':
      return { op: 'not', of: ready(query.of, making) }
    case 'text':
      return { op: 'term', term: making.text(query.value), decisions: null }
    case 'term': {
      const { key, test } = query
      const values = key === 'text' && test.type === 'any' ? test.values : []
      const texts = values.map((value): Node => ready({ op: 'text', value }, making))
      const terms = key === 'text' ? [] : rowTerms(key, test, making.run)
      const nodes = terms.map((term, number): Node => {
        const decisions = term.reads && making.decisions(JSON.stringify([key, test, number]))
        return { op: 'term', term, decisions: decisions ?? null }
      })
      return { op: 'or', of: [...texts, ...nodes] }
    }
  }
}

function fillNode(node: Node, block: RowBlock, into: Uint8Array): void {
  switch (node.op) {
    case 'term':
      node.term.fill(block, into)
      if (node.decisions !== null && node.term.reads) fillDecided(node.decisions, node.term.reads.rowsFor(block), into)
      return
    case 'not':
      fillNode(node.of, block, into)
      negate(into)
      return
    case 'and':
    case 'or':
      fillParts(node.op, node.of, block, into)
  }
}

/** Replaces `maybe` where the row was read before. */
function fillDecided(decisions: Decisions, rows: Int32Array, into: Uint8Array): void {
  for (let i = 0; i < into.length; i++) {
    const known = into[i] === maybe ? decisions.at(rows[i] ?? -1) : 0
    if (known > 0) into[i] = known - 1
  }
}

function fillParts(op: 'and' | 'or', parts: readonly Node[], block: RowBlock, into: Uint8Array): void {
  const [first, ...others] = parts
  if (first === undefined) return void into.fill(op === 'and' ? yes : no)
  fillNode(first, block, into)
  if (others.length === 0) return
  const part = new Uint8Array(into.length)
  for (const other of others) {
    // Nothing changes any more.
    if (isAll(into, op === 'and' ? no : yes)) return
    fillNode(other, block, part)
    join(op, into, part)
  }
}

// Four rows at a time, and without branches, which no processor foresees.

/** A one in each byte. */
const ones = 0x01010101

/** The whole words of an array of bytes; none where they do not begin at a word. */
function wordsOf(truths: Uint8Array): Uint32Array {
  const { buffer, byteOffset, length } = truths
  return byteOffset % 4 === 0 ? new Uint32Array(buffer, byteOffset, length >>> 2) : new Uint32Array()
}

function join(op: 'and' | 'or', into: Uint8Array, part: Uint8Array): void {
  const [words, others] = [wordsOf(into), wordsOf(part)]
  const whole = Math.min(words.length, others.length)
  const isAnd = op === 'and'
  if (isAnd) for (let i = 0; i < whole; i++) words[i] = (words[i] ?? 0) & (others[i] ?? 0)
  else for (let i = 0; i < whole; i++) words[i] = (words[i] ?? 0) | (others[i] ?? 0)
  for (let i = 4 * whole; i < into.length; i++) {
    const [one, other] = [into[i] ?? no, part[i] ?? no]
    into[i] = isAnd ? one & other : one | other
  }
}

/** `yes` has both bits, `maybe` the lower one: the opposite has each bit where the other one is missing. */
function negate(truths: Uint8Array): void {
  const words = wordsOf(truths)
  for (let i = 0; i < words.length; i++) words[i] = opposite(words[i] ?? 0)
  for (let i = 4 * words.length; i < truths.length; i++) truths[i] = opposite(truths[i] ?? no)
}

function opposite(truths: number): number {
  return ((~truths & ones) << 1) | ((~truths >>> 1) & ones)
}

/** `truth`: no or yes. */
function isAll(truths: Uint8Array, truth: number): boolean {
  const words = wordsOf(truths)
  const wanted = truth * ones
  for (let i = 0; i < words.length; i++) if (words[i] !== wanted) return false
  for (let i = 4 * words.length; i < truths.length; i++) if (truths[i] !== truth) return false
  return true
}
