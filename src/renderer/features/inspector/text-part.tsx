import type { ReactNode } from 'react'
import { formatCount } from '../../ui/format.ts'
import { longestText, pieceLength, type LogText, type ReadText } from './use-log-text.ts'

/** A button that loads the rest of a text; nothing if the text is complete. */
export function TextPart({ of, read }: { of: LogText; read: ReadText }): ReactNode {
  const { length, path } = of
  const have = read.text.length
  if (have >= length) return null
  if (read.reading !== null) {
    return (
      <p className="more t3" role="status">
        Reading: {formatCount(read.reading)} of {formatCount(length)} characters…
      </p>
    )
  }
  if (path === null) {
    return <p className="more t3">The first {formatCount(have)} characters. The Raw tab has every byte.</p>
  }
  const most = Math.min(length, longestText)
  return (
    <p className="more">
      {read.error !== null && <span className="s-malformed">The rest could not be read: {read.error} </span>}
      <span className="t3">
        {formatCount(have)} of {formatCount(length)} characters
      </span>
      {length - have > 2 * pieceLength && (
        <button type="button" className="btn edged" onClick={() => read.read(have + pieceLength)}>
          Show {formatCount(pieceLength)} more
        </button>
      )}
      <button type="button" className="btn edged" onClick={() => read.read(most)}>
        Show {most === length ? `all ${formatCount(length)}` : formatCount(most)} characters
      </button>
    </p>
  )
}
