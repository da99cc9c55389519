import { useMemo } from 'react'
import { chunkText, displayText } from './display-text.ts'

/** Characters of a piece. A browser lays out only visible pieces, so megabytes of text stay fast. */
const pieceSize = 8192

/** Text of a log in pieces. Always text nodes, never markup. */
export function LongText({ text, className }: { text: string; className: string }) {
  const pieces = useMemo(() => chunkText(displayText(text), pieceSize), [text])
  if (pieces.length <= 1) return <pre className={`text ${className}`}>{pieces[0] ?? ''}</pre>
  return (
    <pre className={`text ${className}`}>
      {pieces.map((piece, position) => (
        // A block ends its line itself.
        <span key={position} className="piece">
          {piece.endsWith('\n') ? piece.slice(0, -1) || '\n' : piece}
        </span>
      ))}
    </pre>
  )
}
