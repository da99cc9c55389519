import { Fragment } from 'react'
import type { AgentEvent } from '#core/events/agent-event.ts'
import { useLog } from '../../stores/log-store.ts'
import { formatBytes, formatCount, formatDuration, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { MoreText, TextBlock } from '../../ui/text-block.tsx'
import { type Cuts, cutAt } from './cuts.ts'
import { Fact, Facts } from './facts.tsx'
import { type InputPart, inputParts } from './input-parts.ts'

type ToolStarted = Extract<AgentEvent, { type: 'tool.started' }>
type ToolCompleted = Extract<AgentEvent, { type: 'tool.completed' }>

/** What a tool was given: neighbouring short inputs as one list, long ones as blocks. */
export function ToolInput({ event, cuts }: { event: ToolStarted; cuts: Cuts }) {
  const parts = inputParts(event.input)
  if (parts.length === 0) return <p className="t3">Called without input.</p>
  return grouped(parts).map((group, position) => {
    const [first] = group
    if (first === undefined) return null
    if (first.kind !== 'fact') return <InputBlock key={position} part={first} cuts={cuts} />
    return (
      <Facts key={position}>
        {group.map((part) => (
          <Fragment key={part.path}>
            {part.kind === 'fact' && <Fact name={part.title} value={part.text} mono />}
          </Fragment>
        ))}
      </Facts>
    )
  })
}

/** Facts that follow one another in one group, every other part alone. */
function grouped(parts: readonly InputPart[]): InputPart[][] {
  const groups: InputPart[][] = []
  for (const part of parts) {
    const last = groups.at(-1)
    if (part.kind === 'fact' && last?.[0]?.kind === 'fact') last.push(part)
    else groups.push([part])
  }
  return groups
}

function InputBlock({ part, cuts }: { part: Exclude<InputPart, { kind: 'fact' }>; cuts: Cuts }) {
  if (part.kind === 'tree') return <TreeBlock title={part.title} value={part.value} path={part.path} cuts={cuts} />
  return (
    <TextBlock
      title={part.title}
      text={part.text}
      cut={cutAt(cuts, part.path)}
      prompt={part.kind === 'command' ? '$' : undefined}
      tone={part.kind === 'text' ? part.tone : undefined}
      face={part.title === 'Prompt' ? 'prose' : 'code'}
    />
  )
}

/** A JSON value as a titled tree. `path`: where it stands in the event, as the cuts name it. */
export function TreeBlock({ title, value, path, cuts }: { title: string; value: unknown; path: string; cuts: Cuts }) {
  const cut = [...cuts.lengths].filter(([at]) => at.startsWith(path))
  return (
    <section className="block" aria-label={title}>
      <header>
        <span>{title}</span>
      </header>
      <JsonTree
        label={title}
        value={value}
        cut={new Map(cut.map(([at, length]) => [`$${at.slice(path.length)}`, length]))}
      />
      {cut.length > 0 && cuts.showAll !== null && (
        <MoreText shown={0} cut={{ length: Math.max(...cut.map(([, length]) => length)), showAll: cuts.showAll }} />
      )}
    </section>
  )
}

/** What a tool answered. */
export function ToolOutput({ event, cuts }: { event: ToolCompleted; cuts: Cuts }) {
  if (event.error !== undefined) {
    return <TextBlock title="Error" tone="bad" text={event.error} cut={cutAt(cuts, '$.error')} />
  }
  if (event.output === undefined || event.output === '') return <p className="t3">The tool returned no output.</p>
  return <TextBlock title="Output" text={event.output} cut={cutAt(cuts, '$.output')} />
}

/** "14 lines · 612 B", or how many characters there are when the page has only the first of them. */
export function outputFacts(event: ToolCompleted, cuts: Cuts): string {
  const text = event.error ?? event.output ?? ''
  const length = cuts.lengths.get(event.error === undefined ? '$.output' : '$.error')
  if (length !== undefined) return `${formatCount(length)} characters`
  if (text === '') return ''
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  return `${formatPlural(lines, 'line')} · ${formatBytes(new TextEncoder().encode(text).length)}`
}

/** A line that leads to another event of the same call: "Result  event 1,205  1.24 s later". */
export function PairHead({
  title,
  row,
  since,
  when,
  fact
}: {
  title: string
  row: number
  /** From the earlier event to the later one, in ms. */
  since: number
  when: 'later' | 'before'
  fact: string
}) {
  return (
    <div className="pair-head">
      <Icon name={when === 'later' ? 'result' : 'tool'} tone="k-result" />
      <span className="medium">{title}</span>
      <EventLink row={row} />
      {Number.isFinite(since) && (
        <span className="t3">{since === 0 ? 'at the same time' : `${formatDuration(since)} ${when}`}</span>
      )}
      <span className="grow" />
      <span className="t3 caption num">{fact}</span>
    </div>
  )
}

/** "event 1,205"; a click moves the playhead there. */
function EventLink({ row }: { row: number }) {
  const seq = useLog((log) => log.columns.seq[row] ?? -1)
  const selectRow = useLog((log) => log.selectRow)
  return (
    <button type="button" className="link" onClick={() => selectRow(row)}>
      {seq < 0 ? `row ${formatCount(row)}` : `event ${formatCount(seq)}`}
    </button>
  )
}

/** Other results of the same call, which the last one replaced. */
export function Superseded({ rows }: { rows: readonly number[] }) {
  if (rows.length === 0) return null
  return (
    <p className="t2">
      The call has {formatPlural(rows.length, 'other result')}; the last one counts:{' '}
      {rows.slice(0, 20).map((row, position) => (
        <Fragment key={row}>
          {position > 0 && ', '}
          <EventLink row={row} />
        </Fragment>
      ))}
      {rows.length > 20 && ` and ${formatCount(rows.length - 20)} more`}
    </p>
  )
}
