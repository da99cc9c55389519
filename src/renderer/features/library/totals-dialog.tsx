import { lastName } from '#core/paths/path-names.ts'
import './totals-dialog.css'
import { useEffect, useState } from 'react'
import { agentOf } from '#core/formats/agents.ts'
import { type GroupTotals, type TotalsGroup, totalsGroups } from '#core/library/session-totals.ts'
import { totalWords } from '#core/library/totals-words.ts'
import { messageOf } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import { useApp } from '../../stores/app-store.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { keepFocus } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatPlural } from '../../ui/format.ts'
import { type Column, SortableTable } from '../../ui/sortable-table.tsx'
import { costSource, type Source, Sourced } from '../../ui/provenance.tsx'
import { Unknown } from '../summary/figures.tsx'
import { DaysChart, type Measure, measures } from './days-chart.tsx'
import { modelName } from './session-words.ts'

const ranges = [
  { days: 7, name: '7 days' },
  { days: 30, name: '30 days' },
  { days: 90, name: '90 days' },
  { days: null, name: 'All' }
] as const

const groupNames: Readonly<Record<TotalsGroup, string>> = {
  project: 'Project',
  day: 'Day',
  agent: 'Agent',
  model: 'Model'
}

/** Sums over all sessions by project, day, agent or model, and a chart by day. */
export function TotalsDialog() {
  const open = useApp((app) => app.dialog === 'totals')
  return open ? <Totals /> : null
}

function Totals() {
  const setDialog = useApp((app) => app.setDialog)
  const [days, setDays] = useState<number | null>(30)
  const [by, setBy] = useState<TotalsGroup>('project')
  const [measure, setMeasure] = useState<Measure>('cost')
  const groups = useTotals(days, by)
  const byDay = useTotals(days, 'day')
  const { all } = groups.value ?? {}
  return (
    <Dialog title="Totals" className="totals-dialog" onClose={() => setDialog('none')}>
      <div className="totals-body">
        <div className="totals-choices hstack">
          <Choices
            label="Range"
            of={ranges.map(({ days: each, name }) => ({ value: each, name }))}
            chosen={days}
            onChoose={setDays}
          />
          <Choices
            label="Group by"
            of={totalsGroups.map((each) => ({ value: each, name: `By ${groupNames[each].toLowerCase()}` }))}
            chosen={by}
            onChoose={setBy}
          />
          <span className="grow" />
          <Choices
            label="Chart"
            of={(Object.keys(measures) as Measure[]).map((each) => ({ value: each, name: measures[each] }))}
            chosen={measure}
            onChoose={setMeasure}
          />
        </div>
        {(groups.error ?? byDay.error) !== null && <p className="s-malformed">{groups.error ?? byDay.error}</p>}
        {all?.sessions === 0 ? (
          <p className="t2">No sessions in this range.</p>
        ) : (
          <>
            {byDay.value !== null && <DaysChart days={byDay.value.groups} measure={measure} />}
            {groups.value !== null && <TotalsTable totals={groups.value} by={by} />}
          </>
        )}
      </div>
    </Dialog>
  )
}

interface ChoicesProps<T> {
  readonly label: string
  readonly of: readonly { readonly value: T; readonly name: string }[]
  readonly chosen: T
  readonly onChoose: (value: T) => void
}

function Choices<T>({ label, of, chosen, onChoose }: ChoicesProps<T>) {
  return (
    <div className="segments rigid" role="group" aria-label={label}>
      {of.map(({ value, name }) => (
        <button
          key={name}
          type="button"
          aria-pressed={value === chosen}
          onMouseDown={keepFocus}
          onClick={() => onChoose(value)}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

type Answer = Result<'library.totals'>

/** Asks again when sessions change. The former answer stays until the next one is there. */
function useTotals(days: number | null, by: TotalsGroup): { value: Answer | null; error: string | null } {
  const host = useApp((app) => app.host)
  const version = useLibrary(({ status }) => status?.version)
  const [value, setValue] = useState<Answer | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    let isWanted = true
    const where = days === null ? '' : `since:${days}d`
    host.call('library.totals', { where, by }).then(
      (answer) => {
        if (!isWanted) return
        setValue(answer)
        setError(null)
      },
      (fault: unknown) => isWanted && setError(messageOf(fault))
    )
    return () => void (isWanted = false)
  }, [host, version, days, by])
  return { value, error }
}

function TotalsTable({ totals, by }: { totals: Answer; by: TotalsGroup }) {
  const { all, groups, further } = totals
  const columns: readonly Column<GroupTotals>[] = [
    {
      id: 'key',
      label: groupNames[by],
      by: ({ key }) => key,
      cell: ({ key }) => <GroupName name={key} by={by} />
    },
    {
      id: 'sessions',
      label: 'Sessions',
      by: ({ sessions }) => sessions,
      cell: ({ sessions }) => formatCount(sessions)
    },
    ...(Object.keys(measures) as Measure[]).map((what): Column<GroupTotals> => ({
      id: what,
      label: measures[what],
      by: (group) => (what === 'cost' ? group.cost.usd : group[what].value),
      cell: (group) => <Total totals={group} what={what} />,
      wide: true
    }))
  ]
  return (
    <>
      <dl className="facts totals-all">
        <div className="fact">
          <dt>Sessions</dt>
          <dd className="num">
            {formatCount(all.sessions)}
            {all.uncounted > 0 && <span className="t3"> {formatCount(all.uncounted)} not counted yet</span>}
          </dd>
        </div>
        {(Object.keys(measures) as Measure[]).map((what) => (
          <div key={what} className="fact">
            <dt>{measures[what]}</dt>
            <dd>
              <Total totals={all} what={what} withCount />
            </dd>
          </div>
        ))}
      </dl>
      <SortableTable
        key={by}
        label="Totals"
        rows={groups}
        columns={columns}
        keyOf={({ key }) => key}
        sortedBy={by === 'day' ? 'key' : 'sessions'}
      />
      {groups.some(({ sessions, activeMs, inputTokens, outputTokens, cost }) =>
        [activeMs, inputTokens, outputTokens, cost].some((sum) => sum.sessions > 0 && sum.sessions < sessions)
      ) && <p className="t3 caption">* Not of all sessions. The tooltip says of how many.</p>}
      {further > 0 && <p className="t3">{formatPlural(further, 'further group')} not shown.</p>}
    </>
  )
}

function GroupName({ name, by }: { name: string; by: TotalsGroup }) {
  if (name === '') return <Unknown why={`The logs do not name the ${groupNames[by].toLowerCase()}.`} />
  const shown =
    by === 'project' ? lastName(name) : by === 'agent' ? agentOf(name).name : by === 'model' ? modelName(name) : name
  return <span title={displayText(name)}>{displayText(shown)}</span>
}

/** A sum with its origin. One that is not of all sessions says of how many. */
function Total({ totals, what, withCount = false }: { totals: Answer['all']; what: Measure; withCount?: boolean }) {
  const { text, because, of } = totalWords(totals, what)
  if (text === null) return <Unknown why={because} />
  const title = [of === '' ? '' : `Of ${of}.`, because].filter((part) => part !== '').join(' ')
  const source = sourceOf(totals, what)
  return (
    <span className="num">
      <Sourced source={source} why={title} signed>
        {text}
        {of !== '' && (withCount ? <span className="t3"> in {of}</span> : <span className="t3">*</span>)}
        {source === 'stated' && <span className="unseen">. {title}</span>}
      </Sourced>
    </span>
  )
}

function sourceOf({ outputTokens, cost }: Answer['all'], what: Measure): Source {
  if (what === 'activeMs') return 'derived'
  if (what === 'cost') return cost.from === null ? 'stated' : costSource({ ...cost, from: cost.from })
  return what === 'outputTokens' && outputTokens.atLeast ? 'understated' : 'stated'
}
