import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { environment, sink } from '../../test/command-line.ts'
import { card, fakeLibrary, type FakeSessions, hit } from '../../test/fake-library.ts'
import type { Environment } from './environment.ts'
import { run } from './run.ts'

const cards = [
  card({
    path: '/s/new.jsonl',
    title: 'Mend the fence',
    endedAt: new Date(2026, 0, 2, 12).getTime(),
    project: '/home/ada/farm'
  }),
  card({ path: '/s/old.jsonl', endedAt: 1000, agent: null, state: 'interrupted' })
]
const newHits = Array.from({ length: 3 }, (_, i) =>
  hit('/s/new.jsonl', i + 1, { tool: 'Bash', kind: 'tool', at: 1000 + i })
)
const oldHits = [hit('/s/old.jsonl', 9, { seq: null })]
// The last session may get more hits, those before it have all of theirs.
const steps = [[newHits.slice(0, 1)], [newHits.slice(0, 2)], [newHits, oldHits]]

async function searched(given: FakeSessions, argv: readonly string[], over: Partial<Environment> = {}) {
  const fake = fakeLibrary({ cards, ...given })
  const out = sink(true)
  const err = sink()
  const { createLibrary } = fake
  const home = '/home/ada'
  const code = await run(
    ['search', ...argv],
    environment({ stdout: out.stream, stderr: err.stream, createLibrary, home, ...over })
  )
  return { code, out: out.text(), err: err.text(), asked: fake.asked }
}

describe('search', () => {
  test('prints path:line:text of every hit, each once', async () => {
    const { code, out, err, asked } = await searched({ steps }, ['fence'])
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n')).toEqual([
      '/s/new.jsonl:1:hit 1',
      '/s/new.jsonl:2:hit 2',
      '/s/new.jsonl:3:hit 3',
      '/s/old.jsonl:9:hit 9',
      ''
    ])
    expect(asked).toMatchObject({
      ended: 1,
      closed: 1,
      finds: [{ where: '', texts: [{ text: 'fence', regex: false, caseSensitive: true }], without: [] }]
    })
  })

  test('--json: a line of exactly these members each', async () => {
    const { code, out } = await searched({ steps: [[newHits, oldHits]] }, ['fence', '--json'])
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toBe(
      '{"path":"/s/new.jsonl","line":1,"seq":1,"kind":"tool","tool":"Bash","at":1000,"text":"hit 1"}'
    )
    expect(lines[3]).toBe(
      '{"path":"/s/old.jsonl","line":9,"seq":null,"kind":"assistant","tool":null,"at":null,"text":"hit 9"}'
    )
  })

  test('in a terminal hits stand below the title of their session', async () => {
    const out = sink()
    await searched({ steps: [[newHits.slice(0, 2), oldHits]] }, ['fence'], {
      stdout: Object.assign(out.stream, { isTTY: true })
    })
    expect(out.text().split('\n')).toEqual([
      'Mend the fence  claude-code  ~/farm  2026-01-02 12:00',
      '  /s/new.jsonl:1: hit 1',
      '  /s/new.jsonl:2: hit 2',
      '',
      expect.stringMatching(/^old\.jsonl {2}1970-01-01 /) as string,
      '  /s/old.jsonl:9: hit 9',
      ''
    ])
  })

  test('hits of one session beyond the first page come, too', async () => {
    const many = Array.from({ length: 1234 }, (_, i) => hit('/s/new.jsonl', i + 1))
    const { out } = await searched({ steps: [[many.slice(0, 700)], [many]] }, ['x'])
    expect(out.trimEnd().split('\n')).toEqual(many.map(({ path, line, text }) => `${path}:${line}:${text}`))
    const sessions = Array.from({ length: 450 }, (_, i) => [hit(`/s/${i}`, 1)])
    expect((await searched({ steps: [sessions.slice(0, 300), sessions] }, ['x'])).out.split('\n')).toHaveLength(451)
  })

  test('--limit: ends the search once there are so many', async () => {
    const { code, out, err, asked } = await searched({ steps }, ['x', '--limit', '2'])
    expect([code, out.trimEnd().split('\n').length, asked.ended]).toEqual([0, 2, 1])
    expect(err).toContain('stopped after 2 lines')
    expect(await searched({ steps }, ['x', '--limit', '4'])).toMatchObject({ code: 0, err: '' })
  })

  test('options and filters are asked of the library', async () => {
    const argv = [
      'a.*b',
      '--regex',
      '--ignore-case',
      '--agent',
      'gemini',
      '--state',
      'interrupted',
      '--since',
      '1h',
      '--project',
      '/p'
    ]
    const { asked } = await searched({ steps: [[]] }, argv)
    expect(asked.finds).toEqual([
      {
        where: 'agent:google-gemini since:1h state:interrupted project:/^\\/p(?:[\\\\\\/]|$)/',
        texts: [{ text: 'a.*b', regex: true, caseSensitive: false }],
        without: []
      }
    ])
  })

  test('--where: sessions and further texts of a query', async () => {
    const where = 'project:farm -"goat" "gate post"'
    const { asked } = await searched({ steps: [[]] }, ['fence', '--where', where])
    const text = (words: string, caseSensitive = false) => ({ text: words, regex: false, caseSensitive })
    expect(asked.finds).toEqual([
      { where: 'project:farm', texts: [text('fence', true), text('gate post')], without: [text('goat')] }
    ])
    const alone = await searched({ steps: [[]] }, ['--where', where])
    expect(alone.asked.finds[0]?.texts).toEqual([text('gate post')])
    expect(await searched({}, ['--where', 'project:farm'])).toMatchObject({ code: 2 })
  })

  test('nothing found: exit code 1; a search that failed or was cut says so', async () => {
    expect(await searched({ steps: [[]] }, ['x'])).toMatchObject({ code: 1, out: '', err: '' })
    expect(await searched({ steps, found: { error: 'the disk went' } }, ['x'])).toMatchObject({
      ...{ code: 2, err: expect.stringContaining('the disk went') as string }
    })
    expect(await searched({ steps, found: { isCut: true } }, ['x'])).toMatchObject({
      ...{ code: 0, err: expect.stringContaining('stopped after 4 lines') as string }
    })
  })

  test('a folder that could not be looked into: exit code 2, and what there is', async () => {
    const { code, out, err } = await searched({ steps, unread: ['/s/closed'] }, ['x'])
    expect([code, out.split('\n').length]).toEqual([2, 5])
    expect(err).toContain('/s/closed cannot be read')
  })

  test.each([
    [[], /no TEXT given/],
    [[''], /no TEXT given/],
    [['a', 'b'], /unexpected argument "b"/],
    [['x'.repeat(1001)], /1,000 characters/],
    [['(', '--regex'], /no regular expression/],
    [['x', '--limit', '-1'], /--limit/],
    [['x', '--subagents'], /--subagents/]
  ])('%j is refused', async (argv, message) => {
    expect(await searched({ steps }, argv)).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(message) as string
    })
  })

  test('nothing in a hit steers a terminal, or begins a line', async () => {
    const hostile = [[hit('/s/\n\x1b[2J', 1, { text: 'a\x1b]0;x\x07\u202eb\nc', tool: '\x9b' })]]
    for (const argv of [['x'], ['x', '--json']]) {
      const { out } = await searched({ steps: [hostile] }, argv)
      expect(out).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e]/u)
      expect(out.split('\n')).toHaveLength(2)
    }
  })

  test('a reader that goes away ends it, quietly', async () => {
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      }
    })
    const { code, err, asked } = await searched({ steps }, ['x'], { stdout: gone })
    expect([code, err, asked.closed]).toEqual([0, '', 1])
  })
})
