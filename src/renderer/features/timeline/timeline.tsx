import '../../ui/row-list.css'
import './timeline.css'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore
} from 'react'
import type { LogStatus } from '#contract/methods.ts'
import { hitAt } from '../../stores/find-hits.ts'
import {
  type LogParts,
  type LogState,
  type LogStore,
  type LogValues,
  useLog,
  useLogParts,
  useLogStore,
  useStatus
} from '../../stores/log-store.ts'
import type { RowRange } from '../../stores/range-usages.ts'
import { isNoFilter } from '../../stores/row-filter.ts'
import { formatCount, formatDay, formatPlural } from '../../ui/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { rowLabel } from '../../ui/row-label.ts'
import { type DrawnLines, type RowScroll, useRowScroll } from '../../ui/use-row-scroll.ts'
import { FilterBar } from '../filter/filter-bar.tsx'
import { NothingPrinted } from '../live-runs/nothing-printed.tsx'
import { useShownRun } from '../live-runs/shown-run.tsx'
import { ViewBar } from '../views/view-bar.tsx'
import { type ShownFindings, useShownFindings } from '../../stores/shown-findings.ts'
import { sameRow } from '../../stores/resume.ts'
import type { ViewKind } from '../../stores/laid-lines.ts'
import { type RowFlags, noFlags } from './row-flags.tsx'
import { RowMenu, type RowMenuPlace } from './row-menu.tsx'
import { RecordsSwitch, TurnsSwitch } from './row-switches.tsx'
import { rowMembers, rowView } from './row-view.ts'
import { GapLine, IssueLine } from './timeline-lines.tsx'
import { TimelineRow } from './timeline-row.tsx'
import { TurnLine } from './turn-line.tsx'
import { rowsOfTurnHead, turnView } from './turn-view.ts'

/** The height of every line and of the column heads: `--row`. */
const rowHeight = 24
const sizes = { line: rowHeight, head: rowHeight }

/** Every row of the log, virtualized: a grid of lines of one height. */
export function Timeline() {
  const store = useLogStore()
  const log = useLogParts()
  const { layout, columns, summaries, usages, marks, playhead, stepping, filtering, collapsing, reviewing } = log
  const [menu, setMenu] = useState<RowMenuPlace | null>(null)
  const status = useStatus(...rowMembers, 'phase', 'lines', 'bytes', 'bytesRead')
  const values = useLog('version', 'row', 'moved', 'following', 'find', 'reviewVersion')
  const findings = useShownFindings().byLastRow
  const shown = { ...values, status, findings }
  const { row, following } = shown
  const { setElement, scroll, drawn: lines, space } = useRowScroll(layout.count, sizes, following)
  useLayoutEffect(() => scroll?.onLeftEnd(() => stepping.follow(false)), [scroll, stepping])
  useHeldPlace(store, scroll)
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  useSyncExternalStore(usages.changes.subscribe, usages.changes.getVersion)
  const clicked = useKeepInView(store, scroll)
  useEffect(() => {
    const rows = rowsInView(log, lines.first, lines.last)
    summaries.request('timeline', rows)
    marks.request('timeline', rows[0] ?? 0, rows.at(-1) ?? 0)
    usages.request('timeline', turnsInView(log, lines.first, lines.last))
  })

  const onClick = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    const term = event.altKey ? event.target.closest<HTMLElement>('[data-term]')?.dataset['term'] : undefined
    if (term !== undefined) return filtering.addTerm(term, event.shiftKey ? 'without' : 'asked')
    const target = event.target.closest<HTMLElement>('[data-row], [data-turn]')
    if (target === null) return
    const { row: clickedRow, turn } = target.dataset
    if (turn !== undefined) return collapsing.toggleTurn(Number(turn))
    const sign = event.target.closest<HTMLElement>('[data-apart]')
    if (sign !== null) return collapsing.toggleResult(Number(sign.dataset['apart']))
    if (event.target.closest('.mark-cell') !== null) return reviewing.toggleBreakpointHere(Number(clickedRow))
    if (Number(clickedRow) !== row) clicked()
    playhead.select(Number(clickedRow))
  }
  const onContextMenu = (event: MouseEvent) => {
    if (!(event.target instanceof Element)) return
    // Keys open the menu of the playhead's row.
    const byKeys = event.target === event.currentTarget && event.button !== 2
    const target = byKeys ? document.getElementById(`row-${row}`) : event.target.closest<HTMLElement>('[data-row]')
    const of = byKeys ? row : Number(target?.dataset['row'] ?? -1)
    if (of < 0) return
    event.preventDefault()
    const { left, bottom } = (target ?? event.currentTarget).getBoundingClientRect()
    setMenu({ row: of, x: byKeys ? left + rowHeight : event.clientX, y: byKeys ? bottom : event.clientY })
  }
  const moveMenu = (step: 1 | -1) => {
    let view = menu === null ? -1 : layout.viewOf(menu.row)
    if (menu === null || view < 0) return
    do view += step
    while (view >= 0 && view < layout.count && !ofRows.has(layout.kindAt(view)))
    if (view < 0 || view >= layout.count) return
    const of = layout.rowAt(view)
    scroll?.show(layout.placeOf(of), false)
    setMenu({ ...menu, row: of })
  }
  const views = Array.from({ length: Math.max(0, lines.last - lines.first) }, (_, index) => lines.first + index)

  return (
    <>
      <ViewBar>
        <span className="t3 num caption">{status.phase === 'reading' ? `${formatCount(columns.rows)} rows…` : ''}</span>
        <RecordsSwitch />
        <TurnsSwitch />
        <IconButton
          icon="locate"
          label="Show the current row"
          onClick={() => scroll?.show(layout.placeOf(row), false)}
        />
      </ViewBar>
      <FilterBar />
      <div
        ref={setElement}
        role="grid"
        aria-label="Timeline"
        aria-rowcount={layout.count + 1}
        aria-colcount={4}
        {...(isDrawn(layout.viewOf(row), lines) && {
          'aria-activedescendant': `row-${layout.isInClosedTurn(row) ? layout.rowAt(layout.viewOf(row)) : row}`
        })}
        tabIndex={0}
        className="timeline row-list fill"
        style={columnSizes(status)}
        onClick={onClick}
        onContextMenu={onContextMenu}
        onKeyDown={(event) => onGridKey(event, store.getState())}
      >
        <div role="row" aria-rowindex={1} className="column-heads list-head t3 caption">
          <span />
          <span role="columnheader" className="line">
            Line
          </span>
          <span role="columnheader" className="time">
            Time
          </span>
          <span role="columnheader" className="what">
            Event
          </span>
          <span role="columnheader" className="took">
            Duration
          </span>
        </div>
        <TurnInView highest={lines.highest} />
        <div className="lines" style={{ height: space }}>
          <div className="drawn" style={{ transform: `translateY(${lines.top}px)` }}>
            {views.map((view) => (
              <Line key={view % lines.slots} shown={shown} view={view} />
            ))}
          </div>
        </div>
        {layout.count === 0 && <EmptyNote />}
      </div>
      {menu !== null && <RowMenu place={menu} onMove={moveMenu} onClose={() => setMenu(null)} />}
    </>
  )
}

/** The lines that show a row. */
const ofRows: ReadonlySet<ViewKind> = new Set<ViewKind>(['row', 'pair'])

type ShownValues = Pick<LogValues, 'row' | 'moved' | 'following' | 'find'> & {
  readonly status: Pick<LogStatus, (typeof rowMembers)[number]>
  readonly findings: ShownFindings['byLastRow']
}

function Line({ shown, view }: { shown: ShownValues; view: number }) {
  const log = useLogParts()
  const { layout, columns, summaries, reviewing } = log
  const { status, find, row: selected } = shown
  const kind = layout.kindAt(view)
  const row = layout.rowAt(view)
  const index = view + 2
  const future = shown.moved && !shown.following && row > selected
  const line = columns.line[row] ?? 0
  const depth = status.tracks[columns.track[row] ?? 0]?.depth ?? 0
  const near = depth > 0 && columns.track[row] === columns.track[selected]
  switch (kind) {
    case 'gap':
    case 'day':
      return (
        <GapLine
          index={index}
          idle={layout.amountAt(view)}
          day={kind === 'day' ? formatDay(columns.time[row] ?? NaN) : null}
        />
      )
    case 'turn':
    case 'closed-turn':
      return (
        <TurnLine
          view={turnView(log, layout.turns.turnAt(row))}
          flags={kind === 'closed-turn' ? flagsOfTurn(log, row) : noFlags}
          index={index}
          open={kind === 'turn'}
          fixed={layout.isFiltered}
          selected={kind === 'closed-turn' && layout.viewOf(selected) === view}
          future={future}
        />
      )
    case 'issue':
      return (
        <IssueLine
          row={row}
          line={line}
          index={index}
          depth={depth}
          severity={columns.severityAt(row)}
          count={columns.issues[row] ?? 1}
          issue={summaries.get(row)?.issues[0]}
          future={future}
        />
      )
    case 'row':
    case 'pair': {
      const result = layout.resultAt(view)
      return (
        <TimelineRow
          view={rowView({ columns, status, summaries }, row)}
          result={result < 0 ? null : rowView({ columns, status, summaries }, result)}
          resultFlags={result < 0 ? noFlags : reviewing.flagsIn(result, result + 1)}
          resultSelected={result >= 0 && result === selected}
          apart={layout.singled.has(row)}
          index={index}
          selected={row === selected}
          near={near}
          future={future}
          hit={hitAt(find.hits, row) >= 0 || hitAt(find.hits, result) >= 0}
          find={find}
          bookmark={reviewing.bookmarkAt(row)}
          breakpoint={reviewing.breakpoints.at(row)}
          finding={shown.findings.get(row) ?? shown.findings.get(result) ?? null}
        />
      )
    }
  }
}

/** The flags of the rows that a collapsed turn hides. */
function flagsOfTurn({ layout, reviewing }: LogParts, row: number): RowFlags {
  const turn = layout.turns.turnAt(row)
  return reviewing.flagsIn(layout.turns.startOf(turn), layout.turns.endOf(turn))
}

/** The head of the turn at the top of the visible lines, once it has scrolled away. */
function TurnInView({ highest }: { highest: number }) {
  const log = useLogParts()
  const { layout } = log
  const row = layout.rowAt(highest)
  const turn = highest > 0 && highest < layout.count ? layout.turns.turnAt(row) : -1
  const kind = layout.kindAt(highest)
  if (turn < 0 || kind === 'turn' || kind === 'closed-turn') return null
  // The gap before a turn is not part of the previous turn.
  if ((kind === 'gap' || kind === 'day') && layout.turns.startOf(turn) === row) return null
  return (
    <div className="head-in-view" aria-hidden="true">
      <TurnLine
        view={turnView(log, turn)}
        flags={noFlags}
        index={0}
        open
        fixed={layout.isFiltered}
        selected={false}
        future={false}
      />
    </div>
  )
}

function EmptyNote() {
  const run = useShownRun()
  const isEmpty = useLog((log) => log.columns.rows === 0)
  const { phase, rows, lines } = useStatus('phase', 'rows', 'lines')
  if (!isEmpty) return <NothingPasses />
  if (phase === 'reading' || rows > 0) return <p className="empty-note">Reading the first rows…</p>
  if (run !== null && lines === 0) return <NothingPrinted run={run} />
  return (
    <p className="empty-note">
      {lines === 0 ? 'The log is empty.' : `The log has ${formatPlural(lines, 'line')}, all blank.`}
    </p>
  )
}

function NothingPasses() {
  const { layout, filtering } = useLogParts()
  const filter = useLog((log) => log.filter)
  if (layout.records > 0) {
    return (
      <div role="row" className="empty-note">
        <span role="gridcell">
          {isNoFilter(filter) ? 'No events.' : 'No events match the filter.'}{' '}
          <button type="button" className="link" onClick={() => filtering.showRecords(true)}>
            Show {formatPlural(layout.records, 'record')} without an event
          </button>
        </span>
      </div>
    )
  }
  return (
    <div role="row" className="empty-note">
      <span role="gridcell">
        {filter.search.searching ? 'No matches so far.' : 'No rows match the filter.'}{' '}
        <button type="button" className="link" onClick={() => filtering.clear()}>
          Show all rows
        </button>
      </span>
    </div>
  )
}

/** Keeps the selected row, else the first visible one, in place when the filter or the generation changes. */
function useHeldPlace(store: LogStore, scroll: RowScroll | null): void {
  const held = useRef({ log: store.getState(), refiltered: 0, row: -1, y: 0 })
  useLayoutEffect(() => {
    if (scroll === null) return
    const log = store.getState()
    const { layout, following } = log
    const before = held.current
    const isOther = layout !== before.log.layout
    if ((isOther || layout.refiltered !== before.refiltered) && before.row >= 0) {
      const row = isOther ? sameRow(before.log, before.row, log) : before.row
      // A row that was just navigated to is scrolled into view.
      if (!isOther && log.reveals !== before.log.reveals) scroll.show(layout.placeOf(log.row), false)
      else if (!following && row >= 0) scroll.putAt(layout.placeOf(row), before.y)
    }
    const view = scroll.lineInView(layout.viewOf(log.row))
    // With nothing shown, the place is kept for later rows.
    const row = layout.count > 0 ? layout.rowAt(view) : before.row
    const here = { log, refiltered: layout.refiltered, row, y: 0 }
    held.current = here
    // Read the position before the list is shortened: it may end above the visible part.
    return () => {
      here.y = scroll.yOf(view)
    }
  })
}

/** Scrolls to the selected row before the timeline renders. Call the result before a click selects a visible row. */
function useKeepInView(store: LogStore, scroll: RowScroll | null): () => void {
  const clicked = useRef(false)
  const begun = useRef<RowScroll>(null)
  useLayoutEffect(() => {
    if (scroll === null) return
    const { moved, layout, row } = store.getState()
    if (moved && begun.current !== scroll) scroll.show(layout.placeOf(row), false)
    begun.current = scroll
    return store.subscribe((log, before) => {
      if (log.row === before.row || log.reveals === before.reveals) return
      scroll.show(log.layout.placeOf(log.row), clicked.current)
      clicked.current = false
    })
  }, [store, scroll])
  return () => {
    clicked.current = true
  }
}

/** The width of line numbers and tool names at the end of the log, because columns do not move. */
function columnSizes(
  status: Pick<LogStatus, 'phase' | 'files' | 'tools' | 'lines' | 'bytes' | 'bytesRead'>
): CSSProperties & { '--line-digits': number; '--label-length': number } {
  const ends = [status, ...status.files].map(({ lines, bytes, bytesRead }) =>
    status.phase === 'reading' && bytesRead > 0 ? (lines * bytes) / bytesRead : lines
  )
  const all = ends.reduce((most, end) => Math.max(most, end), 1)
  const label = status.tools.reduce((most, tool) => Math.max(most, rowLabel('tool', tool).length), 0)
  return { '--line-digits': formatCount(all).length, '--label-length': label }
}

function isDrawn(view: number, lines: DrawnLines): boolean {
  return view >= lines.first && view < lines.last
}

/** The rows whose summaries the visible lines show. */
function rowsInView(log: LogParts, first: number, last: number): number[] {
  const { layout } = log
  const rows: number[] = []
  const turn = layout.turns.turnAt(layout.rowAt(first))
  if (turn >= 0 && first < last) rows.push(...rowsOfTurnHead(log, turn))
  for (let view = first; view < last; view++) {
    const kind = layout.kindAt(view)
    const row = layout.rowAt(view)
    if (kind === 'turn' || kind === 'closed-turn') rows.push(...rowsOfTurnHead(log, layout.turns.turnAt(row)))
    if ((kind === 'row' || kind === 'pair' || kind === 'issue') && rows.at(-1) !== row) rows.push(row)
    if (kind === 'pair') rows.push(layout.resultAt(view))
  }
  return rows
}

/** The rows of the turns whose heads are visible. */
function turnsInView({ layout }: LogParts, first: number, last: number): RowRange[] {
  const { turns } = layout
  const shown = new Set<number>()
  for (let view = first; view < last; view++) {
    const kind = layout.kindAt(view)
    if (view === first || kind === 'turn' || kind === 'closed-turn') shown.add(turns.turnAt(layout.rowAt(view)))
  }
  return [...shown]
    .filter((turn) => turn >= 0)
    .map((turn) => ({ of: 'turn', from: turns.startOf(turn), to: turns.endOf(turn) }))
}

/** Up and Down move by row. Enter goes to the next match, expands a turn, or moves a result to its own line. */
function onGridKey(event: KeyboardEvent<HTMLElement>, log: LogState): void {
  const page = Math.max(1, Math.floor(event.currentTarget.clientHeight / rowHeight) - 2)
  const moves: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
  const move = moves[event.key]
  if (event.key === 'Enter' && hitAt(log.find.hits, log.row) >= 0) log.finding.next(event.shiftKey ? -1 : 1)
  else if (event.key === 'Enter') {
    if (log.layout.isInClosedTurn(log.row)) log.collapsing.toggleTurn(log.row)
    else log.collapsing.toggleResult(log.row)
  } else if (move !== undefined) moveByLines(log, move)
  else return
  event.preventDefault()
}

/** Moves `delta` lines, then to the next selectable one. */
function moveByLines(log: LogState, delta: number): void {
  const { layout } = log
  const last = layout.count - 1
  const toward = Math.sign(delta)
  const place = layout.placeOf(log.row)
  // From a hidden row, the line before it is already one up.
  const from = toward < 0 && layout.rowAt(place) < log.row && layout.viewOf(log.row) < 0 ? place + 1 : place
  let view = Math.max(0, Math.min(last, from + delta))
  while (view >= 0 && view <= last && !isSelectable(layout, view)) view += toward
  if (view < 0 || view > last) return
  log.playhead.select(layout.rowAt(view))
}

function isSelectable(layout: LogParts['layout'], view: number): boolean {
  const kind = layout.kindAt(view)
  return kind === 'row' || kind === 'pair' || kind === 'closed-turn'
}
