import { MarkdownReport } from '#core/export/markdown-report.ts'
import { Redactor } from '#core/export/redact.ts'
import { RedactedEvents } from '#core/export/redacted-events.ts'
import { basename } from 'node:path'
import { readLog } from '#backend/sources/read-log.ts'
import { sayNotes } from './check.ts'
import type { WriteExport } from './export-target.ts'
import { sayRedacted } from './redacted-text.ts'

/** A report that people read, as Markdown. It is bounded, so it is written once all was read. */
export const exportMd: WriteExport = async (output, { source, redacts, progress }, environment) => {
  const redactor = redacts ? new Redactor() : null
  const report = new MarkdownReport(redactor)
  const clean = redactor && new RedactedEvents(redactor)
  const log = await readLog(source, {
    line: (line) => (clean === null ? report.line(line) : clean.aside(() => report.line(line))),
    event(event, _seq, folded, line) {
      if (clean === null) report.event(event, folded, line)
      else clean.add(event, undefined, (redacted) => report.event(redacted, folded, line))
    },
    read: (bytes, all) => progress.at(bytes, all)
  })
  clean?.end()
  progress.end()
  const { bytes, lines, events, files, notes, format } = log
  const facts = { bytes, lines, events, notes, files: files.length, agentType: format.agentType }
  for (const piece of report.pieces({ ...facts, name: basename(source.path), format: format.title })) {
    output.write(piece)
    if (output.isFull) await output.flush()
  }
  await output.flush()
  const exit = sayNotes(log, environment)
  if (redactor !== null) sayRedacted(redactor, environment)
  return { what: 'a report', exit }
}
