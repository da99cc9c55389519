import { createHash } from 'node:crypto'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { NormalizedLines } from '#core/export/normalized-jsonl.ts'
import { headBytes } from '#core/formats/head.ts'
import { normalized } from '#core/formats/normalized.ts'
import type { Bookmark } from '#core/replay/review.ts'
import { HostError } from '#contract/host-error.ts'
import { sharedPage, type SharedRun } from '#contract/shared-page.ts'
import { Run } from '../sources/run.ts'
import { BookmarkNotes } from './bookmark-notes.ts'
import type { Exported, ExportRequest, WriteExport } from './export-request.ts'
import { Output } from './output.ts'
import type { PageParts } from './page-parts.ts'
import { readEvents } from './read-events.ts'
import { textOfFile } from './text-of-file.ts'

/** Compressed bytes in one element: small, for a responsive page, and a multiple of three, so base64 has no padding. */
const elementBytes = 3 << 18

export interface PageOptions {
  readonly parts: PageParts
  /** Milliseconds since the epoch. */
  readonly now: number
  /** A run with more bytes of text is refused; absent: more than opens well in a browser. */
  readonly maxBytes?: number
}

/** More text than that does not open well in a browser. */
const defaultMaxBytes = 512 << 20

/** Writes a page that contains the run and works offline. A part is normalized: single lines would mean something else. */
export function pageWriter({ parts, now, maxBytes = defaultMaxBytes }: PageOptions): WriteExport {
  return async (output, request) => {
    const { source, redactor, events, prices, version } = request
    const run = await Run.open(source)
    try {
      if (redactor !== null) await refuseBinary(run)
      const name = redactor?.text(run.main.source.name) ?? run.main.source.name
      output.write(head(name, parts))
      const { held, part, ...log } =
        events === null
          ? await writeRun(output, request, run, maxBytes)
          : await writePart(output, request, run, maxBytes)
      const redacted = redactor && [...redactor.counts].map(([kind, count]) => ({ kind, count }))
      const shared = { exportedAt: now, redacted, ...(part === null ? {} : { part }) }
      output.write(tail({ version, name, ...held, shared, ...(prices === null ? {} : { prices }) }, parts))
      await output.flush()
      return { ...log, what: `the page of ${name}` }
    } finally {
      await run.close()
    }
  }
}

interface Held extends Omit<Exported, 'what'> {
  readonly held: Omit<SharedRun, 'version' | 'name' | 'shared' | 'prices'>
  readonly part: SharedRun['shared']['part'] | null
}

async function writeRun(output: Output, request: ExportRequest, run: Run, maxBytes: number): Promise<Held> {
  const { redactor, bookmarks, read } = request
  const clean = (text: string): string => redactor?.text(text) ?? text
  // Fails before reading if possible; the size of a compressed log is a guess.
  const sizes = await Promise.all(run.files.map(({ source }) => source.size()))
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0)
  if (!run.files.some(({ source }) => source.packed)) new ByteLimit(maxBytes).take(size)
  const files: SharedRun['files'] = []
  const limit = new ByteLimit(maxBytes, (bytes) => read(bytes, size))
  for (const [number, file] of run.files.entries()) {
    const bytes = await writeFile(output, number, textOfFile(run, file, redactor), limit)
    const { name, callId } = run.found.files.find((found) => found.name === file.name) ?? {}
    const framing = run.framingOf(file.name)
    files.push({
      framing,
      bytes,
      ...(name === undefined ? {} : { name: clean(name) }),
      ...(callId === undefined ? {} : { callId: clean(callId) })
    })
  }
  const { format, note } = run.chosen
  const marks = new BookmarkNotes(bookmarks, redactor).all
  const held = { format: format.id, formatNote: note, notes: run.notes.map(clean), files, ...noted(marks) }
  return { held, part: null, note, notes: run.notes, unread: run.unread }
}

async function writePart(output: Output, request: ExportRequest, run: Run, maxBytes: number): Promise<Held> {
  const texts = new PassThrough()
  const text = new Output(texts)
  const lines = new NormalizedLines(text)
  const marks: Bookmark[] = []
  let line = 0
  const reading = readEvents(text, request, 'none', (event, { bookmark }) => {
    line++
    lines.write(event)
    if (bookmark !== undefined) marks.push({ ...bookmark, place: { ...bookmark.place, file: null, line, ordinal: 0 } })
  }).finally(() => texts.end())
  const [log, bytes] = await Promise.all([reading, writeFile(output, 0, texts, new ByteLimit(maxBytes))])
  const clean = log.notes.map((note) => request.redactor?.text(note) ?? note)
  const files: SharedRun['files'] = [{ framing: 'lines', bytes }]
  const held = { format: normalized.id, formatNote: null, notes: clean, files, ...noted(marks) }
  return {
    held,
    part: { events: log.exported, of: log.events },
    ...{ note: run.chosen.note, notes: log.notes, unread: log.unread }
  }
}

function noted(bookmarks: readonly Bookmark[]): Pick<SharedRun, 'bookmarks'> {
  return bookmarks.length === 0 ? {} : { bookmarks: [...bookmarks] }
}

function head(name: string, { page, style }: PageParts): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(page)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data: blob:',
    'font-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${sharedPage.threadPolicy}`
  ]
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}">`,
    '<meta name="viewport" content="width=device-width">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escaped(name)} · Playhead</title>`,
    `<style>${style}</style>`,
    '<div id="root"></div>',
    '<noscript>This page shows the run of a coding agent. It needs JavaScript.</noscript>',
    ''
  ].join('\n')
}

function tail(facts: SharedRun, { page, thread }: PageParts): string {
  const { facts: at, thread: code } = sharedPage
  return [
    `<script type="${at.type}" id="${at.id}">${JSON.stringify(facts).replaceAll('<', '\\u003c')}</script>`,
    `<script type="${code.type}" id="${code.id}">${thread}</script>`,
    `<script>${page}</script>`,
    ''
  ].join('\n')
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Throws a `HostError` for a binary file, whose secrets cannot be found. */
async function refuseBinary({ chosen, main }: Run): Promise<void> {
  if (chosen.note === null || !(await main.source.read(0, headBytes)).includes(0)) return
  throw new HostError(
    'unavailable',
    'the file is binary, so secrets in it cannot be found. If it is compressed, unpack it first. To share it unchanged, add --no-redact'
  )
}

/** Limits the bytes of a page. */
class ByteLimit {
  readonly #maxBytes: number
  readonly #onTaken: (bytes: number) => void
  #used = 0

  constructor(maxBytes: number, onTaken: (bytes: number) => void = () => {}) {
    this.#maxBytes = maxBytes
    this.#onTaken = onTaken
  }

  /** Throws above the limit. */
  take(bytes: number): void {
    this.#used += bytes
    this.#onTaken(this.#used)
    if (this.#used <= this.#maxBytes) return
    throw new HostError(
      'unavailable',
      `the session has more than ${this.#maxBytes >> 20} MB of text, too much for one page. Leave out the files of its ` +
        'subagents with --single, write a report with --to md, or share the log itself'
    )
  }
}

/** Writes the elements of a file; returns its uncompressed bytes. */
async function writeFile(
  output: Output,
  number: number,
  chunks: AsyncIterable<Uint8Array>,
  limit: ByteLimit
): Promise<number> {
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      limit.take(chunk.length)
      bytes += chunk.length
      // Chunks are reused, and streams read ahead.
      yield Uint8Array.from(chunk)
    }
  }
  await pipeline(counted(), createGzip(), (packed) => writeElements(output, number, packed))
  return bytes
}

async function writeElements(output: Output, number: number, packed: AsyncIterable<Buffer>): Promise<void> {
  const { type, fileAttribute } = sharedPage.bytes
  let pieces: Buffer[] = []
  let filled = 0
  const write = async (bytes: Buffer): Promise<void> => {
    output.write(`<script type="${type}" ${fileAttribute}="${number}">${bytes.toString('base64')}</script>\n`)
    await output.flush()
  }
  for await (const piece of packed) {
    pieces.push(piece)
    filled += piece.length
    if (filled < elementBytes) continue
    const all = Buffer.concat(pieces)
    await write(all.subarray(0, elementBytes))
    pieces = [all.subarray(elementBytes)]
    filled -= elementBytes
  }
  if (filled > 0) await write(Buffer.concat(pieces))
}
