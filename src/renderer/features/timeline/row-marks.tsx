import type { Bookmark, Breakpoint } from '#core/replay/review.ts'
import { Icon } from '../../ui/icons.tsx'
import { breakpointName } from '../breakpoints/breakpoint-words.ts'

interface RowMarksProps {
  readonly bookmark: Bookmark | null
  readonly breakpoint: Breakpoint | null
  /** The row's line holds what is searched for. */
  readonly hit: boolean
}

/** What a person noted of a row, in the margin: where play stops, what they want to find again, and whether it is a hit. */
export function RowMarks({ bookmark, breakpoint, hit }: RowMarksProps) {
  const words = markWords(bookmark, breakpoint)
  return (
    <span className="mark-cell" title={[...words, hit ? 'holds what you search for' : ''].filter(Boolean).join('\n')}>
      {breakpoint !== null ? (
        <Icon
          name={breakpoint.enabled ? 'breakpoint' : 'breakpoint-off'}
          size={12}
          tone={breakpoint.enabled ? 'k-error' : 't3'}
        />
      ) : (
        bookmark !== null && <Icon name="bookmark" size={12} tone="mark-bookmark" />
      )}
      {hit && <i />}
    </span>
  )
}

/** The same for those who do not see the margin. */
export function markWords(bookmark: Bookmark | null, breakpoint: Breakpoint | null): readonly string[] {
  const words: string[] = []
  if (breakpoint !== null) {
    words.push(`Breakpoint${breakpoint.enabled ? '' : ', off'}: ${breakpointName(breakpoint.rule)}`)
  }
  if (bookmark !== null) words.push(bookmark.note === '' ? 'Bookmark' : `Bookmark: ${bookmark.note}`)
  return words
}
