import './library-filter.css'
import { useRef } from 'react'
import { agents, agentTypes } from '#core/formats/agents.ts'
import { sessionSearchOf } from '#core/library/session-search.ts'
import { choicesOf, partsOf, termOf, termText, toggleChoice } from '#core/query/query-choices.ts'
import { hasTerm, toggleOnly } from '../../stores/library-choice.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { FilterToggle, type PanelProps } from '../filter/filter-toggle.tsx'
import { onPanelKey } from '../filter/panel-keys.ts'
import { useClosing } from '../filter/use-closing.ts'

/** The restrictions that the panel offers: key, value and meaning. */
const offered: readonly { readonly title: string; readonly terms: readonly (readonly [string, string, string])[] }[] = [
  {
    title: 'State',
    terms: [
      ['state', 'live', 'Live'],
      ['state', 'done', 'Done'],
      ['state', 'error', 'Failed'],
      ['state', 'interrupted', 'Interrupted']
    ]
  },
  {
    title: 'Has',
    terms: [
      ['has', 'failures', 'Failed calls'],
      ['has', 'findings', 'Findings'],
      ['has', 'todos', 'Open todos'],
      ['has', 'forks', 'Forks']
    ]
  },
  {
    title: 'Updated',
    terms: [
      ['since', 'today', 'Today'],
      ['since', '7d', 'Last 7 days'],
      ['since', '30d', 'Last 30 days']
    ]
  },
  {
    title: 'Agent',
    terms: agentTypes.map((type) => ['agent', type, agents[type].label] as const)
  }
]

/** Opens the panel that writes restrictions into the query, and counts them. */
export function LibraryFilter() {
  const query = useLibrary((library) => library.query)
  return <FilterToggle what="sessions" active={partsOf(sessionSearchOf(query).cards).length} Panel={Panel} />
}

function Panel({ place, onClose }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const { query, ask } = useLibrary('query', 'ask')
  useClosing(panel, place, onClose)
  const isChosen = (key: string, value: string) =>
    key === 'since' ? hasTerm(query, termOf(key, [value])) : choicesOf(query, key).asked.has(value)
  // Of two times only the earlier one would count, so the other is removed.
  const toggle = (key: string, value: string) =>
    ask(key === 'since' ? toggleOnly(query, termOf(key, [value])) : toggleChoice(query, key, value))
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label="Filter"
      className="filter-panel vstack library-filter"
      onKeyDown={onPanelKey}
    >
      <div className="library-filter-groups">
        {offered.map(({ title, terms: choices }) => (
          <fieldset key={title} className="filter-group">
            <legend>{title}</legend>
            {choices.map(([key, value, name]) => (
              <label key={value} className="filter-option">
                <input
                  type="checkbox"
                  aria-label={`${name}, ${termText(key, value)}`}
                  checked={isChosen(key, value)}
                  onChange={() => toggle(key, value)}
                />
                <span className="cut grow">{name}</span>
                <code className="caption t3">{termText(key, value)}</code>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </div>
  )
}
