import { pathFromHome } from '#core/paths/path-names.ts'
import type { LibraryRoot } from '#contract/library.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatPlural } from '../../ui/format.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { PathText } from '../inspector/block.tsx'
import { agentName } from './session-words.ts'

/** Searched folders: agent, number of sessions, errors. */
export function RootList({
  roots,
  onRemove
}: {
  roots: readonly LibraryRoot[]
  /** Only for folders that a person added. */
  onRemove?: (path: string) => void
}) {
  return (
    <ul className="roots" aria-label="Folders">
      {roots.map((root) => (
        <li key={`${root.agent ?? root.kind} ${root.path}`}>
          <span>{root.kind === 'agent' ? agentName(root.agent) : root.kind === 'runs' ? 'Live runs' : 'Added'}</span>
          <span className="root-path">
            <PathText path={root.path} shown={pathFromHome(root.path)} />
          </span>
          <span className="root-said hstack">
            <RootMessage root={root} />
            {onRemove !== undefined && root.kind === 'added' && (
              <IconButton small icon="close" label={`Remove ${root.path}`} onClick={() => onRemove(root.path)} />
            )}
          </span>
          {root.notes.length > 0 && (
            <span className="root-notes caption s-violation">{root.notes.map(displayText).join(' ')}</span>
          )}
        </li>
      ))}
    </ul>
  )
}

function RootMessage({ root: { isMissing, sessions, notes } }: { root: LibraryRoot }) {
  if (isMissing) return <span className="t3">not found</span>
  if (sessions > 0) return <span className="t2">{formatPlural(sessions, 'session')}</span>
  if (notes.length === 0) return <span className="t3">no sessions</span>
  return (
    <>
      <Icon name="violation" size={14} tone="s-violation" />
      <span className="s-violation">partly unreadable</span>
    </>
  )
}
