import type { SessionState } from '#core/library/session-card.ts'
import { Icon } from '../../ui/icons.tsx'
import { LiveDot } from '../live/live-dot.tsx'
import { useLost } from '../../stores/app-store.ts'
import { sessionLook } from './session-words.ts'

export function StateIcon({ state }: { state: SessionState }) {
  const { icon, tone, word } = sessionLook(state, useLost())
  return (
    <span className="state-mark" title={word}>
      {icon === null ? (
        <span role="img" aria-label={word}>
          <LiveDot />
        </span>
      ) : (
        <Icon name={icon} tone={tone} label={word} />
      )}
    </span>
  )
}
