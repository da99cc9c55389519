import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ListedSecret } from '#contract/exports.ts'
import type { Params, Result } from '#contract/methods.ts'
import { SharedRun } from '#contract/shared-page.ts'
import { EventSet } from '#core/export/event-set.ts'
import type { Bookmark } from '#core/replay/review.ts'
import { type Backend, createBackend } from '../handlers.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { claudeFolderRun, codexRun } from '../../../test/invented-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-exports-'))
afterAll(() => rmSync(folder, { recursive: true }))
for (const name of ['page.js', 'page.css', 'thread.js']) writeFileSync(join(folder, name), '')

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
const other = `ghp_${'zB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
const init = { type: 'system', subtype: 'init', cwd: '/w', session_id: 's', tools: [], model: 'm', uuid: 'u' }
const say = (text: string) => ({
  type: 'assistant',
  message: { id: text, role: 'assistant', content: [{ type: 'text', text }] },
  parent_tool_use_id: null,
  session_id: 's'
})
const path = join(folder, 'run.jsonl')
const records = [init, say(`one ${token}`), say(`two ${other}`), say(`three ${token}`)]
const text = `${records.map((record) => JSON.stringify(record)).join('\n')}\n`
writeFileSync(path, text)

const bookmark = (line: number, note: string): Bookmark => ({
  id: `b${line}`,
  note,
  place: { file: null, line, ordinal: 0, kind: 'assistant', time: null, text: `the text of line ${line}` }
})

let backend: Backend
let savedTo: string | null = null
let asked: string[] = []
const bookmarks = [bookmark(2, 'why this'), bookmark(4, `with ${token}`)]
function start(withDialog = false): Backend {
  return createBackend({
    createWorker,
    facts: {
      ...{ host: 'browser', version: '1.2.3', sample: null, drops: null, pageParts: folder },
      ...(withDialog ? { saveDialog: async (name) => (asked.push(name), savedTo) } : {})
    },
    reviews: {
      get: async () => ({ bookmarks, breakpoints: [] }),
      change: async (_, change) => change({ bookmarks, breakpoints: [] })
    },
    notify() {},
    now: () => 42
  })
}
beforeEach(() => {
  asked = []
  backend = start()
})
afterEach(() => backend.close())

interface Asked extends Partial<Omit<Params<'export.start'>, 'log' | 'events'>> {
  readonly of?: string
  readonly events?: readonly number[]
}

async function begun({ of = path, events, ...how }: Asked): Promise<Result<'export.start'>> {
  const { log } = await backend.handlers['log.open']({ path: of })
  // Which files it has is known by then.
  await vi.waitUntil(async () => (await backend.handlers['log.status']({ log })).phase !== 'reading', 20_000)
  const set = new EventSet(100)
  for (const seq of events ?? []) set.add(seq)
  return await backend.handlers['export.start']({
    ...{ log, form: 'jsonl', redact: true, keep: [], bookmarks: false, preview: false },
    ...how,
    events: events === undefined ? null : set.toText()
  })
}

interface Made {
  readonly name: string
  readonly bytes: Buffer
  readonly text: string
  readonly secrets: readonly ListedSecret[]
}

async function exported(how: Asked): Promise<Made> {
  const { export: id, name } = await begun(how)
  const pieces: Buffer[] = []
  for (;;) {
    const step = await backend.handlers['export.next']({ export: id ?? '' })
    pieces.push(Buffer.from(step.bytes))
    if (!step.done) continue
    const bytes = Buffer.concat(pieces)
    return { name, bytes, text: bytes.toString(), secrets: step.secrets }
  }
}

const textsOf = (jsonl: string): unknown[] =>
  jsonl
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { text?: string }).text)

const redacted = '[redacted: GitHub token]'

describe('exports of an open log', () => {
  test('contain only the chosen events', async () => {
    expect(textsOf((await exported({ events: [1, 3] })).text)).toEqual([`one ${redacted}`, `three ${redacted}`])
    expect(textsOf((await exported({})).text)).toEqual([
      undefined,
      `one ${redacted}`,
      `two ${redacted}`,
      `three ${redacted}`
    ])
  })

  test('list masked secrets, and keep the chosen ones', async () => {
    const { text: nothing, secrets } = await exported({ preview: true })
    expect(nothing).toBe('')
    expect(secrets.map(({ id: _id, ...secret }) => secret)).toEqual([
      { kind: 'GitHub token', masked: 'ghp_••••••', count: 2, place: { file: null, line: 2 } },
      { kind: 'GitHub token', masked: 'ghp_••••••', count: 1, place: { file: null, line: 3 } }
    ])
    expect(JSON.stringify(secrets)).not.toContain(token.slice(4))
    const keep = [secrets[1]?.id ?? '']
    for (const form of ['jsonl', 'md', 'raw'] as const) {
      const { text: made } = await exported({ form, keep })
      expect([form, made.includes(token), made.includes(other)]).toEqual([form, false, true])
    }
    expect((await exported({ redact: false })).text).toContain(token)
    expect((await exported({ events: [2], preview: true })).secrets).toHaveLength(1)
  })

  test('have redacted bookmarks if requested', async () => {
    const notes = async (how: Asked) =>
      (await exported(how)).text
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { bookmark?: unknown }).bookmark)
    expect(await notes({ bookmarks: true })).toEqual([
      undefined,
      { note: 'why this' },
      undefined,
      { note: `with ${redacted}` }
    ])
    expect(await notes({})).toEqual([undefined, undefined, undefined, undefined])
    const report = (await exported({ form: 'md', bookmarks: true, events: [1, 2] })).text
    expect(report).toContain('## Bookmarks')
    expect(report).toContain('why this')
    expect(report).not.toContain('with ')
    expect((await exported({ form: 'md' })).text).not.toContain('## Bookmarks')
  })

  test('a page of a part has its events, with bookmarks at their new places', async () => {
    const { text: html } = await exported({ form: 'html', events: [2, 3], bookmarks: true })
    const facts = /id="playhead-facts">([^<]*)</.exec(html)?.[1] ?? ''
    const run = SharedRun.parse(JSON.parse(facts))
    expect(run).toMatchObject({ format: 'normalized', shared: { part: { events: 2, of: 4 } } })
    expect(run.bookmarks?.map(({ note, place }) => [note, place.line])).toEqual([[`with ${redacted}`, 2]])
    const packed = /data-file="0">([^<]*)</.exec(html)?.[1] ?? ''
    expect(textsOf(gunzipSync(Buffer.from(packed, 'base64')).toString())).toEqual([
      `two ${redacted}`,
      `three ${redacted}`
    ])
    const whole = (await exported({ form: 'html', bookmarks: true })).text
    const wholeRun = SharedRun.parse(JSON.parse(/id="playhead-facts">([^<]*)</.exec(whole)?.[1] ?? ''))
    expect(wholeRun.bookmarks?.map(({ place }) => place.line)).toEqual([2, 4])
    expect(wholeRun.shared.part).toBeUndefined()
  })

  test('the raw log is the file itself, or the lines of the events', async () => {
    expect((await exported({ form: 'raw', redact: false })).text).toBe(text)
    expect((await exported({ form: 'raw' })).text).toBe(text.replaceAll(token, redacted).replaceAll(other, redacted))
    const lines = text.split('\n')
    expect((await exported({ form: 'raw', redact: false, events: [1, 3] })).text).toBe(`${lines[1]}\n${lines[3]}\n`)
  })

  test('the raw log of a session with subagents is a zip archive of all its files', async () => {
    for (const makeRun of [claudeFolderRun, codexRun]) {
      const root = mkdtempSync(join(folder, 'run-'))
      const main = makeRun(root)
      const { name, bytes } = await exported({ of: main, form: 'raw', redact: false })
      expect(name).toBe(`${basename(main, '.jsonl')}.zip`)
      const files = filesOfZip(bytes)
      expect(files.size).toBe(3)
      const top = makeRun === codexRun ? join(root, 'sessions/2026/01') : root
      for (const [file, held] of files) expect(held).toEqual(readFileSync(join(top, file)))
    }
    const secret = claudeFolderRun(mkdtempSync(join(folder, 'run-')))
    appendFileSync(join(dirname(secret), 'session-1/subagents/agent-aaa.jsonl'), `{"text":"${token}"}\n`)
    const { bytes, secrets } = await exported({ of: secret, form: 'raw' })
    const texts = [...filesOfZip(bytes).values()].join('')
    expect([texts.includes(token), texts.includes(redacted), secrets.length]).toEqual([false, true, 1])
    expect((await exported({ of: secret, form: 'raw', events: [0] })).name).toBe('session-1.part.copy.jsonl')
  })

  test('end on request or when done, and are unknown after that', async () => {
    const id = (await begun({})).export ?? ''
    await backend.handlers['export.end']({ export: id })
    await expect(backend.handlers['export.next']({ export: id })).rejects.toThrow('has ended')
    await backend.handlers['export.end']({ export: id })
  })

  test('fail with a reason', async () => {
    const { log } = await backend.handlers['log.open']({ path: gone() })
    rmSync(join(folder, 'gone.jsonl'))
    const how = { log, form: 'jsonl' as const, events: null, redact: false, keep: [], bookmarks: false, preview: false }
    const { export: id } = await backend.handlers['export.start'](how)
    // The first pieces may be empty: on a busy machine the file is opened later.
    const all = async (): Promise<void> => {
      for (;;) await backend.handlers['export.next']({ export: id ?? '' })
    }
    await expect(all()).rejects.toThrow('does not exist')
  })
})

/** As programs read an archive: by the directory at its end. */
function filesOfZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.subarray(-22)
  expect(end.readUInt32LE(0)).toBe(0x06054b50)
  const files = new Map<string, Buffer>()
  let at = end.readUInt32LE(16)
  for (let count = end.readUInt16LE(10); count > 0; count--) {
    const [crc, packed, size] = [16, 20, 24].map((field) => zip.readUInt32LE(at + field))
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString()
    const start = zip.readUInt32LE(at + 42) + 30 + nameLength
    const bytes = inflateRawSync(zip.subarray(start, start + (packed ?? 0)))
    expect([bytes.length, crc32(bytes)]).toEqual([size, crc])
    files.set(name, bytes)
    at += 46 + nameLength
  }
  return files
}

function gone(): string {
  writeFileSync(join(folder, 'gone.jsonl'), text)
  return join(folder, 'gone.jsonl')
}

describe('a host with save dialogs', () => {
  beforeEach(async () => {
    await backend.close()
    backend = start(true)
  })

  test('writes to the chosen path, without bytes for the page', async () => {
    savedTo = join(folder, 'saved.jsonl')
    expect((await exported({ events: [1] })).text).toBe('')
    expect(asked).toEqual(['run.part.events.jsonl'])
    expect(textsOf(readFileSync(savedTo, 'utf8'))).toEqual([`one ${redacted}`])
  })

  test('writes nothing if cancelled, and shows no dialog for a preview', async () => {
    savedTo = null
    expect((await begun({ form: 'md' })).export).toBeNull()
    expect(asked).toEqual(['run.md'])
    expect((await exported({ preview: true })).secrets).toHaveLength(2)
    expect(asked).toEqual(['run.md'])
  })

  test('never writes to the log itself', async () => {
    savedTo = path
    await expect(begun({})).rejects.toThrow('is the log itself')
    expect(readFileSync(path, 'utf8')).toBe(text)
  })

  test('leaves no part of a cancelled export, and keeps the old file', async () => {
    const of = join(folder, 'large.jsonl')
    writeFileSync(of, `${JSON.stringify(say('x'.repeat(1000)))}\n`.repeat(8000))
    savedTo = join(folder, 'half.jsonl')
    const written = (): number[] =>
      readdirSync(folder)
        .filter((name) => name.includes('half'))
        .map((name) => statSync(join(folder, name)).size)
    for (const before of [null, 'the last export']) {
      if (before !== null) writeFileSync(savedTo, before)
      const id = (await begun({ of })).export ?? ''
      while (!written().some((size) => size > 1000))
        expect((await backend.handlers['export.next']({ export: id })).done).toBe(false)
      await backend.handlers['export.end']({ export: id })
      expect(written()).toEqual(before === null ? [] : [before.length])
    }
  })
})
