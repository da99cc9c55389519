import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import { decodeLine } from './decode-line.ts'
import type { EventDraft, Framing, LogFormat } from './log-format.ts'

/**
 * Rebuilds the draft of a text in pieces. `bytes`: from the event's line to `FoldedEvent.joinedTo`. Null if they
 * contain no such text.
 */
export function joinedDraft(format: LogFormat, framing: Framing, bytes: Uint8Array): EventDraft | null {
  let whole: EventDraft | null = null
  const pieces: string[] = []
  const add = (line: Line): void => {
    const decoded = decodeLine(format, line, framing).decoded
    const draft = decoded?.joins === true ? decoded.drafts[0] : undefined
    if (draft?.type !== 'text') return
    whole ??= draft
    pieces.push(draft.text)
  }
  const splitter = framing === 'lines' ? new LineSplitter(add) : new DocumentSplitter(add, { resumed: true })
  splitter.push(bytes)
  splitter.end()
  return whole === null ? null : { ...(whole as EventDraft & { type: 'text' }), text: pieces.join('') }
}
