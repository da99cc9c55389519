import { type ReactNode, type RefObject, useMemo, useRef } from 'react'
import { issueSeverities } from '#core/formats/issue.ts'
import type { RowKind } from '#core/index/row-kind.ts'
import { allOf, choicesOf, partsOf, textQuery, toggleChoice } from '#core/query/query-choices.ts'
import { severityNames } from '../../stores/log-columns.ts'
import { useLog, useLogParts, useStatus } from '../../stores/log-store.ts'
import { isNoFilter } from '../../stores/row-filter.ts'
import { RowCounts } from '../../stores/row-counts.ts'
import { Icon, severityLook } from '../../ui/icons.tsx'
import { type Excluded, FilterOption } from './filter-option.tsx'
import { kindGroups, severityWords, trackName } from './filter-words.ts'
import { KindOptions } from './kind-options.tsx'
import { NameList, type NamedRows, namedTools } from './name-list.tsx'
import { onPanelKey } from './panel-keys.ts'
import { shownText } from './shown-text.ts'
import { useClosing } from './use-closing.ts'

interface FilterPanelProps {
  /** The element that contains the panel's button. A click in it does not count as outside. */
  readonly place: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

interface NamedChoices<T> {
  readonly chosen: ReadonlySet<T>
  readonly onToggle: (member: T) => void
  readonly without: Excluded<T>
}

/** Writes the query for the rows of the timeline. Changes apply at once. Escape or a click outside closes the panel. */
export function FilterPanel({ place, onClose }: FilterPanelProps) {
  const { columns, layout, failedCalls, filtering, key } = useLogParts()
  const { find, filter, settledRows } = useLog('find', 'filter', 'settledRows', 'version')
  const status = useStatus('tools', 'tracks', 'phase')
  const panel = useRef<HTMLDivElement>(null)
  // Another generation has other rows.
  const counter = useMemo(() => ({ of: key, rows: new RowCounts() }), [key])
  const counts = counter.rows.of(columns, settledRows)
  const { query } = filter
  const choices = (name: string) => {
    const { asked, without } = choicesOf(query, name)
    return {
      chosen: asked,
      onToggle: (member: string) => filtering.change(toggleChoice(query, name, member)),
      without: {
        members: without,
        onToggle: (member: string) => filtering.change(toggleChoice(query, name, member, 'without'))
      }
    }
  }
  const [tool, track, issue, callStatus] = [choices('tool'), choices('track'), choices('issue'), choices('status')]
  const kind = choices('kind') as unknown as NamedChoices<RowKind>
  const found = find.text === '' ? null : JSON.stringify(textQuery(find))
  const parts = partsOf(query)
  const onlyFound = parts.some((part) => JSON.stringify(part) === found)
  const toggleFound = () =>
    filtering.change(
      allOf(onlyFound ? parts.filter((part) => JSON.stringify(part) !== found) : [...parts, textQuery(find)])
    )
  useClosing(panel, place, onClose)

  const tools = namedTools(status.tools, counts.tool)
  const tracks = status.tracks.map((track, index): NamedRows => ({
    id: track.trackId ?? 'main',
    name: trackName(track),
    rows: counts.track[index] ?? 0
  }))

  return (
    <div ref={panel} role="dialog" aria-label="Filter" className="filter-panel vstack" onKeyDown={onPanelKey}>
      <div className="filter-groups fill">
        <div>
          {kindGroups.map(({ title, kinds }) => (
            <Group key={title} title={title}>
              <KindOptions kinds={kinds} rows={counts.kind} {...kind} />
            </Group>
          ))}
        </div>
        <div>
          <Group title="Calls">
            <FilterOption
              name="Failed (with results)"
              rows={failedCalls.results.length}
              chosen={callStatus.chosen.has('error')}
              onChange={() => callStatus.onToggle('error')}
            >
              <Icon name="error" size={14} tone="k-error" />
            </FilterOption>
          </Group>
          <Group title="Rows with issues">
            {issueSeverities.map((severity) => {
              const look = severityLook(severity)
              return (
                <FilterOption
                  key={severity}
                  name={severityWords[severity]}
                  rows={counts.severity[severityNames.indexOf(severity)] ?? 0}
                  chosen={issue.chosen.has(severity)}
                  onChange={() => issue.onToggle(severity)}
                >
                  <Icon name={look.icon} size={14} tone={look.tone} />
                </FilterOption>
              )
            })}
          </Group>
          <Group title="Find">
            <FilterOption
              name={find.text === '' ? 'Only matches (no active search)' : 'Only matches'}
              rows={find.found ?? 0}
              chosen={onlyFound}
              onChange={() => find.text !== '' && toggleFound()}
            >
              <Icon name="search" size={14} tone="t3" />
            </FilterOption>
          </Group>
          {tools.length > 0 && (
            <Group title="Tools (calls and results)">
              <NameList what="tools" named={tools} {...tool} />
            </Group>
          )}
          {tracks.length > 1 && (
            <Group title="Track">
              <NameList what="tracks" named={tracks} {...track} />
            </Group>
          )}
        </div>
      </div>
      <div className="filter-foot hstack rigid">
        <span className="num t2">{shownText({ columns, layout, status, filter })}</span>
        <span className="grow" />
        <button type="button" className="btn" disabled={isNoFilter(filter)} onClick={() => filtering.clear()}>
          Clear all
        </button>
        <button type="button" className="btn edged" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="filter-group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  )
}
