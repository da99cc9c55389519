import { dirname, posix, sep } from 'node:path'
import { Run } from '../sources/run.ts'
import type { ExportRequest, WriteExport } from './export-request.ts'
import type { Output } from './output.ts'
import { readEvents } from './read-events.ts'
import { textOfFile } from './text-of-file.ts'
import { maxZipBytes, tooMuch, ZipArchive } from './zip-archive.ts'

const lineFeed = new Uint8Array([0x0a])

/** The log byte for byte, or redacted: the file, a zip archive of all files, or for a part its lines in timeline order. */
export const writeRaw: WriteExport = async (output, request) =>
  request.events === null ? await writeFiles(output, request) : await writeLines(output, request)

async function writeFiles(output: Output, { source, redactor, read }: ExportRequest): ReturnType<WriteExport> {
  const run = await Run.open(source)
  try {
    let bytes = 0
    let all = 0
    for (const file of run.files) all += await file.source.size()
    async function* text(file: Run['main']): AsyncGenerator<Uint8Array> {
      for await (const chunk of textOfFile(run, file, redactor)) {
        bytes += chunk.length
        read(bytes, Math.max(bytes, all))
        yield chunk
      }
    }
    if (source.single) await writeFile(output, text(run.main))
    else {
      if (all > maxZipBytes) throw tooMuch()
      const archive = new ZipArchive(output)
      const names = namesIn(run).map((name) => redactor?.text(name) ?? name)
      for (const [i, file] of run.files.entries()) await archive.add(names[i] ?? '', text(file))
      await archive.end()
    }
    return { note: null, notes: run.notes, unread: run.unread, what: 'the log' }
  } finally {
    await run.close()
  }
}

async function writeFile(output: Output, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of chunks) {
    output.bytes(chunk)
    await output.flush()
  }
}

async function writeLines(output: Output, request: ExportRequest): ReturnType<WriteExport> {
  const encoder = new TextEncoder()
  const log = await readEvents(output, request, 'once', (_event, { raw = '' }) => {
    // A record of a document may have several lines; line ends outside strings are white space.
    output.bytes(encoder.encode(raw.replace(/[\r\n]+/g, ' ')))
    output.bytes(lineFeed)
  })
  return { ...log, what: `${log.exported} lines` }
}

/** Paths relative to the common folder of the run's files, which are written unpacked. */
function namesIn({ main, files }: Run): string[] {
  const names = files.map(({ name, source }) => (name ?? main.source.name).replace(source.packed ? /\.zst$/i : '', ''))
  const up = Math.max(...names.map((name) => name.split('/').filter((part) => part === '..').length))
  const above = up === 0 ? [] : dirname(main.source.path).split(sep).slice(-up)
  return names.map((name) => posix.join(...above, name))
}
