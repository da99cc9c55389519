import { MarkdownReport } from '#core/export/markdown-report.ts'
import { Redactor } from '#core/export/redact.ts'
import { basename } from 'node:path'
import { readLog } from '#backend/sources/read-log.ts'
import { sayNotes } from './check.ts'
import { say } from './environment.ts'
import type { WriteExport } from './export-target.ts'
import { redactedText } from './redacted-text.ts'

/** A report that people read, as Markdown. It is bounded, so it is written once all was read. */
export const exportMd: WriteExport = async (output, { source, redacts, progress }, environment) => {
  const redactor = redacts ? new Redactor() : null
  const report = new MarkdownReport(redactor)
  const log = await readLog(source, {
    line: (line) => report.line(line),
    event: (event, _seq, folded, line) => report.event(event, folded, line),
    read: (bytes, all) => progress.at(bytes, all)
  })
  progress.end()
  const { bytes, lines, events, files, notes, format } = log
  const facts = { bytes, lines, events, notes, files: files.length, agentType: format.agentType }
  for (const piece of report.pieces({ ...facts, name: basename(source.path), format: format.title })) {
    output.write(piece)
    if (output.isFull) await output.flush()
  }
  await output.flush()
  const exit = sayNotes(log, environment)
  if (redactor !== null && redactor.total > 0) say(environment, redactedText(redactor))
  return { what: 'a report', exit }
}
