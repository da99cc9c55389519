import { basename } from 'node:path'
import type { TurnCompleted } from '#core/events/agent-event.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import { durationText } from '#core/measure-text.ts'
import { deniedTextWithTools } from '#core/bridge/denied-calls.ts'
import { type LiveRun, runTook } from '#contract/live-runs.ts'
import type { Handlers, LogStatus, Notice, NoticeName } from '#contract/methods.ts'
import { agentPrograms } from '../live-runs/agent-programs.ts'

/** A live run has ended; or a turn of another log that somebody wrote to while it was open is over, and nothing came after it. */
export interface RunEnd {
  /** The open log that shows it; null: none does, but its file could be opened. */
  readonly log: string | null
  readonly path: string
  readonly format: string | null
  /** What it was, for people. */
  readonly name: string
  /** It was a live run. */
  readonly isLive: boolean
  readonly finishReason: TurnCompleted['finishReason']
  /** As in `LiveRun`. */
  readonly unfinished: boolean
  readonly denied: LiveRun['denied']
  /** The main agent's list as it is now; null: it has none. */
  readonly todo: { readonly completed: number; readonly total: number } | null
  /** Of a live run, all of it; of a log from its first growth since the end before, or since it was opened, to the last. */
  readonly durationMs: number
}

/** What is asked about a log that has come to rest. */
type Asked = Pick<Handlers, 'log.list' | 'log.columns' | 'log.event' | 'log.todoColumns'>

interface Followed {
  status: LogStatus
  /** Ends up to this line were told, or were there before the log grew. */
  line: number
  /** When it grew, by a clock that nobody sets, in ms; null: it has not since the last end. */
  grew: { readonly first: number; readonly last: number } | null
  stopWaiting: () => void
}

/** Milliseconds without growth after which a log is at rest. */
const rest = 3000
/** So many rows at the end of a log are looked at: records that are no events may follow a turn's end. */
const lastRows = 100
const turn = rowKinds.indexOf('turn')

function callLater(run: () => void, ms: number): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * Hears how open logs grow, and tells once of each end of a turn of their main agent at which they come to rest. `wait` calls a function
 * after so many milliseconds and returns what calls that off; `clock` is one that nobody sets. A log of which nothing can be learned any more is
 * passed over. Of a live run the end of its process is told, and not what its log says: a run that is stopped has no end in its log, and one that
 * has may go on.
 */
export class RunEnds {
  readonly #asked: Asked
  readonly #tell: (end: RunEnd) => void
  readonly #wait: (run: () => void, ms: number) => () => void
  readonly #clock: () => number
  readonly #logs = new Map<string, Followed>()
  /** The live runs that were seen while they ran, by their recordings; those that are over stay, as their logs are still read. */
  readonly #recordings = new Map<string, { isOver: boolean }>()

  constructor(
    asked: Asked,
    tell: (end: RunEnd) => void,
    wait = callLater,
    clock: () => number = () => performance.now()
  ) {
    this.#asked = asked
    this.#tell = tell
    this.#wait = wait
    this.#clock = clock
  }

  /** Takes any notice of the host. */
  hear<N extends NoticeName>(name: N, payload: Notice<N>): void {
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
    // Whoever started it was told that it failed, or that it is lost.
    if (run.state !== 'ended' || finishReason === null) return
    const { logs } = await this.#asked['log.list']({})
    const log = logs.find((open) => open.path === path)?.log ?? null
    // Another Playhead's matters here where somebody looks at it.
    if (!run.own && log === null) return
    const name = `${agentPrograms[agent].title} in ${basename(cwd)}`
    const durationMs = runTook(run) ?? 0
    const facts = { finishReason, unfinished, denied, todo: todo?.total ? todo : null, durationMs }
    this.#tell({ log, path, format, name, isLive: true, ...facts })
  }

  #follow(status: LogStatus): void {
    if (this.#recordings.has(status.path)) return
    const known = this.#logs.get(status.log)
    // Opened now; or another file lies there, whose lines are all new.
    const replaced =
      known !== undefined && status.generation !== known.status.generation && status.generationNote !== null
    const followed = known ?? { status, line: 0, grew: null, stopWaiting: () => {} }
    if (status.grownAt === null) followed.line = status.lines - (status.waitingBytes > 0 ? 1 : 0)
    else if (replaced) Object.assign(followed, { line: 0, grew: null })
    const grew = status.grownAt !== null && (!known || status.grownAt !== known.status.grownAt)
    followed.status = status
    this.#logs.set(status.log, followed)
    if (!grew) return
    const now = this.#clock()
    followed.grew = { first: followed.grew?.first ?? now, last: now }
    this.#lookLater(followed)
  }

  #lookLater(followed: Followed): void {
    followed.stopWaiting()
    followed.stopWaiting = this.#wait(() => void this.#look(followed).catch(() => {}), rest)
  }

  async #look(followed: Followed): Promise<void> {
    const { status, grew: growth } = followed
    const { log, name, path, grownAt, waitingBytes } = status
    const { logs } = await this.#asked['log.list']({})
    for (const id of this.#logs.keys()) if (!logs.some((open) => open.log === id)) this.#logs.delete(id)
    if (this.#logs.get(log) !== followed) return
    if (status.phase === 'reading') this.#lookLater(followed)
    // Half a line: somebody writes on.
    if (status.phase !== 'done' || waitingBytes > 0 || growth === null) return
    const end = await this.#lastTurn(status)
    if (end === null || end.line <= followed.line) return
    const { event } = await this.#asked['log.event']({ log, row: end.row, limit: 1000 })
    const todo = await this.#todo(status)
    // It may have been closed, or have grown, while it was asked.
    if (event?.type !== 'turn.completed' || this.#logs.get(log)?.status.grownAt !== grownAt) return
    Object.assign(followed, { line: end.line, grew: null })
    const { finishReason } = event
    const facts = { finishReason, unfinished: false, denied: null, todo, durationMs: growth.last - growth.first }
    this.#tell({ log, path, format: null, name, isLive: false, ...facts })
  }

  /** The last event that really stands in the log, if it is one of the main agent's turns. */
  async #lastTurn({ log, settled }: LogStatus): Promise<{ row: number; line: number } | null> {
    if (settled.rows === 0) return null
    const from = Math.max(0, settled.rows - lastRows)
    const columns = await this.#asked['log.columns']({ log, from, count: settled.rows - from })
    const at = new Int32Array(columns.seq).findLastIndex((seq) => seq >= 0)
    const isMain = new Uint16Array(columns.track)[at] === 0
    const line = new Uint32Array(columns.line)[at]
    if (line === undefined || !isMain || new Uint8Array(columns.kind)[at] !== turn) return null
    return { row: from + at, line }
  }

  async #todo({ log, settled }: LogStatus): Promise<RunEnd['todo']> {
    if (settled.todoSnapshots === 0) return null
    const columns = await this.#asked['log.todoColumns']({ log, from: 0 })
    const last = new Uint16Array(columns.track).lastIndexOf(0, settled.todoSnapshots - 1)
    const total = new Uint16Array(columns.total)[last] ?? 0
    return total === 0 ? null : { completed: new Uint16Array(columns.completed)[last] ?? 0, total }
  }
}

const words = { done: 'done', error: 'ended with an error', cancelled: 'cancelled', timeout: 'ran out of time' }

/** The end as a notification says it. */
export function runEndWords(end: RunEnd): { title: string; body: string } {
  const { name, isLive, finishReason, unfinished, denied, todo, durationMs } = end
  const facts = [
    ...(denied === null ? [] : [deniedTextWithTools(denied)]),
    ...(todo ? [`${todo.completed} of ${todo.total} todos completed`] : []),
    ...(durationMs >= 1000 ? [`${isLive ? 'took' : 'watched for'} ${durationText(durationMs)}`] : [])
  ]
  return {
    title: `${name}: ${unfinished ? 'ended without a final turn' : words[finishReason]}`,
    body: facts.join(' · ')
  }
}
