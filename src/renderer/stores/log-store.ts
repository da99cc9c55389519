import { createContext, useContext } from 'react'
import { createStore, useStore, type StoreApi } from 'zustand'
import type { Host, LogStatus } from '#contract/methods.ts'
import { Overview } from '#core/index/overview.ts'
import { type PlayerEvent, type PlayerRate, type PlayerState, stoppedPlayer, transition } from '#core/replay/player.ts'
import { formatClock, formatCount, formatPlural } from '../ui/format.ts'
import { hitAt, hitFrom } from './find-hits.ts'
import { type GoToTarget, parseGoTo, timeOf } from './go-to.ts'
import { LogColumns } from './log-columns.ts'
import { type FindQuery, type FindState, LogFind, noFind } from './log-find.ts'
import { LogLoader } from './log-loader.ts'
import { isSameRow, type PlaceInLog, placeOfRow, Resume, sameRow } from './resume.ts'
import { type FilterChoice, isNoFilter, noFilter, RowFilter } from './row-filter.ts'
import { RowMarks } from './row-marks.ts'
import { RowSummaries } from './row-summaries.ts'
import { lastShownEvent, shownEventFrom } from './shown-events.ts'
import { idleFrom, localEndOfDay, TimelineLayout } from './timeline-layout.ts'
import { TodoSnapshots } from './todo-snapshots.ts'

export type InspectorTab = 'event' | 'raw' | 'issues'
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
  version: number
  /** All that the host has read is here, and it has read all there is. From then on it stays so, whatever comes. */
  isComplete: boolean
  /** Rows from here on may be taken back when the log goes on. */
  settledRows: number
  /** How often such rows were loaded anew: what they are may have changed each time. */
  replacements: number
  /** Why columns or summaries could not be had; null when they could. `reload` asks again, for whatever failed. */
  loadError: string | null
  readonly summaries: RowSummaries
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
  /** Its `seq` is the playhead's, and 0 before the first event. */
  player: PlayerState
  find: FindState
  /** Which rows the timeline shows. */
  filter: FilterChoice
  inspectorTab: InspectorTab

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
  /** From a call to its result, past all that happened in between; in a subagent's track to where it returns. */
  stepOver(): void
  togglePlay(): void
  /** Time has passed, in ms of the clock on the wall: what is due is played. */
  advance(elapsedMs: number): void
  setRate(rate: PlayerRate): void
  toggleFold(firstRow: number): void
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
  reload(): void
  /** What the host says of the log. That of another generation is not for this store. */
  receive(status: LogStatus): void
  dismissNote(): void
  /** Goes on where the person was in the generation before, which was shown until now. */
  takeOver(before: LogState): void
  /** Where the person is, for the next generation of the log; null where they have not been anywhere yet. */
  whereabouts(): PlaceInLog | null
  /** The log is closed: nothing is asked of the host any more. */
  dispose(): void
}

export type LogStore = StoreApi<LogState>

/** Opens the state of one log and begins to load its columns. */
export function createLogStore(host: Host, status: LogStatus, key = `${status.log} ${status.generation}`): LogStore {
  const id = status.log
  return createStore<LogState>((set, get) => {
    const columns = new LogColumns()
    const layout = new TimelineLayout(columns, localEndOfDay, status.format !== null)
    const overview = new Overview(columns, idleFrom)
    const todos = new TodoSnapshots(
      async (from, count) => (await host.call('log.todos', { log: id, from, count })).snapshots
    )
    const summaries = new RowSummaries(async (rows) => (await host.call('log.rows', { log: id, rows })).rows)
    /** What was asked for before the rows were here. */
    const moves: (() => void)[] = []
    /** Where the person was in the generation before, until they are there again. */
    let resume: Resume | null = null
    /** How many rows there were, and the row of the end, before the log grew. */
    let rowsBefore = 0
    let endBefore = -1
    /** Which line the selected row is of. */
    let selected = { file: -1, line: -1 }
    /** The person does not want to follow, although the playhead is at the end. */
    let heldBack = false
    /** Where to go once the search that is under way has found what there is. */
    let hitWanted: 1 | -1 | null = null
    /** What the search that was ended had looked for. */
    let endedText = ''
    /** Null: the timeline shows all rows. */
    let filter: RowFilter | null = null
    const settledRows = () => get().status.settled.rows
    const finder = new LogFind(host, id, settledRows, (change, hitsFrom) => {
      const find = { ...get().find, ...change }
      set({ find: { ...find, active: hitAt(find.hits, get().row) } })
      refilter(filter?.setHits(find, hitsFrom) ?? Infinity)
      const wanted = hitWanted
      hitWanted = null
      if (wanted !== null) goToHit(wanted)
    })
    const marks = new RowMarks(columns, (from, count) => host.call('log.columns', { log: id, from, count }), {
      changed: () => set({ version: get().version + 1 }),
      failed: (loadError) => set({ loadError })
    })
    const loader = new LogLoader(host, status, columns, marks, todos, {
      *room(rows) {
        yield* columns.growTo(columns.rows + rows)
        // A row may have more than one line; few do.
        yield* layout.growTo(layout.count + 2 * rows)
      },
      grown(from, settledRows) {
        layout.truncate(from)
        overview.truncate(from)
        if (from < rowsBefore) finder.truncate(from)
        layout.extend()
        overview.extend()
        summaries.replace(from, settledRows)
        const { version, replacements, row } = get()
        set({ version: version + 1, settledRows, replacements: replacements + (from < rowsBefore ? 1 : 0) })
        if (!stayAtEnd(from)) {
          if (row < 0) place(columns.rowOfSeq[0] ?? 0, { moved: false, byPerson: false, reveal: false })
          else if (row >= from) placeAgain(row, from)
        }
        rowsBefore = columns.rows
        endBefore = columns.lastRow()
        goBack()
        catchUp()
      },
      failed(loadError) {
        moves.length = 0
        set({ loadError })
      }
    })
    const stopListening = host.on('log.progress', (progress) => {
      if (progress.log === id) get().receive(progress)
    })
    const stopHearingHits = host.on('log.found', (progress) => {
      if (progress.log === id && progress.generation === status.generation) finder.hear(progress)
    })
    summaries.changes.subscribe(() => {
      if (summaries.error !== null) set({ loadError: summaries.error })
    })
    // The store is not there yet for what the loader reports at once.
    queueMicrotask(() => loader.follow(status))

    /** Rows are still on their way that the host has: the last event, say, is not yet known here. */
    function isBehind(): boolean {
      // Later on there may always be some on their way: no key waits for the end of a log that grows.
      const { status, row, isComplete } = get()
      return status.phase === 'reading' ? row < 0 : !isComplete
    }

    function catchUp(): void {
      const { status, isComplete } = get()
      const isHere = columns.rows >= status.rows && todos.count >= status.todoSnapshots
      if (!isComplete && isHere && status.phase !== 'reading') set({ isComplete: true })
      while (moves.length > 0 && !isBehind()) moves.shift()?.()
    }

    /** Follows the log, which is another one from row `from` on, if the playhead was at its end. False: it stays where it is. */
    function stayAtEnd(from: number): boolean {
      const { following, moved, row, status } = get()
      const isAtEnd = moved && row === endBefore && !heldBack && isLive(status)
      if (!following && !isAtEnd) return false
      const isThere = row >= 0 && row < from
      if (filter === null || !isThere) toEnd({ byPerson: false })
      else {
        set({ following: true })
        // No more is looked at than what is newer than the row of the playhead.
        place(lastShownEvent(layout, columns, row + 1), { follow: true, byPerson: false })
      }
      return true
    }

    /** To the last event that is shown, or where none is to the last one, and on with it. */
    function toEnd(placing: Placing = {}): void {
      const shown = filter === null ? -1 : lastShownEvent(layout, columns, 0)
      place(shown < 0 ? columns.lastRow() : shown, { follow: true, ...placing })
    }

    /** The selected row was loaded anew, with all from `from` on: where its line has gone, the event before takes its place. */
    function placeAgain(row: number, from: number): void {
      const isSelected = (at: number) => columns.line[at] === selected.line && columns.file[at] === selected.file
      let to = row < columns.rows && isSelected(row) ? row : from
      while (to < columns.rows && !isSelected(to)) to++
      if (to >= columns.rows) to = columns.rowOfSeq[columns.seqAtOrBefore(from - 1)] ?? Math.max(0, from - 1)
      if (columns.rows === 0) set({ row: -1, playhead: -1, moved: false })
      else place(to, { moved: get().moved, onFold: true, follow: false, byPerson: false, reveal: false })
    }

    /** To where the person was in the generation before. */
    function goBack(): void {
      const row = resume?.rowIn(columns, get().status) ?? -1
      const follow = resume?.place.following === true
      if (resume?.isOver === true) resume = null
      // Where nothing was lost, nothing moves.
      if (row < 0) return
      const placing = { byPerson: false, onFold: true, reveal: status.generationNote !== null }
      if (follow) toEnd(placing)
      else place(row, { ...placing, follow: false })
    }

    /**
     * Selects a row and opens the fold that hides it, but for a fold's own line, which is its first row's too. Unless it is said, the
     * end is followed where the row is the end of a log that grows, or was followed before.
     */
    function place(row: number, placing: Placing = {}): void {
      const { moved = true, onFold = false, byPerson = true, reveal = true, follow } = placing
      if (row < 0 || row >= columns.rows) return
      const hiding = layout.foldHiding(row)
      if (moved && hiding >= 0 && !(onFold && hiding === row)) get().toggleFold(hiding)
      const hit = hitAt(get().find.hits, row)
      const playhead = columns.seqAtOrBefore(row)
      const player = { ...get().player, seq: Math.max(0, playhead), waitedMs: 0 }
      const followed = moved && row === columns.lastRow() && (get().following || isLive(get().status))
      selected = { file: columns.file[row] ?? 0, line: columns.line[row] ?? 0 }
      if (byPerson) {
        heldBack = false
        resume = null
      }
      const reveals = get().reveals + (reveal ? 1 : 0)
      set({ row, playhead, player, moved: moved || get().moved, reveals, following: follow ?? followed })
      if (hit >= 0 && hit !== get().find.active) set({ find: { ...get().find, active: hit } })
    }

    function placeEvent(seq: number): void {
      const last = columns.events - 1
      if (last >= 0) place(columns.rowOfSeq[Math.max(0, Math.min(last, seq))] ?? -1)
      else if (columns.rows > 0) place(seq <= 0 ? 0 : columns.rows - 1)
    }

    /** Lets the player decide, and follows it to its event. */
    function play(event: PlayerEvent): void {
      const context = { lastSeq: columns.events - 1, timeOf: (seq: number) => columns.timeOfSeq(seq) }
      const { player } = get()
      const next = transition(player, event, context)
      if (next.seq !== player.seq) placeEvent(next.seq)
      set({ player: next })
    }

    /** From row `from` on, rows may be shown that were not, and the other way round. */
    function refilter(from: number): void {
      if (filter === null || !layout.refilter(from)) return
      set({ version: get().version + 1 })
      // A hit that comes later than its row is the end that is followed.
      if (get().following && from < columns.rows) stayAtEnd(from)
    }

    function isShown(row: number): boolean {
      return filter === null || filter.passes(columns, row)
    }

    function goToHit(direction: 1 | -1): void {
      const { find, row } = get()
      // Until the host has said something of this search the hits are those of the one before.
      const index = find.searching && find.found === null ? -1 : hitFrom(find, row, direction, isShown)
      if (index < 0) hitWanted = find.searching ? direction : null
      else place(find.hits[index] ?? -1)
    }

    /** To the `delta`-th shown event from row `from`. */
    function placeShown(from: number, delta: number, placing?: Placing): void {
      place(shownEventFrom(layout, columns, from, delta), placing)
    }

    function pause(): void {
      if (get().player.playing) play({ type: 'pause' })
    }

    return {
      host,
      id,
      key,
      status,
      columns,
      layout,
      overview,
      version: 0,
      isComplete: false,
      settledRows: 0,
      replacements: 0,
      loadError: null,
      summaries,
      marks,
      todos,
      row: -1,
      playhead: -1,
      moved: false,
      reveals: 0,
      following: false,
      noteRead: true,
      player: stoppedPlayer,
      find: noFind,
      filter: noFilter,
      inspectorTab: 'event',

      movePlayhead: placeEvent,
      selectRow: (row) => place(row, { onFold: true }),
      step(delta) {
        pause()
        const { row, playhead } = get()
        if (filter !== null) return placeShown(row, delta)
        // From a record back to the event it follows is a step already.
        const onEvent = row >= 0 && columns.seq[row] === playhead
        placeEvent(playhead + (delta < 0 && !onEvent ? delta + 1 : delta))
      },
      home() {
        pause()
        if (filter === null) placeEvent(0)
        else placeShown(-1, 1)
      },
      end() {
        pause()
        const placing = get().status.phase === 'done' ? { follow: true } : {}
        if (filter === null) place(columns.lastRow(), placing)
        else placeShown(columns.rows, -1, placing)
      },
      follow(on) {
        heldBack = !on
        set({ following: on })
        if (!on) return
        pause()
        toEnd()
      },
      nextTodo(direction) {
        pause()
        const { playhead } = get()
        let index = todos.indexAt(direction > 0 ? playhead : playhead - 1)
        if (direction > 0) index++
        if (index >= 0 && index < todos.count) placeEvent(todos.seqAt(index))
      },
      nextIssue(direction) {
        pause()
        for (let row = get().row + direction; row >= 0 && row < columns.rows; row += direction) {
          if ((columns.severity[row] ?? 0) > 0 && isShown(row)) return place(row)
        }
      },
      nextHit(direction) {
        pause()
        if (get().find.text === '' && endedText !== '') get().setFind({ text: endedText })
        goToHit(direction)
      },
      stepOver() {
        pause()
        place(rowAfterCall(columns, get().status, get().row))
      },
      togglePlay: () => play({ type: get().player.playing ? 'pause' : 'play' }),
      advance: (elapsedMs) => play({ type: 'advance', elapsedMs }),
      setRate: (rate) => play({ type: 'rate', rate }),
      toggleFold(firstRow) {
        if (layout.setOpen(firstRow, !layout.isOpen(firstRow))) set({ version: get().version + 1 })
      },
      setFind(change) {
        hitWanted = null
        endedText = ''
        const { text, regex, caseSensitive } = get().find
        finder.setQuery({ text, regex, caseSensitive, ...change })
      },
      stopFind() {
        hitWanted = null
        if (get().find.searching) finder.stop()
      },
      endFind() {
        const { text } = get().find
        get().setFind({ text: '' })
        endedText = text
      },
      setFilter(choice) {
        filter = isNoFilter(choice) ? null : new RowFilter(choice, get().status, get().find)
        layout.setFilter(filter)
        set({ filter: choice, version: get().version + 1 })
        if (get().following) toEnd({ byPerson: false })
      },
      setInspectorTab: (inspectorTab) => set({ inspectorTab }),
      goTo(text) {
        const target = parseGoTo(text)
        if (target === null) {
          return { ok: false, message: 'Type a line ("128"), an event ("#40") or a time ("12:04:33").' }
        }
        const row = rowOfTarget(columns, get().status, target)
        if (typeof row === 'string') return { ok: false, message: row }
        pause()
        place(row)
        return { ok: true }
      },
      whenLoaded(move) {
        if (isBehind()) moves.push(move)
        else move()
      },
      reload() {
        set({ loadError: null })
        loader.follow(get().status)
        if (summaries.error !== null) summaries.retry()
        if (todos.error !== null) todos.retry()
        // What was found while the connection was lost was not heard.
        const { stopped, error } = get().find
        if (!stopped && error?.invalid !== true) finder.searchAgain()
      },
      receive(progress) {
        if (progress.generation !== status.generation) return
        set({ status: progress })
        refilter(filter?.learn(progress) ?? Infinity)
        loader.follow(progress)
        goBack()
        catchUp()
      },
      dismissNote: () => set({ noteRead: true }),
      takeOver(before) {
        const { find, filter, inspectorTab, player } = before
        const place = before.whereabouts()
        resume = place === null ? null : new Resume(place)
        set({ inspectorTab, player: { ...get().player, rate: player.rate }, noteRead: status.generationNote === null })
        finder.setQuery({ text: find.text, regex: find.regex, caseSensitive: find.caseSensitive })
        if (!isNoFilter(filter)) get().setFilter(filter)
        if (status.generationNote === null) {
          const now = { columns, status: get().status }
          for (const fold of before.layout.openFolds) layout.setOpen(sameRow(before, fold, now), true)
          summaries.adopt(before.summaries, (row) => isSameRow(before, row, now))
        }
        goBack()
      },
      whereabouts() {
        const { row, moved, following } = get()
        if (resume !== null) return resume.place
        return moved && row >= 0 ? placeOfRow(columns, get().status, row, following) : null
      },
      dispose() {
        stopListening()
        stopHearingHits()
        summaries.dispose()
        loader.dispose()
        finder.dispose()
      }
    }
  })
}

/** How the playhead is placed. */
interface Placing {
  /** The person is somewhere now, and what comes after is dimmed. */
  readonly moved?: boolean
  /** A closed fold that begins with the row stays closed. */
  readonly onFold?: boolean
  readonly byPerson?: boolean
  readonly reveal?: boolean
  readonly follow?: boolean
}

/** Read to its end, and it has grown since it was opened. */
function isLive({ phase, grownAt }: LogStatus): boolean {
  return phase === 'done' && grownAt !== null
}

/** Where stepping over `row` leads: a call's result; else the next event that is not deeper; the last row at the end. */
function rowAfterCall(columns: LogColumns, status: LogStatus, row: number): number {
  const result = columns.kindAt(row) === 'tool' ? (columns.pairOf[row] ?? -1) : -1
  if (result > row) return result
  const depthOf = (at: number) => status.tracks[columns.track[at] ?? 0]?.depth ?? 0
  // Inside a subagent one steps out of it, unless this is a call that is still to be stepped over.
  const limit = columns.kindAt(row) === 'tool' ? depthOf(row) : Math.max(0, depthOf(row) - 1)
  for (let next = row + 1; next < columns.rows; next++) {
    if ((columns.seq[next] ?? -1) >= 0 && depthOf(next) <= limit) return next
  }
  return columns.rows - 1
}

/** The row a person asked for, or why there is none. */
function rowOfTarget(columns: LogColumns, status: LogStatus, target: GoToTarget): number | string {
  const more = status.phase === 'reading' ? ' so far' : ''
  if (target.kind === 'line') {
    const row = columns.rowAtLine(target.line)
    return row >= 0 ? row : `The log has ${formatPlural(status.lines, 'line')}${more}.`
  }
  if (target.kind === 'event') {
    const row = columns.rowOfSeq[target.seq]
    if (row !== undefined && target.seq < columns.events) return row
    if (columns.events === 0) return `The log has no events${more}.`
    return `The log's events run from 0 to ${formatCount(columns.events - 1)}${more}.`
  }
  if (status.firstTimestamp === null) return 'No record of this log states a time.'
  const row = columns.rowAtTime(timeOf(target, status.firstTimestamp))
  if (row >= 0) return row
  return `The last event${more} is at ${formatClock(status.lastTimestamp ?? status.firstTimestamp)}.`
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
