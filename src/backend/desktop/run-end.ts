import { basename } from 'node:path'
import type { TurnCompleted } from '#core/events/agent-event.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import { durationText } from '#core/measure-text.ts'
import { deniedTextWithTools } from '#core/bridge/denied-calls.ts'
import { type LiveRun, runTook } from '#contract/live-runs.ts'
import type { Handlers, LogStatus, Notice, NoticeName } from '#contract/methods.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'

/** The end of a live run, or of the last turn in a log that grew while it was open. */
export interface RunEnd {
  /** The open log that shows it; null: it is not open. */
  readonly log: string | null
  readonly path: string
  readonly format: string | null
  /** For people. */
  readonly name: string
  readonly isLive: boolean
  readonly finishReason: TurnCompleted['finishReason']
  /** As in `LiveRun`. */
  readonly unfinished: boolean
  readonly denied: LiveRun['denied']
  /** The main agent's current todo list; null: it has none. */
  readonly todo: { readonly completed: number; readonly total: number } | null
  /** The whole live run; for a log, from its first growth since the previous end to the last. */
  readonly durationMs: number
}

type Queries = Pick<Handlers, 'log.list' | 'log.columns' | 'log.event' | 'log.todoColumns'>

interface FollowedLog {
  status: LogStatus
  /** Ends up to this line were reported, or were in the log when it was opened. */
  line: number
  /** In ms of a monotonic clock; null: no growth since the last end. */
  growth: { readonly first: number; readonly last: number } | null
  stopWaiting: () => void
}

/** A log is at rest after this time without growth. */
const restMs = 3000
/** Rows searched for the end of a turn: records without events may follow it. */
/** Rows searched for the end of a turn: records without events may follow it. */
const lastRows = 100
const turnKind = rowKinds.indexOf('turn')

function callLater(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Reports each end of a turn of a main agent after which its log is at rest. For live runs the end of the process counts,
 * because the log of a stopped run has no end. `wait` is a timer that returns its cancel function; `clock` is monotonic.
 */
export class RunEnds {
  readonly #queries: Queries
  readonly #onEnd: (end: RunEnd) => void
  readonly #wait: (run: () => void, ms: number) => () => void
  readonly #clock: () => number
  readonly #logs = new Map<string, FollowedLog>()
  /** Live runs seen while running, by recording. Ended runs stay, because their logs are still read. */
  readonly #recordings = new Map<string, { isOver: boolean }>()

  constructor(
    queries: Queries,
    onEnd: (end: RunEnd) => void,
    wait = callLater,
    clock: () => number = () => performance.now()
  ) {
    this.#queries = queries
    this.#onEnd = onEnd
    this.#wait = wait
    this.#clock = clock
  }

  onNotice<N extends NoticeName>(name: N, payload: Notice<N>): void {
    if (name === 'log.progress') this.#follow(payload as LogStatus)
    if (name === 'run.changed') void this.#followRun(payload as LiveRun).catch(() => {})
  }

  async #followRun(run: LiveRun): Promise<void> {
    const { recording: path, format, agent, cwd, finishReason, unfinished, denied, todo } = run
    const known = this.#recordings.get(path)
    if (known === undefined || known.isOver || run.endedAt === null) {
      if (known === undefined && run.endedAt === null) this.#recordings.set(path, { isOver: false })
      return
    }
    known.isOver = true
    // A failed or lost run was reported by `run.start` or the list of runs.
    if (run.state !== 'ended' || finishReason === null) return
    const { logs } = await this.#queries['log.list']({})
    const log = logs.find((open) => open.path === path)?.log ?? null
    // A run of another Playhead counts only if its log is open here.
    if (!run.own && log === null) return
    const name = `${agentPrograms[agent].title} in ${basename(cwd)}`
    const durationMs = runTook(run) ?? 0
    const facts = { finishReason, unfinished, denied, todo: todo?.total ? todo : null, durationMs }
    this.#onEnd({ log, path, format, name, isLive: true, ...facts })
  }

  #follow(status: LogStatus): void {
    if (this.#recordings.has(status.path)) return
    const known = this.#logs.get(status.log)
    // The path has another file, with only new lines.
    const replaced =
      known !== undefined && status.generation !== known.status.generation && status.generationNote !== null
    const followed = known ?? { status, line: 0, growth: null, stopWaiting: () => {} }
    if (status.grownAt === null) followed.line = status.lines - (status.waitingBytes > 0 ? 1 : 0)
    else if (replaced) Object.assign(followed, { line: 0, growth: null })
    const hasGrown = status.grownAt !== null && (!known || status.grownAt !== known.status.grownAt)
    followed.status = status
    this.#logs.set(status.log, followed)
    if (!hasGrown) return
    const now = this.#clock()
    followed.growth = { first: followed.growth?.first ?? now, last: now }
    this.#checkLater(followed)
  }

  #checkLater(followed: FollowedLog): void {
    followed.stopWaiting()
    followed.stopWaiting = this.#wait(() => void this.#check(followed).catch(() => {}), restMs)
  }

  async #check(followed: FollowedLog): Promise<void> {
    const { status, growth } = followed
    const { log, name, path, grownAt, waitingBytes } = status
    const { logs } = await this.#queries['log.list']({})
    for (const id of this.#logs.keys()) if (!logs.some((open) => open.log === id)) this.#logs.delete(id)
    if (this.#logs.get(log) !== followed) return
    if (status.phase === 'reading') this.#checkLater(followed)
    // A part of a line is at the end: the log is still being written.
    if (status.phase !== 'done' || waitingBytes > 0 || growth === null) return
    const end = await this.#lastTurn(status)
    if (end === null || end.line <= followed.line) return
    const { event } = await this.#queries['log.event']({ log, row: end.row, limit: 1000 })
    const todo = await this.#todo(status)
    // It may have been closed, or have grown, during the calls.
    if (event?.type !== 'turn.completed' || this.#logs.get(log)?.status.grownAt !== grownAt) return
    Object.assign(followed, { line: end.line, growth: null })
    const { finishReason } = event
    const facts = { finishReason, unfinished: false, denied: null, todo, durationMs: growth.last - growth.first }
    this.#onEnd({ log, path, format: null, name, isLive: false, ...facts })
  }

  /** The last settled event, if it ends a turn of the main agent. */
  async #lastTurn({ log, settled }: LogStatus): Promise<{ row: number; line: number } | null> {
    if (settled.rows === 0) return null
    const from = Math.max(0, settled.rows - lastRows)
    const columns = await this.#queries['log.columns']({ log, from, count: settled.rows - from })
    const at = new Int32Array(columns.seq).findLastIndex((seq) => seq >= 0)
    const isMain = new Uint16Array(columns.track)[at] === 0
    const line = new Uint32Array(columns.line)[at]
    if (line === undefined || !isMain || new Uint8Array(columns.kind)[at] !== turnKind) return null
    return { row: from + at, line }
  }

  async #todo({ log, settled }: LogStatus): Promise<RunEnd['todo']> {
    if (settled.todoSnapshots === 0) return null
    const columns = await this.#queries['log.todoColumns']({ log, from: 0 })
    const last = new Uint16Array(columns.track).lastIndexOf(0, settled.todoSnapshots - 1)
    const total = new Uint16Array(columns.total)[last] ?? 0
    return total === 0 ? null : { completed: new Uint16Array(columns.completed)[last] ?? 0, total }
  }
}

const outcomes = { done: 'done', error: 'ended with an error', cancelled: 'cancelled', timeout: 'ran out of time' }

/** The text of a notification. */
export function runEndText(end: RunEnd): { title: string; body: string } {
  const { name, isLive, finishReason, unfinished, denied, todo, durationMs } = end
  const facts = [
    ...(denied === null ? [] : [deniedTextWithTools(denied)]),
    ...(todo ? [`${todo.completed} of ${todo.total} todos completed`] : []),
    ...(durationMs >= 1000 ? [`${isLive ? 'took' : 'watched for'} ${durationText(durationMs)}`] : [])
  ]
  return {
    title: `${name}: ${unfinished ? 'ended without a final turn' : outcomes[finishReason]}`,
    body: facts.join(' · ')
  }
}
