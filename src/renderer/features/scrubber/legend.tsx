import { type ReactNode, useRef, useState } from 'react'
import { keepFocus } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { useClosing } from '../filter/use-closing.ts'

interface Band {
  readonly icon: IconName
  readonly tone: string
  readonly name: string
  readonly symbols: readonly { readonly symbol: ReactNode; readonly meaning: string }[]
}

/** What `draw-overview.ts` draws, from the top. */
const bands: readonly Band[] = [
  {
    ...{ icon: 'prompt', tone: 'k-prompt', name: 'Prompts' },
    symbols: [
      { symbol: <i className="sign tick k-prompt" />, meaning: 'A prompt' },
      { symbol: <Icon name="bookmark" size={12} tone="t2" />, meaning: 'A bookmark' }
    ]
  },
  {
    ...{ icon: 'density', tone: 't3', name: 'Events' },
    symbols: [
      { symbol: <i className="sign k-tool" />, meaning: 'Calls' },
      { symbol: <i className="sign k-text" />, meaning: 'Text' },
      { symbol: <i className="sign k-result" />, meaning: 'Results' },
      { symbol: <i className="sign k-reasoning" />, meaning: 'Thinking' },
      { symbol: <i className="sign k-error" />, meaning: 'Failed calls, errors' },
      { symbol: <i className="sign tick hit" />, meaning: 'A match of Find' },
      { symbol: <i className="sign idle" />, meaning: 'Idle time' }
    ]
  },
  {
    ...{ icon: 'todos', tone: 'k-todo', name: 'Todos' },
    symbols: [{ symbol: <i className="sign line k-todo" />, meaning: 'Part of the list that is done' }]
  },
  {
    ...{ icon: 'violation', tone: 's-violation', name: 'Log issues and findings' },
    symbols: [
      { symbol: <Icon name="malformed" size={12} tone="s-malformed" />, meaning: 'Malformed line' },
      { symbol: <Icon name="violation" size={12} tone="s-violation" />, meaning: 'Violation' },
      { symbol: <Icon name="notice" size={12} tone="s-notice" />, meaning: 'Notice' },
      { symbol: <i className="sign diamond" />, meaning: 'A finding' }
    ]
  }
]

/** The icons of the overview's bands; a click shows the legend. */
export function Legend() {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place}>
      <button
        type="button"
        className="legend-button"
        aria-label="Legend of the overview"
        aria-expanded={open}
        title="Legend of the overview"
        onMouseDown={keepFocus}
        onClick={() => setOpen(!open)}
      >
        {bands.map(({ icon, tone }) => (
          <Icon key={icon} name={icon} size={12} tone={tone} />
        ))}
      </button>
      {open && <LegendPanel place={place} onClose={() => setOpen(false)} />}
    </div>
  )
}

function LegendPanel({ place, onClose }: { place: { current: HTMLDivElement | null }; onClose: () => void }) {
  const panel = useRef<HTMLDivElement>(null)
  useClosing(panel, place, onClose)
  return (
    <div ref={panel} role="dialog" aria-label="Legend of the overview" className="legend">
      {bands.map(({ icon, tone, name, symbols }) => (
        <section key={name}>
          <h2 className="hstack">
            <Icon name={icon} size={12} tone={tone} /> {name}
          </h2>
          <ul>
            {symbols.map(({ symbol, meaning }) => (
              <li key={meaning} className="hstack t2">
                <span className="legend-sign">{symbol}</span>
                {meaning}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
