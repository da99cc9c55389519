import type { RowMark } from '#core/formats/log-format.ts'
import { markWords } from '../../ui/mark-words.ts'

/** The word of a row that does not count, with the reason as tooltip. */
export function MarkWord({ mark }: { mark: RowMark }) {
  return (
    <span className="badge edged" title={markWords[mark]}>
      {mark}
    </span>
  )
}
