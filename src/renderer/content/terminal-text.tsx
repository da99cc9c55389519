import './terminal-text.css'
import { type CSSProperties, useCallback, useState } from 'react'
import { displayText, withPictures } from '../ui/display-text.ts'
import { formatPlural } from '../ui/format.ts'
import { LineBox } from './line-box.tsx'
import { type TerminalSpan, textOfSpans } from './terminal-line.ts'
import { TerminalRows } from './terminal-rows.ts'
import type { TerminalStyle } from './terminal-style.ts'
import { useRows } from './use-rows.ts'

/** A place in a text, and a counter of requests for it. */
export interface ShownPlace {
  readonly at: number
  readonly times: number
}

/** Terminal output in its colors, without titles, links and cursor moves. `wrap`: whether long lines are wrapped. */
export function TerminalText({
  label,
  text,
  wrap = false,
  shown = null,
  ...place
}: {
  label: string
  text: string
  wrap?: boolean
  /** The line of this character is marked, and scrolled into view at each request. */
  shown?: ShownPlace | null
  /** As in `LineBox`. */
  fills?: boolean
  atEnd?: boolean
  onLeftEnd?: () => void
}) {
  const [room, setRoom] = useState(80)
  const [everyStep, setEveryStep] = useState(false)
  const columns = wrap ? room : Infinity
  const rows = useRows(useCallback(() => new TerminalRows(text, { columns, everyStep }), [text, columns, everyStep]))
  const { rewritten } = rows
  const shownRow = shown === null ? -1 : rows.rowAt(shown.at)
  return (
    <LineBox
      label={label}
      count={rows.count}
      total={rows.lines}
      reading={!rows.done}
      columns={wrap ? 0 : rows.widest}
      drawLine={(row) => (
        <span className={row === shownRow ? 'line-text shown' : 'line-text'}>
          <TerminalSpans spans={rows.spansOf(row)} />
        </span>
      )}
      textOf={(from, to) => shownText(rows, from, to)}
      textOfAll={() => (rewritten === 0 ? displayText(text) : shownText(rows, 0, rows.count))}
      onRoom={setRoom}
      {...(shown !== null && { show: shownRow, shownTimes: shown.times })}
      {...place}
      foot={
        rewritten === 0 ? undefined : (
          <button type="button" className="link" aria-pressed={everyStep} onClick={() => setEveryStep(!everyStep)}>
            {everyStep ? 'Show final output' : `Show every step of ${formatPlural(rewritten, 'rewritten line')}`}
          </button>
        )
      }
    />
  )
}

/** The rows as text; a wrapped line is one line. */
function shownText(rows: TerminalRows, from: number, to: number): string {
  let text = ''
  for (let row = from; row < to; row++) {
    text += (row > from && !rows.continues(row) ? '\n' : '') + textOfSpans(rows.spansOf(row))
  }
  return text
}

function TerminalSpans({ spans }: { spans: readonly TerminalSpan[] }) {
  return spans.map(({ text, style }, position) => {
    const shown = withPictures(text)
    const className = classOf(style)
    return className === '' ? (
      shown
    ) : (
      <span key={position} className={className} style={coloursOf(style)}>
        {shown}
      </span>
    )
  })
}

function classOf({ fg, bg, bold, dim, italic, underline, inverse, struck }: TerminalStyle): string {
  const front = inverse ? (fg ?? bg) : fg
  return [
    front !== null && (front.includes(',') ? 't-rgb' : 't-fg'),
    bg !== null && !inverse && 't-bg',
    dim && front === null && 't-dim',
    inverse && 't-inverse',
    bold && 't-bold',
    italic && 't-italic',
    underline && 't-underline',
    struck && 't-struck'
  ]
    .filter((name) => name !== false)
    .join(' ')
}

function coloursOf({ fg, bg, inverse }: TerminalStyle): CSSProperties & { '--fg'?: string; '--bg'?: string } {
  // Inverted text swaps its color with the background.
  const front = inverse ? (fg ?? bg) : fg
  return {
    ...(front !== null && { '--fg': cssColour(front) }),
    ...(bg !== null && !inverse && { '--bg': cssColour(bg) })
  }
}

/** Bright colors use the same tokens, which already have the highest readable brightness. */
function cssColour(colour: string): string {
  if (colour.includes(',')) return `rgb(${colour})`
  return colour === 'bright-black' ? 'var(--text-3)' : `var(--ansi-${colour.replace('bright-', '')})`
}
