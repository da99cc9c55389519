import { useCallback, useId, useMemo, useState } from 'react'
import { type CallColumn, type CallGroup, callGroups } from '#contract/analysis.ts'
import type { LogStatus } from '#contract/methods.ts'
import { costText, countText } from '#core/measure-text.ts'
import type { CostAnswer } from '#core/requests/cost.ts'
import { callCostReason } from '#core/requests/cost-words.ts'
import { type CallRow, CallTable } from '../../stores/call-table.ts'
import { useLog, useLogParts } from '../../stores/log-store.ts'
import { usePrices } from '../../stores/use-prices.ts'
import { useLiveAnswer } from '../../stores/use-live-answer.ts'
import { FigureGrid, type FigureColumn, type Sorting } from '../../ui/figure-grid.tsx'
import { formatBytes, formatCount, formatPlural, formatShortDuration } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { CopyButton } from '../../ui/button.tsx'
import { costSource, Sourced } from '../../ui/provenance.tsx'
import { Failed } from '../inspector/failed.tsx'
import { Unknown } from '../summary/figures.tsx'
import type { AnalysisScope } from './analysis-range.ts'
import { copiedTable } from './copied-table.ts'

/** What a row is, as a heading and for a button. */
const groupNames: Readonly<Record<CallGroup, { readonly head: string; readonly none: string }>> = {
  tool: { head: 'Tool', none: 'Unknown tool' },
  file: { head: 'File', none: 'No file' },
  command: { head: 'Command', none: 'No command' },
  command2: { head: 'Command, two words', none: 'No command' },
  subagent: { head: 'Subagent', none: 'Main agent' },
  turn: { head: 'Turn', none: 'Before the first turn' },
  model: { head: 'Model', none: 'Unknown model' },
  todo: { head: 'Todo in progress', none: 'No todo in progress' }
}

/** Rows asked for at once where all are copied. */
const copiedRows = 1000
const copyPauseMs = 50

export interface ShownTable {
  readonly scope: AnalysisScope
  readonly group: CallGroup
  readonly sorting: Sorting<CallColumn>
}

/** Asks for a part of the table that is shown. */
function useTablePages({ scope, group, sorting }: ShownTable) {
  const { host, id } = useLogParts()
  const { rows: range, find } = scope
  const { column: sort, descending } = sorting
  const prices = usePrices().table
  return useCallback(
    (from: number, count: number) =>
      host.call('log.callTable', { log: id, groupBy: group, range, find, sort, descending, prices, from, count }),
    [host, id, group, range, find, sort, descending, prices]
  )
}

/** What the rows of the table are, and a copy of them all. */
export function GroupChoice({ onGroup, ...shown }: ShownTable & { onGroup: (group: CallGroup) => void }) {
  const { group } = shown
  const id = useId()
  const page = useTablePages(shown)
  const tracks = useLog((log) => log.status.tracks)
  const copy = async () => {
    const rows: CallRow[] = []
    for (;;) {
      const { groups, total, counted, rows: all, read, spans, problem } = await page(rows.length, copiedRows)
      if (problem !== null) throw new Error(problem)
      if (counted < all || read < spans) {
        rows.length = 0
        await new Promise((done) => setTimeout(done, copyPauseMs))
        continue
      }
      rows.push(...groups)
      if (groups.length === 0 || rows.length >= total) break
    }
    return copiedTable(groupNames[group].head, rows, ({ name }) => nameText(group, name, tracks))
  }
  return (
    <div className="view-bar figures-choice hstack">
      <span className="t3 caption" id={id}>
        Group by
      </span>
      <span className="segments" role="group" aria-labelledby={id}>
        {callGroups.map((each) => (
          <button key={each} type="button" aria-pressed={each === group} onClick={() => onGroup(each)}>
            {groupNames[each].head}
          </button>
        ))}
      </span>
      <CopyButton what="the table" text={copy} large />
    </div>
  )
}

/** The calls of the scope in groups, with what they took. */
export function CallFigures({
  onSorting,
  ...shown
}: ShownTable & { onSorting: (sorting: Sorting<CallColumn>) => void }) {
  const { scope, group, sorting } = shown
  const { choosing, filtering, loading, playhead } = useLogParts()
  const [marked, setMarked] = useState<{ readonly of: CallTable | null; readonly at: number }>({ of: null, at: -1 })
  const page = useTablePages(shown)
  const table = useLiveAnswer(useMemo(() => new CallTable(page), [page]))
  const onShown = useCallback((first: number, last: number) => table.show(first, last), [table])
  const { head } = table
  const most = head === null ? 0 : (head.all.totalMs ?? 0)
  const columns = useMemo(() => {
    const goTo = (row: number) => loading.whenLoaded(() => playhead.select(row))
    return columnsOf(group, most, goTo)
  }, [group, most, loading, playhead])

  const onSort = (column: CallColumn) => {
    onSorting({ column, descending: sorting.column === column ? !sorting.descending : column !== 'name' })
  }
  return (
    <>
      <SoFar table={table} />
      {table.error !== null ? (
        <Failed what="The table" message={table.error} onRetry={table.retry} />
      ) : head !== null && head.total === 0 && !table.isPartial ? (
        <p className="panel-note t3">
          {scope.events === null && scope.find === null
            ? 'This session has no tool calls.'
            : 'No tool call begins in this range. Press Esc to widen it.'}
        </p>
      ) : (
        <FigureGrid
          label={`Calls by ${groupNames[group].head.toLowerCase()}`}
          columns={columns}
          count={head?.total ?? 0}
          rowAt={(at) => table.rowAt(at)}
          onShown={onShown}
          sorting={sorting}
          onSort={onSort}
          active={marked.of === table ? marked.at : -1}
          onActive={(at) => setMarked({ of: table, at })}
          onChoose={(row) => choosing.choose(row.term)}
          onOpen={(row) => {
            if (row.term === null) return
            choosing.choose(null)
            filtering.addTerm(row.term, 'asked')
          }}
          busy={table.isPartial}
        />
      )}
    </>
  )
}

function nameText(group: CallGroup, name: string | null, tracks: readonly Track[]): string {
  if (name === null) return groupNames[group].none
  if (group === 'turn') return `Turn ${name}`
  const label = group === 'subagent' ? tracks.find(({ trackId }) => trackId === name)?.label : ''
  return label || name
}

type Track = LogStatus['tracks'][number]

function GroupName({ row: { name }, group }: { row: CallRow; group: CallGroup }) {
  const tracks = useLog((log) => log.status.tracks)
  const isTool = group === 'tool' && name !== null
  const look = isTool ? rowLook('tool', name) : null
  const text = nameText(group, name, tracks)
  return (
    <span className="hstack" title={text}>
      {look !== null && <Icon name={look.icon} tone={look.tone} />}
      <span className="cut">{text}</span>
    </span>
  )
}

/** What the numbers do not cover. */
function SoFar({ table }: { table: CallTable }) {
  const { head, isPartial } = table
  if (head === null) return null
  if (head.problem !== null) return <p className="figures-note s-malformed caption">{head.problem}</p>
  const text = isPartial
    ? `${formatCount(head.read)} of ${formatPlural(head.spans, 'span')} counted`
    : head.several
      ? 'A call may be in several groups.'
      : ''
  return (
    <p className="figures-note t3 caption" role="status">
      {text !== '' && <Sourced source="counted">{text}</Sourced>}
    </p>
  )
}

/** `most`: the total of all calls, in ms. */
function columnsOf(group: CallGroup, most: number, goTo: (row: number) => void): FigureColumn<CallRow, CallColumn>[] {
  return [
    {
      id: 'name',
      label: groupNames[group].head,
      width: 110,
      cell: (row) => <GroupName row={row} group={group} />
    },
    {
      ...{ id: 'calls', label: 'Calls', width: 48 },
      cell: ({ calls }) => <Sourced source="counted">{formatCount(calls)}</Sourced>
    },
    {
      ...{ id: 'failed', label: 'Failed', width: 48 },
      cell: ({ failed }) => (
        <span className={failed === 0 ? 't3' : 's-malformed medium'}>
          <Sourced source="counted">{formatCount(failed)}</Sourced>
        </span>
      )
    },
    {
      ...{ id: 'totalMs', label: 'Total', name: 'Total time', width: 88 },
      cell: (row) => (
        <>
          {row.totalMs !== null && most > 0 && (
            <i className="figure-share" style={{ width: `${Math.min(100, (row.totalMs / most) * 100)}%` }} />
          )}
          <Total row={row} />
        </>
      )
    },
    {
      ...{ id: 'selfMs', label: 'Self', name: 'Self time', width: 78 },
      cell: ({ selfMs }) => (
        <OfTimes ms={selfMs} source="derived" why="The total without the calls of subagents below." />
      )
    },
    {
      ...{ id: 'longestMs', label: 'Longest', name: 'Longest call', width: 78 },
      cell: (row) =>
        row.longestMs === null || row.longestRow === null ? (
          <OfTimes ms={null} source="derived" why="" />
        ) : (
          <button
            type="button"
            className="link num"
            tabIndex={-1}
            title="Move the playhead to the longest call"
            onClick={(event) => {
              event.stopPropagation()
              if (row.longestRow !== null) goTo(row.longestRow)
            }}
          >
            <OfTimes ms={row.longestMs} {...lengthSource(row)} />
          </button>
        )
    },
    {
      ...{ id: 'p50Ms', label: 'Half under', width: 78, spare: true },
      cell: (row) => <OfTimes ms={row.p50Ms} {...lengthSource(row)} />
    },
    {
      ...{ id: 'p95Ms', label: '95 % under', width: 78, spare: true },
      cell: (row) => <OfTimes ms={row.p95Ms} {...lengthSource(row)} />
    },
    {
      ...{ id: 'bytesOut', label: 'Output', width: 72 },
      cell: ({ bytesOut }) => (
        <Sourced source="derived" why="The bytes of the lines with the results, so more than the outputs themselves.">
          {formatBytes(bytesOut)}
        </Sourced>
      )
    },
    {
      ...{ id: 'tokensOut', label: 'Tokens out', width: 78 },
      cell: ({ tokensOut, tokensAtLeast }) =>
        tokensOut === null ? (
          <Unknown why="The log does not state the output of the requests that made these calls." />
        ) : tokensAtLeast ? (
          <Sourced
            source="understated"
            why="Output of the requests that made the calls, in equal parts. The log states too little for some."
          >
            {countText(tokensOut)}
          </Sourced>
        ) : (
          <Sourced source="allocated" why="Output of the requests that made the calls, in equal parts.">
            {countText(tokensOut)}
          </Sourced>
        )
    },
    { ...{ id: 'cost', label: 'Cost', width: 78 }, cell: ({ cost }) => <CallCost answer={cost} /> }
  ]
}

function CallCost({ answer }: { answer: CostAnswer }) {
  const why = callCostReason(answer)
  if (answer.cost === null) return <Unknown why={why} />
  const source = costSource(answer.cost)
  return (
    <Sourced source={source === 'stated' ? 'allocated' : source} why={why}>
      {costText(answer.cost.usd, answer.cost.atLeast)}
    </Sourced>
  )
}

/** Whether the log states the lengths of a group's calls. */
function lengthSource({ calls, unknownLengths, statedLengths }: CallRow): {
  readonly source: 'stated' | 'derived'
  readonly why: string
} {
  const known = calls - unknownLengths
  if (statedLengths >= known) return { source: 'stated', why: 'The log states the lengths.' }
  const derived = formatPlural(known - statedLengths, 'length')
  return { source: 'derived', why: `${derived} from the times of records. They may include waiting for a permission.` }
}

function Total({ row }: { row: CallRow }) {
  const { source, why } = lengthSource(row)
  if (row.totalMs === null) return <OfTimes ms={null} source={source} why={why} />
  if (row.unknownLengths === 0) return <OfTimes ms={row.totalMs} source={source} why={why} />
  return (
    <Sourced source="understated" why={`${why} ${formatPlural(row.unknownLengths, 'call')} of unknown length.`}>
      {formatShortDuration(row.totalMs)}
    </Sourced>
  )
}

function OfTimes({ ms, source, why }: { ms: number | null; source: 'stated' | 'derived'; why: string }) {
  if (ms === null) return <Unknown why="No call has a known length." />
  return (
    <Sourced source={source} why={why}>
      {formatShortDuration(ms)}
    </Sourced>
  )
}
