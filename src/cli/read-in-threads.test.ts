import { env } from 'node:process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { file, init, json, jsonl, playhead, say, todoWrite } from '../../test/command-line.ts'

/** More than is worth threads, with something of everything: lists, lines that are wrong, letters of several bytes. */
const rounds = 4000
const log = [
  jsonl(init),
  ...Array.from({ length: rounds }, (_, i) => [
    jsonl(
      say(`${i} naïve ☕ "quoted" \\ and\nmore `.repeat(30)),
      todoWrite(`t${i}`, [
        ['Read', i % 2 === 0 ? 'in_progress' : 'completed'],
        [`Write ${i}`, 'pending']
      ])
    ),
    i % 50 === 0 ? '{"type":"assistant","message":{"id":"cut\n\n{"type":"new"}\n' : ''
  ]).flat()
].join('')

const before = env['PLAYHEAD_INDEX_THREADS']
afterAll(() => {
  if (before === undefined) delete env['PLAYHEAD_INDEX_THREADS']
  else env['PLAYHEAD_INDEX_THREADS'] = before
})
let path = ''
beforeAll(() => {
  path = file('large.jsonl', log)
})

async function withThreads(threads: number, ...argv: string[]) {
  env['PLAYHEAD_INDEX_THREADS'] = String(threads)
  return await playhead(...argv)
}

test.each([['check'], ['check', '--json'], ['todos'], ['todos', '--json'], ['todos', '--json', '--at', '5000']])(
  '%s %s of a large log is the same with threads that help as without',
  async (command, ...options) => {
    const alone = await withThreads(1, command, path, ...options)
    expect(await withThreads(3, command, path, ...options)).toEqual(alone)
    expect(alone.out.length).toBeGreaterThan(50)
  }
)

test('the log is large enough to be read in threads', async () => {
  expect((await json('stats', path))['bytes']).toBeGreaterThan(6 << 20)
})
