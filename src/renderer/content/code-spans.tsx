import { withPictures } from '../ui/display-text.ts'
import type { CodeSpan, CodeTone } from './highlighter.ts'

/** A marked range of a text. */
export interface MarkedRange {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly tone: 'hit' | 'issue' | 'added' | 'deleted'
}

interface Piece {
  readonly text: string
  readonly tone: CodeTone | null
  readonly mark: MarkedRange['tone'] | null
}

/** A line with more pieces is not colored further: it is machine-made. */
const maxPieces = 400

/** `text` from `from` on, in the colors of `spans`, which cover it. `marks` are ascending and do not overlap. */
export function CodeSpans({
  text,
  from,
  spans,
  marks = []
}: {
  text: string
  from: number
  spans: readonly CodeSpan[]
  marks?: readonly MarkedRange[]
}) {
  return piecesOf(text, from, spans, marks).map(({ text: shown, tone, mark }, position) => {
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

function piecesOf(text: string, from: number, spans: readonly CodeSpan[], marks: readonly MarkedRange[]): Piece[] {
  const pieces: Piece[] = []
  const end = spans.at(-1)?.end ?? from
  let at = from
  let next = 0
  for (const span of spans) {
    while (at < span.end) {
      while (next < marks.length && (marks[next]?.to ?? 0) <= at) next++
      const mark = marks[next]
      const marked = mark !== undefined && mark.from <= at
      const edge = mark === undefined ? end : marked ? mark.to : mark.from
      const last = pieces.length >= maxPieces
      const to = last ? end : Math.min(span.end, edge)
      pieces.push({
        text: text.slice(at, to),
        tone: last ? null : span.tone,
        mark: marked && !last ? mark.tone : null
      })
      at = to
    }
  }
  return pieces
}
