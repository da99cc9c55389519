import { lastName, pathFromHome } from '#core/paths/path-names.ts'
import type { SessionGroup } from '#contract/library.ts'
import { useLibrary } from '../../stores/use-library.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatCount, formatDuration, formatPlural } from '../../ui/format.ts'
import { Icon } from '../../ui/icons.tsx'
import { LiveDot } from '../live/live-dot.tsx'
import { useLost } from '../../stores/app-store.ts'
import { dayName, sessionLook } from './session-words.ts'

interface GroupHeadProps {
  readonly group: SessionGroup
  readonly by: 'day' | 'project'
  readonly open: boolean
  readonly index: number
  readonly top: number
  readonly here: boolean
  readonly now: number
  /** Its line, for the copy that stays at the top. */
  readonly line?: number
}

/** The head of a day or project: its sessions, the total duration of their turns, live ones. A click collapses it. */
export function GroupHead({ group, by, open, index, top, here, now, line }: GroupHeadProps) {
  const { key, count, activeMs, live } = group
  const liveLook = sessionLook('live', useLost())
  const growing = useLibrary(({ status }) => status?.phase === 'looking' || status?.phase === 'cards')
  const name = by === 'day' ? (key === '' ? 'No date' : dayName(key, now)) : key === '' ? 'No project' : lastName(key)
  const facts = [
    `${formatPlural(count, 'session')}${growing ? '…' : ''}`,
    activeMs === null || activeMs < 1000 ? '' : formatDuration(activeMs),
    by === 'project' && key !== '' ? displayText(pathFromHome(key)) : ''
  ].filter((text) => text !== '')
  return (
    <div
      role={line === undefined ? 'row' : undefined}
      {...(line === undefined && { id: `session-row-${index}`, 'aria-rowindex': index })}
      className="cards-group hstack"
      style={{ transform: `translateY(${top}px)` }}
      data-group={key}
      data-here={here || undefined}
    >
      <span
        role={line === undefined ? 'gridcell' : undefined}
        {...(line === undefined && { 'aria-expanded': open, 'aria-colspan': 7 })}
      >
        <Icon name={open ? 'down' : 'right'} tone="t3" />
        <span className="group-name cut">{displayText(name)}</span>
        <span className="caption t2 cut">{facts.join(' · ')}</span>
        {live > 0 && (
          <span className="badge">
            {liveLook.icon === null ? <LiveDot /> : <Icon name={liveLook.icon} size={12} tone={liveLook.tone} />}
            {liveLook.icon === null ? `${formatCount(live)} ${liveLook.word}` : liveLook.word}
          </span>
        )}
      </span>
    </div>
  )
}
