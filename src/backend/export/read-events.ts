import type { AgentEvent } from '#core/events/agent-event.ts'
import { RedactedEvents } from '#core/export/redacted-events.ts'
import type { LinePosition } from '#core/formats/log-format.ts'
import type { Bookmark } from '#core/replay/review.ts'
import { type LogVisitor, type ReadLog, readLog } from '../sources/read-log.ts'
import { BookmarkNotes } from './bookmark-notes.ts'
import type { ExportRequest } from './export-request.ts'
import type { Output } from './output.ts'

/** What belongs to an exported event, redacted. `seq`: its number in the log. `raw`: its line, if requested. */
export interface AtEvent {
  readonly seq: number
  readonly raw: string | undefined
  readonly bookmark: Bookmark | undefined
}

/** Receives a redacted event. */
export type OnEvent = (event: AgentEvent, at: AtEvent) => void

/** An event that waits because its line, or an earlier one, must be read again. */
interface Waiting {
  readonly event: AgentEvent
  readonly seq: number
  readonly bookmark: Bookmark | undefined
  readonly at: LinePosition
  /** Its line; null: to be read. */
  readonly text: string | null
}

/** The lines to return: none, that of each event, or each line once, with its first exported event. */
type Lines = 'none' | 'each' | 'once'

/** Reads the events of an export in order and flushes `output` regularly. `exported`: number of events. */
export async function readEvents(
  output: Pick<Output, 'flush'>,
  { source, redactor, events: wanted, bookmarks, read }: Omit<ExportRequest, 'raw'>,
  lines: Lines,
  onEvent: OnEvent
): Promise<ReadLog & { readonly exported: number }> {
  const redacted = redactor && new RedactedEvents(redactor)
  const notes = new BookmarkNotes(bookmarks, redactor)
  const seen = new Set<string>()
  let exported = 0
  const write = ({ event, seq, bookmark, at }: Omit<Waiting, 'text'>, line: string | undefined): void => {
    if (redacted === null) return onEvent(event, { seq, raw: line, bookmark })
    const place = { file: at.file ?? null, line: at.line }
    redacted.add(event, line, place, (clean, raw) => onEvent(clean, { seq, raw, bookmark }))
  }
  const waiting: Waiting[] = []
  const visitor: LogVisitor = {
    event(event, seq, folded, line) {
      const { at } = folded
      if (wanted !== null && !wanted.has(seq)) return
      if (lines === 'once' && isKnown(seen, at)) return
      exported++
      const bookmark = notes.of(folded)
      if (lines === 'none') return write({ event, seq, bookmark, at }, undefined)
      const text = line?.at.offset === at.offset && line.at.file === at.file ? line.text : null
      if (text === null || waiting.length > 0) waiting.push({ event, seq, bookmark, at, text })
      else write({ event, seq, bookmark, at }, text)
    },
    read,
    async pause(bytesOf) {
      for (const one of waiting.splice(0)) write(one, one.text ?? textOf(await bytesOf(one.at)))
      await output.flush()
      return true
    }
  }
  const log = await readLog(source, visitor).finally(async () => {
    // Also after a read error.
    redacted?.end()
    await output.flush()
  })
  return { ...log, exported }
}

/** Whether a line was seen before; adds it. */
function isKnown(seen: Set<string>, { file, offset }: LinePosition): boolean {
  const key = file === undefined ? String(offset) : `${offset} ${file}`
  if (seen.has(key)) return true
  seen.add(key)
  return false
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
