import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createWorker } from './indexer/create-worker.ts'
import type { CreateWorker } from './indexer/log-worker.ts'
import { OpenLogs } from './open-logs.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-open-'))
afterAll(() => rmSync(folder, { recursive: true }))

let logs: OpenLogs
afterEach(async () => await logs.closeAll())

function opened(create: CreateWorker = createWorker): OpenLogs {
  logs = new OpenLogs({ createWorker: create, cache: null, notify: () => {}, onStatus: () => {} })
  return logs
}

test('a log whose thread died at once is opened by another thread', async () => {
  const path = join(folder, 'run.jsonl')
  writeFileSync(path, '{"type":"user"}\n')
  let threads = 0
  const open = opened((options) => {
    return threads++ === 0 ? new Worker('throw new Error("dies")', { eval: true }) : createWorker(options)
  })
  await expect(open.open(path, null)).rejects.toMatchObject({ code: 'internal' })
  expect(open.list()).toEqual([])
  expect(await open.open(path, null)).toMatchObject({ path })
})

test('a failed log that is opened twice at once is one log', async () => {
  const path = join(folder, 'rollout.jsonl.zst')
  const packed = readFileSync(join(import.meta.dirname, '../../test/fixtures/compressed/rollout.jsonl.zst'))
  writeFileSync(path, packed.subarray(0, 5))
  const open = opened()
  const failed = await open.open(path, null)
  await expect.poll(() => open.status(failed.log).phase, { timeout: 60_000 }).toBe('failed')
  const [one, two] = await Promise.all([open.open(path, null), open.open(path, null)])
  expect(one.log).not.toBe(failed.log)
  expect(two.log).toBe(one.log)
  expect(open.list().map(({ log }) => log)).toEqual([one.log])
})
