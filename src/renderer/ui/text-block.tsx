import { useMemo, useState } from 'react'
import { CopyButton, IconButton } from './button.tsx'
import { chunkText, displayText } from './display-text.ts'
import { formatCount } from './format.ts'

/** Characters of one piece: a browser lays out only pieces in view, so a text of megabytes stays quick. */
const pieceSize = 8192

/** Text of a log in pieces. Always text nodes: nothing in a log is ever markup. */
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

/** What the page has of a text that is longer: `length` characters in the log, and how to get the rest, if it can be had. */
export interface TextCut {
  readonly length: number
  readonly showAll: (() => void) | null
}

/** Says that a text goes on, and offers the rest. */
export function MoreText({ shown, cut }: { shown: number; cut: TextCut }) {
  return (
    <p className="more">
      {cut.showAll === null ? (
        <span className="t3">
          The first {formatCount(shown)} of {formatCount(cut.length)} characters. The Raw tab has every byte.
        </span>
      ) : (
        <button type="button" className="btn edged" onClick={cut.showAll}>
          Show all {formatCount(cut.length)} characters
        </button>
      )}
    </p>
  )
}

/** A titled block of text. `code` keeps its lines until they are asked to wrap; `prose` is set as text and always wraps. */
export function TextBlock({
  title,
  text,
  cut,
  face = 'code',
  tone,
  prompt,
  fact
}: {
  title: string
  text: string
  cut?: TextCut | undefined
  face?: 'code' | 'prose'
  tone?: 'bad' | 'add' | 'del' | undefined
  /** Stands before the text and is not part of it: "$". */
  prompt?: string | undefined
  fact?: string | undefined
}) {
  const [wrap, setWrap] = useState(false)
  const flow = face === 'prose' ? 'prose' : wrap ? 'wrap' : 'keep'
  return (
    <section className={tone === undefined ? 'block' : `block ${tone}`} aria-label={title}>
      <header>
        <span>{title}</span>
        <span className="grow" />
        {fact !== undefined && <span className="t3 num">{fact}</span>}
        {face === 'code' && (
          <IconButton small icon="wrap" label="Wrap lines" pressed={wrap} onClick={() => setWrap(!wrap)} />
        )}
        <CopyButton what={title.toLowerCase()} text={() => text} />
      </header>
      <div className="block-body" data-prompt={prompt}>
        {text === '' ? <p className="text t3">Empty.</p> : <LongText text={text} className={flow} />}
      </div>
      {cut !== undefined && <MoreText shown={text.length} cut={cut} />}
    </section>
  )
}
