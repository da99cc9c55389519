import { basename } from 'node:path'
import { MarkdownReport } from '#core/export/markdown-report.ts'
import { RedactedEvents } from '#core/export/redacted-events.ts'
import { readLog } from '../sources/read-log.ts'
import { BookmarkNotes } from './bookmark-notes.ts'
import type { WriteExport } from './export-request.ts'

/** A Markdown report. It is bounded, so it is written after all is read. */
export const writeReport: WriteExport = async (
  output,
  { source, redactor, prices, events: wanted, bookmarks, read }
) => {
  const report = new MarkdownReport(redactor, prices)
  const clean = redactor && new RedactedEvents(redactor)
  const notes = new BookmarkNotes(bookmarks, redactor)
  let exported = 0
  const inOrder = (does: () => void): void => (clean === null ? does() : clean.aside(does))
  /** Events so far. */
  let events = 0
  const log = await readLog(source, {
    begin: (format) => report.begin(format),
    line(line) {
      const isWanted = wanted === null || line.events.some((_, i) => wanted.has(events + i))
      if (isWanted) inOrder(() => report.line(line))
    },
    event(event, seq, folded, line) {
      events = seq + 1
      if (wanted !== null && !wanted.has(seq)) {
        inOrder(() => report.leaveOut(event))
        return
      }
      exported++
      notes.of(folded)
      const { file = null, line: number } = folded.at
      if (clean === null) report.event(event, folded, line)
      else clean.add(event, undefined, { file, line: number }, (redacted) => report.event(redacted, folded, line))
    },
    read
  })
  clean?.end()
  const { bytes, lines, files } = log
  const facts = { bytes, lines, events: log.events, notes: log.notes, files: files.length }
  const part = wanted === null ? null : exported
  const marked = wanted === null ? notes.all : notes.matched
  if (redactor !== null) redactor.place = null
  const about = { ...facts, name: basename(source.path), part, bookmarks: marked }
  for (const piece of report.pieces(about)) {
    output.write(piece)
    if (output.isFull) await output.flush()
  }
  await output.flush()
  return { ...log, what: 'a report' }
}
