import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { agents } from '../../src/core/formats/agents.ts'
import type { Agent } from '../../src/core/formats/agent.ts'
import { isFailedCall } from '../../src/core/index/failed-call.ts'
import { rowKindOf, rowKinds } from '../../src/core/index/row-kind.ts'
import { TurnStarts } from '../../src/core/replay/turns.ts'

/** What docs/analysis.md says, written again over the events of a log: plain, and as slow as it likes. */

export interface OracleCall {
  readonly event: number
  /** Its first result; null: it has none. */
  readonly result: number | null
  readonly track: string | null
  readonly tool: string
  readonly failed: boolean
  readonly durationMs: number | undefined
  readonly begin: number | null
  readonly end: number | null
  readonly asks: boolean
  readonly stated: boolean
}

/** What is no call, by its first and its last event. */
export interface OracleSpan {
  readonly kind: 'turn' | 'model' | 'wait' | 'subagent'
  readonly track: string | null
  readonly first: number
  readonly last: number
  readonly begin: number | null
  readonly end: number | null
}

interface Interval {
  readonly begin: number
  readonly end: number
}

const asking = new Set(Object.values<Agent>(agents).flatMap((agent) => agent.asking ?? []))

function statedTime({ timestamp, timestampFrom = 'record' }: AgentEvent): number | null {
  return timestampFrom === 'record' && timestamp !== 0 ? timestamp : null
}

/** The last time that the track's events before this one state. */
function timeBefore(events: readonly AgentEvent[], at: number): number | null {
  const { trackId } = events[at] ?? {}
  for (let i = at - 1; i >= 0; i--) {
    const event = events[i]
    if (event === undefined || event.trackId !== trackId) continue
    const time = statedTime(event)
    if (time !== null) return time
  }
  return null
}

function timeAfter(events: readonly AgentEvent[], at: number, trackId: string | undefined): number | null {
  for (const event of events.slice(at + 1)) {
    const time = event.trackId === trackId ? statedTime(event) : null
    if (time !== null) return time
  }
  return null
}

export class Oracle {
  readonly calls: OracleCall[] = []
  readonly #events: readonly AgentEvent[]
  readonly #waits: Interval[] = []
  readonly #turns: Interval[] = []
  readonly #unknown: Interval[] = []
  readonly #starters = new Map<string, number>()
  /** All but calls, unknown times and the run. */
  readonly spans: OracleSpan[] = []

  constructor(events: readonly AgentEvent[]) {
    this.#events = events
    const starts: number[] = []
    /** Of each turn, the event with which its time begins. */
    const begun: number[] = []
    const rule = new TurnStarts()
    const isQuiet = ({ type, ...event }: AgentEvent): boolean =>
      type === 'session.started' || ('category' in event && event.category === 'status')
    let lastAct: number | null = null
    let lastActAt = -1
    for (const [i, event] of events.entries()) {
      if (event.trackId !== undefined) continue
      const at = statedTime(event)
      const begins = rule.next(rowKinds.indexOf(rowKindOf(event)))
      if (begins) {
        starts.push(i)
        begun.push(i)
      }
      const before = events.slice(starts.at(-1) ?? i, i).filter(({ trackId }) => trackId === undefined)
      if (begins || (rowKindOf(event) === 'prompt' && before.every(isQuiet))) {
        if (at !== null) begun[begun.length - 1] = i
        if (lastAct !== null && at !== null && at > lastAct) {
          this.#waits.push({ begin: lastAct, end: at })
          this.spans.push({ kind: 'wait', track: null, first: lastActAt, last: i, begin: lastAct, end: at })
        }
      }
      lastActAt = at === null ? lastActAt : i
      lastAct = at ?? lastAct
    }
    for (const [i, start] of starts.entries()) {
      const timesFrom = (from: number) =>
        events
          .slice(from, starts[i + 1] ?? events.length)
          .flatMap((event) => (event.trackId === undefined ? (statedTime(event) ?? []) : []))
      const [begin = null] = timesFrom(begun[i] ?? start)
      const times = timesFrom(start)
      const end = begin === null ? null : Math.max(...times)
      if (begin !== null && end !== null) this.#turns.push({ begin, end })
      const last = events.findLastIndex((event, at) => {
        return at < (starts[i + 1] ?? events.length) && event.trackId === undefined
      })
      this.spans.push({ kind: 'turn', track: null, first: start, last, begin, end })
    }
    for (const track of new Set([undefined, ...events.map(({ trackId }) => trackId)])) this.#readTrack(track)
    this.#readCalls(starts)
  }

  /** What the model wrote without an event between, as a pattern in a text with a letter for each event of the track. */
  #readTrack(trackId: string | undefined): void {
    const all = [...this.#events.entries()].filter(([, event]) => event.trackId === trackId)
    const letters = all.map(([, event]) => letterOf(event)).join('')
    const timesOf = (from: number, to: number) => all.slice(from, to).flatMap(([, event]) => statedTime(event) ?? [])
    for (const { index, 0: match } of letters.matchAll(/w[^e]*/g)) {
      const length = match.replace(/[^wt]+$/, '').length
      const written = all.slice(index, index + length).filter((_, at) => letters[index + at] !== 'o')
      const begin = timesOf(0, index).at(-1) ?? null
      const ends = written.flatMap(([, event]) => statedTime(event) ?? [])
      const latest = begin === null || ends.length === 0 ? null : Math.max(...ends)
      this.spans.push({
        ...{ kind: 'model', track: trackId ?? null, first: written[0]?.[0] ?? -1, last: written.at(-1)?.[0] ?? -1 },
        ...{ begin, end: latest === null || begin === null || latest <= begin ? null : latest }
      })
    }
    if (trackId === undefined) return
    const times = timesOf(0, all.length)
    const ends = times.length === 0 ? [null, null] : [Math.min(...times), Math.max(...times)]
    const [first, last] = [all[0]?.[0] ?? -1, all.at(-1)?.[0] ?? -1]
    this.spans.push({ kind: 'subagent', track: trackId, first, last, begin: ends[0] ?? null, end: ends[1] ?? null })
  }

  #readCalls(starts: readonly number[]): void {
    const events = this.#events
    const open = new Map<string, number>()
    const done = new Map<string, number>()
    /** Todo lists by their calls. */
    const lists = new Map<string, number>()
    const unanswered = new Set<number>()
    for (const [i, event] of events.entries()) {
      if (event.type === 'todo_list') {
        // A list on the line of its result is none of a call.
        if (!open.has(event.todoId) && done.get(event.todoId) !== event.source?.line) {
          lists.set(event.todoId, i)
          done.delete(event.todoId)
        }
      } else if (event.type === 'tool.started') {
        open.set(event.toolId, i)
        done.delete(event.toolId)
        lists.delete(event.toolId)
        unanswered.add(i)
      } else if (event.type === 'tool.completed' && !done.has(event.toolId)) {
        const started = open.get(event.toolId)
        if (started === undefined && event.toolName === undefined) continue
        open.delete(event.toolId)
        if (started !== undefined) unanswered.delete(started)
        done.set(event.toolId, event.source?.line ?? -1)
        this.#completed(started ?? lists.get(event.toolId), i)
      }
    }
    for (const i of unanswered) this.#unansweredCall(i, starts)
  }

  #completed(started: number | undefined, result: number): void {
    const events = this.#events
    const event = events[result]
    if (event?.type !== 'tool.completed') return
    const call = started === undefined ? undefined : events[started]
    const tool = (call?.type === 'tool.started' ? call.toolName : undefined) ?? event.toolName ?? ''
    const [asked, answered] = [call === undefined ? null : statedTime(call), statedTime(event)]
    const { durationMs } = event
    let [begin, end]: [number | null, number | null] = [asked ?? answered, null]
    if (durationMs !== undefined) {
      const ms = Math.round(durationMs)
      const isStated = event.durationFrom === 'stated'
      const isAtCall =
        answered === null || (asked !== null && (answered < asked || (isStated && asked + ms <= answered)))
      begin = isAtCall ? asked : answered - ms
      end = begin === null ? null : begin + ms
    }
    const at = started ?? result
    this.calls.push({
      ...{ event: at, result, track: events[at]?.trackId ?? null, tool, failed: isFailedCall(event), durationMs },
      ...{ begin, end, asks: asking.has(tool), stated: event.durationFrom === 'stated' }
    })
    if (durationMs !== undefined) return
    const since =
      asked !== null && !(answered !== null && answered <= asked) ? asked : (timeBefore(events, at) ?? asked)
    const until = answered ?? timeAfter(events, result, events[at]?.trackId)
    if (since !== null && until !== null && until > since) this.#unknown.push({ begin: since, end: until })
  }

  #unansweredCall(at: number, starts: readonly number[]): void {
    const events = this.#events
    const event = events[at]
    if (event?.type !== 'tool.started') return
    const begin = statedTime(event)
    const asks = asking.has(event.toolName)
    const call = { event: at, result: null, track: event.trackId ?? null, tool: event.toolName, failed: false }
    this.calls.push({ ...call, durationMs: undefined, begin, end: null, asks, stated: false })
    if (begin === null) return
    const next = event.trackId === undefined ? (starts.find((start) => start > at) ?? Infinity) : Infinity
    const hasTurn = starts.some((start) => start <= at)
    const own = events.filter((each, i) => {
      const isInTurn =
        i < next && (event.trackId !== undefined || !hasTurn || i >= (starts.findLast((s) => s <= at) ?? 0))
      return each.trackId === event.trackId && isInTurn
    })
    const end = Math.max(...own.flatMap((each) => statedTime(each) ?? []))
    if (end > begin) this.#unknown.push({ begin, end })
  }

  /** When calls of unknown length were made, as intervals that do not touch. */
  get unknown(): (readonly [begin: number, end: number])[] {
    const all = whole(this.#unknown)
    const joined: [number, number][] = []
    for (const [since, until] of stretches(all, -Infinity, Infinity)) {
      if (!all.some(({ begin, end }) => begin <= since && end >= until)) continue
      const last = joined.at(-1)
      if (last?.[1] === since) last[1] = until
      else joined.push([since, until])
    }
    return joined
  }

  get wall(): Interval | null {
    const times = this.#events.flatMap((event) => statedTime(event) ?? []).map(Math.round)
    const [begin, end] = [Math.min(...times), Math.max(...times)]
    return end > begin ? { begin, end } : null
  }

  /** Calls of known length, without questions. */
  get knownCalls(): (Interval & Pick<OracleCall, 'event' | 'track'>)[] {
    return this.calls.flatMap(({ event, track, begin, end, asks }) =>
      begin === null || end === null || asks ? [] : [{ event, track, begin, end }]
    )
  }

  /** Tests each stretch between two ends against every interval. */
  split(from = -Infinity, to = Infinity) {
    const { wall } = this
    const sums = { waitingMs: 0, toolsMs: 0, unknownMs: 0, modelMs: 0 }
    if (wall === null) return null
    const questions = this.calls.flatMap(({ begin, end, asks }) => {
      return asks && begin !== null && end !== null ? [{ begin, end }] : []
    })
    const sets = [[...this.#waits, ...questions], this.knownCalls, this.#unknown, this.#turns].map(whole)
    const [begin, end] = [Math.max(from, wall.begin), Math.min(to, wall.end)]
    if (!(end > begin)) return null
    for (const [since, until] of stretches([...sets.flat(), { begin, end }], begin, end)) {
      const [waits, tools, unknown, turn] = sets.map((set) =>
        set.some((each) => each.begin <= since && each.end >= until)
      )
      const part =
        waits === true
          ? 'waitingMs'
          : tools === true
            ? 'toolsMs'
            : unknown !== true && turn === true
              ? 'modelMs'
              : 'unknownMs'
      sums[part] += until - since
    }
    return { begin, end, wallMs: end - begin, ...sums }
  }

  /** The call that started a subagent: the last one before it with its id and a task. -1: none. */
  starterOf(track: string): number {
    const known = this.#starters.get(track)
    if (known !== undefined) return known
    const events = this.#events
    const first = events.findIndex(({ trackId }) => trackId === track)
    const starter = events.slice(0, first).findLastIndex((event) => {
      if (event.type !== 'tool.started' || event.toolId !== track) return false
      const { prompt, message, objective, question } = event.input
      return [prompt, message, objective, question].some((text) => typeof text === 'string')
    })
    this.#starters.set(track, starter)
    return starter
  }

  /** Calls of subagents that a call started, without questions. */
  #below(event: number): Interval[] {
    return this.knownCalls.filter(({ track }) => track !== null && this.starterOf(track) === event)
  }

  /** The length of a call, less the stretches in which a call below it was running. Null: not known. */
  selfMs({ event, begin, end, durationMs }: OracleCall): number | null {
    if (durationMs === undefined) return null
    if (begin === null || end === null) return durationMs
    const below = whole(this.#below(event))
    const [from, to] = [Math.round(begin), Math.round(end)]
    return stretches([{ begin: from, end: to }, ...below], from, to)
      .filter(([since, until]) => below.some((each) => each.begin <= since && each.end >= until))
      .reduce((left, [since, until]) => Math.max(0, left - (until - since)), durationMs)
  }

  /**
   * What ran in each stretch of a time, added up. `self`: calls without one below them that ran too, each with its time;
   * `parallel`: how much of that is more than one call at a time; `idle`: none ran.
   */
  running(from: number, to: number) {
    const calls = this.knownCalls.map((call) => ({
      ...call,
      ...whole([call])[0],
      below: whole(this.#below(call.event))
    }))
    const subagents = whole(
      this.spans.flatMap(({ kind, begin, end }) => {
        return kind === 'subagent' && begin !== null && end !== null ? [{ begin, end }] : []
      })
    )
    const sums = { callMs: 0, selfMs: 0, busyMs: 0, parallelMs: 0, idleMs: 0, mostCalls: 0, mostSubagents: 0 }
    for (const [since, until] of stretches([...calls, ...subagents, { begin: from, end: to }], from, to)) {
      const ms = until - since
      const isRunning = ({ begin, end }: Interval): boolean => begin <= since && end >= until
      const now = calls.filter(isRunning)
      const lowest = now.filter(({ below }) => !below.some(isRunning)).length
      sums.callMs += now.length * ms
      sums.selfMs += lowest * ms
      sums.parallelMs += Math.max(0, lowest - 1) * ms
      sums[now.length === 0 ? 'idleMs' : 'busyMs'] += ms
      sums.mostCalls = Math.max(sums.mostCalls, now.length)
      sums.mostSubagents = Math.max(sums.mostSubagents, subagents.filter(isRunning).length)
    }
    return sums
  }
}

/** `w`: written by the model. `e`: the model had stopped before. `t`: a todo list, written or with a result. `o`: any other. */
function letterOf(event: AgentEvent): string {
  switch (rowKindOf(event)) {
    case 'assistant':
    case 'reasoning':
    case 'tool':
      return 'w'
    case 'todo':
      return 't'
    case 'prompt':
    case 'tool-result':
    case 'tool-error':
    case 'result-text':
    case 'turn':
      return 'e'
    default:
      return 'o'
  }
}

function whole(intervals: readonly Interval[]): Interval[] {
  return intervals.map(({ begin, end }) => ({ begin: Math.round(begin), end: Math.round(end) }))
}

function stretches(
  intervals: readonly Interval[],
  from: number,
  to: number
): (readonly [since: number, until: number])[] {
  const ends = [...new Set(intervals.flatMap(({ begin, end }) => [begin, end]))].filter((at) => {
    return at >= from && at <= to && Number.isFinite(at)
  })
  const sorted = ends.toSorted((a, b) => a - b)
  return sorted.slice(1).map((until, i) => [sorted[i] ?? 0, until] as const)
}
