import { NormalizedLines } from '#core/export/normalized-jsonl.ts'
import type { WriteExport } from './export-request.ts'
import { readEvents } from './read-events.ts'

/** Normalized JSONL: one event a line, with its bookmark. */
export const writeJsonl: WriteExport = async (output, request) => {
  const lines = new NormalizedLines(output)
  const log = await readEvents(output, request, request.raw ? 'each' : 'none', (event, { raw, bookmark }) =>
    lines.write(event, raw, bookmark?.note)
  )
  return { ...log, what: `${log.exported} events` }
}
