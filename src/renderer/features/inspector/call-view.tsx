import { Fragment, useEffect, useMemo, useRef } from 'react'
import { toolOutput } from '#core/index/tool-output.ts'
import { agentOf } from '#core/formats/agents.ts'
import { type ToolUse, toolUse } from '#core/tools/tool-use.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import { useLog } from '../../stores/log-store.ts'
import { Icon } from '../../ui/icons.tsx'
import { formatCount, formatDuration, formatPlural } from '../../ui/format.ts'
import { rowLabel } from '../../ui/row-label.ts'
import { useShownRun } from '../live-runs/shown-run.tsx'
import type { CallPart, CallPair } from './call-parts.ts'
import { type Cuts, textAt } from './cuts.ts'
import { EditsView } from './edits-view.tsx'
import { Fact, Facts } from './facts.tsx'
import { ImagesView } from './images-view.tsx'
import { InputParts } from './input-view.tsx'
import { ReportedView, useReportedResult } from './reported-view.tsx'
import { ResultView, useFailed } from './result-view.tsx'
import { useLogUsage } from '../../stores/use-log-usage.ts'
import { usageWords } from '#core/requests/usage-words.ts'
import { RowLink } from './row-link.tsx'
import { CodeBlock, ProseBlock } from './text-block.tsx'
import { countWords } from './usage.tsx'

/** Agents say in the first lines of a result that a command still runs. */
const headLength = 2000

/** A tool call with its result. `row`: the selected one of the two. */
export function CallView({ pair, row }: { pair: CallPair; row: number }) {
  const { call, result } = pair
  const use = useMemo(() => {
    if (call === null) return null
    const { toolName, input, agentType } = call.event
    return toolUse(toolName, input, agentOf(agentType))
  }, [call])
  return (
    <>
      {call === null || use === null ? (
        <NoCall pair={pair} />
      ) : (
        <>
          <CallInput cuts={call.cuts} use={use} result={result} />
          <InputParts input={call.event.input} consumedKeys={use.consumedKeys} cuts={call.cuts} />
          {call.facts.images > 0 && <ImagesView row={call.row} />}
        </>
      )}
      {result === null ? (
        <NoResult row={row} call={call} use={use} />
      ) : (
        <>
          <ResultHead
            pair={pair}
            result={result}
            selected={row === result.row && call !== null}
            // For an applied change, the call says more than its result.
            leads={use?.answer !== 'sentence'}
          />
          <ResultView result={result} use={use} />
          {result.facts.images > 0 && <ImagesView row={result.row} />}
        </>
      )}
      <Replaced rows={pair.replaced} />
      <CallFacts pair={pair} />
    </>
  )
}

/** A call of a todo tool has no row of its own, only that of its list. */
function NoCall({ pair: { result, listRow } }: { pair: CallPair }) {
  const tool = result?.event.toolName
  if (tool === undefined) return <p className="t3">No call recorded for this result.</p>
  return (
    <p className="t2">
      Result of <code>{tool}</code>
      {listRow === null ? '. It changed no todo list.' : '. It wrote '}
      {listRow !== null && (
        <>
          the list at <RowLink row={listRow} />.
        </>
      )}
    </p>
  )
}

/** A tool's input. `result`: null without one. */
export function CallInput({
  cuts,
  use,
  result
}: {
  cuts: Cuts
  use: ToolUse
  result: CallPart<'tool.completed'> | null
}) {
  switch (use.what) {
    case 'command':
      return (
        <CodeBlock
          title="Command"
          of={textAt(cuts, use.command.at, use.command.text)}
          language="bash"
          prompt="$"
          wrapped
        />
      )
    case 'script':
      return (
        <CodeBlock title="Script" of={textAt(cuts, use.script.at, use.script.text)} language={use.language} wrapped />
      )
    case 'edits':
      return <EditsView files={use.files} recorded={result?.facts.diffs ?? []} cuts={cuts} row={result?.row ?? null} />
    case 'read':
      // The result states the file.
      return result !== null && result.event.error === undefined ? null : (
        <Facts>
          <Fact name="File" value={use.path} mono />
        </Facts>
      )
    case 'agent':
      return <ProseBlock title="Prompt" of={textAt(cuts, use.prompt.at, use.prompt.text)} />
    case 'plan':
      return <ProseBlock title="Plan" of={textAt(cuts, use.plan.at, use.plan.text)} />
    case 'other':
      return null
  }
}

/** No result in the log, yet or ever. The host may have stored a reported one. */
function NoResult({ row, call, use }: { row: number; call: CallPart<'tool.started'> | null; use: ToolUse | null }) {
  const reading = useLog((log) => log.status.phase === 'reading')
  const running = useLog((log) => log.status.grownAt !== null && isInLastTurn(log.columns, row))
  const grows = useLog((log) => log.status.grownAt !== null)
  const run = useShownRun()
  // The log of a lost run may never grow again.
  const live = run !== null || grows
  const isOver = run !== null && (run.endedAt !== null || run.state === 'lost')
  const session = useLog((log) => log.status.sessionId)
  const reported = useReportedResult(call?.event.sessionId ?? session ?? '', call?.event.toolId ?? '', live)
  if (reported !== null) return <ReportedView reported={reported} use={use} row={row} />
  return (
    <p className="hstack t2">
      <Icon name="gap" size={14} />
      {reading
        ? 'No result so far. The log is still being read.'
        : running && !isOver
          ? 'No result yet. The call may still be running.'
          : 'No result recorded for this call.'}
    </p>
  )
}

/** Only this many rows after a call are searched. A row further away means that the agent has continued. */
const nearRows = 10_000

/** Whether no later turn of the same agent begins after `row`. */
function isInLastTurn(columns: LogColumns, row: number): boolean {
  if (columns.rows - row > nearRows) return false
  for (let at = row + 1; at < columns.rows; at++) {
    const kind = columns.kindAt(at)
    if (columns.track[at] === columns.track[row] && (kind === 'prompt' || kind === 'turn')) return false
  }
  return true
}

function ResultHead({
  pair: { call, replacedBy },
  result,
  selected,
  leads
}: {
  pair: CallPair
  result: CallPart<'tool.completed'>
  selected: boolean
  /** Scroll the result into view if it is selected. */
  leads: boolean
}) {
  const head = useRef<HTMLDivElement>(null)
  const failed = useFailed(result)
  // The result of a long call may be far below, so a selected result is scrolled into view. A failure is shown first.
  useEffect(() => {
    const body = head.current?.parentElement
    if (!(failed || (selected && leads)) || head.current === null || !body) return
    if (head.current.offsetTop - body.offsetTop > body.clientHeight / 2) head.current.scrollIntoView()
  }, [selected, leads, failed])
  const text = result.event.error ?? result.event.output ?? ''
  return (
    <div ref={head} className={`result-head hstack t2${selected ? ' selected' : ''}`}>
      <Icon name={failed ? 'error' : 'result'} tone={failed ? 'k-error' : 'k-result'} />
      <h3 className="medium">{failed ? 'Error' : 'Result'}</h3>
      {selected ? (
        <>
          {call !== null && (
            <span className="t3">
              of <RowLink row={call.row} />
            </span>
          )}
        </>
      ) : (
        <RowLink row={result.row} />
      )}
      <CallDuration event={result.event} />
      {result.facts.exitCode !== null && (
        <span className={result.facts.exitCode === 0 ? 'badge' : 'badge bad'}>exit {result.facts.exitCode}</span>
      )}
      {toolOutput(text.slice(0, headLength)).running && <span className="badge">still running</span>}
      {replacedBy !== null && (
        <>
          <span className="badge edged">superseded</span>
          <span className="t3">
            by <RowLink row={replacedBy} />
          </span>
        </>
      )}
    </div>
  )
}

/** The duration of the call, and how it is known. */
export function CallDuration({ event: { durationMs, durationFrom } }: { event: CallPart<'tool.completed'>['event'] }) {
  if (durationMs === undefined) {
    return (
      <span className="t3" title="The log states no duration, and no times to derive it from.">
        duration unknown
      </span>
    )
  }
  const known =
    durationFrom === 'stated'
      ? 'As stated in the log.'
      : 'Time between the call and its result. It may include waiting for a person.'
  return (
    <span className="t3" title={known}>
      took {formatDuration(durationMs)}
      {durationFrom === 'records' && ' (from timestamps)'}
    </span>
  )
}

/** Other results of the same call, which do not count. */
function Replaced({ rows }: { rows: readonly number[] }) {
  if (rows.length === 0) return null
  return (
    <p className="t2">
      <span className="badge edged">superseded</span> This call has {formatPlural(rows.length, 'other result')}:{' '}
      {rows.slice(0, 20).map((row, position) => (
        <Fragment key={row}>
          {position > 0 && ', '}
          <RowLink row={row} />
        </Fragment>
      ))}
      {rows.length > 20 && ` and ${formatCount(rows.length - 20)} more`}
    </p>
  )
}

/** Further facts: caller and tokens. */
function CallFacts({ pair: { call, result } }: { pair: CallPair }) {
  const toolName = call?.event.toolName ?? result?.event.toolName
  // The inspector's heading already has the name; only the server of a tool is added.
  const label = rowLabel('tool', toolName ?? null)
  return (
    <Facts>
      <Fact name="Tool" value={toolName === label ? undefined : toolName} mono />
      <Fact name="Tool id" value={(call ?? result)?.event.toolId} mono />
      <Fact name="Model" value={call?.facts.model ?? undefined} mono />
      <Fact name="Tokens" value={countWords(call?.facts.usage)} />
      <SubagentTokens toolId={(call ?? result)?.event.toolId} last={countWords(result?.facts.usage)} />
      <Fact name="By model" value={result?.facts.model ?? undefined} mono />
    </Facts>
  )
}

/** Tokens of the subagent that worked for the call. Its result only states those of its last message. */
function SubagentTokens({ toolId, last }: { toolId: string | undefined; last: string | undefined }) {
  const totals = useLogUsage()?.byTrack.find(({ trackId }) => trackId !== null && trackId === toolId)
  if (totals === undefined) return <Fact name="Used by its last message" value={last} />
  const { sent, received } = usageWords(totals)
  return <Fact name="Used" value={[sent, received].filter((text) => text !== '').join(' · ')} />
}
