import type { LiveRun } from '#contract/live-runs.ts'
import { useLost } from '../../stores/app-store.ts'
import { Icon } from '../../ui/icons.tsx'
import { LiveDot } from '../live/live-dot.tsx'
import { runLook } from './run-words.ts'

/** The state of a run as an icon. Text states it too. */
export function RunIcon({ run }: { run: LiveRun }) {
  const { icon, tone } = runLook(run, useLost())
  if (icon !== null) return <Icon name={icon} size={14} tone={tone} />
  return (
    <span className="run-live icon">
      <LiveDot />
    </span>
  )
}
