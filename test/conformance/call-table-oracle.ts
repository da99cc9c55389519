import { firstWords } from '#core/analysis/first-words.ts'
import { commandOfCall, filesOfCall } from '#core/index/tool-files.ts'
import { rowKindOf, rowKinds } from '#core/index/row-kind.ts'
import { TurnStarts } from '#core/replay/turns.ts'
import type { ModelRequest } from '#core/requests/request-list.ts'
import type { CallGroup, CallRow } from '#contract/analysis.ts'
import { Oracle, type OracleCall } from './analysis-oracle.ts'
import type { IndexedLog } from './indexed-log.ts'

type Names = readonly (string | null)[]

/** The tables of a log's calls by what docs/analysis.md says, from its events. */
export class TableOracle {
  readonly #log: IndexedLog
  readonly #oracle: Oracle
  /** By event. */
  readonly #turns: readonly number[]
  readonly #requests: readonly ModelRequest[]
  /** By call: the number of the request that made it; -1: none. */
  readonly #makers: readonly number[]

  constructor(log: IndexedLog, oracle = new Oracle(log.events)) {
    this.#log = log
    this.#oracle = oracle
    const rule = new TurnStarts()
    let turn = 0
    this.#turns = log.events.map((event) => {
      if (event.trackId === undefined && rule.next(rowKinds.indexOf(rowKindOf(event)))) turn++
      return turn
    })
    this.#requests = [...log.index.requests]
    this.#makers = oracle.calls.map((call) => this.#makerOf(call))
  }

  /** `to`: only calls whose row is below. */
  rows(groupBy: CallGroup, to = Infinity) {
    const groups = new Map<string | null, number[]>()
    for (const [number, call] of this.#oracle.calls.entries()) {
      if (this.#row(call.event) >= to) continue
      for (const name of new Set(this.#names(groupBy, call, number)))
        groups.set(name, [...(groups.get(name) ?? []), number])
    }
    return [...groups].map(([name, calls]) => this.#numbers(name, calls)).toSorted(byName)
  }

  count(to = Infinity): number {
    return this.#oracle.calls.filter(({ event }) => this.#row(event) < to).length
  }

  #row(event: number): number {
    return this.#log.index.rows.rowOf(event)
  }

  #names(groupBy: CallGroup, { event, track, tool }: OracleCall, number: number): Names {
    const { events } = this.#log
    const call = events[event]
    const words = (count: number): Names => {
      const command = call?.type === 'tool.started' ? commandOfCall(call.input) : null
      return [(command === null ? null : firstWords(command, count))?.join(' ') ?? null]
    }
    switch (groupBy) {
      case 'tool':
        return [tool]
      case 'subagent':
        return [track ?? 'main']
      case 'turn':
        return [this.#turns[event] === 0 ? null : String(this.#turns[event])]
      case 'file': {
        const files = call?.type === 'tool.started' ? filesOfCall(call.input) : []
        return files.length === 0 ? [null] : files
      }
      case 'command':
        return words(1)
      case 'command2':
        return words(2)
      case 'model':
        return [this.#requests[this.#makers[number] ?? -1]?.model ?? null]
      case 'todo': {
        const lists = events.slice(0, event + 1).filter((each) => each.type === 'todo_list')
        const of = (trackId: string | null) => lists.findLast((list) => (list.trackId ?? null) === trackId)
        const list = of(track) ?? of(null)
        const texts = list?.items.flatMap(({ text, status }) => (status === 'in_progress' ? [text] : [])) ?? []
        return texts.length === 0 ? [null] : texts
      }
    }
  }

  /** The request whose last row is the first one from the call on, on its track and in its turn. */
  #makerOf({ event, track }: OracleCall): number {
    const row = this.#row(event)
    let maker = -1
    for (const [number, { of, trackId, rowLast }] of this.#requests.entries()) {
      if (of === 'rest' || trackId !== track || rowLast < row) continue
      if (maker < 0 || rowLast < (this.#requests[maker]?.rowLast ?? 0)) maker = number
    }
    const isOther = track === null && this.#turnAt(this.#requests[maker]?.rowLast ?? 0) !== this.#turns[event]
    return isOther ? -1 : maker
  }

  /** Of a row that may be none of an event. */
  #turnAt(row: number): number {
    const before = this.#turns.filter((_, event) => this.#row(event) <= row)
    return before.at(-1) ?? 0
  }

  /** What a call's request wrote for it. All calls of a request get the same, but for what cannot be divided. */
  #tokensOf(number: number): { tokens: number; atLeast: boolean } | null {
    const maker = this.#makers[number] ?? -1
    const { tokens: { output } = {}, outputIs } = this.#requests[maker] ?? {}
    if (output === undefined) return null
    const same = [...this.#makers.keys()].filter((each) => this.#makers[each] === maker)
    const place = same.indexOf(number)
    const upTo = (count: number): number => Math.floor((count * output) / same.length)
    return { tokens: upTo(place + 1) - upTo(place), atLeast: outputIs === 'understated' }
  }

  /** The line of the call's result counts, unless an earlier result is on it. */
  #bytesOf({ result }: OracleCall): number {
    if (result === null) return 0
    const { events, index } = this.#log
    const placeOf = (event: number) => index.rows.place(this.#row(event))
    const { offset, file, length } = placeOf(result)
    const onLine = events.findIndex((event, number) => {
      if (event.type !== 'tool.completed') return false
      const place = placeOf(number)
      return place.offset === offset && place.file === file
    })
    return onLine === result ? length : 0
  }

  #numbers(name: string | null, numbers: readonly number[]) {
    const calls = numbers.map((number) => this.#oracle.calls[number]!)
    const known = calls.filter(({ durationMs }) => durationMs !== undefined)
    const lengths = known.map(({ durationMs }) => durationMs ?? NaN).toSorted((a, b) => a - b)
    /** The least length that so many of the calls took at most. */
    const under = (share: number): number | null =>
      lengths.find((ms, at) => lengths[at + 1] !== ms && (at + 1) * 100 >= share * lengths.length) ?? null
    const selves = known.map((call) => this.#oracle.selfMs(call) ?? NaN)
    const tokens = numbers.map((number) => this.#tokensOf(number))
    const sum = (list: readonly number[]) => list.reduce((all, each) => all + each, 0)
    const stated = tokens.filter((each) => each !== null)
    return {
      name,
      calls: calls.length,
      failed: calls.filter(({ failed }) => failed).length,
      unknownLengths: calls.length - known.length,
      statedLengths: known.filter(({ stated: is }) => is).length,
      totalMs: known.length === 0 ? null : rounded(sum(lengths)),
      selfMs: known.length === 0 ? null : rounded(sum(selves)),
      longestMs: lengths.at(-1) ?? null,
      p50Ms: under(50),
      p95Ms: under(95),
      bytesOut: sum(calls.map((call) => this.#bytesOf(call))),
      tokensOut: stated.length === 0 ? null : sum(stated.map(({ tokens: each }) => each)),
      tokensAtLeast: stated.length > 0 && (stated.length < calls.length || stated.some(({ atLeast }) => atLeast))
    }
  }
}

/** The same members of the rows of a table. */
export function comparable(rows: readonly CallRow[]) {
  return rows
    .map((row) => ({
      ...omitted(row, ['term', 'cost', 'longestRow']),
      totalMs: rounded(row.totalMs),
      selfMs: rounded(row.selfMs)
    }))
    .toSorted(byName)
}

function omitted<Row extends object, Key extends keyof Row & string>(row: Row, keys: readonly Key[]): Omit<Row, Key> {
  return Object.fromEntries(Object.entries(row).filter(([key]) => !keys.some((each) => each === key))) as Omit<Row, Key>
}

/** Sums of fractions depend on their order. */
function rounded(ms: number): number
function rounded(ms: number | null): number | null
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 1000) / 1000
}

function byName(a: { readonly name: string | null }, b: { readonly name: string | null }): number {
  return (a.name ?? '\0') < (b.name ?? '\0') ? -1 : 1
}
