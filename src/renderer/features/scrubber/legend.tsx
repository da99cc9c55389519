import { type ReactNode, useRef, useState } from 'react'
import { keepFocus } from '../../ui/button.tsx'
import { Icon, type IconName } from '../../ui/icons.tsx'
import { useClosing } from '../filter/use-closing.ts'

interface Band {
  readonly icon: IconName
  readonly tone: string
  readonly name: string
  readonly signs: readonly { readonly sign: ReactNode; readonly says: string }[]
}

/** What `draw-overview.ts` draws, from the top. */
const bands: readonly Band[] = [
  {
    ...{ icon: 'prompt', tone: 'k-prompt', name: 'Prompts' },
    signs: [
      { sign: <i className="sign tick k-prompt" />, says: 'A prompt' },
      { sign: <Icon name="bookmark" size={12} tone="t2" />, says: 'A bookmark' }
    ]
  },
  {
    ...{ icon: 'density', tone: 't3', name: 'Events' },
    signs: [
      { sign: <i className="sign k-tool" />, says: 'Calls' },
      { sign: <i className="sign k-text" />, says: 'Text' },
      { sign: <i className="sign k-result" />, says: 'Results' },
      { sign: <i className="sign k-reasoning" />, says: 'Thinking' },
      { sign: <i className="sign k-error" />, says: 'Failed calls, errors' },
      { sign: <i className="sign tick hit" />, says: 'A match of Find' },
      { sign: <i className="sign idle" />, says: 'Idle time' }
    ]
  },
  {
    ...{ icon: 'todos', tone: 'k-todo', name: 'Todos' },
    signs: [{ sign: <i className="sign line k-todo" />, says: 'Part of the list that is done' }]
  },
  {
    ...{ icon: 'violation', tone: 's-violation', name: 'Log issues' },
    signs: [
      { sign: <Icon name="malformed" size={12} tone="s-malformed" />, says: 'Malformed line' },
      { sign: <Icon name="violation" size={12} tone="s-violation" />, says: 'Violation' },
      { sign: <Icon name="notice" size={12} tone="s-notice" />, says: 'Notice' }
    ]
  }
]

/** The icons of the overview's bands; a click shows the legend. */
export function Legend() {
  const [open, setOpen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place} className="legend-place">
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
      {bands.map(({ icon, tone, name, signs }) => (
        <section key={name}>
          <h2>
            <Icon name={icon} size={12} tone={tone} /> {name}
          </h2>
          <ul>
            {signs.map(({ sign, says }) => (
              <li key={says}>
                <span className="legend-sign">{sign}</span>
                {says}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
