import { useState } from 'react'
import { type AgentEvent, type EventBody } from '#core/events/agent-event.ts'
import { isJsonObject } from '#core/json.ts'
import { hasTerminalSequences } from '#core/index/terminal-sequences.ts'
import { rowKindOf } from '#core/index/row-kind.ts'
import { formatCost, formatDuration, formatFullTime, formatPlural } from '../../ui/format.ts'
import { rowLabel } from '../../ui/row-label.ts'
import { type CallPart, callPairOf } from './call-parts.ts'
import { CallView, CallDuration } from './call-view.tsx'
import { type Cuts, cutsOf, textAt } from './cuts.ts'
import { Fact, Facts } from './facts.tsx'
import { ImagesView } from './images-view.tsx'
import { usageWords } from '#core/requests/usage-words.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import type { RowRange } from '../../stores/range-usages.ts'
import { useUsage } from '../../stores/use-log-usage.ts'
import { ResultView, useFailed } from './result-view.tsx'
import { RowLink } from './row-link.tsx'
import { OutputBlock, ProseBlock } from './text-block.tsx'
import { TodoEventView } from './todo-event-view.tsx'
import { TreeBlock } from './tree-block.tsx'
import { Usage, countWords } from './usage.tsx'
import { firstLimit, type RowDetail, useRowDetail, useRowRevision } from './use-row-detail.ts'

/** A row's event, by type. `showAll` loads cut strings; null if a longer answer is not possible. */
export function EventView({ detail, showAll }: { detail: RowDetail; showAll: (() => void) | null }) {
  const cuts = cutsOf(detail.row, detail.cut, showAll)
  if (detail.event === null) return <RecordView detail={detail} cuts={cuts} />
  return (
    <>
      <Body event={detail.event} detail={detail} cuts={cuts} />
      <AllFields event={detail.event} cuts={cuts} />
    </>
  )
}

function RecordView({ detail: { record, facts, row }, cuts }: { detail: RowDetail; cuts: Cuts }) {
  if (record === null || record === undefined) {
    return <p className="t3">This line is not a JSON record. The Raw tab shows it as written.</p>
  }
  return (
    <>
      <p className="t3">Not mapped to an event. Shown as is.</p>
      {facts.images > 0 && <ImagesView row={row} />}
      <TreeBlock title="Record" value={record} path="$" cuts={cuts} />
    </>
  )
}

function Body({ event, detail, cuts }: { event: AgentEvent; detail: RowDetail; cuts: Cuts }) {
  switch (event.type) {
    case 'text':
      return <TextView event={event} detail={detail} cuts={cuts} />
    case 'tool.started':
    case 'tool.completed': {
      const pair = callPairOf(detail, cuts.showAll)
      return pair === null ? null : <CallView pair={pair} row={detail.row} />
    }
    case 'todo_list':
      return (
        <>
          <TodoEventView event={event} row={detail.row} />
          <TodoAnswer detail={detail} />
        </>
      )
    case 'turn.completed':
      return <TurnView event={event} row={detail.row} cuts={cuts} />
    case 'session.started':
      return <SessionView event={event} row={detail.row} />
    case 'error':
      return (
        <>
          <ErrorView event={event} cuts={cuts} />
          <LineText error={detail.row} />
        </>
      )
  }
}

/** The result of the tool call that wrote the list. */
function TodoAnswer({ detail: { pair } }: { detail: RowDetail }) {
  if (pair?.event.type !== 'tool.completed') return null
  const { event, row, facts, cut } = pair
  return <TodoResult result={{ row, event, facts, cuts: cutsOf(row, cut, null) }} />
}

function TodoResult({ result }: { result: CallPart<'tool.completed'> }) {
  const failed = useFailed(result)
  return (
    <>
      <p className="result-head hstack t2">
        <span className="medium">{failed ? 'Error' : 'Result'}</span>
        <RowLink row={result.row} />
        <CallDuration event={result.event} />
      </p>
      <ResultView result={result} use={null} />
    </>
  )
}

type Of<T extends EventBody['type']> = Extract<AgentEvent, { type: T }>

function TextView({ event, detail, cuts }: { event: Of<'text'>; detail: RowDetail; cuts: Cuts }) {
  const kind = rowKindOf(event)
  const of = textAt(cuts, '$.text', event.text)
  const { facts, row, pair } = detail
  return (
    <>
      {kind === 'unparsed' ? (
        <OutputBlock title="Line as read" plain of={of} />
      ) : kind === 'status' && hasTerminalSequences(event.text) ? (
        <OutputBlock title={rowLabel(kind, null)} of={of} />
      ) : (
        <ProseBlock title={rowLabel(kind, null)} of={of} quiet={kind === 'reasoning'} />
      )}
      {facts.images > 0 && <ImagesView row={row} />}
      <Facts>
        <Fact name="About" value={pair === null ? undefined : <RowLink row={pair.row} />} />
        <Fact name="Model" value={facts.model ?? undefined} mono />
        <Fact name="Tokens" value={countWords(facts.usage)} />
      </Facts>
    </>
  )
}

const finishWords: Record<Of<'turn.completed'>['finishReason'], string> = {
  done: 'done',
  error: 'ended with an error',
  cancelled: 'cancelled',
  timeout: 'timed out'
}

function TurnView({ event, row, cuts }: { event: Of<'turn.completed'>; row: number; cuts: Cuts }) {
  const usage = useUsage(useTurnRows(row))
  const words = usage === null ? null : usageWords(usage)
  return (
    <>
      <Facts>
        <Fact name="Finished" value={finishWords[event.finishReason]} />
        <Fact name="Model" value={event.model} mono />
        <Fact name="Duration" value={event.durationMs === undefined ? undefined : formatDuration(event.durationMs)} />
        <Fact
          name="Cost"
          value={event.costUsd === undefined ? undefined : `${formatCost(event.costUsd)} so far, all agents`}
        />
      </Facts>
      {words !== null && words.because !== '' && (
        <p className="t2">
          {words.because} The turn used {[words.sent, words.received].filter((text) => text !== '').join(', ')}.
        </p>
      )}
      {event.usage !== undefined && (
        <Usage usage={event.usage} understated={(usage?.understatedRequests ?? 0) > 0} cuts={cuts} />
      )}
    </>
  )
}

/** The rows of the turn that a row ends. */
function useTurnRows(row: number): RowRange {
  const { turns } = useLogParts().layout
  const rows = useLog((log) => log.columns.rows)
  const turn = turns.turnAt(row)
  return turn < 0
    ? { of: 'turn', from: 0, to: Math.min(row + 1, rows) }
    : { of: 'turn', from: turns.startOf(turn), to: turns.endOf(turn) }
}

function SessionView({ event, row }: { event: Of<'session.started'>; row: number }) {
  const tools = event.tools?.join('\n')
  return (
    <>
      <Facts>
        <Fact name="Model" value={event.model} mono />
        <Fact name="Folder" value={event.cwd} mono />
        <Fact name="Version" value={event.version} mono />
        <Fact name="Session" value={event.sessionId} mono />
      </Facts>
      {tools !== undefined && (
        <OutputBlock
          title={formatPlural(event.tools?.length ?? 0, 'tool')}
          plain
          of={{ row, path: null, text: tools, length: tools.length }}
        />
      )}
    </>
  )
}

function ErrorView({ event, cuts }: { event: Of<'error'>; cuts: Cuts }) {
  return (
    <>
      {event.code !== undefined && (
        <Facts>
          <Fact name="Code" value={event.code} mono />
        </Facts>
      )}
      <OutputBlock title="Error" tone="bad" of={textAt(cuts, '$.error', event.error)} />
      {event.stack !== undefined && <OutputBlock title="Stack" of={textAt(cuts, '$.stack', event.stack)} />}
    </>
  )
}

/** The text of the line that an error is about, if that is not JSON. */
function LineText({ error }: { error: number }) {
  const text = useLog(({ columns }) => {
    const next = error + 1
    return next < columns.rows && columns.partnerOf(next) === error ? next : -1
  })
  const state = useRowDetail(text, firstLimit, useRowRevision(text))
  if (text < 0 || state.kind !== 'ready' || state.detail.event?.type !== 'text') return null
  const { row, cut, event } = state.detail
  return <OutputBlock title="Line as read" plain of={textAt(cutsOf(row, cut, null), '$.text', event.text)} />
}

/** The event as normalized JSON, which includes what the view above leaves out. */
function AllFields({ event, cuts }: { event: AgentEvent; cuts: Cuts }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="all-fields t2" open={open} onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        All fields <span className="t3">{timeText(event)}</span>
      </summary>
      {open && isJsonObject(event) && <TreeBlock title="Event" value={event} path="$" cuts={cuts} />}
    </details>
  )
}

function timeText(event: AgentEvent): string {
  if (event.timestamp === 0 && event.timestampFrom !== undefined) return 'time unknown'
  const from = { record: '', previous: ', time of the previous event', observed: ', time when read' }
  return formatFullTime(event.timestamp) + from[event.timestampFrom ?? 'record']
}
