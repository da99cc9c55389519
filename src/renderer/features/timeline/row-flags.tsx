import type { Bookmark, Breakpoint } from '#core/replay/review.ts'
import { Icon } from '../../ui/icons.tsx'
import { breakpointName } from '../breakpoints/breakpoint-words.ts'

/** A person's bookmark and breakpoint of a row, or of the rows that a line stands for. */
export interface RowFlags {
  readonly bookmark: Bookmark | null
  readonly breakpoint: Breakpoint | null
}

export const noFlags: RowFlags = { bookmark: null, breakpoint: null }

interface FlagCellProps extends RowFlags {
  /** Whether the row's line matches the search. */
  readonly hit: boolean
}

/** Breakpoint, bookmark and search match of a row, in the margin. */
export function FlagCell({ bookmark, breakpoint, hit }: FlagCellProps) {
  const words = flagWords(bookmark, breakpoint)
  return (
    <span className="mark-cell" title={[...words, hit ? 'matches the search' : ''].filter(Boolean).join('\n')}>
      <FlagIcon bookmark={bookmark} breakpoint={breakpoint} />
      {hit && <i />}
    </span>
  )
}

/** Only one icon fits; a breakpoint comes first. */
function FlagIcon({ bookmark, breakpoint }: RowFlags) {
  if (breakpoint === null) return bookmark !== null && <Icon name="bookmark" size={12} tone="mark-bookmark" />
  const { enabled } = breakpoint
  return <Icon name={enabled ? 'breakpoint' : 'breakpoint-off'} size={12} tone={enabled ? 'k-error' : 't3'} />
}

/** The flags of collapsed rows as words; nothing without flags. */
export function HiddenFlags(flags: RowFlags) {
  const words = flagWords(flags.bookmark, flags.breakpoint)
  if (words.length === 0) return null
  return (
    <span className="hidden-marks" title={words.join('\n')}>
      <FlagIcon {...flags} />
      <span className="unseen">{words.join(', ')}</span>
    </span>
  )
}

/** The same in words, for screen readers. */
export function flagWords(bookmark: Bookmark | null, breakpoint: Breakpoint | null): readonly string[] {
  const words: string[] = []
  if (breakpoint !== null) {
    words.push(`Breakpoint${breakpoint.enabled ? '' : ', off'}: ${breakpointName(breakpoint.rule)}`)
  }
  if (bookmark !== null) words.push(bookmark.note === '' ? 'Bookmark' : `Bookmark: ${bookmark.note}`)
  return words
}
