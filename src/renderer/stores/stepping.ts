import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import {
  type Direction,
  nextOfKind,
  nextOfTool,
  nextWithIssue,
  stepInto,
  stepOut,
  stepOver
} from '#core/replay/steps.ts'
import { lastName } from '#core/paths/path-names.ts'
import { formatPercent } from '../ui/format.ts'
import type { Filtering } from './filtering.ts'
import type { Following } from './following.ts'
import { parseGoTo, rowOfTarget } from './go-to.ts'
import type { LogAccess } from './log-access.ts'
import type { Placing, Playhead, PlayheadState } from './playhead.ts'
import type { Playing } from './playing.ts'
import type { Reviewing } from './reviewing.ts'
import { lastShownEvent, shownEventFrom } from './shown-events.ts'

/** Goals of a step besides events, todo changes and matches. */
export type StepGoal = 'turn' | 'prompt' | 'failed-call' | 'same-tool' | 'same-file' | 'breakpoint' | 'bookmark'

const goalNames: Record<StepGoal, string> = {
  turn: 'turn',
  prompt: 'prompt',
  'failed-call': 'failed call',
  'same-tool': 'call of this tool',
  'same-file': 'call about this file',
  breakpoint: 'breakpoint',
  bookmark: 'bookmark'
}

export interface SteppingState {
  /** Why the last step had no effect, or the progress of its search; null for none. */
  readonly stepNote: { readonly text: string; readonly searching: boolean } | null
}

type SteppedLog = LogAccess<SteppingState & PlayheadState>

interface SteppedParts {
  readonly playhead: Playhead
  readonly following: Following
  readonly filtering: Filtering
  readonly playing: Playing
  readonly reviewing: Reviewing
}

/** Moves the playhead among visible rows. Each step pauses play; one without effect says so. */
export class Stepping {
  readonly #log: SteppedLog
  readonly #parts: SteppedParts
  /** Number of searches for a goal; answers to earlier ones are dropped. */
  #searches = 0

  constructor(log: SteppedLog, parts: SteppedParts) {
    this.#log = log
    this.#parts = parts
    parts.playhead.onPersonMoves(() => this.stop())
    parts.playhead.onMoved(() => {
      if (log.get().stepNote !== null) log.set({ stepNote: null })
    })
  }

  /** Moves by `delta` events. */
  step(delta: number): void {
    this.#begin()
    const { columns, layout, get } = this.#log
    const { row, seq } = get()
    if (layout.isFiltered) return this.#placeShown(row, delta)
    // From a record, the event before it is one step away.
    const onEvent = row >= 0 && columns.seq[row] === seq
    this.#parts.playhead.placeEvent(seq + (delta < 0 && !onEvent ? delta + 1 : delta))
  }

  home(): void {
    this.#begin()
    if (this.#log.layout.isFiltered) this.#placeShown(-1, 1)
    else this.#parts.playhead.placeEvent(0)
  }

  /** Moves to the last event. At the end of a completely read log, it is followed. */
  end(): void {
    this.#begin()
    const { columns, layout, get } = this.#log
    const placing = get().status.phase === 'done' ? { follow: true } : {}
    if (layout.isFiltered) this.#placeShown(columns.rows, -1, placing)
    else this.#parts.playhead.place(columns.lastRow(), placing)
  }

  /** True: moves to the end and follows it. False: the playhead stays. */
  follow(on: boolean): void {
    if (on) this.#begin()
    this.#parts.following.follow(on)
  }

  /** Moves to a typed line, event or time. Returns the error; null for none. */
  goTo(text: string): string | null {
    const { columns, get } = this.#log
    const target = parseGoTo(text)
    if (target === null) return 'Enter a line ("128"), an event ("#40") or a time ("12:04:33").'
    const row = rowOfTarget(columns, get().status, target)
    if (typeof row === 'string') return row
    this.#begin()
    this.#parts.playhead.place(row)
    return null
  }

  nextTodo(direction: Direction): void {
    this.#begin()
    const { todos, get } = this.#log
    const { seq } = get()
    const index = direction > 0 ? todos.indexAt(seq) + 1 : todos.indexAt(seq - 1)
    if (index >= 0 && index < todos.count) this.#parts.playhead.placeEvent(todos.seqAt(index))
    else this.#note(noneText('todo change', direction))
  }

  nextIssue(direction: Direction): void {
    this.#begin()
    const { columns, get } = this.#log
    this.#go(nextWithIssue(columns, get().row, direction, this.#isShown), noneText('issue', direction))
  }

  /** Moves to the nearest of some rows. `what`: what they are, in the message if there is none. */
  toOneOf(rows: readonly number[], direction: Direction, what: string): void {
    this.#begin()
    const { row } = this.#log.get()
    let nearest = -1
    for (const one of rows) {
      const isBeyond = direction > 0 ? one > row : one >= 0 && one < row
      if (isBeyond && this.#isShown(one) && (nearest < 0 || (one - nearest) * direction < 0)) nearest = one
    }
    this.#go(nearest, noneText(what, direction))
  }

  /** Moves to the next goal. */
  stepTo(goal: StepGoal, direction: Direction): void {
    this.#begin()
    const { columns, get } = this.#log
    if (goal === 'same-file') return void this.#goToSameFile(direction)
    if (goal === 'same-tool' && (columns.tool[get().row] ?? 0) === 0) {
      return this.#note('No tool call at the playhead.')
    }
    this.#go(this.#rowOf(goal, direction), noneText(goalNames[goal], direction))
  }

  /** Moves to the first event of the subagent that this call started. */
  stepInto(): void {
    this.#begin()
    const { columns, get } = this.#log
    const { row, status } = get()
    this.#go(stepInto(columns, status.tracks, row, this.#isShown), 'No subagent starts here.')
  }

  /** Moves from a call to its result; in a subagent to its return. */
  stepOver(): void {
    this.#begin()
    const { columns, layout, get } = this.#log
    const { row, status } = get()
    const over = stepOver(columns, status.tracks, row, this.#isShown)
    const last = layout.isFiltered ? lastShownEvent(layout, columns, row + 1) : columns.lastRow()
    this.#go(over >= 0 ? over : last, 'This is the end.')
  }

  /** Moves to the return of the current subagent. */
  stepOut(): void {
    this.#begin()
    const { columns, get } = this.#log
    const { row, status } = get()
    const isInside = (status.tracks[columns.track[row] ?? 0]?.depth ?? 0) > 0
    const out = stepOut(columns, status.tracks, row, this.#isShown)
    this.#go(out, isInside ? 'The log ends inside this subagent.' : 'This is the main agent.')
  }

  /** Stops the search for a goal. */
  stop(): void {
    this.#searches++
    if (this.#log.get().stepNote?.searching === true) this.#log.set({ stepNote: null })
  }

  readonly #isShown = (row: number): boolean => this.#parts.filtering.isShown(row)

  #begin(): void {
    this.#parts.playing.pause()
    this.stop()
  }

  #rowOf(goal: Exclude<StepGoal, 'same-file'>, direction: Direction): number {
    const { columns, failedCalls, get } = this.#log
    const { reviewing } = this.#parts
    const { row } = get()
    const passes = this.#isShown
    switch (goal) {
      case 'turn':
        return this.#nextTurn(row, direction)
      case 'prompt':
        return nextOfKind(columns, goal, row, direction, passes)
      case 'failed-call':
        return failedCalls.next(row, direction, passes)
      case 'same-tool':
        return nextOfTool(columns, row, direction, passes)
      case 'breakpoint':
        return reviewing.breakpoints.next(row, direction, passes)
      case 'bookmark':
        return reviewing.nextBookmark(row, direction, passes)
    }
  }

  /** From inside a turn, the previous turn is its own start. */
  #nextTurn(row: number, direction: Direction): number {
    const { turns } = this.#log.layout
    for (let turn = turns.turnAt(row - (direction > 0 ? 0 : 1)); ; turn += direction) {
      const at = direction > 0 ? turn + 1 : turn
      if (at < 0 || at >= turns.count) return -1
      const start = turns.startOf(at)
      if (this.#isShown(start)) return start
    }
  }

  /** The host searches piece by piece; any other move cancels it. */
  async #goToSameFile(direction: Direction): Promise<void> {
    const { host, id, columns, get, set } = this.#log
    const search = this.#searches
    const { row } = get()
    set({ stepNote: { text: 'Searching for the same file…', searching: true } })
    try {
      for (let from: number | null = row; from !== null;) {
        const answer: Result<'log.sameFile'> = await host.call('log.sameFile', { log: id, row, from, direction })
        if (search !== this.#searches) return
        const { files, goOnFrom } = answer
        if (files.length === 0) return this.#note('This event has no file.')
        if (answer.row !== null && this.#isShown(answer.row)) return this.#parts.playhead.place(answer.row)
        const name = files.length === 1 ? lastName(files[0] ?? '') : `${files.length} files`
        if (goOnFrom === null) return this.#note(`No ${direction > 0 ? 'later' : 'earlier'} call about ${name}.`)
        const left = direction > 0 ? columns.rows - row : row
        const done = formatPercent(Math.abs(goOnFrom - row) / Math.max(1, left))
        set({ stepNote: { text: `Searching for ${name}… ${done}`, searching: true } })
        from = goOnFrom
      }
    } catch (error) {
      if (search === this.#searches) this.#note(messageOf(error))
    }
  }

  #go(row: number, otherwise: string): void {
    if (row >= 0 && row !== this.#log.get().row) this.#parts.playhead.place(row)
    else this.#note(otherwise)
  }

  #note(text: string): void {
    this.#log.set({ stepNote: { text, searching: false } })
  }

  /** Moves to the `delta`-th visible event from row `from`. */
  #placeShown(from: number, delta: number, placing?: Placing): void {
    const { columns, layout } = this.#log
    this.#parts.playhead.place(shownEventFrom(layout, columns, from, delta), placing)
  }
}

function noneText(what: string, direction: Direction): string {
  return `No ${direction > 0 ? 'later' : 'earlier'} ${what}.`
}
