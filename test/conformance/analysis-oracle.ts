import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { agents } from '../../src/core/formats/agents.ts'
import type { Agent } from '../../src/core/formats/agent.ts'
import { isFailedCall } from '../../src/core/index/failed-call.ts'
import { rowKindOf, rowKinds } from '../../src/core/index/row-kind.ts'
import { TurnStarts } from '../../src/core/replay/turns.ts'

/** What docs/analysis.md says, written again over the events of a log: plain, and as slow as it likes. */

export interface OracleCall {
  readonly event: number
  readonly track: string | null
  readonly tool: string
  readonly failed: boolean
  readonly durationMs: number | undefined
  readonly begin: number | null
  readonly end: number | null
  readonly asks: boolean
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

  constructor(events: readonly AgentEvent[]) {
    this.#events = events
    const starts: number[] = []
    const rule = new TurnStarts()
    let lastAct: number | null = null
    for (const [i, event] of events.entries()) {
      if (event.trackId !== undefined) continue
      const at = statedTime(event)
      if (rule.next(rowKinds.indexOf(rowKindOf(event)))) {
        starts.push(i)
        if (lastAct !== null && at !== null && at > lastAct) this.#waits.push({ begin: lastAct, end: at })
      }
      lastAct = at ?? lastAct
    }
    for (const [i, start] of starts.entries()) {
      const times = events
        .slice(start, starts[i + 1] ?? events.length)
        .flatMap((event) => (event.trackId === undefined ? (statedTime(event) ?? []) : []))
      if (times.length > 0) this.#turns.push({ begin: times[0] ?? 0, end: Math.max(...times) })
    }
    this.#readCalls(starts)
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
      ...{ event: at, track: events[at]?.trackId ?? null, tool, failed: isFailedCall(event), durationMs },
      ...{ begin, end, asks: asking.has(tool) }
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
    const call = { event: at, track: event.trackId ?? null, tool: event.toolName, failed: false }
    this.calls.push({ ...call, durationMs: undefined, begin, end: null, asks })
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

  get wall(): Interval | null {
    const times = this.#events.flatMap((event) => statedTime(event) ?? []).map(Math.round)
    const [begin, end] = [Math.min(...times), Math.max(...times)]
    return end > begin ? { begin, end } : null
  }

  get knownCalls(): Interval[] {
    return this.calls.flatMap(({ begin, end, asks }) =>
      begin === null || end === null || asks ? [] : [{ begin, end }]
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

  /** Any call was running. */
  get busyMs(): number {
    const calls = whole(this.knownCalls)
    return stretches(calls, -Infinity, Infinity)
      .filter(([since, until]) => calls.some(({ begin, end }) => begin <= since && end >= until))
      .reduce((sum, [since, until]) => sum + until - since, 0)
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
  const ends = [...new Set(intervals.flatMap(({ begin, end }) => [begin, end]))].filter((at) => at >= from && at <= to)
  const sorted = ends.toSorted((a, b) => a - b)
  return sorted.slice(1).map((until, i) => [sorted[i] ?? 0, until] as const)
}
