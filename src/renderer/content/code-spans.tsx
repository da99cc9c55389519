import { withPictures } from '../ui/display-text.ts'
import type { CodeRun, CodeTone } from './highlighter.ts'

/** A marked range of a text. */
export interface CodeMark {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly tone: 'hit' | 'issue' | 'added' | 'deleted'
}

interface Span {
  readonly text: string
  readonly tone: CodeTone | null
  readonly mark: CodeMark['tone'] | null
}

/** A line with more spans is not colored further: it is machine-made. */
const maxSpans = 400

/** `text` from `from` on, in the colors of `runs`, which cover it. `marks` are ascending and do not overlap. */
export function CodeSpans({
  text,
  from,
  runs,
  marks = []
}: {
  text: string
  from: number
  runs: readonly CodeRun[]
  marks?: readonly CodeMark[]
}) {
  return spansOf(text, from, runs, marks).map(({ text: shown, tone, mark }, position) => {
    const className = tone === null ? undefined : `c-${tone}`
    if (mark === null && className === undefined) return withPictures(shown)
    if (mark === null)
      return (
        <span key={position} className={className}>
          {withPictures(shown)}
        </span>
      )
    const Marked = mark === 'added' ? 'ins' : mark === 'deleted' ? 'del' : 'mark'
    return (
      <Marked key={position} className={[`m-${mark}`, className].filter(Boolean).join(' ')}>
        {withPictures(shown)}
      </Marked>
    )
  })
}

function spansOf(text: string, from: number, runs: readonly CodeRun[], marks: readonly CodeMark[]): Span[] {
  const spans: Span[] = []
  const end = runs.at(-1)?.end ?? from
  let at = from
  let next = 0
  for (const run of runs) {
    while (at < run.end) {
      while (next < marks.length && (marks[next]?.to ?? 0) <= at) next++
      const mark = marks[next]
      const marked = mark !== undefined && mark.from <= at
      const edge = mark === undefined ? end : marked ? mark.to : mark.from
      const last = spans.length >= maxSpans
      const to = last ? end : Math.min(run.end, edge)
      spans.push({
        text: text.slice(at, to),
        tone: last ? null : run.tone,
        mark: marked && !last ? mark.tone : null
      })
      at = to
    }
  }
  return spans
}
