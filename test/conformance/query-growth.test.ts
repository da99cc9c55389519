import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test, vi } from 'vitest'
import { parseRowQuery } from '#core/query/parse-query.ts'
import { QueriedLog } from '#backend/query/queried-log.ts'
import { allFixtures } from './fixtures.ts'
import { openHere, searchHere } from './log-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-query-growth-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Facts that later lines change, texts, negations. */
const queries = [
  'status:running',
  'status:unknown OR status:error',
  'dur:>0 kind:tool',
  '-type:text',
  'todo:=completed -kind:todo',
  'output:e tool:*',
  '"the" -role:user',
  'turn:>1 OR tokens:>0'
]

const logs = [
  { name: 'the sample log', bytes: readFileSync(new URL('../../resources/sample-run.jsonl', import.meta.url)) },
  ...allFixtures()
    .map(({ formatId, name, input }) => ({ name: `${formatId}/${name}`, bytes: readFileSync(input), input }))
    .filter(({ bytes, input }) => input.pathname.endsWith('.jsonl') && bytes.length > 4000)
    .filter((log, i, all) => all.findIndex(({ name }) => name.split('/')[0] === log.name.split('/')[0]) === i)
]

/** What a query finds in the log as it is now, read anew. */
async function offline(path: string, format: string | null): Promise<number[][]> {
  const log = await QueriedLog.open({ path, format, single: true }, searchHere, () => {})
  const found: number[][] = []
  for (const query of queries) {
    found.push([])
    for await (const row of log.rows(parseRowQuery(query).query)) found.at(-1)?.push(row)
  }
  await log.close()
  return found
}

test.each(logs)(
  'a log that grows answers queries as one that is read anew: $name',
  async ({ name, bytes }) => {
    const path = join(folder, `${name.replaceAll(/\W/g, '-')}.jsonl`)
    const first = Math.floor(bytes.length / 3)
    const [cuts = []] = fc.sample(
      fc.array(fc.integer({ min: first, max: bytes.length }), { minLength: 3, maxLength: 3 }),
      {
        seed: bytes.length,
        numRuns: 1
      }
    )
    writeFileSync(path, bytes.subarray(0, first))
    const log = await openHere(path)
    try {
      const finds: number[] = []
      for (const [i, text] of queries.entries()) {
        const asked = { log: 'here', text, regex: false, caseSensitive: false, isQuery: true, as: `query ${i}` }
        finds.push((await log.handlers['log.find'](asked)).find)
      }
      let end = first
      for (const cut of [first, ...cuts.toSorted((a, b) => a - b), bytes.length]) {
        appendFileSync(path, bytes.subarray(end, cut))
        end = cut
        log.lookAgain()
        const expected = await offline(path, log.status.format)
      expect(expected.flat()).not.toEqual([])
        await vi.waitFor(
          async () => {
            const found: number[][] = []
            for (const find of finds) {
              const { rows } = await log.handlers['log.hits']({ log: 'here', find, from: 0, count: 1_000_000 })
              found.push([...new Uint32Array(rows)])
            }
            expect({ cut, found }).toEqual({ cut, found: expected })
          },
          { timeout: 15_000, interval: 20 }
        )
      }
    } finally {
      await log.close()
    }
  },
  120_000
)
