import type { AgentEvent } from '#core/events/agent-event.ts'
import { NormalizedLines } from '#core/export/normalized-jsonl.ts'
import type { LinePosition } from '#core/formats/log-format.ts'
import { type LogVisitor, readLog } from '#backend/sources/read-log.ts'
import { sayNotes } from './check.ts'
import type { WriteExport } from './export-target.ts'
import { keepMemorySteady } from './steady-memory.ts'

/** An event whose turn has not come: its line, or that of one before it, has to be read again. */
interface Waiting {
  readonly event: AgentEvent
  readonly at: LinePosition
  /** Of its line; null where it is to be read. */
  readonly text: string | null
}

/** Normalized JSONL. One thread does it all: to write what others have decoded would take longer. */
export const exportJsonl: WriteExport = async (output, { source, raw, progress }, environment) => {
  keepMemorySteady()
  const lines = new NormalizedLines(output)
  const waiting: Waiting[] = []
  const visitor: LogVisitor = {
    event(event, _seq, { at }, line) {
      if (!raw) {
        lines.write(event)
        return
      }
      const text = line?.at.offset === at.offset && line.at.file === at.file ? line.text : null
      if (text === null || waiting.length > 0) waiting.push({ event, at, text })
      else lines.write(event, text)
    },
    read: (bytes, all) => progress.at(bytes, all),
    async pause(bytesOf) {
      for (const { event, at, text } of waiting.splice(0)) lines.write(event, text ?? textOf(await bytesOf(at)))
      await output.flush()
      return true
    }
  }
  const log = await readLog(source, visitor)
  progress.end()
  return { what: `${log.events} events`, exit: sayNotes(log, environment) }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
