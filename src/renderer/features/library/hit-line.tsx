import type { LibraryHit } from '#contract/library.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import { displayText } from '../../ui/display-text.ts'
import { formatClock, formatCount, formatPlural } from '../../ui/format.ts'
import { Icon, rowLook } from '../../ui/icons.tsx'
import { rowLabel } from '../../ui/row-label.ts'

interface HitLineProps {
  readonly hit: LibraryHit
  readonly card: SessionCard
  readonly index: number
  readonly top: number
  readonly here: boolean
}

/** A matching line of a session: time, event, kind, and the text around the match. */
export function HitLine({ hit, card, index, top, here }: HitLineProps) {
  const kind = kindOf(hit)
  const look = rowLook(kind ?? 'record', hit.tool)
  // Empty until the log is read.
  const label = kind === null ? '' : rowLabel(kind, hit.tool)
  const place = hit.seq === null ? `line ${formatCount(hit.line)}` : `event ${formatCount(hit.seq)}`
  const from = hit.path === card.path ? '' : ', in a subagent'
  return (
    <div
      role="row"
      id={`session-row-${index}`}
      className="hit-line"
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index}
      aria-selected={here}
      aria-label={`${label === '' ? '' : `${label}, `}${place}${from}: ${hit.text}`}
      data-here={here || undefined}
      data-hit-of={card.id}
      data-seq={hit.seq ?? undefined}
      data-line={hit.line}
      title={`${place}, line ${formatCount(hit.line)}${from}`}
    >
      <span role="gridcell" className="num hit-time">
        {hit.at === null ? '' : formatClock(hit.at)}
      </span>
      <span role="gridcell" className="num">
        {hit.seq === null ? `L${hit.line}` : hit.seq}
      </span>
      {kind === null ? <span /> : <Icon name={look.icon} tone={look.tone} size={14} />}
      <span role="gridcell" className="medium cut hit-label">
        {label}
      </span>
      <span role="gridcell" className="hit-text cut" dir="auto">
        <Marked hit={hit} />
      </span>
    </div>
  )
}

/** The host states the first match. The page finds the others. */
function Marked({ hit: { text, match } }: { hit: LibraryHit }) {
  if (match === null) return displayText(text)
  const [from, to] = match
  return (
    <>
      {displayText(text.slice(0, from))}
      <mark>{displayText(text.slice(from, to))}</mark>
      {displayText(text.slice(to))}
    </>
  )
}

function kindOf({ kind }: LibraryHit): RowKind | null {
  return rowKinds.find((each) => each === kind) ?? null
}

/** A line for further matches; a click or Enter shows them. */
export function MoreLine({
  count,
  ofSession,
  index,
  top,
  here
}: {
  count: number
  ofSession: boolean
  index: number
  top: number
  here: boolean
}) {
  return (
    <div
      role="row"
      id={`session-row-${index}`}
      className="more-line"
      style={{ transform: `translateY(${top}px)` }}
      aria-rowindex={index}
      data-here={here || undefined}
    >
      <span role="gridcell" className="cut">
        {ofSession
          ? `${formatCount(count)} more in this session`
          : formatPlural(count, 'more session', 'more sessions')}
      </span>
    </div>
  )
}

/** A heading for the matches below. `total`: number of sessions. */
export function FoundHeading({
  of,
  index,
  top,
  total
}: {
  of: 'names' | 'texts'
  index: number
  top: number
  total: number
}) {
  return (
    <div role="row" className="cards-group hstack" style={{ transform: `translateY(${top}px)` }} aria-rowindex={index}>
      <span role="gridcell" aria-colspan={7}>
        <span className="group-name">{of === 'names' ? 'In title, project or branch' : 'In session text'}</span>
        {of === 'names' && <span className="caption t2">{formatPlural(total, 'session')}</span>}
      </span>
    </div>
  )
}
