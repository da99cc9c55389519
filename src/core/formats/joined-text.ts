import { DocumentSplitter } from '../lines/document-splitter.ts'
import { type Line, LineSplitter } from '../lines/line-splitter.ts'
import type { DecodedLine } from './decode-line.ts'
import { decodeParts } from './decode-parts.ts'
import type { EventDraft, Framing, LogFormat } from './log-format.ts'

/** Rebuilds a text in pieces from the `bytes` of its lines, up to `FoldedEvent.joinedTo`. Null without pieces. */
export function joinedDraft(format: LogFormat, framing: Framing, bytes: Uint8Array): EventDraft | null {
  let whole: EventDraft | null = null
  const pieces: string[] = []
  const add = (_line: Line, { decoded }: DecodedLine): void => {
    const draft = decoded?.joins === true ? decoded.drafts[0] : undefined
    if (draft?.type !== 'text') return
    whole ??= draft
    pieces.push(draft.text)
  }
  const read = (line: Line): void => decodeParts(format, line, framing, add)
  const splitter = framing === 'lines' ? new LineSplitter(read) : new DocumentSplitter(read, { resumed: true })
  splitter.push(bytes)
  splitter.end()
  return whole === null ? null : { ...(whole as EventDraft & { type: 'text' }), text: pieces.join('') }
}
