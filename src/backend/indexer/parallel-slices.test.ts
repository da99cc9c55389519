import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RunIndex } from '#core/index/run-index.ts'
import { expectEqual } from '../../../test/conformance/expect-equal.ts'
import { Run } from '../sources/run.ts'
import type { ReadSlices } from '../sources/slices.ts'
import { createWorker } from './create-worker.ts'
import type { CreateWorker } from './log-worker.ts'
import { readMainOf } from './parallel-slices.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-parallel-'))
afterAll(() => rmSync(folder, { recursive: true }))

beforeEach(() => vi.stubEnv('PLAYHEAD_INDEX_THREADS', '2'))
afterEach(() => vi.unstubAllEnvs())

/** Six megabytes: todo lists, tools, text in several scripts, damage, one line of two megabytes, and no line end at the end. */
function largeLog(name: string): string {
  const lines = [{ type: 'system', subtype: 'init', session_id: 's', cwd: '/demo', tools: ['Bash'], model: 'm' }].map(
    (value) => JSON.stringify(value)
  )
  for (let i = 0; lines.length < 9000; i++) {
    const record = (type: string, block: object): string =>
      JSON.stringify({
        type,
        message: { id: `m${i}`, role: type, model: 'm', content: [block] },
        ...{ parent_tool_use_id: null, session_id: 's', uuid: `u${lines.length}` }
      })
    const todos = [{ content: `Größer ${i % 7}`, status: i % 2 === 0 ? 'pending' : 'completed' }]
    lines.push(record('user', { type: 'text', text: `世界 ${i} ${'long '.repeat(60)}` }))
    lines.push(record('assistant', { type: 'tool_use', id: `t${i}`, name: 'TodoWrite', input: { todos } }))
    lines.push(record('user', { type: 'tool_result', tool_use_id: `t${i}`, content: 'done '.repeat(200) }))
    if (i % 500 === 0) lines.push('', '{"type":"assistant","mess', '{"type":"of tomorrow","n":-0,"x":1e999}\r')
    if (i === 1000) lines.push(record('assistant', { type: 'text', text: 'a'.repeat(2 << 20) }))
  }
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n{"type":"user","message":{"content":"cut`)
  return path
}

/** The index of a log; `pause` is awaited after each slice. */
async function indexed(
  path: string,
  how?: (run: Run) => ReadSlices,
  pause: () => Promise<void> = async () => {}
): Promise<RunIndex> {
  const run = await Run.open({ path, format: null, single: true })
  try {
    const index = new RunIndex(run.chosen.format.agentType)
    for await (const _ of run.feed(run.reader(index), how?.(run))) await pause()
    return index
  } finally {
    await run.close()
  }
}

/** Starts threads, tells when all are ready, and counts what they are handed; `handed` is done to each that is. */
class Threads {
  batches = 0
  readonly started: Promise<void>[] = []
  private readonly handed: (worker: Worker) => void

  constructor(handed: (worker: Worker) => void = () => {}) {
    this.handed = handed
  }

  readonly create: CreateWorker = (options) => {
    const worker = createWorker(options)
    this.started.push(new Promise((resolve) => worker.once('message', () => resolve())))
    const post = worker.postMessage.bind(worker)
    worker.postMessage = (message: unknown) => {
      this.batches += 1
      post(message)
      this.handed(worker)
    }
    return worker
  }
}

describe('a large log', () => {
  test('has the index that one thread gives, which reads all of it', async () => {
    const path = largeLog('whole.jsonl')
    const threads = new Threads()
    const index = await indexed(
      path,
      (run) => readMainOf(run, threads.create),
      async () => void (await Promise.all(threads.started))
    )
    expect(threads.started.length).toBe(1)
    expect(threads.batches).toBeGreaterThan(3)
    expect(index.rows.events).toBeGreaterThan(5000)
    expectEqual(index, await indexed(path))
  })

  test('loses no line to a thread that dies', async () => {
    const path = largeLog('dies.jsonl')
    const threads = new Threads((worker) => void worker.terminate())
    const index = await indexed(
      path,
      (run) => readMainOf(run, threads.create),
      async () => void (await Promise.all(threads.started))
    )
    expect(threads.batches).toBeGreaterThan(0)
    expectEqual(index, await indexed(path))
  })
})

test('a small log starts no thread, nor does one where one is asked for', async () => {
  const threads = new Threads()
  const path = join(folder, 'small.jsonl')
  writeFileSync(path, '{"type":"user","message":{"content":"hi"},"parent_tool_use_id":null,"session_id":"s"}\n')
  expect((await indexed(path, (run) => readMainOf(run, threads.create))).rows.events).toBe(1)
  vi.stubEnv('PLAYHEAD_INDEX_THREADS', '1')
  await indexed(largeLog('alone.jsonl'), (run) => readMainOf(run, threads.create))
  expect(threads.started).toEqual([])
})
