import './library-filter.css'
import { type ReactNode, useRef } from 'react'
import { agents, agentTypes, agentWords } from '#core/formats/agents.ts'
import { parseSearch, type TermKey, withoutTerm, withTerm } from '../../stores/search-terms.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { FilterToggle } from '../filter/filter-toggle.tsx'
import { onPanelKey } from '../filter/panel-keys.ts'
import { useClosing } from '../filter/use-closing.ts'

/** The restrictions that the panel offers, as typed, and their meaning. */
const offered: readonly { readonly title: string; readonly terms: readonly (readonly [TermKey, string, string])[] }[] =
  [
    {
      title: 'State',
      terms: [
        ['is', 'live', 'Live'],
        ['is', 'done', 'Done'],
        ['is', 'failed', 'Failed'],
        ['is', 'interrupted', 'Interrupted']
      ]
    },
    {
      title: 'Has',
      terms: [
        ['has', 'failures', 'Failed calls'],
        ['has', 'todos', 'Open todos'],
        ['is', 'forked', 'Forks']
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
      terms: agentTypes.map((type) => ['agent', agents[type].words[0], agents[type].label] as const)
    }
  ]

/** Opens the panel that writes restrictions into the search field, and counts them. */
export function LibraryFilter() {
  const text = useLibrary(({ choice }) => choice.text)
  return <FilterToggle what="sessions" active={parseSearch(text).terms.length} Panel={Panel} />
}

function Panel({ place, onClose }: { place: React.RefObject<HTMLElement | null>; onClose: () => void }) {
  const panel = useRef<HTMLDivElement>(null)
  const text = useLibrary(({ choice }) => choice.text)
  const choose = useLibrary((state) => state.choose)
  const { terms } = parseSearch(text)
  useClosing(panel, place, onClose)
  const toggle = (key: TermKey, value: string) => {
    const known = terms.find((term) => term.key === key && term.value.toLowerCase() === value)
    if (known !== undefined) return choose({ text: withoutTerm(text, known) })
    // Of two times only the later one would count, so the other is removed.
    const other = key === 'since' ? terms.find((term) => term.key === key) : undefined
    choose({ text: withTerm(other === undefined ? text : withoutTerm(text, other), key, value) })
  }
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
                  aria-label={`${name}, ${key}:${value}`}
                  checked={terms.some((term) => term.key === key && term.value.toLowerCase() === value)}
                  onChange={() => toggle(key, value)}
                />
                <span className="cut grow">{name}</span>
                <code className="caption t3">
                  {key}:{value}
                </code>
              </label>
            ))}
          </fieldset>
        ))}
      </div>
      <p className="library-filter-hint t3">
        Or type in the search field: <Term>project:cli</Term> <Term>branch:main</Term> <Term>since:2026-11-20</Term>{' '}
        <Term>until:yesterday</Term> <Term>agent:{agentWords[1] ?? ''}</Term>
      </p>
    </div>
  )
}

function Term({ children }: { children: ReactNode }) {
  return <code className="caption">{children}</code>
}
