import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { NormalizedLines } from '#core/export/normalized-jsonl.ts'
import { terminalSafeText } from '#core/terminal-safe-text.ts'
import { headBytes } from '#core/formats/head.ts'
import { normalized } from '#core/formats/normalized.ts'
import type { Bookmark } from '#core/replay/review.ts'
import { HostError } from '#contract/host-error.ts'
import { sharedPage, type SharedRun } from '#contract/shared-page.ts'
import { Run } from '../sources/run.ts'
import { BookmarkNotes } from './bookmark-notes.ts'
import type { Exported, ExportRequest, WriteExport } from './export-request.ts'
import { Output } from './output.ts'
import { readEvents } from './read-events.ts'
import { textOfFile } from './text-of-file.ts'

/** Compressed bytes in one element: little enough to be read in passing, and a multiple of three, so that base64 needs no padding. */
const elementBytes = 3 << 18

/** The code and styles of the page, as they were built. */
export interface PageParts {
  readonly page: string
  readonly style: string
  readonly thread: string
}

/** What a page is made with. */
export interface PageOptions {
  readonly parts: PageParts
  /** Of Playhead. */
  readonly version: string
  /** The time, in ms since the epoch. */
  readonly now: number
  /** A run with more bytes of text is refused; absent: more than opens well in a browser. */
  readonly most?: number
}

/** More text than that does not open well in a browser. */
const maxBytes = 512 << 20

/** Reads the code of the page from the folder it was built into. */
export async function pageParts(folder: string): Promise<PageParts> {
  const part = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
  try {
    const [page, style, thread] = await Promise.all([part('page.js'), part('page.css'), part('thread.js')])
    return { page: inElement(page), style, thread: inElement(thread) }
  } catch {
    throw new HostError('unavailable', 'the page is not built; run npm run build in the folder of Playhead')
  }
}

/**
 * A page that holds the run: opened from a disk, it shows it as the app does, without a network. Of some events it holds these, normalized:
 * lines that are torn from their log would mean something else.
 */
export function pageWriter({ parts, version, now, most = maxBytes }: PageOptions): WriteExport {
  return async (output, request) => {
    const { source, redactor, events } = request
    const run = await Run.open(source)
    try {
      if (redactor !== null) await refuseBinary(run)
      const name = redactor?.text(run.main.source.name) ?? run.main.source.name
      output.write(head(name, parts))
      const { held, part, ...log } =
        events === null ? await writeRun(output, request, run, most) : await writePart(output, request, run, most)
      const redacted = redactor && [...redactor.counts].map(([kind, count]) => ({ kind, count }))
      const shared = { exportedAt: now, redacted, ...(part === null ? {} : { part }) }
      output.write(tail({ version, name, ...held, shared }, parts))
      await output.flush()
      return { ...log, what: `the page of ${name}` }
    } finally {
      await run.close()
    }
  }
}

/** What a page holds, once its files are written. */
interface Held extends Omit<Exported, 'what'> {
  readonly held: Omit<SharedRun, 'version' | 'name' | 'shared'>
  readonly part: SharedRun['shared']['part'] | null
}

async function writeRun(output: Output, request: ExportRequest, run: Run, most: number): Promise<Held> {
  const { redactor, bookmarks, read } = request
  const clean = (text: string): string => redactor?.text(text) ?? text
  // Said before all of it was read in vain, where it can be: of what is compressed the size is a guess.
  const sizes = await Promise.all(run.files.map(({ source }) => source.size()))
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0)
  if (!run.files.some(({ source }) => source.packed)) new Room(most).take(size)
  const files: SharedRun['files'] = []
  const room = new Room(most, (bytes) => read(bytes, size))
  for (const [number, file] of run.files.entries()) {
    const bytes = await writeFile(output, number, textOfFile(run, file, redactor), room)
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

async function writePart(output: Output, request: ExportRequest, run: Run, most: number): Promise<Held> {
  const texts = new PassThrough()
  const text = new Output(texts)
  const lines = new NormalizedLines(text)
  const marks: Bookmark[] = []
  let line = 0
  const reading = readEvents(text, request, 'none', (event, _raw, bookmark) => {
    line++
    lines.write(event)
    if (bookmark !== undefined) marks.push({ ...bookmark, place: { ...bookmark.place, file: null, line, ordinal: 0 } })
  }).finally(() => texts.end())
  const [log, bytes] = await Promise.all([reading, writeFile(output, 0, texts, new Room(most))])
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

/**
 * What would end a script element or begin a comment in it stands in strings and expressions, where it can be written otherwise; so does what
 * would steer a terminal, which would be escaped as it is written: the page's policy names the hash of what is written.
 */
function inElement(code: string): string {
  return terminalSafeText(code).replace(/<(?=\/script|!--)/gi, '\\x3c')
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

/** What is packed hides what it holds. Throws a `HostError` for a file that is no text. */
async function refuseBinary({ chosen, main }: Run): Promise<void> {
  if (chosen.note === null || !(await main.source.read(0, headBytes)).includes(0)) return
  throw new HostError(
    'unavailable',
    'the file is binary, so secrets in it cannot be found. If it is compressed, unpack it first. To share it unchanged, add --no-redact'
  )
}

/** How much more a page can hold. */
class Room {
  readonly #most: number
  readonly #onTaken: (bytes: number) => void
  #used = 0

  /** `onTaken` is told how much of it is in use. */
  constructor(most: number, onTaken: (bytes: number) => void = () => {}) {
    this.#most = most
    this.#onTaken = onTaken
  }

  /** Throws where there is no room for `bytes` more. */
  take(bytes: number): void {
    this.#used += bytes
    this.#onTaken(this.#used)
    if (this.#used <= this.#most) return
    throw new HostError(
      'unavailable',
      `the session has more than ${this.#most >> 20} MB of text, too much for one page. Leave out the files of its ` +
        'subagents with --single, write a report with --to md, or share the log itself'
    )
  }
}

/** Writes the elements of a file; gives how many bytes it has, not compressed. */
async function writeFile(
  output: Output,
  number: number,
  chunks: AsyncIterable<Uint8Array>,
  room: Room
): Promise<number> {
  let bytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      room.take(chunk.length)
      bytes += chunk.length
      // A chunk is valid until the next one is asked for, and a stream asks early.
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
