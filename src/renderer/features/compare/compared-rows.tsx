import { type KeyboardEvent, memo, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { ResultClass, StepClass } from '#core/compare/compare-sessions.ts'
import { type Comparison, comparedLines, type ComparedLine, lineOfRow, type Side } from '../../stores/comparison.ts'
import { type LogStore, useLogStore } from '../../stores/log-store.ts'
import { useApp, useAppStore } from '../../stores/app-store.ts'
import { type ComparedStores, useCompare } from '../../stores/use-compare.ts'
import { formatCount, formatPlural, formatShortDuration } from '../../ui/format.ts'
import { keepFocus } from '../../ui/button.tsx'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { ListGrid, type ListLine } from '../../ui/list-grid.tsx'
import { changedWords, type TextRange } from '../../content/changed-words.ts'
import { RowSummaryText } from '../timeline/row-summary.tsx'
import { type RowView, rowView, sameView } from '../timeline/row-view.ts'
import { stepSigns, stepWords } from './compare-words.ts'

const noFind = { text: '', regex: false, caseSensitive: false }

/** The aligned steps of two sessions. Arrow keys move both playheads, `d` and `D` go from difference to difference. */
export function ComparedRows({ comparison, stores }: { comparison: Comparison; stores: ComparedStores }) {
  const app = useAppStore()
  const { row, foldsEqual, opened, select, selectOther, step, openFold, setFoldsEqual } = useCompare(
    ...(['row', 'foldsEqual', 'opened', 'select', 'selectOther', 'step', 'openFold', 'setFoldsEqual'] as const)
  )
  const shown = useLogStore()
  const setView = useApp((state) => state.layout.getState().setView)
  const lines = useMemo(() => comparedLines(comparison, foldsEqual, opened), [comparison, foldsEqual, opened])
  const here = useMemo(() => lineOfRow(lines, row), [lines, row])
  const [element, setElement] = useState<HTMLElement | null>(null)
  // A dialog or a button that started this is gone.
  useEffect(() => {
    if (document.activeElement === document.body) element?.focus()
  }, [element])
  const requestA = useSummaries(stores.a, comparison, 'a', lines)
  const requestB = useSummaries(stores.b, comparison, 'b', lines)
  // A new function with each rendering: other lines may be there, or more of the columns.
  const onShown = (first: number, last: number) => {
    requestA(first, last)
    requestB(first, last)
  }

  const moveTo = (line: number, direction: 1 | -1) => {
    let at = line
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
    stores[side].parts.playhead.placeEvent(seq)
  }
  const onKey = ({ key, shiftKey }: KeyboardEvent) => {
    const line = lines[here]
    if (key === 'ArrowLeft' || key === 'ArrowRight')
      moveTo(here + (key === 'ArrowLeft' ? -1 : 1), key === 'ArrowLeft' ? -1 : 1)
    else if (key === 'd' || key === 'D') step(key === 'd' ? 1 : -1)
    else if (key === 'z') setFoldsEqual(!foldsEqual)
    else if (key === 'm') selectOther(row)
    else if (key === 'Enter' && line?.kind === 'equal') openFold(line.from)
    else if (key === 'Enter') {
      const own: Side = shown === stores.a ? 'a' : 'b'
      const other: Side = own === 'a' ? 'b' : 'a'
      const side = shiftKey ? other : own
      openStep(comparison.seqAt(side, row) < 0 ? (side === 'a' ? 'b' : 'a') : side)
    } else return false
    return true
  }
  const heads = (
    <div role="row" aria-rowindex={1} className="compared-row compared-heads list-head t3 caption">
      <span role="columnheader">Step in A</span>
      <span role="columnheader" className="compared-sign">
        <span className="unseen">Difference</span>
      </span>
      <span role="columnheader">Step in B</span>
    </div>
  )
  return (
    <ListGrid
      label="Aligned steps"
      className="compared-rows"
      heads={heads}
      count={lines.length}
      here={here}
      onMove={moveTo}
      onKey={onKey}
      onShown={onShown}
      onElement={setElement}
      line={(at, place) => {
        const line = lines[at]
        if (line === undefined) return null
        if (line.kind === 'section')
          return (
            <SectionLine
              {...place}
              name={sectionName(comparison, stores, line.section)}
              differences={comparison.differencesIn(line.section)}
            />
          )
        if (line.kind === 'equal') return <EqualLine {...place} count={line.count} onOpen={() => openFold(line.from)} />
        return (
          <StepLine
            {...place}
            row={line.row}
            found={comparison.classAt(line.row)}
            result={comparison.resultAt(line.row)}
            a={stepView(stores.a, comparison.seqAt('a', line.row))}
            b={stepView(stores.b, comparison.seqAt('b', line.row))}
          />
        )
      }}
    />
  )
}

function SectionLine({ id, index, name, differences }: ListLine & { name: string; differences: number }) {
  return (
    <div role="row" id={id} aria-rowindex={index} className="compared-section hstack t2 caption">
      <span role="gridcell" aria-colspan={3} className="hstack grow">
        <span className="cut grow" dir="auto">
          {name}
        </span>
        <span className="num t3">{formatPlural(differences, 'difference')}</span>
      </span>
    </div>
  )
}

function EqualLine({ id, index, here, count, onOpen }: ListLine & { count: number; onOpen: () => void }) {
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

interface StepLineProps extends ListLine {
  readonly row: number
  readonly found: StepClass
  readonly result: ResultClass | null
  readonly a: StepView
  readonly b: StepView
}

/** A step of a side: its event, -1 for none, and what the timeline shows of it, null as long as it has no row. */
interface StepView {
  readonly seq: number
  readonly view: RowView | null
}

/** Rendered again only if it, its words or the playhead on it changed. */
const StepLine = memo(function StepLine({ id, index, here, row, found, result, a, b }: StepLineProps) {
  const { select, selectOther } = useCompare('select', 'selectOther')
  const [wordsA, wordsB] = [a, b].map(({ view }) => view?.summary?.text ?? '')
  const words = useMemo(
    () => (found === 'changed' ? changedWords(wordsA ?? '', wordsB ?? '') : null),
    [found, wordsA, wordsB]
  )
  return (
    <div
      role="row"
      id={id}
      aria-rowindex={index}
      aria-selected={here}
      className="compared-row"
      data-class={found}
      data-result={result ?? undefined}
      onClick={() => select(row)}
    >
      <StepHalf side="A" {...a} changed={words?.before} />
      <span role="gridcell" className="compared-sign num medium" title={stepWords[found]}>
        {found === 'moved' ? (
          <button
            type="button"
            className="btn square small"
            aria-label={`${stepWords.moved}. Go there`}
            title={`${stepWords.moved}. Go there: m`}
            tabIndex={-1}
            onMouseDown={keepFocus}
            onClick={(event) => {
              event.stopPropagation()
              selectOther(row)
            }}
          >
            {stepSigns.moved}
          </button>
        ) : (
          <>
            <span aria-hidden="true">{stepSigns[found]}</span>
            <span className="unseen">{stepWords[found]}</span>
          </>
        )}
      </span>
      <StepHalf side="B" {...b} changed={words?.after} />
    </div>
  )
}, sameLine)

function sameLine(before: StepLineProps, after: StepLineProps): boolean {
  return (
    before.id === after.id &&
    before.index === after.index &&
    before.here === after.here &&
    before.row === after.row &&
    before.found === after.found &&
    before.result === after.result &&
    sameStep(before.a, after.a) &&
    sameStep(before.b, after.b)
  )
}

function sameStep(before: StepView, after: StepView): boolean {
  const [one, other] = [before.view, after.view]
  return before.seq === after.seq && (one === null || other === null ? one === other : sameView(one, other))
}

function StepHalf({
  side,
  seq,
  view,
  changed
}: StepView & { side: string; changed: readonly TextRange[] | undefined }) {
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
          <span className="label cut">{view.label}</span>
          <RowSummaryText summary={view.summary} find={noFind} call={view.kind === 'tool'} changed={changed} />
          {view.failed && <span className="fact bad caption">failed</span>}
          <span className="took num t3 caption">
            {Number.isNaN(view.durationMs) ? '' : formatShortDuration(view.durationMs)}
          </span>
        </>
      )}
    </span>
  )
}

function stepView(store: LogStore, seq: number): StepView {
  const at = seq < 0 ? undefined : store.parts.columns.rowOfSeq[seq]
  return { seq, view: at === undefined ? null : rowView(store.getState(), at) }
}

/** Words of at least so many lines above and below are read, so that scrolling seldom waits for them, or renders again for them. */
const ahead = 32

/** Renders again when words of a side were read. Returns what asks for those of the rendered lines. */
function useSummaries(
  store: LogStore,
  comparison: Comparison,
  side: Side,
  lines: readonly ComparedLine[]
): (first: number, last: number) => void {
  const { summaries, columns } = store.parts
  // The columns grow in place.
  useStore(store, (log) => log.version)
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  useEffect(() => () => summaries.request('compare', []), [summaries])
  return (first, last) => {
    const wanted = lines
      .slice(Math.max(0, Math.floor(first / ahead - 1) * ahead), Math.ceil(last / ahead + 1) * ahead)
      .flatMap((line) => (line.kind === 'row' ? (columns.rowOfSeq[comparison.seqAt(side, line.row)] ?? []) : []))
    summaries.request('compare', wanted)
  }
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
