import './inspector.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { type InspectorTab, type LogState, useLog, useLogStore } from '../../stores/log-store.ts'
import type { RowSummaries } from '../../stores/row-summaries.ts'
import { IconButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { markWords } from '../../ui/mark-words.ts'
import { rowLabel } from '../../ui/row-label.ts'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { isJsonObject } from '#core/json.ts'
import { EventView } from './event-view.tsx'
import { callPurpose } from './input-parts.ts'
import { IssuesView } from './issues-view.tsx'
import { RawView } from './raw-view.tsx'
import { type DetailState, firstLimit, largestLimit, useRowDetail, useRowRevision } from './use-row-detail.ts'

/** The selected row in full: what it means, its exact line, and what is wrong with it. */
export function Inspector() {
  const row = useLog((log) => log.row)
  const key = useLog((log) => log.key)
  return (
    <section className="inspector" role="region" aria-label="Inspector">
      {row < 0 ? <NoRow /> : <RowInspector key={key} row={row} />}
    </section>
  )
}

function NoRow() {
  const reading = useLog((log) => log.status.phase === 'reading')
  return <p className="inspector-empty t3">{reading ? 'The first rows are being read.' : 'This log has no rows.'}</p>
}

function RowInspector({ row }: { row: number }) {
  const [whole, setWhole] = useState(-1)
  const limit = whole === row ? largestLimit : firstLimit
  const revision = useRowRevision(row)
  const state = useRowDetail(row, limit, revision)
  const tab = useLog((log) => log.inspectorTab)
  const setTab = useLog((log) => log.setInspectorTab)
  const issues = useLog((log) => log.columns.issues[row] ?? 0)
  const line = useLog((log) => log.columns.line[row] ?? 0)
  const tabs: readonly Tab<InspectorTab>[] = [
    { id: 'event', label: 'Event' },
    { id: 'raw', label: 'Raw' },
    { id: 'issues', label: 'Issues', count: issues > 0 ? formatCount(issues) : undefined }
  ]
  const known = state.kind === 'ready' && state.detail.row === row ? state.detail.issues : []
  return (
    <>
      <Head row={row} state={state} />
      <Tabs label="Inspector" tabs={tabs} selected={tab} onSelect={setTab}>
        {/* A new place to scroll for each row and tab. */}
        <div
          key={`${tab} ${state.kind === 'ready' ? state.detail.row : row}`}
          className="inspector-body"
          tabIndex={0}
          role="group"
          aria-label="Content"
        >
          {tab === 'raw' ? (
            <RawView key={row} row={row} revision={revision} issues={known} />
          ) : (
            <Detail state={state} tab={tab} line={line} onShowAll={limit < largestLimit ? () => setWhole(row) : null} />
          )}
        </div>
      </Tabs>
    </>
  )
}

function Detail({
  state,
  tab,
  line,
  onShowAll
}: {
  state: DetailState
  tab: 'event' | 'issues'
  line: number
  onShowAll: (() => void) | null
}) {
  if (state.kind === 'loading') return <Loading />
  if (state.kind === 'failed') {
    return (
      <div className="inspector-failed">
        <p className="s-malformed">The row could not be read: {state.message}</p>
        <button type="button" className="btn edged" onClick={state.retry}>
          Read it again
        </button>
      </div>
    )
  }
  if (tab === 'issues') return <IssuesView issues={state.detail.issues} line={line} />
  return <EventView key={state.detail.row} detail={state.detail} showAll={onShowAll} />
}

function Loading() {
  return (
    <div className="inspector-loading" role="group" aria-label="Loading" aria-busy="true">
      <span />
      <span />
      <span />
    </div>
  )
}

/** What the row is and where: known from the columns at once, its title when its summary is there. */
function Head({ row, state }: { row: number; state: DetailState }) {
  const store = useLogStore()
  const columns = useLog((log) => log.columns)
  const tools = useLog((log) => log.status.tools)
  const tracks = useLog((log) => log.status.tracks)
  const kind = columns.kindAt(row)
  const tool = tools[(columns.tool[row] ?? 0) - 1] ?? null
  const label = rowLabel(kind, tool)
  const { icon, tone } = rowLook(kind, tool)
  const summaries = useLog((log) => log.summaries)
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  const pair = columns.pairOf[row] ?? -1
  useEffect(
    () =>
      summaries.want(
        'inspector',
        [row, pair].filter((wanted) => wanted >= 0)
      ),
    [summaries, row, pair]
  )
  const failure = failureOf(state, row, summaries)
  const seq = columns.seq[row] ?? -1
  const file = useLog((log) => log.status.files[(log.columns.file[row] ?? 0) - 1]?.name)
  const mark = useLog((log) => log.columns.markAt(row))
  const marks = useLog((log) => log.marks)
  useEffect(() => marks.want('inspector', row, row), [marks, row])
  const track = tracks[columns.track[row] ?? 0]
  const go = (direction: 1 | -1) => goToSame(store.getState(), row, direction)
  return (
    <header className="inspector-head">
      <div className="inspector-title">
        <Icon name={icon} tone={tone} />
        <h2 title={tool ?? undefined}>{label}</h2>
        <span className="t2 cut grow" title={titleOf(state, row)}>
          {titleOf(state, row)}
        </span>
        {failure !== null && <span className="badge bad">{failure}</span>}
        <IconButton icon="up" label={`Previous ${label}`} onClick={() => go(-1)} />
        <IconButton icon="down" label={`Next ${label}`} onClick={() => go(1)} />
      </div>
      <p className="inspector-place num">
        <span className="cut inspector-line" title={file}>
          line {formatCount(columns.line[row] ?? 0)}
          {file !== undefined && ` of ${file.slice(file.lastIndexOf('/') + 1)}`}
        </span>
        {seq >= 0 && <span>event {formatCount(seq)}</span>}
        <span className="cut" title={track?.label}>
          {(columns.track[row] ?? 0) === 0 ? 'main' : track?.label || (track?.trackId ?? 'subagent')}
        </span>
      </p>
      {mark !== null && (
        <p className="inspector-mark">
          <span className="badge edged">{mark}</span>
          {markWords[mark]}
        </p>
      )}
    </header>
  )
}

/** What a tool's call is for, in its own words; a result's tool; a record's type. */
function titleOf(state: DetailState, row: number): string {
  if (state.kind !== 'ready' || state.detail.row !== row) return ''
  const { event, pair, record } = state.detail
  if (event?.type === 'tool.started') return oneLine(callPurpose(event.input))
  if (event?.type === 'tool.completed')
    return pair?.event.type === 'tool.started' ? `of ${oneLine(pair.event.toolName)}` : ''
  if (event === null && isJsonObject(record)) return oneLine(record['type'])
  return ''
}

/** "exit 1", "failed" or an error's code: on what failed, and on the call of a tool that did. */
function failureOf(state: DetailState, row: number, summaries: RowSummaries): string | null {
  if (state.kind !== 'ready' || state.detail.row !== row) return null
  const { event, pair } = state.detail
  if (event?.type === 'error') return oneLine(event.code) || null
  const [result, resultRow] = event?.type === 'tool.started' ? [pair?.event, pair?.row ?? -1] : [event, row]
  if (result?.type !== 'tool.completed') return null
  const bad = summaries.get(resultRow)?.badges.find((badge) => badge.tone === 'bad')
  return bad?.text ?? (result.error === undefined ? null : 'failed')
}

function oneLine(value: unknown): string {
  return typeof value === 'string' ? displayText(value.slice(0, 200)).replaceAll(/\s+/g, ' ') : ''
}

/** To the next or previous row that is the same: of this kind, and on calls of this tool. */
function goToSame(log: LogState, row: number, direction: 1 | -1): void {
  const { columns } = log
  for (let at = row + direction; at >= 0 && at < columns.rows; at += direction) {
    if (columns.kind[at] === columns.kind[row] && columns.tool[at] === columns.tool[row]) return log.selectRow(at)
  }
}
