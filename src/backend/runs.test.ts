import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LogStatus, methods } from '#contract/methods.ts'
import { at, claudeBesideRun, claudeFolderRun, codexRun, geminiRun, write } from '../../test/invented-runs.ts'
import { inventedRollout } from '../../test/invented-rollout.ts'
import { FoundRows } from '../../test/found-rows.ts'
import { type Backend, createBackend } from './handlers.ts'
import { createWorker } from './indexer/create-worker.ts'
import { readLog } from './sources/read-log.ts'

/** What the page sees of runs in several files, of documents and of compressed logs. */

const folder = mkdtempSync(join(tmpdir(), 'playhead-page-runs-'))
afterAll(() => rmSync(folder, { recursive: true }))

let root: string
let backend: Backend
let found: FoundRows
beforeEach(() => {
  root = mkdtempSync(join(folder, 'run-'))
  found = new FoundRows()
  backend = createBackend({
    createWorker,
    facts: { host: 'browser', version: '1', sample: null, drops: null },
    notify(name, payload) {
      if (name === 'log.progress') LogStatus.parse(payload)
      found.onNotice(name, payload)
    }
  })
})
afterEach(() => backend.close())

const find = (log: string, text: string) => found.search(backend, { log, text, regex: false, caseSensitive: true })

async function opened(path: string): Promise<LogStatus> {
  const { log } = await backend.handlers['log.open']({ path })
  for (;;) {
    const status = await backend.handlers['log.status']({ log })
    if (status.phase !== 'reading') return status
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

/** Every row: which file it is from, its line, and what the timeline says. */
async function rowsOf({ log, rows, files }: LogStatus): Promise<[file: string | null, line: number, text: string][]> {
  const columns = methods['log.columns'].result.parse(
    await backend.handlers['log.columns']({ log, from: 0, count: 400 })
  )
  const numbers = Array.from({ length: rows }, (_, row) => row)
  const summaries = await backend.handlers['log.rows']({ log, rows: numbers })
  const file = new Uint16Array(columns.file)
  const line = new Uint32Array(columns.line)
  return summaries.rows.map(({ row, text }) => [files[(file[row] ?? 0) - 1]?.name ?? null, line[row] ?? 0, text])
}

describe('a run in several files', () => {
  test('is one timeline in which each row has its file', async () => {
    const status = await opened(claudeFolderRun(root))
    const [white, black] = ['session-1/subagents/agent-aaa.jsonl', 'session-1/subagents/workflows/w1/agent-bbb.jsonl']
    expect(status).toMatchObject({ phase: 'done', lines: 6, notes: [], tracks: [{}, {}, {}] })
    expect(status.files.map(({ name, bytes, bytesRead, lines }) => [name, bytes === bytesRead, lines])).toEqual([
      [white, true, 3],
      [black, true, 2]
    ])
    const rows = await rowsOf(status)
    expect(rows.filter(([file, , text]) => file !== null && text !== '').map(([file, line]) => [file, line])).toEqual([
      [white, 1],
      [black, 1],
      [white, 2],
      [black, 2],
      [white, 3]
    ])
    const row = rows.findIndex(([file, line]) => file === black && line === 2)
    const { event } = await backend.handlers['log.event']({ log: status.log, row, limit: 1000 })
    expect(event).toMatchObject({ type: 'text', text: 'Three black ones.', trackId: 'call-b', source: { file: black } })
    const raw = methods['log.raw'].result.parse(
      await backend.handlers['log.raw']({ log: status.log, row, from: 0, count: 10_000 })
    )
    expect(raw).toMatchObject({ file: black, line: 2 })
    expect(Buffer.from(raw.bytes).toString()).toBe(readFileSync(join(root, black), 'utf8').split('\n')[1])
  })

  test('gives the page the same events as the command line, in the same order', async () => {
    for (const layout of [claudeFolderRun, claudeBesideRun, codexRun, geminiRun]) {
      const path = layout(mkdtempSync(join(folder, 'same-')))
      const exported: unknown[] = []
      await readLog({ path, format: null, single: false }, { event: (event) => void exported.push(event) })
      const { log, rows, events } = await opened(path)
      const shown: unknown[] = []
      for (let row = 0; row < rows; row++) {
        const { event } = await backend.handlers['log.event']({ log, row, limit: 100_000 })
        if (event) shown.push(event)
      }
      expect([events, shown]).toEqual([exported.length, exported])
    }
  })

  test('is searched in all its files', async () => {
    const { log, ...status } = await opened(claudeFolderRun(root))
    const rows = await rowsOf({ log, ...status })
    const placesOf = async (text: string) => (await find(log, text)).map((row) => rows[row]?.slice(0, 2))
    expect(await placesOf('Three black')).toEqual([['session-1/subagents/workflows/w1/agent-bbb.jsonl', 2]])
    expect(await placesOf('nine')).toEqual([[null, 6]])
    expect(await placesOf('three geese')).toEqual([])
  })

  test('names the files of issues and the files that are not shown', async () => {
    const path = claudeBesideRun(root)
    write(root, 'agent-aaa.jsonl', `${readFileSync(join(root, 'agent-aaa.jsonl'), 'utf8')}cut {`)
    const { log, notes, issues } = await opened(path)
    expect([notes, issues.malformed]).toEqual([['3 warm-up agents not shown'], 1])
    const listed = methods['log.issues'].result.parse(await backend.handlers['log.issues']({ log, from: 0, count: 9 }))
    expect(listed.issues).toMatchObject([{ file: 'agent-aaa.jsonl', line: 4, code: 'JsonParse' }])
  })
})

describe('a document', () => {
  test('has a row for each record, also with many records on a line', async () => {
    const path = geminiRun(root)
    const document = JSON.stringify(JSON.parse(readFileSync(path, 'utf8')))
    writeFileSync(path, document.replace('{', '{\n'))
    const status = await opened(path)
    expect(status).toMatchObject({ phase: 'done', format: 'gemini-chat', lines: 2 })
    const rows = await rowsOf(status)
    const own = rows.filter(([file]) => file === null)
    expect(own.map(([, line]) => line)).toEqual([2, 2, 2])
    const [row, ...more] = await find(status.log, 'There are')
    expect([rows[row ?? -1]?.[2], more]).toEqual(['There are nine.', []])
    const raw = await backend.handlers['log.raw']({ log: status.log, row: row ?? -1, from: 0, count: 1000 })
    expect(JSON.parse(Buffer.from(raw.bytes).toString())).toMatchObject({ id: 'm2', timestamp: at(8) })
  })
})

describe('a text in parts', () => {
  test('is shown whole, from all its lines', async () => {
    const piece = (content: string) => ({ type: 'message', timestamp: at(1), role: 'assistant', content, delta: true })
    const records = [
      { type: 'init', timestamp: at(0), session_id: 's', model: 'm-1' },
      ...Array.from({ length: 3000 }, (_, i) => piece(`piece ${i} ☕ `)),
      { type: 'result', timestamp: at(2), status: 'success', stats: {} }
    ]
    const path = write(root, 'log.jsonl', records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const status = await opened(path)
    const whole = records.map((record) => ('content' in record ? record.content : '')).join('')
    const { event } = await backend.handlers['log.event']({ log: status.log, row: 1, limit: 1_000_000 })
    expect(event).toMatchObject({ type: 'text', text: whole })
    const [, second] = await rowsOf({ ...status, rows: 3 })
    expect(second?.[2].startsWith('piece 0 ☕ piece 1 ☕ piece 2')).toBe(true)
  })
})

describe('a compressed log', () => {
  const packed = readFileSync(join(import.meta.dirname, '../../test/fixtures/compressed/rollout.jsonl.zst'))
  const lines = inventedRollout().split('\n')

  test('is shown as its text', async () => {
    const status = await opened(write(root, 'rollout-1.jsonl.zst', packed))
    const bytes = Buffer.byteLength(inventedRollout())
    expect(status).toMatchObject({ phase: 'done', format: 'codex-rollout', lines: 1602, bytes, bytesRead: bytes })
    const { log } = status
    const raw = await backend.handlers['log.raw']({ log, row: 1000, from: 0, count: 10_000 })
    expect(Buffer.from(raw.bytes).toString()).toBe(lines[raw.line - 1])
    expect(await find(log, 'flock-777.txt')).toHaveLength(1)
  })

  test('that is truncated shows its readable part and the reason', async () => {
    const status = await opened(write(root, 'rollout-1.jsonl.zst', packed.subarray(0, packed.length - 10)))
    expect(status).toMatchObject({
      phase: 'failed',
      format: 'codex-rollout',
      error: { code: 'unavailable', message: expect.stringMatching(/it ends too early/) }
    })
    expect(status.lines).toBeGreaterThan(1000)
    expect((await backend.handlers['log.rows']({ log: status.log, rows: [500] })).rows).toHaveLength(1)
    expect(await find(status.log, 'flock-77.txt')).toHaveLength(1)
  })

  test('belongs to a run like any other', async () => {
    const path = codexRun(root)
    const child = inventedRollout().replace('"thread-1",', '"thread-1","parent_thread_id":"parent",')
    expect(child).toContain('"parent_thread_id":"parent"')
    write(root, 'sessions/2026/01/05/rollout-2026-01-05T09-00-03-x.jsonl', child)
    write(root, 'sessions/2026/01/05/rollout-2026-01-05T09-00-03-x.jsonl.zst', packed)
    const { files, notes } = await opened(path)
    expect(files.map(({ name }) => name)).toContain('rollout-2026-01-05T09-00-03-x.jsonl')
    expect(files).toHaveLength(3)
    expect(notes).toEqual(['1 duplicate file of this session not shown'])
  })
})
