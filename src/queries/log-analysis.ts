import { CallTable, sortedGroups } from '#core/analysis/call-table.ts'
import { RunAnalysis } from '#core/analysis/run-analysis.ts'
import { type Span, SpanList } from '#core/analysis/span-list.ts'
import { isSameLine } from '#core/analysis/result-bytes.ts'
import { firstWords } from '#core/analysis/first-words.ts'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { Interned } from '#core/index/interned.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { commandOfCall, filesOfCall } from '#core/index/tool-files.ts'
import { printQuery } from '#core/query/print-query.ts'
import { forkState } from '#core/state/fork-state.ts'
import { SparseNumbers } from '#core/sparse-numbers.ts'
import { costOfRequest } from '#core/requests/cost-sum.ts'
import type { ModelRequest } from '#core/requests/request-list.ts'
import { sentOf } from '#core/requests/tokens.ts'
import type { CallGroup, CallRow, Range } from '#contract/analysis.ts'
import { HostError } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'

/** Time limit of one answer, as the thread also serves the timeline. */
const answerMs = 25
/** Rows or calls between two clock reads. */
const someRows = 5000
const someCalls = 500
/** Limits of distinct files and commands; further ones are counted as one. */
const maxNames = 100_000
const maxName = 1000
const maxCompactions = 1000
const maxTools = 20
/** Characters of a token, approximately. */
const charactersOfToken = 4
const separator = '\0'

/** A table as far as it is added up. */
interface Adding {
  readonly of: string
  readonly whole: RunAnalysis
  readonly table: CallTable
  next: number
  problem: string | null
}

/** What the inputs of the calls in the first rows name. */
interface Inputs {
  rows: number
  /** By row of a call: its files, and the first words of its command. */
  readonly files: SparseNumbers
  readonly commands: SparseNumbers
  readonly names: Interned
}

/**
 * Answers where the time and the tokens of a log went. Spans are derived from the index in steps, and only when somebody
 * asks. Unsettled rows are read in a copy, as in `LogSummary`.
 */
export class LogAnalysis {
  readonly #event: (shown: RunIndex, row: number) => Promise<AgentEvent | null>
  readonly #spans = new SpanList()
  readonly #inputs: Inputs = {
    rows: 0,
    files: new SparseNumbers('uint32'),
    commands: new SparseNumbers('uint32'),
    names: new Interned(maxNames, 'further names')
  }
  #whole: RunAnalysis | null = null
  #adding: Adding | null = null
  /** Serializes tables, so calls are read once. */
  #last: Promise<unknown> = Promise.resolve()

  /** `event`: reads the event of a row again. */
  constructor(event: (shown: RunIndex, row: number) => Promise<AgentEvent | null>) {
    this.#event = event
  }

  spans(shown: RunIndex, settled: RunIndex, from: number, count: number): Result<'log.spans'> {
    const whole = this.#wholeOf(shown, settled)
    const { spans } = whole
    return { ...progressOf(whole), total: spans.length, settled: this.#spans.length, ...spans.columns(from, count) }
  }

  timeSplit(shown: RunIndex, settled: RunIndex, range: Range | null): Result<'log.timeSplit'> {
    const whole = this.#wholeOf(shown, settled)
    const { spans, split } = whole
    const { from, to } = timesOf(shown, range)
    let [calls, unknownLengths] = [0, 0]
    for (const span of spans) {
      if (span.kind !== 'call' || !isWithin(span, range)) continue
      calls++
      if (whole.lengthOf(span) === undefined) unknownLengths++
    }
    return {
      ...progressOf(whole),
      split: split.between(from, to),
      parallelism: split.parallelism(from, to),
      calls,
      unknownLengths
    }
  }

  /** `found`: rows to which the calls are limited; null: no limit. */
  async callTable(
    shown: RunIndex,
    settled: RunIndex,
    params: Omit<Params<'log.callTable'>, 'log'>,
    found: Uint32Array | null
  ): Promise<Result<'log.callTable'>> {
    const answer = this.#last.then(() => this.#callTable(shown, settled, params, found))
    this.#last = answer.catch(() => null)
    return await answer
  }

  async #callTable(
    shown: RunIndex,
    settled: RunIndex,
    { groupBy, range, find, sort, descending, prices, from, count }: Omit<Params<'log.callTable'>, 'log'>,
    found: Uint32Array | null
  ): Promise<Result<'log.callTable'>> {
    const whole = this.#wholeOf(shown, settled)
    const of = JSON.stringify([groupBy, range, find, found?.length, prices])
    if (this.#adding?.of !== of || this.#adding.whole !== whole) {
      this.#adding = { of, whole, table: new CallTable(), next: 0, problem: null }
    }
    const adding = this.#adding
    const inputs = readsInputs(groupBy) ? await this.#readInputs(shown, settled, adding) : null
    if (inputs === null || inputs.rows === shown.rows.rows || adding.problem !== null) {
      this.#add(adding, { groupBy, range, prices }, found, inputs)
    }
    const { table, next, problem } = adding
    const sorted = sortedGroups(table.groups, sort, descending)
    const several = groupBy === 'file' || groupBy === 'todo'
    return {
      ...progressOf(whole),
      ...(inputs === null || problem !== null ? undefined : { counted: Math.min(whole.rows, inputs.rows) }),
      read: next,
      spans: whole.spans.length,
      problem,
      several,
      from: Math.min(from, sorted.length),
      total: sorted.length,
      groups: sorted.slice(from, from + count).map((group) => ({ ...group, term: termOf(groupBy, group.name) })),
      all: { name: null, term: null, ...table.all }
    }
  }

  #add(
    adding: Adding,
    { groupBy, range, prices }: Pick<Params<'log.callTable'>, 'groupBy' | 'range' | 'prices'>,
    found: Uint32Array | null,
    inputs: Inputs | null
  ): void {
    const { whole, table } = adding
    const { spans } = whole
    const isFound = found === null ? () => true : isIn(found, whole.index.rows.rows)
    const namesOf = namesBy(groupBy, whole, inputs)
    const until = performance.now() + answerMs
    for (; adding.next < spans.length; adding.next++) {
      if (adding.next % someCalls === 0 && performance.now() >= until) return
      const span = spans.at(adding.next)
      if (span.kind !== 'call' || !isWithin(span, range)) continue
      if (!isFound(span.first) && (span.last < 0 || !isFound(span.last))) continue
      table.add(whole.callOf(span, adding.next, prices), namesOf(span, adding.next))
    }
  }

  /** Reads the inputs of calls on; those in rows that may still change in a copy. */
  async #readInputs(shown: RunIndex, settled: RunIndex, adding: Adding): Promise<Inputs> {
    const end = Math.min(settled.rows.rows, shown.rows.rows)
    const until = performance.now() + answerMs
    await this.#readOn(shown, this.#inputs, end, until, adding)
    if (this.#inputs.rows < end || shown.rows.rows === end) return this.#inputs
    const copy = forkState(this.#inputs)
    await this.#readOn(shown, copy, shown.rows.rows, Infinity, adding)
    return copy
  }

  async #readOn(shown: RunIndex, inputs: Inputs, end: number, until: number, adding: Adding): Promise<void> {
    for (; inputs.rows < end; inputs.rows++) {
      const isCall = shown.rows.isCall(inputs.rows)
      if ((isCall || inputs.rows % someRows === 0) && performance.now() >= until) return
      if (!isCall) continue
      try {
        const event = await this.#event(shown, inputs.rows)
        if (event?.type !== 'tool.started') continue
        const files = filesOfCall(event.input).map((path) => path.slice(0, maxName))
        if (files.length > 0) inputs.files.set(inputs.rows, inputs.names.numberOf(files.join(separator)))
        const command = commandOfCall(event.input)
        const words = command === null ? null : firstWords(command, 2)
        if (words !== null) inputs.commands.set(inputs.rows, inputs.names.numberOf(words.join(' ').slice(0, maxName)))
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        adding.problem = error.message
        return
      }
    }
  }

  context(
    shown: RunIndex,
    settled: RunIndex,
    { range, prices, from, count }: Omit<Params<'log.context'>, 'log'>
  ): Result<'log.context'> {
    const whole = this.#wholeOf(shown, settled)
    const { requests, rows } = shown
    const trackOf = whole.trackNumbers
    const calls = whole.requests
    const inRange: number[] = []
    for (let number = 0; number < requests.length; number++) {
      const { rowFirst, rowLast } = requests.at(number)
      if (range === null || isRequestWithin(shown, rowFirst, rowLast, range)) inRange.push(number)
    }
    return {
      from: Math.min(from, inRange.length),
      total: inRange.length,
      requests: inRange.slice(from, from + count).map((number) => {
        const request = requests.at(number)
        const { of, trackId, model, rowFirst, rowLast, tokens, outputIs, written, window } = request
        const { begin, end } = rows.spanOf(rowFirst, rowLast)
        return {
          ...{ request: number, of, track: trackOf(trackId), model, rowFirst, rowLast, begin, end },
          cacheRead: tokens.cacheRead ?? null,
          cacheWrite: tokens.cacheWrite ?? null,
          input: tokens.input ?? null,
          output: tokens.output ?? null,
          outputIs,
          outputByText: outputIs === 'understated' ? Math.round(written / charactersOfToken) : null,
          window,
          cost: costOfRequest(request, prices),
          added: addedTo(whole, calls.receivedBy(number))
        }
      }),
      compactions: compactionsOf(shown, range, trackOf)
    }
  }

  /** All spans as far as they are read; reads on for a while. */
  #wholeOf(shown: RunIndex, settled: RunIndex): RunAnalysis {
    const end = Math.min(settled.rows.rows, shown.rows.rows)
    const until = performance.now() + answerMs
    while (this.#spans.rows < end && performance.now() < until) {
      this.#spans.read(shown.rows, Math.min(end, this.#spans.rows + someRows))
    }
    const isRead = this.#spans.rows === end
    const rows = isRead ? shown.rows.rows : this.#spans.rows
    if (this.#whole?.index === shown && this.#whole.rows === rows) return this.#whole
    let read = this.#spans
    if (isRead && rows > end) {
      read = forkState(read)
      read.read(shown.rows, rows)
    }
    this.#whole = new RunAnalysis(shown, rows, read.ended(shown.rows))
    return this.#whole
  }
}

function progressOf({ rows, index }: RunAnalysis): { counted: number; rows: number } {
  return { counted: rows, rows: index.rows.rows }
}

/** Whether a call begins in a range. */
function isWithin({ begin, first }: Span, range: Range | null): boolean {
  if (range === null) return true
  const at = range.by === 'time' ? begin : first
  return at >= range.from && at < range.to
}

function isRequestWithin({ rows }: RunIndex, rowFirst: number, rowLast: number, range: Range): boolean {
  const at = range.by === 'rows' ? rowFirst : (rows.spanOf(rowFirst, rowLast).end ?? NaN)
  return at >= range.from && at < range.to
}

/** The times that the rows of a range state, from the first to the last. */
function timesOf({ rows }: RunIndex, range: Range | null): { from: number; to: number } {
  if (range === null) return { from: -Infinity, to: Infinity }
  if (range.by === 'time') return range
  let [from, to] = [Infinity, -Infinity]
  for (let row = Math.max(0, range.from); row < Math.min(range.to, rows.rows); row++) {
    const at = rows.seqOf(row) < 0 ? null : rows.statedTime(row)
    if (at === null) continue
    from = Math.min(from, at)
    to = Math.max(to, at)
  }
  return { from, to }
}

function isIn(found: Uint32Array, rows: number): (row: number) => boolean {
  const bits = new Uint8Array(rows)
  for (const row of found) bits[row] = 1
  return (row) => bits[row] === 1
}

const readsInputs = (groupBy: CallGroup): boolean => ['file', 'command', 'command2'].includes(groupBy)

/** The names of the groups of a call. */
function namesBy(
  groupBy: CallGroup,
  whole: RunAnalysis,
  inputs: Inputs | null
): (span: Span, number: number) => readonly (string | null)[] {
  const { rows, todos } = whole.index
  const none = [null]
  switch (groupBy) {
    case 'tool':
      return (span) => [whole.toolOf(span) ?? null]
    case 'subagent':
      return ({ track }) => [rows.tracks[track]?.trackId ?? 'main']
    case 'turn':
      return ({ first }) => {
        const turn = whole.turnOf(first)
        return turn === 0 ? none : [String(turn)]
      }
    case 'model': {
      const { requests } = whole
      return (_, number) => [requests.makerOf(number)?.model ?? null]
    }
    case 'file': {
      const fileOf = inputs?.files.reader()
      return ({ first }) => {
        const number = fileOf?.(first)
        return number === undefined ? none : (inputs?.names.nameOf(number).split(separator) ?? none)
      }
    }
    case 'command':
    case 'command2': {
      const commandOf = inputs?.commands.reader()
      return ({ first }) => {
        const number = commandOf?.(first)
        if (number === undefined) return none
        const words = inputs?.names.nameOf(number) ?? ''
        return [groupBy === 'command' ? (words.split(' ', 1)[0] ?? '') : words]
      }
    }
    case 'todo': {
      const inProgress = new Map<number, readonly string[]>()
      return ({ first, track }) => {
        const seq = rows.seqOf(first)
        const trackId = rows.tracks[track]?.trackId ?? undefined
        const own = todos.indexAt(seq, trackId)
        const list = own >= 0 ? own : todos.indexAt(seq)
        if (list < 0) return none
        let texts = inProgress.get(list)
        if (texts === undefined) {
          const items = todos.at(list)?.items ?? []
          texts = items.flatMap(({ text, status }) => (status === 'in_progress' ? [text.slice(0, maxName)] : []))
          inProgress.set(list, texts)
        }
        return texts.length === 0 ? none : texts
      }
    }
  }
}

/** A term that finds the calls of a group. */
function termOf(groupBy: CallGroup, name: string | null): CallRow['term'] {
  if (name === null || name === '') return null
  const term = (key: string, type: 'word' | 'quoted' = 'word'): string =>
    printQuery({ op: 'term', key, test: { type: 'any', values: [{ type, text: name }] } })
  switch (groupBy) {
    case 'tool':
    case 'file':
    case 'model':
      return term(groupBy)
    case 'subagent':
      return term('track')
    case 'turn':
      return `turn:${name}`
    case 'command':
    case 'command2':
      return term('cmd', 'quoted')
    case 'todo':
      return printQuery({
        op: 'term',
        key: 'todo',
        test: { type: 'todo', text: { type: 'quoted', text: name }, status: 'in_progress' }
      })
  }
}

function addedTo(
  { index: { rows }, spans }: RunAnalysis,
  received: Uint32Array
): Result<'log.context'>['requests'][number]['added'] {
  const byTool = new Map<string, { results: number; bytes: number; row: number; longest: number }>()
  for (const number of received) {
    const { last } = spans.at(number)
    const tool = rows.toolAt(last) ?? ''
    const sum = byTool.get(tool) ?? { results: 0, bytes: 0, row: last, longest: -1 }
    byTool.set(tool, sum)
    sum.results++
    const bytes = isSameLine(rows, last) ? 0 : rows.lengthAt(last)
    sum.bytes += bytes
    if (bytes > sum.longest) Object.assign(sum, { row: last, longest: bytes })
  }
  return [...byTool]
    .map(([tool, { results, bytes, row }]) => ({ tool, results, bytes, row }))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, maxTools)
}

function compactionsOf(
  { requests, rows }: RunIndex,
  range: Range | null,
  trackOf: (trackId: string | null) => number
): Result<'log.context'>['compactions'] {
  const found: Result<'log.context'>['compactions'] = []
  for (const { row, trackId, before, former: request, next } of requests.compactions) {
    const at = rows.statedTime(row)
    const place = range?.by === 'time' ? (at ?? NaN) : row
    if (range !== null && !(place >= range.from && place < range.to)) continue
    if (found.length === maxCompactions) break
    const former = before ?? sentBy(request)
    found.push({
      row,
      track: trackOf(trackId),
      at,
      before: former,
      beforeIs: before !== null ? 'stated' : former === null ? 'unknown' : 'derived',
      after: sentBy(next)
    })
  }
  return found
}

function sentBy(request: ModelRequest | null): number | null {
  return request === null ? null : (sentOf(request.tokens) ?? null)
}
