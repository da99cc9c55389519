import type { AxisView } from './axis-view.ts'

/** The visible part and the playhead within the whole line. */
export function ZoomRange({ view, total, place }: { view: AxisView; total: number; place: number }) {
  const left = (view.from / total) * 100
  const width = ((view.to - view.from) / total) * 100
  return (
    <div className="range" aria-hidden="true">
      <i style={{ left: `${left}%`, width: `${width}%` }} />
      <b style={{ left: `${(place / total) * 100}%` }} />
    </div>
  )
}
