import { useLayout } from '../../stores/use-layout.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { ViewBar } from '../views/view-bar.tsx'
import type { Zoom } from '../axis/use-zoom.ts'

/** The axis of the lanes and the zoom. */
export function EvolutionBar({ zoom }: { zoom: Zoom }) {
  const { runScale: scale, setRunScale: setScale } = useLayout('runScale', 'setRunScale')
  const overEvents = scale === 'events'
  return (
    <ViewBar>
      <span className="segments" role="group" aria-label="Axis">
        <button
          type="button"
          aria-label="Over time"
          aria-pressed={!overEvents}
          onMouseDown={keepFocus}
          onClick={() => overEvents && setScale('short-time')}
        >
          <span className="word">Over&nbsp;</span>time
        </button>
        <button
          type="button"
          aria-label="Over events"
          aria-pressed={overEvents}
          onMouseDown={keepFocus}
          onClick={() => setScale('events')}
        >
          <span className="word">Over&nbsp;</span>events
        </button>
      </span>
      <span className="segments evolution-gaps">
        <button
          type="button"
          aria-label="Gaps compressed"
          aria-pressed={scale === 'short-time'}
          disabled={overEvents}
          title="Idle time is shortened and hatched"
          onMouseDown={keepFocus}
          onClick={() => setScale(scale === 'short-time' ? 'whole-time' : 'short-time')}
        >
          Gaps<span className="word">&nbsp;compressed</span>
        </button>
      </span>
      <IconButton icon="whole" label="Show the whole session" keys="0" disabled={!zoom.zoomed} onClick={zoom.reset} />
    </ViewBar>
  )
}
