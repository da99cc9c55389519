import { Run } from '../sources/run.ts'
import type { ExportRequest, WriteExport } from './export-request.ts'
import type { Output } from './output.ts'
import { readEvents } from './read-events.ts'
import { textOfFile } from './text-of-file.ts'

const lineFeed = new Uint8Array([0x0a])

/**
 * The log as its agent wrote it. Whole, it is the main file, byte for byte where nothing is redacted. Of some events it is their lines, each
 * once, in the order of the timeline, those of subagents among them.
 */
export const writeRaw: WriteExport = async (output, request) =>
  request.events === null ? await writeFile(output, request) : await writeLines(output, request)

async function writeFile(output: Output, { source, redactor, read }: ExportRequest): ReturnType<WriteExport> {
  const run = await Run.open(source)
  try {
    let bytes = 0
    for await (const chunk of textOfFile(run, run.main, redactor)) {
      output.bytes(chunk)
      bytes += chunk.length
      read(bytes, Math.max(bytes, await run.main.source.size()))
      await output.flush()
    }
    return { note: null, notes: run.notes, unread: [], what: 'the log' }
  } finally {
    await run.close()
  }
}

async function writeLines(output: Output, request: ExportRequest): ReturnType<WriteExport> {
  const encoder = new TextEncoder()
  const log = await readEvents(output, request, 'once', (_event, raw = '') => {
    // A record of a document may stand on several lines; outside of its strings a line end is but a blank.
    output.bytes(encoder.encode(raw.replace(/[\r\n]+/g, ' ')))
    output.bytes(lineFeed)
  })
  return { ...log, what: `${log.exported} lines` }
}
