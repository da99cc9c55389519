import { useLayout } from '../../stores/use-layout.ts'
import { IconButton, keepFocus } from '../../ui/button.tsx'
import { ViewBar } from '../views/view-bar.tsx'
import type { Zoom } from '../scrubber/use-zoom.ts'

/** What the lanes are drawn over, and how much of the run is shown. */
export function EvolutionBar({ zoom }: { zoom: Zoom }) {
  const scale = useLayout((layout) => layout.todoScale)
  const setScale = useLayout((layout) => layout.setTodoScale)
  const overEvents = scale === 'events'
  return (
    <ViewBar>
      <span className="segments" role="group" aria-label="Axis">
        <button
          type="button"
          aria-pressed={!overEvents}
          onMouseDown={keepFocus}
          onClick={() => overEvents && setScale('short-time')}
        >
          Over time
        </button>
        <button type="button" aria-pressed={overEvents} onMouseDown={keepFocus} onClick={() => setScale('events')}>
          Over events
        </button>
      </span>
      <span className="segments evolution-gaps">
        <button
          type="button"
          aria-pressed={scale === 'short-time'}
          disabled={overEvents}
          title="Idle time is shortened and hatched"
          onMouseDown={keepFocus}
          onClick={() => setScale(scale === 'short-time' ? 'whole-time' : 'short-time')}
        >
          Gaps compressed
        </button>
      </span>
      <IconButton icon="whole" label="Show the whole session" keys="0" disabled={!zoom.zoomed} onClick={zoom.reset} />
    </ViewBar>
  )
}
