import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LogStatus } from '#contract/methods.ts'
import { claudeFolderRun, geminiRun } from '../../test/invented-runs.ts'
import { type Backend, createBackend } from './handlers.ts'
import { createWorker } from './indexer/create-worker.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-live-faults-'))
afterAll(() => fs.rmSync(root, { recursive: true }))

let folder = ''
let backend: Backend
let statuses: LogStatus[]

beforeEach(() => {
  folder = fs.mkdtempSync(join(root, 'of-'))
  statuses = []
  backend = createBackend({
    createWorker,
    facts: { host: 'browser', version: '1.2.3', sample: null, drops: '/drops' },
    notify(name, payload) {
      if (name === 'log.progress') statuses.push(LogStatus.parse(payload))
    }
  })
})
afterEach(() => backend.close())

const said = (text: string): string =>
  `${JSON.stringify({
    type: 'assistant',
    message: { id: `msg ${text}`, role: 'assistant', model: 'm', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
    session_id: 's',
    uuid: `u ${text}`
  })}\n`
const many = (word: string, count: number): string =>
  Array.from({ length: count }, (_, i) => said(`${word} ${i}`)).join('')

async function until(wanted: (status: LogStatus) => boolean): Promise<LogStatus> {
  return await vi.waitFor(
    () => {
      const status = statuses.at(-1)
      if (status === undefined || !wanted(status)) throw new Error(`not yet: ${JSON.stringify(status)}`)
      return status
    },
    { timeout: 60_000, interval: 5 }
  )
}

async function open(path: string): Promise<LogStatus> {
  await backend.handlers['log.open']({ path })
  return await until(({ phase }) => phase === 'done')
}

/** What all rows say. */
async function texts(log: string): Promise<string[]> {
  const { rows: count } = await backend.handlers['log.status']({ log })
  const { rows } = await backend.handlers['log.rows']({ log, rows: Array.from({ length: count }, (_, i) => i) })
  return rows.map((row) => JSON.stringify(row))
}

describe('an open log', () => {
  test('shows a file that is being rewritten only when it is complete', async () => {
    const path = join(folder, 'run.jsonl')
    fs.writeFileSync(path, many('old', 20))
    await open(path)
    const writer = fs.openSync(path, 'w')
    for (let i = 0; i < 100; i++) {
      fs.writeSync(writer, said(`new ${i}`))
      await new Promise((resume) => setTimeout(resume, 2))
    }
    fs.closeSync(writer)
    const { log } = await until(({ generation, rows }) => generation > 1 && rows === 100)
    expect((await texts(log)).every((text) => text.includes('new'))).toBe(true)
    for (const { generation, rows, issues } of statuses) {
      if (generation === 1) expect(rows).toBeLessThanOrEqual(20)
      expect(issues.malformed).toBe(0)
    }
    expect(statuses.at(-1)?.generationNote).toMatch(/read/)
  })

  test('follows its link, also to another file', async () => {
    const link = join(folder, 'latest.jsonl')
    fs.writeFileSync(join(folder, 'one.jsonl'), many('one', 2))
    fs.writeFileSync(join(folder, 'two.jsonl'), many('two', 3))
    fs.symlinkSync(join(folder, 'one.jsonl'), link)
    const first = await open(link)
    expect(first).toMatchObject({ rows: 2, path: join(folder, 'one.jsonl') })
    fs.symlinkSync(join(folder, 'two.jsonl'), `${link}.new`)
    fs.renameSync(`${link}.new`, link)
    const turned = await until(({ rows, phase }) => rows === 3 && phase === 'done')
    expect(turned).toMatchObject({ log: first.log, generation: 2, path: join(folder, 'two.jsonl') })
    const again = await open(join(folder, 'one.jsonl'))
    expect(again.log).not.toBe(first.log)
  })

  test('keeps the rows of a document that disappears before it is read again', async () => {
    const path = geminiRun(folder)
    const { rows } = await open(path)
    fs.appendFileSync(path, '\n')
    fs.rmSync(path)
    const status = await until(({ fileState }) => fileState === 'gone')
    expect(status).toMatchObject({ rows, error: null })
    const calls = statuses.length
    await new Promise((resume) => setTimeout(resume, 1500))
    // It is not tried again and again.
    expect(statuses.length).toBeLessThan(calls + 10)
    expect(statuses.at(-1)).toMatchObject({ rows, phase: 'done', error: null })
  })

  test('keeps its rows if the main file disappears and another agent appears', async () => {
    const path = claudeFolderRun(folder)
    const { rows } = await open(path)
    fs.rmSync(path)
    await until(({ fileState }) => fileState === 'gone')
    fs.writeFileSync(join(folder, 'session-1/subagents/agent-ccc.jsonl'), '')
    await new Promise((resume) => setTimeout(resume, 1500))
    expect(statuses.at(-1)).toMatchObject({ rows, phase: 'done', error: null, fileState: 'gone' })
  })
})
