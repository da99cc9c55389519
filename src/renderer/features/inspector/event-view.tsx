import { useState } from 'react'
import { type AgentEvent, type EventBody } from '#core/events/agent-event.ts'
import { isJsonObject, type JsonObject } from '#core/json.ts'
import { rowKindOf } from '#core/index/row-kind.ts'
import { tokenUsage } from '#core/index/token-usage.ts'
import { formatCost, formatCount, formatDuration, formatFullTime, formatPlural } from '../../ui/format.ts'
import { TextBlock } from '../../ui/text-block.tsx'
import { rowLabel } from '../../ui/row-label.ts'
import { type Cuts, cutAt, cutsOf } from './cuts.ts'
import { Fact, Facts } from './facts.tsx'
import { TodoEventView } from './todo-event-view.tsx'
import { outputFacts, PairHead, Superseded, ToolInput, ToolOutput, TreeBlock } from './tool-view.tsx'
import type { RowDetail } from './use-row-detail.ts'

/** What a row means, by what it is. `showAll` asks for strings that were cut; null: nothing more can be had. */
export function EventView({ detail, showAll }: { detail: RowDetail; showAll: (() => void) | null }) {
  const cuts = cutsOf(detail.cut, showAll)
  if (detail.event === null) return <RecordView record={detail.record} cuts={cuts} />
  return (
    <>
      <Body event={detail.event} detail={detail} cuts={cuts} />
      <AllFields event={detail.event} cuts={cuts} />
    </>
  )
}

function RecordView({ record, cuts }: { record: unknown; cuts: Cuts }) {
  if (record === null || record === undefined) {
    return <p className="t3">This line is not a JSON record. The Raw tab shows it as written.</p>
  }
  return (
    <>
      <p className="t3">A record that is no event of the run. It is shown as it stands.</p>
      <TreeBlock title="Record" value={record} path="$" cuts={cuts} />
    </>
  )
}

function Body({ event, detail, cuts }: { event: AgentEvent; detail: RowDetail; cuts: Cuts }) {
  switch (event.type) {
    case 'text':
      return <TextView event={event} cuts={cuts} />
    case 'tool.started':
      return <CallView event={event} detail={detail} cuts={cuts} />
    case 'tool.completed':
      return <ResultView event={event} detail={detail} cuts={cuts} />
    case 'todo_list':
      return <TodoEventView event={event} row={detail.row} />
    case 'turn.completed':
      return <TurnView event={event} cuts={cuts} />
    case 'session.started':
      return <SessionView event={event} />
    case 'error':
      return <ErrorView event={event} cuts={cuts} />
  }
}

type Of<T extends EventBody['type']> = Extract<AgentEvent, { type: T }>

function TextView({ event, cuts }: { event: Of<'text'>; cuts: Cuts }) {
  const kind = rowKindOf(event)
  const title = kind === 'unparsed' ? 'Line as read' : rowLabel(kind, null)
  return (
    <TextBlock
      title={title}
      face={kind === 'unparsed' ? 'code' : 'prose'}
      text={event.text}
      cut={cutAt(cuts, '$.text')}
    />
  )
}

function CallView({ event, detail, cuts }: { event: Of<'tool.started'>; detail: RowDetail; cuts: Cuts }) {
  const { pair } = detail
  const result = pair?.event.type === 'tool.completed' ? pair.event : null
  const resultCuts = cutsOf(pair?.cut ?? [], cuts.showAll)
  return (
    <>
      <ToolInput event={event} cuts={cuts} />
      {pair === null || result === null ? (
        <p className="t3">No result follows in this log.</p>
      ) : (
        <>
          <PairHead
            title="Result"
            row={pair.row}
            since={result.timestamp - event.timestamp}
            when="later"
            fact={outputFacts(result, resultCuts)}
          />
          <ToolOutput event={result} cuts={resultCuts} />
        </>
      )}
      <Superseded rows={detail.results.filter((row) => row !== detail.row && row !== detail.pair?.row)} />
    </>
  )
}

function ResultView({ event, detail, cuts }: { event: Of<'tool.completed'>; detail: RowDetail; cuts: Cuts }) {
  const { pair } = detail
  const call = pair?.event.type === 'tool.started' ? pair.event : null
  return (
    <>
      <ToolOutput event={event} cuts={cuts} />
      {pair === null || call === null ? (
        <p className="t3">The log does not hold the call this answers.</p>
      ) : (
        <>
          <PairHead
            title={`Call of ${call.toolName}`}
            row={pair.row}
            since={event.timestamp - call.timestamp}
            when="before"
            fact=""
          />
          <ToolInput event={call} cuts={cutsOf(pair.cut, cuts.showAll)} />
        </>
      )}
      <Superseded rows={detail.results.filter((row) => row !== detail.row && row !== detail.pair?.row)} />
    </>
  )
}

const finishWords: Record<Of<'turn.completed'>['finishReason'], string> = {
  done: 'done',
  error: 'ended with an error',
  cancelled: 'cancelled',
  timeout: 'timed out'
}

function TurnView({ event, cuts }: { event: Of<'turn.completed'>; cuts: Cuts }) {
  return (
    <>
      <Facts>
        <Fact name="Finished" value={finishWords[event.finishReason]} />
        <Fact name="Model" value={event.model} mono />
        <Fact name="Took" value={event.durationMs === undefined ? undefined : formatDuration(event.durationMs)} />
        <Fact
          name="Cost"
          value={event.costUsd === undefined ? undefined : `${formatCost(event.costUsd)} so far, all agents`}
        />
      </Facts>
      {event.usage !== undefined && <Usage usage={event.usage} cuts={cuts} />}
    </>
  )
}

/** Counts of tokens in a table, in the same words for every vendor; the rest of the usage as a tree. */
function Usage({ usage, cuts }: { usage: JsonObject; cuts: Cuts }) {
  const { counts, rest } = tokenUsage(usage)
  return (
    <>
      {counts.length > 0 && (
        <section className="block" aria-label="Tokens">
          <header>
            <span>Tokens</span>
          </header>
          <table className="usage">
            <tbody>
              {counts.map(({ name, count, part }) => (
                <tr key={name} className={part ? 'part' : undefined}>
                  <th scope="row">{name}</th>
                  <td className="num">{Number.isInteger(count) ? formatCount(count) : String(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {Object.keys(rest).length > 0 && <TreeBlock title="More of the usage" value={rest} path="$.usage" cuts={cuts} />}
    </>
  )
}

function SessionView({ event }: { event: Of<'session.started'> }) {
  return (
    <>
      <Facts>
        <Fact name="Model" value={event.model} mono />
        <Fact name="Folder" value={event.cwd} mono />
        <Fact name="Version" value={event.version} mono />
        <Fact name="Session" value={event.sessionId} mono />
      </Facts>
      {event.tools !== undefined && (
        <TextBlock title={formatPlural(event.tools.length, 'tool')} text={event.tools.join('\n')} />
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
      <TextBlock title="Error" tone="bad" face="prose" text={event.error} cut={cutAt(cuts, '$.error')} />
      {event.stack !== undefined && <TextBlock title="Stack" text={event.stack} cut={cutAt(cuts, '$.stack')} />}
    </>
  )
}

/** The event as the normalized log has it: what the view above does not show is here. */
function AllFields({ event, cuts }: { event: AgentEvent; cuts: Cuts }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="all-fields" open={open} onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        All fields <span className="t3">{timeText(event)}</span>
      </summary>
      {open && isJsonObject(event) && <TreeBlock title="Event" value={event} path="$" cuts={cuts} />}
    </details>
  )
}

function timeText(event: AgentEvent): string {
  if (event.timestamp === 0 && event.timestampFrom !== undefined) return 'no time is known'
  const from = { record: '', previous: ', time of the event before', observed: ', when it was read' }
  return formatFullTime(event.timestamp) + from[event.timestampFrom ?? 'record']
}
