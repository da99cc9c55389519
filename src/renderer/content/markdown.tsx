import './markdown.css'
import { memo, useEffect, useMemo, useReducer, useState } from 'react'
import { withoutTerminalSequences } from '#core/index/terminal-sequences.ts'
import { formatCount } from '../ui/format.ts'
import { MarkdownPieceView } from './markdown-blocks.tsx'
import { MarkdownPieces } from './markdown-pieces.ts'
import { type DrawnPiece, drawnPiece } from './markdown-tokens.ts'
import { workInSlices } from './sliced-work.ts'

/** Characters rendered at once, then automatically, then per scroll to the end. */
const atOnce = 4096
const byItself = 150_000
const more = 50_000

/** Markdown of any length, rendered in pieces near the visible part. Never inserts HTML, and fetches nothing. */
export function Markdown({ text: written }: { text: string }) {
  const text = useMemo(() => withoutTerminalSequences(written), [written])
  const drawing = useMemo(() => new Drawing(text), [text])
  const [wanted, setWanted] = useState(byItself)
  const [, update] = useReducer((version: number) => version + 1, 0)
  const [end, setEnd] = useState<HTMLElement | null>(null)
  useEffect(() => {
    if (drawing.isDrawn(wanted)) return
    return workInSlices(() => {
      drawing.next()
      return drawing.isDrawn(wanted)
    }, update)
  }, [drawing, wanted])
  useEffect(() => {
    if (end === null) return
    const near = new IntersectionObserver(
      (entries) => {
        // Entries of several frames may arrive together; only the last one is current.
        if (entries.at(-1)?.isIntersecting === true && drawing.isDrawn(wanted)) setWanted(drawing.given + more)
      },
      { rootMargin: '800px' }
    )
    near.observe(end)
    return () => near.disconnect()
  })
  // While a grown text is parsed, the old content stays, so that the scroll position is kept.
  const [given, setGiven] = useState(drawing)
  const waits = given !== drawing && !drawing.isDrawn(given.given) && text.startsWith(given.text)
  if (given !== drawing && !waits) setGiven(drawing)
  const { pieces } = waits ? given : drawing
  return (
    <div className="markdown vstack">
      {pieces.map((piece, position) => (
        <Piece key={position} piece={piece} />
      ))}
      {!drawing.done && (
        <p className="md-note" ref={setEnd}>
          {formatCount(text.length - drawing.given)} more characters…
        </p>
      )}
    </div>
  )
}

const Piece = memo(function Piece({ piece }: { piece: DrawnPiece }) {
  return (
    <div className="md-piece vstack">
      <MarkdownPieceView piece={piece} />
    </div>
  )
})

/** The parsed pieces of a text. */
class Drawing {
  readonly pieces: DrawnPiece[] = []
  readonly text: string
  private readonly source: MarkdownPieces

  constructor(text: string) {
    this.text = text
    this.source = new MarkdownPieces(text)
    while (!this.isDrawn(atOnce)) this.next()
  }

  get done(): boolean {
    return this.source.done
  }

  get given(): number {
    return this.source.given
  }

  isDrawn(characters: number): boolean {
    return this.done || this.given >= characters
  }

  next(): void {
    this.pieces.push(drawnPiece(this.source.next()))
  }
}
