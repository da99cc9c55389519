import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { pricesOf } from '#core/requests/prices.ts'
import { pricesInUse, shippedPrices } from './prices.ts'

const shipped = shippedPrices(join(import.meta.dirname, '../..'))
let state: string
beforeEach(async () => void (state = await mkdtemp(join(tmpdir(), 'playhead-prices-'))))
afterEach(async () => await rm(state, { recursive: true, force: true }))

const own = { sources: [{ address: 'mine', date: '2026-01-01', models: [{ names: ['x'], input: 1, output: 2 }] }] }

test('Playhead comes with valid prices, and no model has two', async () => {
  const { table, problem } = await pricesInUse({ given: null, state: null, shipped })
  expect(problem).toBe(null)
  const names = (table?.sources ?? []).flatMap(({ models }) => models.flatMap((model) => model.names))
  expect(names.length).toBeGreaterThan(20)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(table && pricesOf(table, name)?.prices.names).toContain(name)
  for (const { address } of table?.sources ?? []) expect(address).toMatch(/^https:\/\//)
})

test('the settings name another file, relative to their folder; a named file wins', async () => {
  await writeFile(join(state, 'mine.json'), JSON.stringify(own))
  await writeFile(join(state, 'settings.json'), JSON.stringify({ prices: 'mine.json' }))
  expect((await pricesInUse({ given: null, state, shipped })).table).toEqual(own)
  expect((await pricesInUse({ given: shipped, state, shipped })).table?.sources.length).toBeGreaterThan(1)
})

test.each([
  ['is missing', null, /does not exist/],
  ['is not JSON', '{', /not JSON/],
  ['is not valid', JSON.stringify({ sources: [{ ...own.sources[0], date: 'never' }] }), /sources\.0\.date/],
  ['is too large', ' '.repeat((1 << 20) + 1), /larger than 1 MB/]
])('a file that %s is named and not used, and no other prices are', async (_what, text, why) => {
  const file = join(state, 'mine.json')
  if (text !== null) await writeFile(file, text)
  const { table, problem } = await pricesInUse({ given: file, state, shipped })
  expect(table).toBe(null)
  expect(problem).toMatch(why)
  expect(problem).toContain(file)
})
