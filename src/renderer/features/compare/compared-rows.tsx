import '../../ui/row-list.css'
import { type KeyboardEvent, useEffect, useId, useMemo, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import { type Comparison, comparedLines, type ComparedLine, lineOfRow, type Side } from '../../stores/comparison.ts'
import { type LogStore, useLogStore } from '../../stores/log-store.ts'
import { useApp, useAppStore } from '../../stores/app-store.ts'
import { useCompare } from '../../stores/use-compare.ts'
import { formatCount, formatPlural, formatShortDuration } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { rowLabel } from '../../ui/row-label.ts'
import { useRowScroll } from '../../ui/use-row-scroll.ts'
import { RowSummaryText } from '../timeline/row-summary.tsx'
import { type RowView, rowView } from '../timeline/row-view.ts'
import { stepSigns, stepWords } from './compare-words.ts'
import type { ComparedStores } from './step-difference.tsx'

const lineHeight = 24
const sizes = { line: lineHeight, head: lineHeight }
const noFind = { text: '', regex: false, caseSensitive: false }

/** The aligned steps of two sessions. Arrow keys move both playheads, `d` and `D` go from difference to difference. */
export function ComparedRows({ comparison, stores }: { comparison: Comparison; stores: ComparedStores }) {
  const app = useAppStore()
  const { row, foldsEqual, opened, select, step, openFold, setFoldsEqual } = useCompare(
    ...(['row', 'foldsEqual', 'opened', 'select', 'step', 'openFold', 'setFoldsEqual'] as const)
  )
  const shown = useLogStore()
  const setView = useApp((state) => state.layout.getState().setView)
  const lines = useMemo(() => comparedLines(comparison, foldsEqual, opened), [comparison, foldsEqual, opened])
  const here = useMemo(() => lineOfRow(lines, row), [lines, row])
  const { element, setElement, scroll, drawn, space } = useRowScroll(lines.length, sizes)
  const { first, last, top, slots } = drawn
  useEffect(() => {
    scroll?.hold(here)
    if (here >= 0) scroll?.show(here, true)
  }, [scroll, here])
  // A dialog or a button that started this is gone.
  useEffect(() => {
    if (document.activeElement === document.body) element?.focus()
  }, [element])
  const id = useId()
  const a = useSteps(stores.a, comparison, 'a', lines, first, last)
  const b = useSteps(stores.b, comparison, 'b', lines, first, last)

  const moveTo = (line: number, direction: 1 | -1) => {
    let at = Math.max(0, Math.min(lines.length - 1, line))
    while (lines[at]?.kind === 'section' && at + direction >= 0 && at + direction < lines.length) at += direction
    const found = lines[at]
    if (found?.kind === 'row') select(found.row)
    else if (found?.kind === 'equal') select(direction > 0 ? found.from : found.from + found.count - 1)
  }
  const openStep = (side: Side) => {
    const seq = comparison.seqAt(side, row)
    if (seq < 0) return
    setView('timeline')
    app.getState().activate(stores[side].parts.id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor((element?.clientHeight ?? 0) / lineHeight) - 2)
    const steps: Record<string, number> = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page }
    const by = steps[event.key]
    const line = lines[here]
    if (by !== undefined) moveTo(here + by, by > 0 ? 1 : -1)
    else if (event.key === 'Home') moveTo(0, 1)
    else if (event.key === 'End') moveTo(lines.length - 1, -1)
    else if (event.key === 'd' || event.key === 'D') step(event.key === 'd' ? 1 : -1)
    else if (event.key === 'z') setFoldsEqual(!foldsEqual)
    else if (event.key === 'Enter' && line?.kind === 'equal') openFold(line.from)
    else if (event.key === 'Enter') {
      const own: Side = shown === stores.a ? 'a' : 'b'
      const other: Side = own === 'a' ? 'b' : 'a'
      const side = event.shiftKey ? other : own
      openStep(comparison.seqAt(side, row) < 0 ? (side === 'a' ? 'b' : 'a') : side)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      ref={setElement}
      role="grid"
      aria-label="Aligned steps"
      aria-rowcount={lines.length + 1}
      aria-activedescendant={here >= first && here < last ? `${id}-${here}` : undefined}
      tabIndex={0}
      className="compared-rows row-list fill"
      onKeyDown={onKeyDown}
    >
      <div role="row" aria-rowindex={1} className="compared-row compared-heads list-head t3 caption">
        <span role="columnheader">Step in A</span>
        <span role="columnheader" className="compared-sign">
          <span className="unseen">Difference</span>
        </span>
        <span role="columnheader">Step in B</span>
      </div>
      <div className="compared-space" style={{ height: space }}>
        <div style={{ transform: `translateY(${top}px)` }}>
          {lines.slice(first, last).map((line, offset) => {
            const index = first + offset
            const common = { id: `${id}-${index}`, index: index + 2, here: index === here }
            if (line.kind === 'section')
              return (
                <SectionLine key={index % slots} {...common} name={sectionName(comparison, stores, line.section)} />
              )
            if (line.kind === 'equal')
              return <EqualLine key={index % slots} {...common} count={line.count} onOpen={() => openFold(line.from)} />
            return (
              <StepLine
                key={index % slots}
                {...common}
                comparison={comparison}
                row={line.row}
                a={a.get(line.row) ?? null}
                b={b.get(line.row) ?? null}
                onSelect={() => select(line.row)}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

interface LineProps {
  readonly id: string
  /** 1-based, with the column heads. */
  readonly index: number
  readonly here: boolean
}

function SectionLine({ id, index, name }: LineProps & { name: string }) {
  return (
    <div role="row" id={id} aria-rowindex={index} className="compared-section hstack t2 caption">
      <span role="gridcell" aria-colspan={3} className="cut" dir="auto">
        {name}
      </span>
    </div>
  )
}

function EqualLine({ id, index, here, count, onOpen }: LineProps & { count: number; onOpen: () => void }) {
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index}
      aria-selected={here}
      className="compared-equal t3 caption"
      onClick={onOpen}
    >
      <span role="gridcell" aria-colspan={3} className="hstack">
        <Icon name="down" size={12} />
        {formatPlural(count, 'row')} without a difference
      </span>
    </div>
  )
}

function StepLine({
  id,
  index,
  here,
  comparison,
  row,
  a,
  b,
  onSelect
}: LineProps & { comparison: Comparison; row: number; a: RowView | null; b: RowView | null; onSelect: () => void }) {
  const found = comparison.classAt(row)
  const result = comparison.resultAt(row)
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index}
      aria-selected={here}
      className="compared-row"
      data-class={found}
      data-result={result ?? undefined}
      onClick={onSelect}
    >
      <StepHalf side="A" seq={comparison.seqAt('a', row)} view={a} />
      <span role="gridcell" className="compared-sign num medium" title={stepWords[found]}>
        <span aria-hidden="true">{stepSigns[found]}</span>
        <span className="unseen">{stepWords[found]}</span>
      </span>
      <StepHalf side="B" seq={comparison.seqAt('b', row)} view={b} />
    </div>
  )
}

function StepHalf({ side, seq, view }: { side: string; seq: number; view: RowView | null }) {
  if (seq < 0)
    return (
      <span role="gridcell" className="compared-half compared-none">
        <span className="unseen">no such step in {side}</span>
      </span>
    )
  const look = view === null ? null : rowLook(view.kind, view.tool)
  return (
    <span role="gridcell" className="compared-half hstack">
      <span className="num t3 compared-event">{formatCount(seq)}</span>
      {view !== null && look !== null && (
        <>
          <Icon name={look.icon} tone={view.failed ? 'k-error' : look.tone} />
          <span className="label cut">{rowLabel(view.kind, view.tool)}</span>
          <RowSummaryText summary={view.summary} find={noFind} call={view.kind === 'tool'} />
          {view.failed && <span className="fact bad caption">failed</span>}
          <span className="took num t3 caption">
            {Number.isNaN(view.durationMs) ? '' : formatShortDuration(view.durationMs)}
          </span>
        </>
      )}
    </span>
  )
}

/** The drawn steps of a side, by row. */
function useSteps(
  store: LogStore,
  comparison: Comparison,
  side: Side,
  lines: readonly ComparedLine[],
  first: number,
  last: number
): ReadonlyMap<number, RowView> {
  const { summaries } = store.parts
  // The columns grow in place.
  useStore(store, (log) => log.version)
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  const rows = lines.slice(first, last).flatMap((line) => {
    const seq = line.kind === 'row' ? comparison.seqAt(side, line.row) : -1
    const at = seq < 0 ? undefined : store.parts.columns.rowOfSeq[seq]
    return line.kind !== 'row' || at === undefined ? [] : [{ row: line.row, at }]
  })
  const wanted = rows.map(({ at }) => at).join(' ')
  useEffect(() => {
    summaries.request('compare', wanted === '' ? [] : wanted.split(' ').map(Number))
  }, [summaries, wanted])
  useEffect(() => () => summaries.request('compare', []), [summaries])
  return new Map(rows.map(({ row, at }) => [row, rowView(store.getState(), at)] as const))
}

function sectionName({ answer }: Comparison, stores: ComparedStores, section: number): string {
  const { a, b } = answer.sections[section] ?? { a: null, b: null }
  const [side, track] = a === null ? (['b', b] as const) : (['a', a] as const)
  if (track === null || track.trackId === null) return 'Main agent'
  const { tracks } = stores[side].getState().status
  const label = tracks.find(({ trackId }) => trackId === track.trackId)?.label
  const whose = a === null ? ', only in B' : b === null ? ', only in A' : ''
  return `Subagent: ${label === undefined || label === '' ? track.trackId : label}${whose}`
}
