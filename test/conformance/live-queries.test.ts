import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { parseQuery } from '#core/query/parse-query.ts'
import { createBackend } from '#backend/handlers.ts'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { QueriedLog } from '#backend/query/queried-log.ts'
import { FindProgress } from '#contract/methods.ts'
import { times } from '../thorough.ts'
import { allFixtures } from './fixtures.ts'
import { openHere, searchHere } from './log-here.ts'

/** As many as a log can have searches at a time. */
const queries = [
  'status:running OR status:unknown',
  'status:error OR dur:>1s',
  'tool:shell cmd:/e/',
  'output:e -"the"',
  'todo:=in_progress OR todo:=dropped',
  'changed:todo OR has:issue',
  'turn:1 (kind:assistant OR "a")',
  'out:>10 OR tokens:<5 OR gap:>1s -track:main'
]
const folder = mkdtempSync(join(tmpdir(), 'playhead-live-queries-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function offline(path: string, format: string): Promise<Map<string, number[]>> {
  const log = await QueriedLog.open({ path, format, single: true }, searchHere, () => {})
  const found = new Map<string, number[]>()
  for (const text of queries) found.set(text, [...(await log.rows(parseQuery(text, 'rows').query))])
  await log.close()
  return found
}

const fixtures = allFixtures()
  .map(({ formatId, name, input }) => ({ formatId, name, path: fileURLToPath(input) }))
  .filter(({ path }) => path.endsWith('.jsonl') && readFileSync(path).length > 2000)
const firsts = fixtures.filter(({ formatId }, i) => formatId !== fixtures[i - 1]?.formatId)
const cutLogs = times(0, 1) === 0 ? firsts : fixtures
const cutsOf = (bytes: Uint8Array): number => Math.min(times(4, 100), bytes.length - 1)

describe('queries of a log that grows', () => {
  test.each(cutLogs)('find at each cut what they find offline: $formatId/$name', async (fixture) => {
    const bytes = readFileSync(fixture.path)
    const path = join(mkdtempSync(join(folder, 'log-')), 'log.jsonl')
    const count = cutsOf(bytes)
    const anyCuts = fc.uniqueArray(fc.nat(bytes.length - 1), { minLength: count, maxLength: count })
    const [cuts = []] = fc.sample(anyCuts, { numRuns: 1, seed: bytes.length })
    const ends = [...cuts.toSorted((a, b) => a - b), bytes.length]
    writeFileSync(path, '')
    const log = await openHere(path, undefined, fixture.formatId)
    try {
      const find = log.handlers['log.find']
      const finds = new Map<string, number>()
      // A log has at most eight searches at a time.
      for (const text of queries.slice(0, 8)) {
        const asked = { log: 'here', text, isQuery: true, regex: false, caseSensitive: false, as: text }
        finds.set(text, (await find(asked)).find)
      }
      let from = 0
      for (const to of ends) {
        appendFileSync(path, bytes.subarray(from, to))
        from = to
        log.lookAgain()
        const expected = await offline(path, fixture.formatId)
        for (const [text, number] of finds) {
          const all = { log: 'here', find: number, from: 0, count: 1_000_000 }
          const found = async (): Promise<object> => {
            const { rows } = await log.handlers['log.hits'](all)
            return { to, text, rows: [...new Uint32Array(rows)] }
          }
          const wanted = { to, text, rows: expected.get(text) }
          await vi.waitFor(async () => expect(await found()).toEqual(wanted), { timeout: 60_000, interval: 10 })
        }
      }
    } finally {
      await log.close()
    }
  })
})

describe('a query whose expression finds no end', () => {
  const found: FindProgress[] = []
  const backend = createBackend({
    createWorker,
    facts: { host: 'browser', version: '1.2.3', sample: null, drops: '/drops' },
    notify(name, payload) {
      if (name === 'log.found') found.push(FindProgress.parse(payload))
    }
  })
  afterAll(() => backend.close())

  async function progressOf(text: string): Promise<FindProgress> {
    const path = join(mkdtempSync(join(folder, 'log-')), 'log.jsonl')
    const line = { type: 'user', message: { role: 'user', content: `${'a'.repeat(60)}!` }, session_id: 's' }
    writeFileSync(path, `${JSON.stringify(line)}\n`)
    const { log } = await backend.handlers['log.open']({ path })
    const asked = { log, text, isQuery: true, regex: false, caseSensitive: false, as: 'filter' }
    const { find } = await vi.waitFor(async () => await backend.handlers['log.find'](asked), { timeout: 60_000 })
    const isOver = (one: FindProgress): boolean => one.log === log && one.find === find && !one.searching
    return await vi.waitUntil(() => found.find(isOver), { timeout: 60_000 })
  }

  test('ends with a sentence', async () => {
    const { error, hits } = await progressOf('/(a+)+\\1$/')
    expect(error).toMatch(/^The search was stopped: the expression takes too long in a line after byte /)
    expect(hits).toBe(0)
  })

  test('takes linear time behind a key', async () => {
    expect(await progressOf('role:user model:/(a+)+$/ OR input:/(a+)+$/ OR kind:prompt')).toMatchObject({ error: null })
  })
})
