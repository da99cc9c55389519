import { useState } from 'react'
import { formatCount } from '../../ui/format.ts'
import { toolLabels } from '../../ui/row-label.ts'
import { type Excluded, FilterOption } from './filter-option.tsx'

/** A tool or track. */
export interface NamedRows {
  readonly id: string
  readonly name: string
  readonly rows: number
}

/** The tools of a log, by number of rows. `rows`: of each tool, by its number, from 1. */
export function namedTools(tools: readonly string[], rows: ArrayLike<number>): readonly NamedRows[] {
  const labels = toolLabels(tools)
  return tools
    .map((id, index) => ({ id, name: labels[index] ?? id, rows: rows[index + 1] ?? 0 }))
    .toSorted((one, other) => other.rows - one.rows)
}

interface NameListProps {
  readonly what: string
  readonly named: readonly NamedRows[]
  readonly chosen: ReadonlySet<string>
  readonly onToggle: (id: string) => void
  readonly without: Excluded<string>
}

/** With more names there is a search field. */
const searchedFrom = 8
/** A session can have thousands; the others are found by search. */
const maxListed = 100

/** Tools or tracks to include or exclude; chosen ones are always listed. */
export function NameList({ what, named, chosen, onToggle, without }: NameListProps) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const isChosen = (id: string) => chosen.has(id) || without.members.has(id)
  const found = named.filter(({ id, name }) => isChosen(id) || `${name}\n${id}`.toLowerCase().includes(wanted))
  const listed = found.slice(0, maxListed)
  return (
    <>
      {named.length > searchedFrom && (
        <div className="field filter-names-search">
          <input
            type="text"
            aria-label={`Search ${what}`}
            placeholder={`Search ${what}`}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </div>
      )}
      <div className="filter-names">
        {listed.map(({ id, name, rows }) => (
          <FilterOption
            key={id}
            name={name}
            title={id}
            rows={rows}
            chosen={chosen.has(id)}
            onChange={() => onToggle(id)}
            exclusion={{ on: without.members.has(id), onChange: () => without.onToggle(id) }}
          />
        ))}
        {found.length === 0 && <p className="t3 filter-names-note">No matching {what}.</p>}
        {found.length > listed.length && (
          <p className="t3 filter-names-note">
            {formatCount(found.length - listed.length)} more. Type to narrow the list.
          </p>
        )}
      </div>
    </>
  )
}
