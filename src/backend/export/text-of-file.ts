import type { Redactor } from '#core/export/redact.ts'
import { RedactedLog } from '#core/export/redacted-log.ts'
import type { OpenFile, Run } from '../sources/run.ts'
import { redactedDocument } from './redacted-document.ts'
import { redactedLines } from './redacted-lines.ts'

/** The bytes of a file of a run without the secrets in them, or as they are. */
export function textOfFile(run: Run, { name, source }: OpenFile, redactor: Redactor | null): AsyncIterable<Uint8Array> {
  if (redactor === null) return source.chunks()
  const file = name ?? null
  if (run.framingOf(name) === 'document') return redactedDocument(source.chunks(), redactor, run.format, file)
  return redactedLines(source.chunks(), new RedactedLog(run.format, run.framingOf(name), redactor, file))
}
