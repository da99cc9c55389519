import { createContext, useContext } from 'react'
import { createStore, useStore, type StoreApi } from 'zustand'
import type { Host, LogStatus } from '#contract/methods.ts'
import { Overview } from '#core/index/overview.ts'
import { TimeScale } from '#core/replay/event-scale.ts'
import type { Direction } from '#core/replay/steps.ts'
import { type PlayerRate, type PlayerState, stoppedPlayer } from '#core/replay/player.ts'
import { FailedCalls } from './failed-calls.ts'
import { Filtering } from './filtering.ts'
import { Finding } from './finding.ts'
import { Following } from './following.ts'
import { parseGoTo } from './go-to.ts'
import { LiveSummary } from './live-summary.ts'
import { Loading } from './loading.ts'
import { LogColumns } from './log-columns.ts'
import { type FindQuery, type FindState, noFind } from './log-find.ts'
import { Playhead } from './playhead.ts'
import { Playing } from './playing.ts'
import type { Place } from './place.ts'
import type { PlaceInLog } from './resume.ts'
import { Resuming } from './resuming.ts'
import { noReview, Reviewing, type ReviewState } from './reviewing.ts'
import { type FilterChoice, noFilter } from './row-filter.ts'
import { RowMarks } from './row-marks.ts'
import { rowOfTarget } from './row-of-target.ts'
import { RangeUsages } from './range-usages.ts'
import { RowSummaries } from './row-summaries.ts'
import { type StepGoal, Stepping } from './stepping.ts'
import { idleFrom, localEndOfDay, TimelineLayout } from './timeline-layout.ts'
import { TodoSnapshots } from './todo-snapshots.ts'

/** `summary` is of the session, the others of the row that is selected. */
export const inspectorTabs = ['summary', 'event', 'raw', 'issues'] as const
export type InspectorTab = (typeof inspectorTabs)[number]
export type GoToResult = { ok: true } | { ok: false; message: string }

/** One generation of an open log: what is known of it, and where the person is in it. */
export interface LogState {
  readonly host: Host
  readonly id: string
  /** Differs for every log, and every generation of it that has not all that the one before had: what the page draws starts over. */
  readonly key: string
  status: LogStatus
  /** Columns, layout and overview grow in place; `version` counts the changes. */
  readonly columns: LogColumns
  readonly layout: TimelineLayout
  readonly overview: Overview
  readonly failedCalls: FailedCalls
  /** Grows when it is asked to: few look at it. */
  readonly timeScale: TimeScale
  version: number
  /** Its rows are loaded, or being loaded: the log was looked at. */
  hasBegun: boolean
  /** All that the host has read is here, and it has read all there is. From then on it stays so, whatever comes. */
  isComplete: boolean
  /** Rows from here on may be taken back when the log goes on. */
  settledRows: number
  /** How often such rows were loaded anew: what they are may have changed each time. */
  replacements: number
  /** Why columns or summaries could not be had; null when they could. `reload` asks again, for whatever failed. */
  loadError: string | null
  readonly summaries: RowSummaries
  /** Tokens of turns and of the whole log. */
  readonly usages: RangeUsages
  /** The session in numbers. */
  readonly summary: LiveSummary
  /** Brings the marks of rows in view up to date; they stand in the columns. */
  readonly marks: RowMarks
  readonly todos: TodoSnapshots
  /** The selected row, an event or a record; -1 none. */
  row: number
  /** The seq of the event at `row`, or of the last one before it; -1 before the first event. */
  playhead: number
  /** False until the person first moves the playhead: nothing is dimmed before. */
  moved: boolean
  /** How often the selected row was to be brought into view: that of a row the host took back is not. */
  reveals: number
  /** The playhead stays at the end as the log grows. */
  following: boolean
  /** The person has read why this generation began; true where there is nothing to tell. */
  noteRead: boolean
  /** The person has seen that logs of subagents are missing. */
  missingSeen: boolean
  /** Its `seq` is the playhead's, and 0 before the first event. */
  player: PlayerState
  find: FindState
  /** Which rows the timeline shows. */
  filter: FilterChoice
  inspectorTab: InspectorTab
  /** Why the last step led nowhere, or that its goal is being looked for; null where there is nothing to say. */
  stepNote: { readonly text: string; readonly searching: boolean } | null
  /** Bookmarks and breakpoints. */
  review: ReviewState
  /** Counts whenever a bookmark or breakpoint is at other rows: `reviewing` says at which. */
  reviewVersion: number
  readonly reviewing: Reviewing

  movePlayhead(seq: number): void
  selectRow(row: number): void
  /** To the `delta`-th event from here; under a filter, of those the timeline shows. So do `home`, `end`, `nextIssue` and `nextHit`. */
  step(delta: number): void
  home(): void
  /** To the last event. Of a log that is read to its end the end is followed from then on. */
  end(): void
  /** True: to the end, under a filter that of what is shown, and with it as the log grows. False: the playhead stays where it is. */
  follow(on: boolean): void
  nextTodo(direction: 1 | -1): void
  nextIssue(direction: 1 | -1): void
  /** While the log is searched: as soon as it is known which one that is. */
  nextHit(direction: 1 | -1): void
  /** To the next place of that sort on that side, among the rows that are shown. */
  stepTo(goal: StepGoal, direction: Direction): void
  /** To the first event of the subagent that the call here started. */
  stepInto(): void
  /** From a call to its result, past all that happened in between; in a subagent's track to where it returns. */
  stepOver(): void
  /** To where the subagent returns that the playhead is in. */
  stepOut(): void
  /** Ends a step whose goal is still being looked for. */
  stopStepping(): void
  togglePlay(): void
  /** Time has passed, in ms of the clock on the wall: what is due is played. */
  advance(elapsedMs: number): void
  setRate(rate: PlayerRate): void
  /** To the next slower or faster rate there is. */
  changeRate(direction: Direction): void
  setStopAtIssues(on: boolean): void
  /** Shows or hides records without an event; that at the playhead stays. */
  showRecords(shown: boolean): void
  /** Takes the result of a call off the call's line, or puts it back; `row` is either. */
  toggleResult(row: number): void
  /** Opens or closes the turn of `row`. */
  toggleTurn(row: number): void
  /** Closes all turns, or opens them all where one is closed. */
  toggleAllTurns(): void
  /** What is left out stays as it is. */
  setFind(query: Partial<FindQuery>): void
  /** Ends a search that is under way; what it has found stays. */
  stopFind(): void
  /** Hits are no longer marked; asked for the next one, it is searched for the same text again. */
  endFind(): void
  setFilter(filter: FilterChoice): void
  setInspectorTab(tab: InspectorTab): void
  goTo(text: string): GoToResult
  /** Moves when the rows that the host has are here too, in the order asked: a key pressed right after opening counts. */
  whenLoaded(move: () => void): void
  /** Begins to load what there is, if that has not begun: the log is shown. */
  begin(): void
  reload(): void
  /** What the host says of the log. That of another generation is not for this store. */
  receive(status: LogStatus): void
  dismissNote(): void
  dismissMissing(): void
  /** Goes on where the person was in the generation before, which was shown until now. */
  takeOver(before: LogState): void
  /** Goes where the person was when the page was left, as soon as that is here, and looks for what they looked for. */
  comeBack(place: Place): void
  /** Where the person is, or will be as soon as that is here; null where they have not been anywhere yet. */
  whereabouts(): PlaceInLog | null
  /** The log is closed: nothing is asked of the host any more. */
  dispose(): void
}

export type LogStore = StoreApi<LogState>

/** What a store of a log may be made with. */
export interface LogStoreOptions {
  readonly key?: string
  /** False: nothing is loaded before `begin`. */
  readonly begins?: boolean
}

/** Opens the state of one log and begins to load its columns. */
export function createLogStore(host: Host, status: LogStatus, options: LogStoreOptions = {}): LogStore {
  const { key = `${status.log} ${status.generation}`, begins = true } = options
  const id = status.log
  const store: LogStore = createStore<LogState>((set, get) => {
    const columns = new LogColumns()
    const layout = new TimelineLayout(columns, localEndOfDay, status.format !== null)
    const overview = new Overview(columns, idleFrom)
    const todos = new TodoSnapshots(
      async (from, count) => (await host.call('log.todos', { log: id, from, count })).snapshots,
      (from, count) => host.call('log.todoLanes', { log: id, from, count })
    )
    const summaries = new RowSummaries(async (rows) => (await host.call('log.rows', { log: id, rows })).rows)
    const usages = new RangeUsages(async (ranges) => (await host.call('log.usage', { log: id, ranges })).usages)
    const summary = new LiveSummary(() => host.call('log.summary', { log: id }))
    const marks = new RowMarks(columns, (from, count) => host.call('log.columns', { log: id, from, count }), {
      changed: () => set({ version: get().version + 1 }),
      failed: (loadError) => set({ loadError })
    })
    const log = { host, id, columns, layout, todos, get, set }
    const playhead = new Playhead(log)
    const following = new Following(log, playhead)
    const resuming = new Resuming(log, playhead, following)
    const filtering = new Filtering(log, following)
    const reviewing = new Reviewing(log)
    const playing = new Playing(log, playhead, filtering, reviewing)
    const stepping = new Stepping(log, { playhead, filtering, playing, reviewing })
    const finding = new Finding(log, playhead, filtering, playing)
    const loading = new Loading(log, status, marks, { playhead, following, resuming, filtering, finding, reviewing })
    const stopListening = host.on('log.progress', (progress) => {
      if (progress.log === id) loading.receive(progress)
    })
    const stopHearingHits = host.on('log.found', (progress) => {
      if (progress.log !== id || progress.generation !== status.generation) return
      finding.hear(progress)
      reviewing.hear(progress)
    })
    summaries.changes.subscribe(() => {
      if (summaries.error !== null) set({ loadError: summaries.error })
    })

    return {
      host,
      id,
      key,
      status,
      columns,
      layout,
      overview,
      failedCalls: new FailedCalls(columns),
      timeScale: new TimeScale(columns),
      version: 0,
      hasBegun: false,
      isComplete: false,
      settledRows: 0,
      replacements: 0,
      loadError: null,
      summaries,
      usages,
      summary,
      marks,
      todos,
      row: -1,
      playhead: -1,
      moved: false,
      reveals: 0,
      following: false,
      noteRead: true,
      missingSeen: false,
      player: stoppedPlayer,
      find: noFind,
      filter: noFilter,
      inspectorTab: 'summary',
      stepNote: null,
      review: noReview,
      reviewVersion: 0,
      reviewing,

      movePlayhead: (seq) => playhead.placeEvent(seq),
      selectRow: (row) => playhead.place(row, { onTurn: true }),
      step: (delta) => stepping.step(delta),
      home: () => stepping.home(),
      end: () => stepping.end(),
      follow(on) {
        if (on) playing.pause()
        following.follow(on)
      },
      nextTodo: (direction) => stepping.nextTodo(direction),
      nextIssue: (direction) => stepping.nextIssue(direction),
      nextHit: (direction) => finding.next(direction),
      stepTo: (goal, direction) => stepping.stepTo(goal, direction),
      stepInto: () => stepping.stepInto(),
      stepOver: () => stepping.stepOver(),
      stepOut: () => stepping.stepOut(),
      stopStepping: () => stepping.stop(),
      togglePlay: () => playing.toggle(),
      advance: (elapsedMs) => playing.advance(elapsedMs),
      setRate: (rate) => playing.setRate(rate),
      changeRate: (direction) => playing.changeRate(direction),
      setStopAtIssues: (on) => playing.stopAtIssues(on),
      showRecords(shown) {
        layout.showRecords(shown)
        if (get().moved && layout.viewOf(get().row) < 0) layout.singleOut([get().row])
        set({ version: get().version + 1 })
      },
      toggleResult(row) {
        if (layout.toggleResult(row)) set({ version: get().version + 1 })
      },
      toggleTurn(row) {
        if (layout.setTurnOpen(row, layout.isInClosedTurn(row))) set({ version: get().version + 1 })
      },
      toggleAllTurns() {
        layout.setAllTurnsOpen(layout.closedTurns.size > 0)
        set({ version: get().version + 1 })
      },
      setFind: (change) => finding.setQuery(change),
      stopFind: () => finding.stop(),
      endFind: () => finding.end(),
      setFilter: (choice) => filtering.set(choice),
      setInspectorTab: (inspectorTab) => set({ inspectorTab }),
      goTo(text) {
        const target = parseGoTo(text)
        if (target === null) {
          return { ok: false, message: 'Enter a line ("128"), an event ("#40") or a time ("12:04:33").' }
        }
        const row = rowOfTarget(columns, get().status, target)
        if (typeof row === 'string') return { ok: false, message: row }
        playing.pause()
        playhead.place(row)
        return { ok: true }
      },
      whenLoaded: (move) => loading.whenLoaded(move),
      begin: () => loading.begin(),
      reload: () => loading.reload(),
      receive: (progress) => loading.receive(progress),
      dismissNote: () => set({ noteRead: true }),
      dismissMissing: () => set({ missingSeen: true }),
      takeOver: (before) => resuming.takeOver(before),
      comeBack: (place) => resuming.comeBack(place),
      whereabouts: () => resuming.whereabouts(),
      dispose() {
        stopListening()
        stopHearingHits()
        summaries.dispose()
        usages.dispose()
        summary.dispose()
        loading.dispose()
        finding.dispose()
        reviewing.dispose()
      }
    }
  })
  // Whoever made it hears of all that comes.
  if (begins) queueMicrotask(() => store.getState().begin())
  return store
}

export const LogStoreContext = createContext<LogStore | null>(null)

/** The store of the log that is shown. */
export function useLogStore(): LogStore {
  const store = useContext(LogStoreContext)
  if (store === null) throw new Error('useLog needs a LogStoreContext around it')
  return store
}

export function useLog<T>(selector: (state: LogState) => T): T {
  return useStore(useLogStore(), selector)
}
