import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { Finder } from '#queries/find/finder.ts'
import { asFindThread } from './start-find-thread.ts'

const query = { text: 'a', regex: true, caseSensitive: true }
const job = { query, framing: 'lines', handle: { descriptor: 0 }, piece: { from: 0, to: 1, limit: 1 } } as const

test('a thread is not ended before it has begun', async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const code = `const { parentPort, workerData } = require('node:worker_threads')
    Atomics.wait(workerData, 0, 0)
    parentPort.postMessage({ kind: 'ready' })
    setInterval(() => {}, 1000)`
  const worker = new Worker(code, { eval: true, workerData: gate })
  const finder = new Finder(asFindThread(() => worker))
  void finder.search(job, () => {})
  const order: string[] = []
  worker.once('message', () => order.push('begun'))
  const closed = finder.close().then(() => order.push('closed'))
  Atomics.store(gate, 0, 1)
  Atomics.notify(gate, 0)
  await closed
  expect(order).toEqual(['begun', 'closed'])
})

test('a thread that dies before it has begun is ended all the same', async () => {
  const finder = new Finder(asFindThread(() => new Worker('throw new Error("dies")', { eval: true })))
  const searched = finder.search(job, () => {})
  const closed = finder.close()
  await expect(Promise.race([searched, closed])).resolves.toBeUndefined()
})

test('a thread that has not begun is free for the next search once the one before is forgotten', async () => {
  const code = `const { parentPort } = require('node:worker_threads')
    parentPort.on('message', ({ piece }) => {
      parentPort.postMessage({ kind: 'found', part: { to: piece.to, offsets: [new Float64Array(1)], open: null }, isLast: true })
    })
    parentPort.postMessage({ kind: 'ready' })`
  const finder = new Finder(asFindThread(() => new Worker(code, { eval: true })))
  const parts: string[] = []
  void finder.search(job, () => parts.push('the first'))
  expect([finder.isBusy, finder.forget(), finder.isBusy]).toEqual([true, true, false])
  await finder.search(job, () => parts.push('the second'))
  expect(parts).toEqual(['the second'])
  expect(finder.forget()).toBe(false)
  await finder.close()
})
