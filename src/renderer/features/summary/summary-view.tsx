import './summary.css'
import type { ReactNode } from 'react'
import { costOf } from '#core/requests/cost.ts'
import type { RunSummary, Usage } from '#contract/methods.ts'
import { usePrices } from '../../stores/use-prices.ts'
import { useLog } from '../../stores/log-store.ts'
import { useLogUsage } from '../../stores/use-log-usage.ts'
import { useRunSummary } from '../../stores/use-run-summary.ts'
import {
  formatClock,
  formatCount,
  formatDay,
  formatFullTime,
  formatLarge,
  formatShortDuration
} from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { Sourced } from '../../ui/provenance.tsx'
import { TokensText } from '../../ui/tokens-text.tsx'
import { Failed } from '../inspector/failed.tsx'
import { Loading } from '../inspector/loading.tsx'
import { type Widening, WidenButton } from '../inspector/widen-button.tsx'
import { CallsDuration, CostText, CountLink, Unknown } from './figures.tsx'
import { useShowRows } from './show-rows.ts'
import { CallsByTool, ChangedFiles, Failures, LongestCalls, Models, Subagents } from './summary-tables.tsx'

/** The heading of the summary, at the place of a row's title. */
export function SummaryHead({ widening }: { widening: Widening | undefined }) {
  const name = useLog((log) => log.status.name)
  const format = useLog((log) => log.status.formatTitle)
  const model = useLog((log) => log.status.model)
  return (
    <header className="inspector-head">
      <div className="inspector-title hstack">
        <Icon name="session" tone="k-turn" />
        <h2>Session</h2>
        <span className="t2 cut" title={name}>
          {name}
        </span>
        <span className="grow" />
        <WidenButton widening={widening} />
      </div>
      <p className="inspector-place hstack t3 caption num">
        <span className="cut">{[format, model].filter(Boolean).join(' · ')}</span>
      </p>
    </header>
  )
}

/** The session in numbers. Each number links to the counted rows. */
export function SummaryView() {
  const summary = useRunSummary()
  const usage = useLogUsage()
  const { value, error, isPartial } = summary
  if (value === null)
    return error === null ? <Loading /> : <Failed what="The summary" message={error} onRetry={summary.retry} />
  const { calls, subagents, longest, failures, files, problem } = value
  return (
    <>
      <SoFar value={value} isPartial={isPartial} />
      {error !== null && <Failed what="The summary" message={error} onRetry={summary.retry} />}
      <Totals value={value} usage={usage} />
      {failures.groups.length > 0 && <Failures failures={failures} total={calls.failed} />}
      {longest.length > 0 && <LongestCalls calls={longest} />}
      {calls.byTool.length > 0 && <CallsByTool tools={calls.byTool} />}
      {subagents.length > 0 && <Subagents subagents={subagents} usage={usage} />}
      {problem !== null && <p className="s-malformed">Failures and files changed: {problem}</p>}
      {files.changed.length > 0 && <ChangedFiles files={files} />}
      {usage !== null && usage.byModel.length > 0 && <Models models={usage.byModel} />}
    </>
  )
}

/** A note that the numbers do not cover the whole log yet. */
function SoFar({ value, isPartial }: { value: RunSummary; isPartial: boolean }) {
  const reading = useLog((log) => log.status.phase === 'reading')
  const { counted, rows, read } = value
  const behind =
    counted < rows
      ? `Counted ${formatLarge(counted)} of ${formatLarge(rows)} rows.`
      : read < rows && isPartial
        ? `Looked for failures and changed files in ${formatLarge(read)} of ${formatLarge(rows)} rows.`
        : ''
  if (!reading && behind === '') return null
  const text = ['So far.', reading ? 'The log is still being read.' : '', behind]
    .filter((part) => part !== '')
    .join(' ')
  return (
    <p className="t2" role="status">
      {text}
    </p>
  )
}

function Totals({ value, usage }: { value: RunSummary; usage: Usage | null }) {
  const show = useShowRows()
  const prices = usePrices()
  const { begin, time, turns, calls, files, todos, costUsd } = value
  return (
    <dl className="facts summary-totals">
      <Total name="Start">
        {begin === null ? (
          <Unknown why="The log states no times." />
        ) : (
          <span title={formatFullTime(begin)}>
            {formatDay(begin)} {formatClock(begin)}
          </span>
        )}
      </Total>
      <Total name="Duration">
        {time === null ? (
          <Unknown why="The log does not state two times." />
        ) : (
          <>
            {formatShortDuration(time.wallMs)}
            <span className="t3">
              {' '}
              <Sourced source="derived" why="By the times of turns and prompts." signed>
                {formatShortDuration(time.activeMs)} active · {formatShortDuration(time.waitingMs)} waiting
              </Sourced>
            </span>
          </>
        )}
      </Total>
      <Total name="Turns">
        <CountLink count={turns} of="prompts" onShow={() => show.only('kind:prompt track:main')} />
      </Total>
      <Total name="Tool calls">
        <CountLink
          count={calls.total}
          of="tool calls and results"
          onShow={() => show.only('kind:(tool OR tool-result OR tool-error OR todo)')}
        />
        {calls.failed > 0 && (
          <>
            {' · '}
            <CountLink bad count={calls.failed} of="failed calls" onShow={() => show.only('status:error')} /> failed
          </>
        )}
        {calls.total > 0 && (
          <span className="t3">
            {' · '}
            total time <CallsDuration calls={calls} />
          </span>
        )}
      </Total>
      <Total name="Tokens">
        {usage === null ? <Unknown why="The log states no tokens." /> : <TokensText totals={usage} className="num" />}
      </Total>
      <Total name="Cost">
        <CostText answer={costOf(usage?.spent ?? [], costUsd, prices.table)} />
        {prices.problem !== null && <p className="s-violation">{prices.problem}</p>}
      </Total>
      <Total name="Files changed">
        {formatCount(files.total)}
        {files.more && ' and more'}
      </Total>
      <Total name="Todos done">
        {todos === null ? (
          <Unknown why="The main agent has no todo list at the end." />
        ) : (
          <button type="button" className="link num" title="Show todo lists" onClick={() => show.only('kind:todo')}>
            {formatCount(todos.completed)} of {formatCount(todos.total)}
          </button>
        )}
      </Total>
    </dl>
  )
}

function Total({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
