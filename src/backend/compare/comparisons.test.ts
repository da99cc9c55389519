import { afterAll, beforeAll, expect, test } from 'vitest'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { Notice } from '#contract/methods.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { Comparisons } from './comparisons.ts'

let folder = ''
const progress: Notice<'compare.progress'>[] = []
const comparisons = new Comparisons({
  createWorker,
  source(log) {
    if (log === 'none') throw new HostError('not-open', 'This log is not open.')
    return { path: join(folder, log), format: null, single: false }
  },
  progress: (one) => progress.push(one)
})
const { 'compare.logs': compare, 'compare.end': end } = comparisons.handlers

function log(name: string, ...commands: readonly string[]): void {
  const records = commands.flatMap((command, i) => [
    {
      type: 'assistant',
      message: { role: 'assistant', content: [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: { command } }] }
    },
    { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: 'ok' }] } }
  ])
  const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/w', tools: [], model: 'm' }
  writeFileSync(join(folder, name), [init, ...records].map((record) => `${JSON.stringify(record)}\n`).join(''))
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead-compare-'))
  log('a', 'ls', 'make', 'git commit')
  log('b', 'ls', 'git commit', 'git push')
})
afterAll(async () => {
  await comparisons.close()
  rmSync(folder, { recursive: true })
})

test('the rows of two logs, with their events, and progress', async () => {
  const { seqA, seqB, class: classes, differs, sections, a, b } = await compare({ a: 'a', b: 'b' })
  expect([...new Int32Array(seqA)]).toEqual([1, 3, 5, -1])
  expect([...new Int32Array(seqB)]).toEqual([1, -1, 3, 5])
  expect([...new Uint8Array(classes)]).toEqual([0, 2, 0, 3])
  expect([...new Uint8Array(differs)]).toEqual([0, 1, 0, 1])
  expect(sections).toEqual([{ a: { trackId: null }, b: { trackId: null }, rows: 4 }])
  expect([a.calls, b.calls]).toEqual([3, 3])
  expect(progress.at(-1)).toMatchObject({ a: 'a', b: 'b' })
})

test('a log that is not open or not there is refused', async () => {
  await expect(compare({ a: 'none', b: 'b' })).rejects.toMatchObject({ code: 'not-open' })
  await expect(compare({ a: 'missing', b: 'b' })).rejects.toBeInstanceOf(HostError)
})

test('an empty log and one that is none are compared, with a sentence about each', async () => {
  writeFileSync(join(folder, 'empty'), '')
  writeFileSync(
    join(folder, 'binary'),
    Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256)
  )
  const { notes, counts } = await compare({ a: 'empty', b: 'binary' })
  expect(notes).toEqual(['empty: The file is empty.', expect.stringMatching(/^binary: .*binary/)])
  expect(counts.same).toBe(0)
  expect((await compare({ a: 'a', b: 'a' })).counts).toMatchObject({ same: 3, changed: 0, 'only-a': 0 })
})

test('a long log is read in a thread of its own, with the same result', async () => {
  log('long', 'ls', `echo ${'long '.repeat(4e6)}`, 'git push')
  const forth = await compare({ a: 'b', b: 'long' })
  const back = await compare({ a: 'long', b: 'b' })
  expect([...new Int32Array(forth.seqB)]).toEqual([...new Int32Array(back.seqA)])
  expect(forth.counts).toMatchObject({ same: 2, 'only-a': 1, 'only-b': 1 })
  expect(back.counts).toMatchObject({ same: 2, 'only-a': 1, 'only-b': 1 })
  expect(progress.at(-1)?.all).toBeGreaterThan(20e6)
  const call = compare({ a: 'long', b: 'long' })
  const ended = expect(call).rejects.toMatchObject({ code: 'unavailable' })
  await end({ a: 'long', b: 'long' })
  await ended
})

test('ending rejects the call, and the same logs can be compared again', async () => {
  const call = compare({ a: 'a', b: 'b' })
  const ended = expect(call).rejects.toMatchObject({ code: 'unavailable' })
  await end({ a: 'a', b: 'b' })
  await ended
  expect((await compare({ a: 'a', b: 'b' })).counts.same).toBe(2)
  await expect(end({ a: 'a', b: 'b' })).resolves.toEqual({})
})
