import { lastName } from '#core/paths/path-names.ts'
import './inspector.css'
import { useCallback, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { toolKind } from '#core/tools/tool-kind.ts'
import { type ToolUse, toolUse } from '#core/tools/tool-use.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import { useApp } from '../../stores/app-store.ts'
import type { InspectorTab } from '../../stores/inspecting.ts'
import { copyEventLink } from '../../stores/event-link.ts'
import { useLog, useLogParts, useLogStore } from '../../stores/log-store.ts'
import { useLayout } from '../../stores/use-layout.ts'
import type { RowSummaries } from '../../stores/row-summaries.ts'
import { CopyButton, IconButton } from '../../ui/button.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { markReasons } from '../../ui/mark-reasons.ts'
import { damageLabel, rowLabel } from '../../ui/row-label.ts'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { isJsonObject } from '#core/json.ts'
import { BookmarkNote } from '../bookmarks/bookmark-note.tsx'
import { PathText } from './block.tsx'
import { diffLayoutNames, diffLayouts, useDiffLayout } from './diff-layout.ts'
import { EventView } from './event-view.tsx'
import { FileLink } from './file-link.tsx'
import { Failed } from './failed.tsx'
import { callPurpose } from './input-parts.ts'
import { IssuesView } from './issues-view.tsx'
import { Loading } from './loading.tsx'
import { SummaryHead, SummaryView } from '../summary/summary-view.tsx'
import { useRawLayout } from './raw-layout.ts'
import { RawView } from './raw-view.tsx'
import { Segments } from './segments.tsx'
import {
  type DetailState,
  firstLimit,
  largestLimit,
  type RowDetail,
  useRowDetail,
  useRowRevision
} from './use-row-detail.ts'
import { type Widening, WidenButton } from './widen-button.tsx'

/** The selected row: its event, its exact line and its issues. `widening`: undefined if the inspector cannot grow. */
export function Inspector({ widening }: { widening?: Widening }) {
  const row = useLog((log) => log.row)
  const { key } = useLogParts()
  useSizesOfKind()
  return (
    <section className="inspector vstack" role="region" aria-label="Inspector">
      {row < 0 ? <NoRow /> : <RowInspector key={key} row={row} widening={widening} />}
    </section>
  )
}

/** Panel sizes are stored per kind of row. The session view has no kind. */
function useSizesOfKind(): void {
  const setKind = useLayout((layout) => layout.setKind)
  const kind = useLog(({ row, columns, inspectorTab }) =>
    row < 0 || inspectorTab === 'summary' ? null : columns.kindAt(row)
  )
  useLayoutEffect(() => {
    setKind(kind)
    return () => setKind(null)
  }, [setKind, kind])
}

function NoRow() {
  const reading = useLog((log) => log.status.phase === 'reading')
  return <p className="panel-note t3">{reading ? 'Reading the first rows…' : 'No rows in this log.'}</p>
}

function RowInspector({ row, widening }: { row: number; widening: Widening | undefined }) {
  const [whole, setWhole] = useState(-1)
  const [shown, setShown] = useState({ row: -1, issue: -1 })
  const limit = whole === row ? largestLimit : firstLimit
  const revision = useRowRevision(row)
  const state = useRowDetail(row, limit, revision)
  const tab = useLog((log) => log.inspectorTab)
  const { inspecting } = useLogParts()
  const issues = useLog((log) => log.columns.issues[row] ?? 0)
  const line = useLog((log) => log.columns.line[row] ?? 0)
  const tabs: readonly Tab<InspectorTab>[] = [
    { id: 'summary', label: 'Summary' },
    { id: 'event', label: 'Event' },
    { id: 'raw', label: 'Raw' },
    { id: 'issues', label: 'Log issues', count: issues > 0 ? formatCount(issues) : undefined }
  ]
  const known = state.kind === 'ready' && state.detail.row === row ? state.detail.issues : noIssues
  const [, setLayout] = useRawLayout()
  const showIssue = useCallback(
    (issue: number) => {
      setShown({ row, issue })
      // Only this layout can show the place of an issue.
      setLayout('pretty')
      inspecting.show('raw')
    },
    [row, inspecting, setLayout]
  )
  return (
    <>
      <BookmarkNote row={row} />
      {tab === 'summary' ? <SummaryHead widening={widening} /> : <Head row={row} state={state} widening={widening} />}
      <Tabs label="Inspector" tabs={tabs} selected={tab} onSelect={(chosen) => inspecting.show(chosen)}>
        {/* A new scroll position for each row and tab. */}
        <div
          key={tab === 'summary' ? tab : `${tab} ${state.kind === 'ready' ? state.detail.row : row}`}
          className="inspector-body vstack fill"
          tabIndex={0}
          role="group"
          aria-label="Content"
        >
          {tab === 'summary' ? (
            <SummaryView />
          ) : tab === 'raw' ? (
            <RawView
              key={row}
              row={row}
              revision={revision}
              issues={known}
              shown={shown.row === row ? shown.issue : -1}
            />
          ) : state.kind === 'loading' ? (
            <Loading />
          ) : state.kind === 'failed' ? (
            <Failed what="The row" message={state.message} onRetry={state.retry} />
          ) : tab === 'issues' ? (
            <IssuesView detail={state.detail} line={line} onShow={showIssue} />
          ) : (
            <EventView
              key={state.detail.row}
              detail={state.detail}
              showAll={limit < largestLimit ? () => setWhole(row) : null}
            />
          )}
        </div>
      </Tabs>
    </>
  )
}

const noIssues: readonly never[] = []

/** The row's kind and position, known from the columns. The title follows with the row's summary. */
function Head({ row, state, widening }: { row: number; state: DetailState; widening: Widening | undefined }) {
  const { columns, marks, summaries } = useLogParts()
  const tools = useLog((log) => log.status.tools)
  const tracks = useLog((log) => log.status.tracks)
  const kind = columns.kindAt(row)
  const tool = tools[(columns.tool[row] ?? 0) - 1] ?? null
  const { icon, tone } = rowLook(kind, tool)
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  const label = damageLabel(kind, columns.severityAt(row), summaries.get(row)) ?? rowLabel(kind, tool)
  const pair = columns.pairOf[row] ?? -1
  useEffect(
    () =>
      summaries.request(
        'inspector',
        [row, pair].filter((wanted) => wanted >= 0)
      ),
    [summaries, row, pair]
  )
  const failure = failureOf(state, row, summaries, columns)
  const detail = state.kind === 'ready' && state.detail.row === row ? state.detail : null
  const use = useMemo(() => (detail === null ? null : callUse(detail)), [detail])
  const path = use === null ? null : fileOf(use)
  const seq = columns.seq[row] ?? -1
  // The call itself changes nothing.
  const resultRow = kind === 'tool' ? pair : row
  const file = useLog((log) => log.status.files[(log.columns.file[row] ?? 0) - 1]?.name)
  const mark = useLog((log) => log.columns.markAt(row))
  useEffect(() => marks.request('inspector', row, row), [marks, row])
  const track = tracks[columns.track[row] ?? 0]
  return (
    <header className="inspector-head">
      <div className="inspector-title hstack">
        <Icon name={icon} tone={tone} />
        <h2 title={tool ?? undefined}>{label}</h2>
        <Title row={row} state={state} summaries={summaries} />
        {path !== null && kind !== 'tool' && <PathText path={path} />}
        {path !== null && <CopyButton what="path" text={() => path} />}
        {path !== null && resultRow >= 0 && <FileLink path={path} row={resultRow} />}
        <span className="grow" />
        {failure !== null && (
          <span className="badge bad" title={failure}>
            <span className="cut">{failure}</span>
          </span>
        )}
        {use?.what === 'edits' && <LayoutChoice />}
        <Steps row={row} label={label} tool={tool} />
        <CopyEvent row={row} />
        {seq >= 0 && <CopyLink />}
        <WidenButton widening={widening} />
      </div>
      <p className="inspector-place hstack t3 caption num">
        <span className="cut inspector-line" title={file}>
          line {formatCount(columns.line[row] ?? 0)}
          {file !== undefined && ` of ${lastName(file)}`}
        </span>
        {seq >= 0 && <span>event {formatCount(seq)}</span>}
        <span className="cut" title={track?.label}>
          {(columns.track[row] ?? 0) === 0 ? 'main' : track?.label || (track?.trackId ?? 'subagent')}
        </span>
      </p>
      {mark !== null && (
        <p className="inspector-mark">
          <span className="badge edged">{mark}</span>
          {markReasons[mark]}
        </p>
      )}
    </header>
  )
}

/** Buttons to the previous and next call about the same file, or else to the next row of the same kind. */
function Steps({ row, label, tool }: { row: number; label: string; tool: string | null }) {
  const { columns, playhead, stepping } = useLogParts()
  const does = tool === null ? null : toolKind(tool)
  const ofFile = does === 'edit' || does === 'write' || does === 'read'
  const go = (direction: 1 | -1) => {
    if (ofFile) return void stepping.stepTo('same-file', direction)
    const same = sameRowFrom(columns, row, direction)
    if (same >= 0) playhead.select(same)
  }
  const what = ofFile ? 'call about this file' : label
  return (
    <>
      <IconButton icon="up" label={`Previous ${what}`} {...(ofFile && { keys: 'S' })} onClick={() => go(-1)} />
      <IconButton icon="down" label={`Next ${what}`} {...(ofFile && { keys: 's' })} onClick={() => go(1)} />
    </>
  )
}

/** The use of the call that the row is or answers, else null. */
function callUse({ event, pair }: RowDetail): ToolUse | null {
  const call = [event, pair?.event].find((each) => each?.type === 'tool.started')
  return call?.type === 'tool.started' ? toolUse(call.toolName, call.input) : null
}

/** The file that a call is about; null for none or several. */
function fileOf(use: ToolUse): string | null {
  if (use.what === 'read') return use.path
  const [file, ...more] = use.what === 'edits' ? use.files : []
  return file !== undefined && more.length === 0 ? file.path : null
}

/** The diff layout; hidden if two sides do not fit. */
function LayoutChoice() {
  const [layout, setLayout] = useDiffLayout()
  return (
    <span className="inspector-layout">
      <Segments
        label="Layout of changes"
        values={diffLayouts}
        names={diffLayoutNames}
        value={layout}
        onChange={setLayout}
      />
    </span>
  )
}

/** Copies the event, or the record if there is no event, as JSON with uncut strings. */
function CopyEvent({ row }: { row: number }) {
  const { host, id } = useLogParts()
  const read = async () => {
    const { event, record } = await host.call('log.event', { log: id, row, limit: largestLimit })
    return JSON.stringify(event ?? record, null, 2)
  }
  return <CopyButton what="event as JSON" large text={read} />
}

function CopyLink() {
  const store = useLogStore()
  const exports = useApp((app) => app.capabilities?.exports === true)
  const linkTo = useApp((app) => app.linkTo)
  if (!exports) return null
  return (
    <IconButton icon="link" label="Copy link to event" keys="y" onClick={() => void copyEventLink(store, linkTo)} />
  )
}

/** The purpose or target of a call, the call of a result, or a record's type. */
function Title({ row, state, summaries }: { row: number; state: DetailState; summaries: RowSummaries }) {
  const { text, about } = titleOf(state, row)
  const summary = about < 0 ? null : summaries.get(about)
  const path = text === '' && summary?.mono === true ? summary.text : ''
  const changes = summary?.badges.filter(({ tone }) => tone === 'add' || tone === 'del') ?? []
  return (
    <>
      {path === '' ? (
        <span className="t2 cut" title={text}>
          {text}
        </span>
      ) : (
        <PathText path={path} />
      )}
      {changes.map(({ text: count, tone }) => (
        <span key={count} className={`num inspector-${tone}`}>
          {count}
        </span>
      ))}
    </>
  )
}

/** `about`: the row whose summary is the rest of the title; -1 for none. */
function titleOf(state: DetailState, row: number): { text: string; about: number } {
  const nothing = { text: '', about: -1 }
  if (state.kind !== 'ready' || state.detail.row !== row) return nothing
  const { event, pair, record } = state.detail
  if (event?.type === 'tool.started') return { text: oneLine(callPurpose(event.input)), about: row }
  if (event?.type === 'tool.completed')
    return pair?.event.type === 'tool.started' ? { text: `of ${oneLine(pair.event.toolName)}`, about: -1 } : nothing
  if (event === null && isJsonObject(record)) return { text: oneLine(record['type']), about: -1 }
  return nothing
}

/** "exit 1", "failed" or an error code, for a failed row and for the call of a failed result. */
function failureOf(state: DetailState, row: number, summaries: RowSummaries, columns: LogColumns): string | null {
  if (state.kind !== 'ready' || state.detail.row !== row) return null
  const { event, pair } = state.detail
  if (event?.type === 'error') return oneLine(event.code) || null
  const [result, resultRow] = event?.type === 'tool.started' ? [pair?.event, pair?.row ?? -1] : [event, row]
  if (result?.type !== 'tool.completed') return null
  const bad = summaries.get(resultRow)?.badges.find((badge) => badge.tone === 'bad')
  return bad?.text ?? (columns.kindAt(resultRow) === 'tool-error' ? 'failed' : null)
}

function oneLine(value: unknown): string {
  return typeof value === 'string' ? displayText(value.slice(0, 200)).replaceAll(/\s+/g, ' ') : ''
}

/** The next or previous row of the same kind and tool; -1 none. */
function sameRowFrom(columns: LogColumns, row: number, direction: 1 | -1): number {
  for (let at = row + direction; at >= 0 && at < columns.rows; at += direction) {
    if (columns.kind[at] === columns.kind[row] && columns.tool[at] === columns.tool[row]) return at
  }
  return -1
}
