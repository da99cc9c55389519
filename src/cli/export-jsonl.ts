import type { AgentEvent } from '#core/events/agent-event.ts'
import { NormalizedLines } from '#core/export/normalized-jsonl.ts'
import { Redactor } from '#core/export/redact.ts'
import { RedactedEvents } from '#core/export/redacted-events.ts'
import type { LinePosition } from '#core/formats/log-format.ts'
import { type LogVisitor, readLog } from '#backend/sources/read-log.ts'
import { sayNotes } from './check.ts'
import type { WriteExport } from './export-target.ts'
import { sayRedacted } from './redacted-text.ts'
import { keepMemorySteady } from './steady-memory.ts'

/** An event whose turn has not come: its line, or that of one before it, has to be read again. */
interface Waiting {
  readonly event: AgentEvent
  readonly at: LinePosition
  /** Of its line; null where it is to be read. */
  readonly text: string | null
}

/** Normalized JSONL. One thread does it all: to write what others have decoded would take longer. */
export const exportJsonl: WriteExport = async (output, { source, raw, redacts, progress }, environment) => {
  keepMemorySteady()
  const lines = new NormalizedLines(output)
  const redactor = redacts ? new Redactor() : null
  const events = redactor && new RedactedEvents(redactor)
  const write = (event: AgentEvent, text?: string): void => {
    if (events === null) lines.write(event, text)
    else events.add(event, text, (clean, line) => lines.write(clean, line))
  }
  const waiting: Waiting[] = []
  const visitor: LogVisitor = {
    event(event, _seq, { at }, line) {
      if (!raw) {
        write(event)
        return
      }
      const text = line?.at.offset === at.offset && line.at.file === at.file ? line.text : null
      if (text === null || waiting.length > 0) waiting.push({ event, at, text })
      else write(event, text)
    },
    read: (bytes, all) => progress.at(bytes, all),
    async pause(bytesOf) {
      for (const { event, at, text } of waiting.splice(0)) write(event, text ?? textOf(await bytesOf(at)))
      await output.flush()
      return true
    }
  }
  const log = await readLog(source, visitor).finally(async () => {
    // Also of a log that could not be read to its end.
    events?.end()
    await output.flush()
  })
  progress.end()
  const exit = sayNotes(log, environment)
  if (redactor !== null) sayRedacted(redactor, environment)
  return { what: `${log.events} events`, exit }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
