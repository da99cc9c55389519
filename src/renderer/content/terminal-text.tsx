import './terminal-text.css'
import { type CSSProperties, useCallback, useState } from 'react'
import { displayText, withPictures } from '../ui/display-text.ts'
import { formatPlural } from '../ui/format.ts'
import { LineBox } from './line-box.tsx'
import { type TerminalRun, textOfRuns } from './terminal-line.ts'
import { TerminalRows } from './terminal-rows.ts'
import type { TerminalStyle } from './terminal-style.ts'
import { useRows } from './use-rows.ts'

/** A place in a text, and how often it was asked for. */
export interface ShownPlace {
  readonly at: number
  readonly times: number
}

/**
 * What a command wrote, of any length, in its colours. Titles, links and moves of the cursor are left out. A line that was written over is
 * shown as it was in the end, until every step is asked for. `wrap`: lines that are too long for the box go on in another row.
 */
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
  /** The line at a character of the text is brought into view, each time that it is asked for, and marked. */
  shown?: ShownPlace | null
  /** As `LineBox` has them. */
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
          <TerminalSpans runs={rows.runsOf(row)} />
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

/** The rows as they are shown; a line that goes on in another row is one line. */
function shownText(rows: TerminalRows, from: number, to: number): string {
  let text = ''
  for (let row = from; row < to; row++) {
    text += (row > from && !rows.continues(row) ? '\n' : '') + textOfRuns(rows.runsOf(row))
  }
  return text
}

function TerminalSpans({ runs }: { runs: readonly TerminalRun[] }) {
  return runs.map(({ text, style }, position) => {
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
  // Turned around, a text has one colour behind it, and that of the box.
  const front = inverse ? (fg ?? bg) : fg
  return {
    ...(front !== null && { '--fg': cssColour(front) }),
    ...(bg !== null && !inverse && { '--bg': cssColour(bg) })
  }
}

/** The eight have tokens; their bright ones look the same, since each is as bright as can be read. */
function cssColour(colour: string): string {
  if (colour.includes(',')) return `rgb(${colour})`
  return colour === 'bright-black' ? 'var(--text-3)' : `var(--ansi-${colour.replace('bright-', '')})`
}
