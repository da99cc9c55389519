import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { type LogStatus, methods, type Notice, type NoticeName } from '#contract/methods.ts'
import { claudeFolderRun } from '../../test/invented-runs.ts'
import { inventedRollout } from '../../test/invented-rollout.ts'
import { createWorker } from './indexer/create-worker.ts'
import { OpenLogs } from './open-logs.ts'

/** What is seen of logs that let go of their threads: nothing. */

const folder = mkdtempSync(join(tmpdir(), 'playhead-released-'))
afterAll(() => rmSync(folder, { recursive: true }))

let logs: OpenLogs
let statuses: LogStatus[]
afterEach(async () => await logs.closeAll())

function start(maxThreads: number): void {
  statuses = []
  const notify = <N extends NoticeName>(name: N, payload: Notice<N>): void => {
    if (name === 'log.progress') statuses.push(payload as LogStatus)
  }
  logs = new OpenLogs({ createWorker, cache: null, maxThreads, notify, onStatus: () => {} })
}

let files = 0
function pathOf(text: string, name = 'run.jsonl'): string {
  const path = join(folder, String(files++), name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const said = (text: string): string =>
  `${JSON.stringify({ type: 'assistant', message: { id: `m ${text}`, role: 'assistant', model: 'm', content: [{ type: 'text', text }] }, parent_tool_use_id: null, session_id: 's' })}\n`

async function until(log: string, wanted: (status: LogStatus) => boolean): Promise<LogStatus> {
  return await vi.waitFor(
    () => {
      const status = logs.list().find((one) => one.log === log)
      if (status === undefined || !wanted(status)) throw new Error(`not yet: ${JSON.stringify(status)}`)
      return status
    },
    { timeout: 60_000, interval: 5 }
  )
}

async function opened(path: string): Promise<LogStatus> {
  const { log } = await logs.open(path, null)
  return await until(log, ({ phase }) => phase !== 'reading')
}

async function textsOf(log: string): Promise<string[]> {
  const { rows } = logs.status(log)
  const asked = await logs.call('log.rows', { log, rows: Array.from({ length: rows }, (_, row) => row) })
  return methods['log.rows'].result.parse(asked).rows.map(({ text }) => text)
}

/** Has the log let go of its thread, by opening another one where only one may have any. */
async function released(path: string): Promise<LogStatus> {
  start(1)
  const status = await opened(path)
  const other = await opened(pathOf(said('another one')))
  await vi.waitFor(() => expect(logs.threads).toBe(1), { timeout: 60_000 })
  await logs.close(other.log)
  expect(logs.threads).toBe(0)
  statuses.length = 0
  return status
}

test('more logs than threads can be open, and each answers', async () => {
  start(2)
  const all: LogStatus[] = []
  for (const text of ['one', 'two', 'three', 'four', 'five']) all.push(await opened(pathOf(said(text))))
  await vi.waitFor(() => expect(logs.threads).toBe(2), { timeout: 60_000 })
  expect(logs.list()).toEqual(all)
  const texts = await Promise.all(all.map(async ({ log }) => await textsOf(log)))
  expect(texts).toEqual([['one'], ['two'], ['three'], ['four'], ['five']])
  await vi.waitFor(() => expect(logs.threads).toBe(2), { timeout: 60_000 })
  // Nobody has heard anything of it.
  expect(logs.list()).toEqual(all)
})

describe('a released log', () => {
  test('has the same generation and answers as before', async () => {
    const path = pathOf(said('one') + said('two').trimEnd())
    const before = await released(path)
    expect(await textsOf(before.log)).toEqual(['one', 'two'])
    const told = statuses.filter(({ log }) => log === before.log)
    expect(told.every((status) => JSON.stringify(status) === JSON.stringify(before))).toBe(true)
  })

  test('and so has a run of several files', async () => {
    const run = claudeFolderRun(mkdtempSync(join(folder, 'run-')))
    const before = await released(run)
    const texts = await textsOf(before.log)
    expect([texts.length, logs.status(before.log)]).toEqual([before.rows, before])
  })

  test('notices additions and continues', async () => {
    const path = pathOf(said('one'))
    const { log, rows } = await released(path)
    appendFileSync(path, said('two'))
    const grown = await until(log, (status) => status.rows > rows && status.phase === 'done')
    expect(grown).toMatchObject({ generation: 2, generationNote: null, fileState: 'there' })
    expect(grown.grownAt).toBeGreaterThan(0)
    expect(await textsOf(log)).toEqual(['one', 'two'])
    appendFileSync(path, said('three'))
    expect(await until(log, (status) => status.rows === 3)).toMatchObject({ generation: 2 })
  })

  test.each([
    ['replaced', (path: string) => renameSync(pathOf(said('new')), path), 'The file was replaced'],
    ['truncated', (path: string) => writeFileSync(path, said('n')), 'The file was truncated'],
    ['rewritten', (path: string) => writeFileSync(path, said('newer than before')), 'The file was rewritten']
  ])('says that its file was %s meanwhile', async (_, change, note) => {
    const path = pathOf(said('one and'))
    const { log } = await released(path)
    change(path)
    const now = await until(log, ({ generation, phase }) => generation > 1 && phase === 'done')
    expect(now).toMatchObject({ generation: 2, rows: 1, generationNote: expect.stringContaining(note) })
  })

  test('keeps its status if its file is gone, and returns with the file', async () => {
    const path = pathOf(said('one'))
    const before = await released(path)
    renameSync(path, `${path}.moved`)
    const gone = await until(before.log, ({ fileState }) => fileState === 'gone')
    expect(gone).toEqual({ ...before, fileState: 'gone' })
    await expect(textsOf(before.log)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('does not exist')
    })
    renameSync(`${path}.moved`, path)
    expect(await until(before.log, ({ fileState }) => fileState === 'there')).toEqual(before)
    expect(await textsOf(before.log)).toEqual(['one'])
  })

  test('takes turns with other growing logs', async () => {
    const path = pathOf(said('one'))
    start(1)
    const { log } = await opened(path)
    const { log: other } = await opened(pathOf(said('another')))
    await vi.waitFor(() => expect(logs.threads).toBe(1), { timeout: 60_000 })
    appendFileSync(path, said('two'))
    await until(log, ({ rows, phase }) => rows === 2 && phase === 'done')
    await vi.waitFor(() => expect(logs.threads).toBe(1), { timeout: 60_000 })
    expect(await textsOf(other)).toEqual(['another'])
  })

  test('can be closed, and opened again', async () => {
    const path = pathOf(said('one'))
    const { log } = await released(path)
    await logs.close(log)
    await expect(logs.call('log.rows', { log, rows: [0] })).rejects.toMatchObject({ code: 'not-open' })
    expect((await opened(path)).log).not.toBe(log)
  })
})

test('a log with hits of a search, or that is being read, keeps its thread', async () => {
  start(1)
  const { log } = await opened(pathOf(inventedRollout()))
  await logs.call('log.find', { log, text: 'a', regex: false, caseSensitive: false })
  const other = await opened(pathOf(said('another one')))
  await textsOf(other.log)
  expect(logs.threads).toBe(2)
  await logs.call('log.endFind', { log, find: 1 })
  await vi.waitFor(() => expect(logs.threads).toBe(1), { timeout: 60_000 })
})
