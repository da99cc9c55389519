import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { RunAnalysis } from '#core/analysis/run-analysis.ts'
import { AtifDocument } from '#core/export/atif-document.ts'
import { ChromeTrace } from '#core/export/chrome-trace.ts'
import { OtlpSpans } from '#core/export/otlp-spans.ts'
import type { SessionWriter, WrittenSession } from '#core/export/session-writer.ts'
import type { SessionFormat } from '#core/formats/log-store.ts'
import { readIndex } from '../sources/read-index.ts'
import { Run } from '../sources/run.ts'
import type { Exported, ExportRequest, WriteExport } from './export-request.ts'
import { readEvents } from './read-events.ts'
import { Spool } from './spool.ts'

/** What a log says about itself, once its index is complete. */
export interface AnalyzedSession extends Omit<WrittenSession, 'out'> {
  /** How its format ends a session. */
  readonly ends: SessionFormat['ends']
}

/**
 * Writes a session by its events, once its index is complete: times, lanes and requests are those that the app shows. A
 * growing log is written as far as the first of the two passes read it. `flush` is called about once a MiB, and at the end.
 */
export async function writeSession<W extends SessionWriter>(
  request: ExportRequest,
  start: (session: AnalyzedSession) => W | Promise<W>,
  flush: () => Promise<void>
): Promise<Exported & { readonly writer: W }> {
  const { source, redactor, read, version } = request
  const run = await Run.open(source)
  const { format } = run
  const index = await readIndex(run, (bytes, all) => read(bytes, 2 * all), { findings: false }).finally(
    async () => await run.close()
  )
  const analysis = RunAnalysis.of(index)
  const name = basename(source.path)
  const clean = (text: string): string => redactor?.text(text) ?? text
  const { ends } = format.session ?? {}
  const writer = await start({ analysis, format: format.id, ends, name, clean, version })
  const both = { ...request, read: (bytes: number, all: number): void => read(all + bytes, 2 * all) }
  const log = await readEvents({ flush }, both, 'none', (event, { seq }) => {
    if (seq < index.rows.events) writer.event(event, seq)
  })
  writer.end()
  await flush()
  return { ...log, writer, what: `${log.exported} events` }
}

/** A trace for Perfetto, Firefox Profiler and speedscope. */
export const writeTrace: WriteExport = async (output, request) => {
  const log = await writeSession(
    request,
    (session) => new ChromeTrace({ ...session, out: output }),
    () => output.flush()
  )
  return { ...log, what: 'a trace' }
}

/** Spans of OpenTelemetry, one request of OTLP in JSON a line. `content`: with inputs and results of calls. */
export const otlpWriter =
  (content: boolean): WriteExport =>
  async (output, request) => {
    const send = (line: string): void => output.json(`${line}\n`)
    const log = await writeSession(
      request,
      (session) => new OtlpSpans({ ...session, content, hash: sha256, send }),
      () => output.flush()
    )
    if (log.writer.isEmpty) throw new HostError('unavailable', 'this log states no times, so it has no spans')
    return { ...log, what: 'spans' }
  }

/** A trajectory of the Agent Trajectory Interchange Format. Its subagents stand behind it, so they wait in a file. */
export const writeAtif: WriteExport = async (output, request) => {
  const spool = new Spool()
  try {
    const isPart = request.events !== null
    const log = await writeSession(
      request,
      (session) => new AtifDocument({ ...session, isPart, keep: (json) => spool.add(json) }),
      async () => {}
    )
    for (const part of log.writer.document()) {
      if (typeof part === 'string') output.json(part)
      else output.bytes(spool.read(part.piece))
      if (output.isFull) await output.flush()
    }
    await output.flush()
    return { ...log, what: 'a trajectory' }
  } finally {
    spool.close()
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
