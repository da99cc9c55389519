import { type CallGroupNumbers, type CallNumbers, CallTable, type GroupOrder } from '#core/analysis/call-table.ts'
import { isWithin, type RangeTimes, RunAnalysis } from '#core/analysis/run-analysis.ts'
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
import { pathKey, placePath } from '#core/paths/log-path.ts'
import { HostError } from '#contract/host-error.ts'
import { dropOldest } from '#core/drop-oldest.ts'
import { allSteps, type Steps } from '#core/steps.ts'
import { AnswerTime, SharedWork } from './answer-time.ts'
import type { Params, Result } from '#contract/methods.ts'
import { SessionFolder } from './session-folder.ts'

/** Rows between two yields. */
const rowsOfStep = 2000
/** Calls or rows between two looks at the clock. */
const someCalls = 500
/** Limits of distinct files and commands; further ones are counted as one. */
const maxNames = 100_000
const maxName = 1000
const maxCompactions = 1000
const maxTools = 20
/** Tables, ranges, and orders of a table that are kept: a person goes back to them. */
const mostTables = 3
const mostRanges = 8
const mostOrders = 3
/** Groups of a table that are shown before all calls are added up. */
const fewGroups = 1000
/** Characters of a token, approximately. */
const charactersOfToken = 4
const separator = '\0'

interface Numbers {
  readonly groups: readonly CallGroupNumbers[]
  readonly all: CallNumbers
}

/** A table, as far as its calls are added up. */
interface Added {
  readonly table: CallTable
  isWhole: boolean
  /** By order, of the whole table. */
  readonly sorted: Recent<SharedWork<Numbers>>
}

interface Adding extends Added {
  /** The next span. */
  next: number
  problem: string | null
}

/** All that is derived of some rows, and what was asked of them. */
class Whole {
  readonly run: RunAnalysis
  readonly tables = new Recent<Adding>(mostTables)
  readonly #times = new Recent<SharedWork<RangeTimes>>(mostRanges)
  readonly #requests = new Recent<SharedWork<Uint32Array>>(mostRanges)

  constructor(run: RunAnalysis) {
    this.run = run
  }

  timesOf(range: Range | null): SharedWork<RangeTimes> {
    return this.#times.get(JSON.stringify(range), () => new SharedWork(this.run.timesOf(range)))
  }

  requestsIn(range: Range | null): SharedWork<Uint32Array> {
    return this.#requests.get(JSON.stringify(range), () => new SharedWork(requestsIn(this.run.index, range)))
  }
}

/** What was asked for last, by a text. */
class Recent<T> {
  readonly #kept = new Map<string, T>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  /** Whether something is there that a condition holds for. */
  has(key: string, holds: (value: T) => boolean): boolean {
    const value = this.#kept.get(key)
    return value !== undefined && holds(value)
  }

  /** Makes what is not there. */
  get(key: string, make: () => T): T {
    const value = this.#kept.get(key) ?? make()
    this.#kept.delete(key)
    this.#kept.set(key, value)
    dropOldest(this.#kept, this.#kept.size - this.#most)
    return value
  }
}

/** What the inputs of the calls in the first rows name. */
interface Inputs {
  rows: number
  /** By row of a call: its files, and the first words of its command. */
  readonly files: SparseNumbers
  readonly commands: SparseNumbers
  readonly names: Interned
  /** The first path of each file, by its key. */
  readonly paths: Map<string, string>
}

/** The path that named a file first. `folder`: of the session. */
function firstPath({ paths }: Inputs, path: string, folder: string | null): string {
  const key = pathKey(placePath(path, folder))
  const known = paths.get(key)
  if (known !== undefined) return known
  if (paths.size < maxNames) paths.set(key, path)
  return path
}

/**
 * Answers where the time and the tokens of a log went. Spans are derived from the index in steps, and only when somebody
 * asks. Unsettled rows are read in a copy, as in `LogSummary`.
 */
export class LogAnalysis {
  readonly #event: (shown: RunIndex, row: number) => Promise<AgentEvent | null>
  readonly #folder: SessionFolder
  readonly #spans = new SpanList()
  readonly #inputs: Inputs = {
    rows: 0,
    files: new SparseNumbers('uint32'),
    commands: new SparseNumbers('uint32'),
    names: new Interned(maxNames, 'further names'),
    paths: new Map()
  }
  /** What is being derived. */
  #making: SharedWork<RunAnalysis> | null = null
  /** The spans that are known; what is derived from them may not be. */
  #ended: RunAnalysis | null = null
  /** All that is known of the last rows for which it was derived, and what was asked of them. */
  #whole: Whole | null = null
  /** The last whole tables, by what was asked: the table of a log that grew, until there is a new one. */
  readonly #tables = new Recent<{ added: Added | null }>(mostTables)
  /** Serializes tables, so calls are read once. */
  #last: Promise<unknown> = Promise.resolve()

  /** `event`: reads the event of a row again. */
  constructor(event: (shown: RunIndex, row: number) => Promise<AgentEvent | null>) {
    this.#event = event
    this.#folder = new SessionFolder(event)
  }

  async spans(shown: RunIndex, settled: RunIndex, from: number, count: number): Promise<Result<'log.spans'>> {
    const isEnded = () => this.#ended !== null && isOf({ run: this.#ended }, shown)
    await this.#derive(shown, settled, new AnswerTime(), isEnded)
    // Until all rows are read, those that have ended.
    const { spans, rows } =
      isEnded() && this.#ended !== null ? this.#ended : { spans: this.#spans, rows: this.#spans.rows }
    return {
      ...progressOf(shown, rows, isEnded()),
      ...{ total: spans.length, settled: this.#spans.length },
      ...spans.columns(from, count)
    }
  }

  async timeSplit(shown: RunIndex, settled: RunIndex, range: Range | null): Promise<Result<'log.timeSplit'>> {
    const time = new AnswerTime()
    // What was begun is finished first, or it would never be where a log grows.
    let of = this.#whole
    let times = (await of?.timesOf(range).within(time)) ?? null
    const whole = await this.#derive(shown, settled, time)
    if (whole !== of) {
      const newer = (await whole?.timesOf(range).within(time)) ?? null
      if (newer !== null) [of, times] = [whole, newer]
    }
    if (of === null || times === null) return { ...progressOf(shown, 0, false), ...noTimes }
    return { ...progressOf(shown, of.run.rows, isOf(of, shown)), ...times }
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
    params: Omit<Params<'log.callTable'>, 'log'>,
    found: Uint32Array | null
  ): Promise<Result<'log.callTable'>> {
    const time = new AnswerTime()
    const { groupBy, range, find, sort, descending, prices, from, count } = params
    const of = JSON.stringify([groupBy, range, find, found?.length, prices])
    const kept = this.#tables.get(of, () => ({ added: null }))
    const several = groupBy === 'file' || groupBy === 'todo'
    // A table that was begun is finished first, or it would never be where a log grows.
    if (this.#whole?.tables.has(of, ({ isWhole }) => !isWhole) !== true) await this.#derive(shown, settled, time)
    const whole = this.#whole
    if (whole === null) return { ...progressOf(shown, 0, false), ...noTable, spans: this.#spans.length, several }
    const { run } = whole
    const adding = whole.tables.get(of, newTable)
    const inputs = readsInputs(groupBy) ? await this.#readInputs(shown, settled, adding, time) : null
    const isRead = inputs === null || inputs.rows === shown.rows.rows || adding.problem !== null
    if (isRead) await this.#add(run, adding, params, found, inputs, time)
    if (adding.isWhole) kept.added = adding
    const added = adding.isWhole || (kept.added === null && adding.table.size <= fewGroups) ? adding : kept.added
    const numbers = added === null ? null : await numbersOf(added, sort, descending).within(new AnswerTime())
    const { groups, all } = numbers ?? { groups: [], all: noTable.all }
    const isComplete = isOf(whole, shown) && isRead
    return {
      ...progressOf(shown, isRead ? run.rows : Math.min(run.rows, inputs?.rows ?? 0), isComplete),
      read: numbers === null ? Math.min(adding.next, run.spans.length - 1) : adding.next,
      spans: run.spans.length,
      problem: adding.problem,
      several,
      from: Math.min(from, groups.length),
      total: groups.length,
      groups: groups.slice(from, from + count).map((group) => ({ ...group, term: termOf(groupBy, group.name) })),
      all: { ...all, name: null, term: null }
    }
  }

  async #add(
    run: RunAnalysis,
    adding: Adding,
    { groupBy, range, prices }: Pick<Params<'log.callTable'>, 'groupBy' | 'range' | 'prices'>,
    found: Uint32Array | null,
    inputs: Inputs | null,
    time: AnswerTime
  ): Promise<void> {
    const { table } = adding
    const { spans } = run
    const isFound = found === null ? () => true : isIn(found, run.index.rows.rows)
    const namesOf = namesBy(groupBy, run, inputs)
    for (; adding.next < spans.length; adding.next++) {
      if (adding.next % someCalls === 0 && !(await time.goesOn())) return
      const span = spans.at(adding.next)
      if (span.kind !== 'call' || !isWithin(span, range)) continue
      if (!isFound(span.first) && (span.last < 0 || !isFound(span.last))) continue
      table.add(run.callOf(span, adding.next, prices), namesOf(span, adding.next))
    }
    adding.isWhole = true
  }

  /** Reads the inputs of calls on; those in rows that may still change in a copy. */
  async #readInputs(shown: RunIndex, settled: RunIndex, adding: Adding, time: AnswerTime): Promise<Inputs> {
    const end = Math.min(settled.rows.rows, shown.rows.rows)
    await this.#readOn(shown, this.#inputs, end, time, adding)
    if (this.#inputs.rows < end || shown.rows.rows === end) return this.#inputs
    const copy = forkState(this.#inputs)
    await this.#readOn(shown, copy, shown.rows.rows, null, adding)
    return copy
  }

  /** `time`: null for no limit. */
  async #readOn(shown: RunIndex, inputs: Inputs, end: number, time: AnswerTime | null, adding: Adding): Promise<void> {
    for (; inputs.rows < end; inputs.rows++) {
      const isCall = shown.rows.isCall(inputs.rows)
      if (time !== null && (isCall || inputs.rows % someCalls === 0) && !(await time.goesOn())) return
      if (!isCall) continue
      try {
        const event = await this.#event(shown, inputs.rows)
        if (event?.type !== 'tool.started') continue
        const named = filesOfCall(event.input)
        const folder = named.length === 0 ? null : await this.#folder.of(shown)
        const files = [...new Set(named.map((path) => firstPath(inputs, path, folder).slice(0, maxName)))]
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

  async context(
    shown: RunIndex,
    settled: RunIndex,
    { range, prices, from, count }: Omit<Params<'log.context'>, 'log'>
  ): Promise<Result<'log.context'>> {
    const time = new AnswerTime()
    const whole = await this.#derive(shown, settled, time)
    const inRange = await whole?.requestsIn(range).within(time)
    if (whole === null || inRange == null) return { ...progressOf(shown, 0, false), ...noContext }
    const { run } = whole
    const { requests, rows } = run.index
    const trackOf = run.trackNumbers()
    const calls = run.requests
    return {
      ...progressOf(shown, run.rows, isOf(whole, shown)),
      from: Math.min(from, inRange.length),
      total: inRange.length,
      requests: Array.from(inRange.subarray(from, from + count), (number) => {
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
          added: addedTo(run, calls.receivedBy(number))
        }
      }),
      compactions: compactionsOf(run.index, range, trackOf)
    }
  }

  /** Derives what is known of the shown rows, for a while or until it `isEnough`. Returns what is known of any rows. */
  async #derive(
    shown: RunIndex,
    settled: RunIndex,
    time: AnswerTime,
    isEnough = () => this.#whole !== null && isOf(this.#whole, shown)
  ): Promise<Whole | null> {
    while (!isEnough() && (await time.goesOn())) {
      // What was begun is finished, or it would never be where a log grows.
      this.#making ??= new SharedWork(this.#make(shown, settled))
      const making = this.#making
      const run = await making.within(time)
      if (run === null || this.#making !== making) continue
      this.#making = null
      this.#whole = new Whole(run)
    }
    return this.#whole
  }

  *#make(shown: RunIndex, settled: RunIndex): Steps<RunAnalysis> {
    const rows = shown.rows.rows
    const end = Math.min(settled.rows.rows, rows)
    while (this.#spans.rows < end) {
      this.#spans.read(shown.rows, Math.min(end, this.#spans.rows + rowsOfStep))
      yield
    }
    let read = this.#spans
    if (rows > end) read = forkState(read)
    while (read.rows < rows) {
      read.read(shown.rows, Math.min(rows, read.rows + rowsOfStep))
      yield
    }
    const run = new RunAnalysis(shown, rows, yield* read.ended(shown.rows))
    this.#ended = run
    yield
    yield* run.derive()
    return run
  }
}

/** Whether it is of all rows that are shown. */
function isOf({ run }: Pick<Whole, 'run'>, shown: RunIndex): boolean {
  return run.index === shown && run.rows === shown.rows.rows
}

function progressOf({ rows }: RunIndex, counted: number, isComplete: boolean): { counted: number; rows: number } {
  return { counted: isComplete ? counted : Math.max(0, Math.min(counted, rows.rows - 1)), rows: rows.rows }
}

const noTimes: RangeTimes = {
  split: null,
  parallelism: { callMs: 0, selfMs: 0, busyMs: 0, mostCalls: 0, mostSubagents: 0 },
  calls: 0,
  unknownLengths: 0
}
const noTable = {
  ...{ read: 0, problem: null, from: 0, total: 0, groups: [] },
  all: { name: null, term: null, ...allSteps(new CallTable().all()) }
}
const noContext = { from: 0, total: 0, requests: [], compactions: [] }

function newTable(): Adding {
  return { table: new CallTable(), isWhole: false, sorted: new Recent(mostOrders), next: 0, problem: null }
}

/** A part of a table is sorted anew for each answer. */
function numbersOf({ table, isWhole, sorted }: Added, sort: GroupOrder, descending: boolean): SharedWork<Numbers> {
  const work = () => new SharedWork(numbersIn(table, sort, descending))
  return isWhole ? sorted.get(JSON.stringify([sort, descending]), work) : work()
}

function* numbersIn(table: CallTable, sort: GroupOrder, descending: boolean): Steps<Numbers> {
  return { groups: yield* table.sorted(sort, descending), all: yield* table.all() }
}

/** The numbers of the requests in a range. */
function* requestsIn({ requests, rows }: RunIndex, range: Range | null): Steps<Uint32Array> {
  const found: number[] = []
  for (let number = 0, { length } = requests; number < length; number++) {
    if (number % someCalls === 0) yield
    if (range === null) {
      found.push(number)
      continue
    }
    const { rowFirst, rowLast } = requests.at(number)
    const at = range.by === 'rows' ? rowFirst : (rows.spanOf(rowFirst, rowLast).end ?? NaN)
    if (at >= range.from && at < range.to) found.push(number)
  }
  return Uint32Array.from(found)
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
          // Items of the same text are one group: a call is in it once.
          const named = items.flatMap(({ text, status }) => (status === 'in_progress' ? [text.slice(0, maxName)] : []))
          texts = [...new Set(named)]
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
  for (const { row, trackId, before, after, former: request, next } of requests.compactions) {
    const at = rows.statedTime(row)
    const place = range?.by === 'time' ? (at ?? NaN) : row
    if (range !== null && !(place >= range.from && place < range.to)) continue
    if (found.length === maxCompactions) break
    const [size, rest] = [sizeOf(before, request), sizeOf(after, next)]
    found.push({
      row,
      track: trackOf(trackId),
      at,
      ...{ before: size.tokens, beforeIs: size.is, after: rest.tokens, afterIs: rest.is }
    })
  }
  return found
}

/** The size of a context: as stated, else what a request sent. */
function sizeOf(
  stated: number | null,
  request: ModelRequest | null
): { readonly tokens: number | null; readonly is: 'stated' | 'derived' | 'unknown' } {
  if (stated !== null) return { tokens: stated, is: 'stated' }
  const sent = request === null ? undefined : sentOf(request.tokens)
  return sent === undefined ? { tokens: null, is: 'unknown' } : { tokens: sent, is: 'derived' }
}
