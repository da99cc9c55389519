import { printQuery } from '#core/query/print-query.ts'
import { useEffect, useSyncExternalStore } from 'react'
import { type CostAnswer, costOf } from '#core/requests/cost.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import type { RunSummary, Usage } from '#contract/methods.ts'
import { usePrices } from '../../stores/use-prices.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatShortDuration } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { rowLabel } from '../../ui/row-label.ts'
import { type Column, SortableTable } from '../../ui/sortable-table.tsx'
import { Block, PathText } from '../inspector/block.tsx'
import { CallsDuration, CostText, CountLink, ReceivedTokens, SentTokens, sentTokens, Unknown } from './figures.tsx'
import { type ShowRows, termText, useShowRows } from './show-rows.ts'

/** A tool's icon and name. */
function Tool({ name }: { name: string }) {
  const { icon, tone } = rowLook('tool', name)
  return (
    <span className="summary-name hstack" title={displayText(name)}>
      <Icon name={icon} tone={tone} size={14} />
      <span className="cut">{name === '' ? 'Tool without a name' : displayText(rowLabel('tool', name))}</span>
    </span>
  )
}

/** The longest calls, with links. */
export function LongestCalls({ calls }: { calls: RunSummary['longest'] }) {
  const show = useShowRows()
  const { summaries } = useLogParts()
  useSyncExternalStore(summaries.changes.subscribe, summaries.changes.getVersion)
  const rows = calls.map(({ row }) => row).join(' ')
  useEffect(() => {
    summaries.request('summary', rows === '' ? [] : rows.split(' ').map(Number))
    return () => summaries.request('summary', [])
  }, [summaries, rows])
  type Call = RunSummary['longest'][number]
  const textOf = ({ row }: Call) => summaries.get(row)?.text ?? ''
  const columns: readonly Column<Call>[] = [
    {
      id: 'call',
      label: 'Call',
      by: ({ tool }) => tool,
      cell: (call) => (
        <button
          type="button"
          className="link summary-call hstack"
          title={textOf(call)}
          onClick={() => show.row(call.row)}
        >
          <Tool name={call.tool} />
          <span className="cut t2">{textOf(call)}</span>
        </button>
      )
    },
    {
      id: 'duration',
      label: 'Duration',
      by: ({ tookMs }) => tookMs,
      cell: ({ tookMs }) => formatShortDuration(tookMs),
      wide: true
    }
  ]
  return (
    <Block title="Longest calls">
      <SortableTable
        label="Longest calls"
        rows={calls}
        columns={columns}
        keyOf={({ row }) => row}
        sortedBy="duration"
      />
    </Block>
  )
}

type FailureGroup = RunSummary['failures']['groups'][number]

function failureColumns(show: ShowRows): readonly Column<FailureGroup>[] {
  const showFirst = ({ tool, row }: FailureGroup) => {
    show.only(`${termText('tool', tool)} status:error`)
    show.row(row)
  }
  return [
    {
      id: 'failure',
      label: 'Failure',
      by: ({ text }) => text,
      cell: (group) => (
        <button
          type="button"
          className="link summary-call hstack"
          title={displayText(group.text)}
          onClick={() => showFirst(group)}
        >
          <Tool name={group.tool} />
          <span className="cut t2 mono" dir="auto">
            {displayText(group.text) || 'No message'}
          </span>
        </button>
      )
    },
    {
      id: 'count',
      label: 'Count',
      by: ({ count }) => count,
      cell: (group) => (
        <CountLink
          bad
          count={group.count}
          of={`the first of these among the failed calls of ${group.tool}`}
          onShow={() => showFirst(group)}
        />
      )
    }
  ]
}

/** Failed calls by reason, each with a link to the first one. */
export function Failures({ failures, total }: { failures: RunSummary['failures']; total: number }) {
  const show = useShowRows()
  const { groups, further } = failures
  return (
    <Block title="Failures" fact={formatCount(total)}>
      <SortableTable
        label="Failures"
        rows={groups}
        columns={failureColumns(show)}
        keyOf={({ tool, text }) => JSON.stringify([tool, text])}
        sortedBy="count"
      />
      {further > 0 && <p className="summary-note t3">{formatCount(further)} more failed calls are not grouped.</p>}
    </Block>
  )
}

type OfTool = RunSummary['calls']['byTool'][number]

function toolColumns(show: ShowRows): readonly Column<OfTool>[] {
  return [
    { id: 'tool', label: 'Tool', by: ({ tool }) => rowLabel('tool', tool), cell: ({ tool }) => <Tool name={tool} /> },
    {
      id: 'calls',
      label: 'Calls',
      by: ({ total }) => total,
      cell: ({ tool, total }) => (
        <CountLink count={total} of={`calls of ${tool}`} onShow={() => show.only(termText('tool', tool))} />
      )
    },
    {
      id: 'failed',
      label: 'Failed',
      by: ({ failed }) => failed,
      cell: ({ tool, failed }) => (
        <CountLink
          bad
          count={failed}
          of={`failed calls of ${tool}`}
          onShow={() => show.only(`${termText('tool', tool)} status:error`)}
        />
      )
    },
    {
      id: 'duration',
      label: 'Duration',
      by: ({ durationMs }) => durationMs,
      cell: (calls) => <CallsDuration calls={calls} />,
      wide: true
    }
  ]
}

export function CallsByTool({ tools }: { tools: readonly OfTool[] }) {
  const show = useShowRows()
  return (
    <Block title="Calls by tool" fact={formatCount(tools.length)}>
      <SortableTable
        label="Calls by tool"
        rows={tools}
        columns={toolColumns(show)}
        keyOf={({ tool }) => tool}
        sortedBy="calls"
      />
    </Block>
  )
}

interface Subagent {
  readonly track: number
  readonly trackId: string | null
  readonly label: string
  readonly calls: number
  readonly wallMs: number | null
  readonly totals: Usage['byTrack'][number] | null
}

function subagentColumns(show: ShowRows, prices: PriceTable | null): readonly Column<Subagent>[] {
  return [
    {
      id: 'subagent',
      label: 'Subagent',
      by: ({ label }) => label,
      cell: ({ label, trackId }) => (
        <button
          type="button"
          className="link summary-call hstack"
          title={`${displayText(label)}: show its events`}
          onClick={() => show.only(termText('track', trackId ?? 'main'))}
        >
          <Icon name="agent" tone="k-tool" size={14} />
          <span className="cut">{displayText(label)}</span>
        </button>
      )
    },
    {
      id: 'calls',
      label: 'Calls',
      by: ({ calls }) => calls,
      cell: ({ calls, label, trackId }) => (
        <CountLink
          count={calls}
          of={`calls of ${label}`}
          onShow={() => show.only(`${termText('track', trackId ?? 'main')} kind:tool`)}
        />
      )
    },
    ...tokenColumns<Subagent>(({ totals }) => totals),
    costColumn<Subagent>(({ totals }) => totals, prices),
    {
      id: 'duration',
      label: 'Duration',
      by: ({ wallMs }) => wallMs,
      cell: ({ wallMs }) =>
        wallMs === null ? (
          <Unknown why="The log does not state two times of this subagent." />
        ) : (
          formatShortDuration(wallMs)
        ),
      wide: true
    }
  ]
}

type TotalsOf<Row> = (row: Row) => Usage['byTrack'][number] | Usage['byModel'][number] | null

/** Mostly estimated, as few logs state the cost of each request. */
function costColumn<Row>(totalsOf: TotalsOf<Row>, prices: PriceTable | null): Column<Row> {
  const answerOf = (row: Row): CostAnswer => costOf(totalsOf(row)?.spent ?? [], null, prices)
  return {
    id: 'cost',
    label: 'Cost',
    by: (row) => answerOf(row).cost?.usd ?? null,
    cell: (row) => <CostText answer={answerOf(row)} />,
    wide: true
  }
}

function tokenColumns<Row>(totalsOf: TotalsOf<Row>): Column<Row>[] {
  return [
    {
      id: 'in',
      label: 'In',
      name: 'Tokens in',
      by: (row) => sentTokens(totalsOf(row)),
      cell: (row) => <SentTokens totals={totalsOf(row)} />
    },
    {
      id: 'out',
      label: 'Out',
      name: 'Tokens out',
      by: (row) => totalsOf(row)?.output ?? null,
      cell: (row) => <ReceivedTokens totals={totalsOf(row)} />
    }
  ]
}

export function Subagents({ subagents, usage }: { subagents: RunSummary['subagents']; usage: Usage | null }) {
  const show = useShowRows()
  const prices = usePrices().table
  const tracks = useLog((log) => log.status.tracks)
  const byTrack = new Map(usage?.byTrack.map((totals) => [totals.trackId, totals]))
  const rows = subagents.map(({ track, calls, wallMs }): Subagent => {
    const { trackId = null, label = '' } = tracks[track] ?? {}
    return {
      track,
      trackId,
      label: label || (trackId ?? 'Subagent'),
      calls,
      wallMs,
      totals: byTrack.get(trackId) ?? null
    }
  })
  return (
    <Block title="Subagents" fact={formatCount(rows.length)}>
      <SortableTable
        label="Subagents"
        rows={rows}
        columns={subagentColumns(show, prices)}
        keyOf={({ track }) => track}
        sortedBy="in"
      />
    </Block>
  )
}

export function Models({ models }: { models: Usage['byModel'] }) {
  const prices = usePrices().table
  const columns: readonly Column<Usage['byModel'][number]>[] = [
    {
      id: 'model',
      label: 'Model',
      by: ({ model }) => model,
      cell: ({ model }) =>
        model === null ? (
          <Unknown why="The log does not name the model." />
        ) : (
          <span title={model}>{displayText(model)}</span>
        )
    },
    ...tokenColumns<Usage['byModel'][number]>((totals) => totals),
    costColumn<Usage['byModel'][number]>((totals) => totals, prices)
  ]
  return (
    <Block title="Tokens by model" fact={formatCount(models.length)}>
      <SortableTable
        label="Tokens by model"
        rows={models}
        columns={columns}
        keyOf={({ model }) => model ?? ''}
        sortedBy="in"
      />
    </Block>
  )
}

type ChangedFile = RunSummary['files']['changed'][number]

function fileColumns(show: ShowRows): readonly Column<ChangedFile>[] {
  const lines = (id: 'added' | 'deleted', label: string, name: string): Column<ChangedFile> => ({
    id,
    label,
    name,
    by: (file) => (file.added + file.deleted === 0 ? null : file[id]),
    cell: (file) =>
      file.added + file.deleted === 0 ? (
        <Unknown why="The log does not say which lines of this file changed." />
      ) : (
        <span className={`inspector-${id === 'added' ? 'add' : 'del'}`}>
          {label}
          {formatCount(file[id])}
        </span>
      )
  })
  return [
    {
      id: 'file',
      label: 'File',
      by: ({ path }) => path,
      cell: ({ path }) =>
        // A cut path has no known end.
        path.endsWith('…') ? (
          <PathText path={path} />
        ) : (
          <button
            type="button"
            className="link summary-call hstack"
            title={`Show what names ${displayText(path)}`}
            onClick={() => show.only(printQuery({ op: 'text', value: { type: 'quoted', text: path } }))}
          >
            <PathText path={path} />
          </button>
        )
    },
    { id: 'calls', label: 'Calls', by: ({ calls }) => calls, cell: ({ calls }) => formatCount(calls) },
    lines('added', '+', 'Lines added'),
    lines('deleted', '−', 'Lines deleted')
  ]
}

export function ChangedFiles({ files }: { files: RunSummary['files'] }) {
  const show = useShowRows()
  const { changed, total, more } = files
  return (
    <Block title="Files changed" fact={`${formatCount(total)}${more ? ' and more' : ''}`}>
      <SortableTable
        label="Files changed"
        rows={changed}
        columns={fileColumns(show)}
        keyOf={({ path }) => path}
        sortedBy="added"
      />
      {changed.length < total && (
        <p className="summary-note t3">The {formatCount(changed.length)} files that changed most.</p>
      )}
    </Block>
  )
}
