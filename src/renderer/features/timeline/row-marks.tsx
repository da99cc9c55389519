import type { Bookmark, Breakpoint } from '#core/replay/review.ts'
import { Icon } from '../../ui/icons.tsx'
import { breakpointName } from '../breakpoints/breakpoint-words.ts'

/** A person's bookmark and breakpoint of a row, or of the rows that a line stands for. */
export interface Marks {
  readonly bookmark: Bookmark | null
  readonly breakpoint: Breakpoint | null
}

export const noMarks: Marks = { bookmark: null, breakpoint: null }

interface RowMarksProps extends Marks {
  /** Whether the row's line matches the search. */
  readonly hit: boolean
}

/** Breakpoint, bookmark and search match of a row, in the margin. */
export function RowMarks({ bookmark, breakpoint, hit }: RowMarksProps) {
  const words = markWords(bookmark, breakpoint)
  return (
    <span className="mark-cell" title={[...words, hit ? 'matches the search' : ''].filter(Boolean).join('\n')}>
      <MarkIcon bookmark={bookmark} breakpoint={breakpoint} />
      {hit && <i />}
    </span>
  )
}

/** Only one icon fits; a breakpoint comes first. */
function MarkIcon({ bookmark, breakpoint }: Marks) {
  if (breakpoint === null) return bookmark !== null && <Icon name="bookmark" size={12} tone="mark-bookmark" />
  const { enabled } = breakpoint
  return <Icon name={enabled ? 'breakpoint' : 'breakpoint-off'} size={12} tone={enabled ? 'k-error' : 't3'} />
}

/** The marks of collapsed rows, as words. Nothing without marks. */
export function HiddenMarks(marks: Marks) {
  const words = markWords(marks.bookmark, marks.breakpoint)
  if (words.length === 0) return null
  return (
    <span className="hidden-marks" title={words.join('\n')}>
      <MarkIcon {...marks} />
      <span className="unseen">{words.join(', ')}</span>
    </span>
  )
}

/** The same for screen readers. */
export function markWords(bookmark: Bookmark | null, breakpoint: Breakpoint | null): readonly string[] {
  const words: string[] = []
  if (breakpoint !== null) {
    words.push(`Breakpoint${breakpoint.enabled ? '' : ', off'}: ${breakpointName(breakpoint.rule)}`)
  }
  if (bookmark !== null) words.push(bookmark.note === '' ? 'Bookmark' : `Bookmark: ${bookmark.note}`)
  return words
}
