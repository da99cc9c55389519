import { mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { totalsOf } from '#core/library/session-totals.ts'
import { HostError } from '#contract/host-error.ts'
import { environment, folder, playhead, sink } from '../../test/command-line.ts'
import { card, counts, fakeLibrary, type FakeSessions } from '../../test/fake-library.ts'
import type { Environment } from './environment.ts'
import { run } from './run.ts'

const at = (day: number, hours = 12) => new Date(2026, 0, day, hours).getTime()

const cards = [
  card({
    ...{
      path: '/s/old.jsonl',
      title: 'Count the sheep',
      endedAt: at(1),
      state: 'interrupted',
      project: '/home/ada/farm'
    },
    ...{ counts: counts({ calls: 12, failedCalls: 2, todosDone: 1, todosTotal: 3 }), agent: 'openai-codex' }
  }),
  card({
    ...{ path: '/s/new.jsonl', title: 'Mend the fence', startedAt: at(1, 1), endedAt: at(2), sessionId: 's-2' },
    ...{ project: '/home/ada/farm', branch: 'main', model: 'm-1', subagents: 2, bytes: 77 }
  }),
  card({ path: '/s/new/agent-1.jsonl', title: 'Look', parent: '/s/new.jsonl', counts: counts(), endedAt: at(2) }),
  card({ path: '/s/new/agent-2.jsonl', parent: '/s/new/agent-1.jsonl', counts: counts(), endedAt: at(2) }),
  card({ path: '/s/broken.jsonl', state: 'unreadable', agent: null, format: null, modifiedAt: at(1, 1), problem: 'x' })
]
const read = { '/s/new.jsonl': counts({ turns: 2, calls: 5, findings: { refused: 2 }, todosDone: 4, todosTotal: 4 }) }

function terminal(columns: number): { stream: Writable; text: () => string } {
  const out = sink()
  return { stream: Object.assign(out.stream, { isTTY: true, columns }), text: out.text }
}

async function listed(given: FakeSessions, argv: readonly string[], over: Partial<Environment> = {}) {
  const fake = fakeLibrary(given)
  const out = sink(true)
  const err = sink()
  const { createLibrary } = fake
  const home = '/home/ada'
  const code = await run(
    ['sessions', ...argv],
    environment({ stdout: out.stream, stderr: err.stream, createLibrary, home, ...over })
  )
  return { code, out: out.text(), err: err.text(), asked: fake.asked }
}

describe('sessions', () => {
  test('are lines, the latest first; only those whose counts are not known are read', async () => {
    const { code, out, err, asked } = await listed({ cards, read }, [])
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n')).toEqual([
      '2026-01-02 12:00  done         claude-code   ~/farm     4/4       5  Mend the fence',
      '2026-01-01 12:00  interrupted  openai-codex  ~/farm     1/3    12/2  Count the sheep',
      '2026-01-01 01:00  unreadable                                         broken.jsonl',
      ''
    ])
    expect(asked).toMatchObject({ read: ['/s/new.jsonl'], closed: 1 })
    expect(asked.options[0]).toMatchObject({ roots: null, home: '/home/ada', state: expect.any(String) as string })
  })

  test('--json: a line of exactly these members each, null where nothing is known', async () => {
    const { code, out } = await listed({ cards, read }, ['--json'])
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toBe(
      JSON.stringify({
        ...{ path: '/s/new.jsonl', agent: 'claude-code', format: 'claude-transcript', sessionId: 's-2' },
        ...{ title: 'Mend the fence', project: '/home/ada/farm', branch: 'main', model: 'm-1', startedAt: at(1, 1) },
        ...{ endedAt: at(2), bytes: 77, state: 'done', parent: null, turns: 2, calls: 5, failedCalls: 0 },
        ...{
          findings: { refused: 2 },
          todosDone: 4,
          todosTotal: 4,
          activeMs: null,
          inputTokens: null,
          outputTokens: null
        },
        ...{ outputAtLeast: false, cost: null }
      })
    )
    expect(JSON.parse(lines[2] ?? '')).toMatchObject({
      state: 'unreadable',
      turns: null,
      calls: null,
      todosTotal: null
    })
  })

  test('--totals: sums of the sessions, as the library answers them', async () => {
    const { code, out } = await listed({ cards, read }, ['--totals', 'project', '--json'])
    const whole = cards
      .filter(({ parent }) => parent === null)
      .map((each) => ({ ...each, counts: new Map(Object.entries(read)).get(each.id) ?? each.counts }))
    expect([code, JSON.parse(out)]).toEqual([0, { by: 'project', ...totalsOf(whole, 'project') }])
    const text = (await listed({ cards, read }, ['--totals', 'project'])).out
    expect(text).toMatch(/^project +sessions +active time +tokens in +tokens out +cost\n/)
    expect(text).toMatch(/^~\/farm +\d/m)
    expect(text).toMatch(/^total +3 +unknown +unknown +unknown +unknown$/m)
    expect((await listed({ cards, read }, ['--totals', 'moon'])).code).toBe(2)
  })

  test('--subagents: their logs stand below the session, with the path of their parent', async () => {
    const { out } = await listed({ cards: [...cards], read }, ['--json', '--subagents'])
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines.map(({ path, parent }) => [path, parent])).toEqual([
      ['/s/new.jsonl', null],
      ['/s/new/agent-1.jsonl', '/s/new.jsonl'],
      ['/s/old.jsonl', null],
      ['/s/broken.jsonl', null]
    ])
    expect((await listed({ cards, read }, ['--subagents'])).out).toContain('  - Look\n')
  })

  test('what is asked for is asked of the library', async () => {
    const argv = ['count', 'sheep', '--agent', 'codex', '--agent', 'cursor', '--project', '~/farm', '--since', '24h']
    const { asked } = await listed({ cards }, [...argv, '--state', 'done', '--state', 'live', '--limit', '1'])
    expect(asked.filters[0]).toBe(
      '"count" "sheep" agent:(openai-codex OR cursor-agent) since:24h state:(done OR live) project:/home/ada/farm'
    )
  })

  test('--where: a query about sessions, whose facts are read where it asks for them', async () => {
    const { code, out, asked } = await listed({ cards, read }, ['--where', 'calls:>4 -state:unreadable', 'fence'])
    expect([code, out.split('\n').length]).toEqual([0, 2])
    expect(asked.filters.at(-1)).toBe('calls:>4 -state:unreadable "fence"')
    expect(asked.read).toContain('/s/new.jsonl')
    const wrong = await listed({ cards }, ['--where', 'project:farm tool:Bash'])
    expect([wrong.code, wrong.asked.options]).toEqual([2, []])
    expect(wrong.err).toContain('tool: is a key for events. Open a session to use it.')
    expect(wrong.err).toContain('  project:farm tool:Bash\n               ^^^^^\n')
  })

  test('--limit: no more are printed, and none of the others read', async () => {
    const { out, asked } = await listed({ cards, read }, ['--limit', '1', '--json'])
    expect(out.trimEnd().split('\n')).toHaveLength(1)
    expect((await listed({ cards: cards.slice(0, 1), read }, ['--limit', '9'])).out.split('\n')).toHaveLength(2)
    expect(asked.read).toEqual(['/s/new.jsonl'])
    const many = Array.from({ length: 1200 }, (_, i) => card({ path: `/s/${i}`, endedAt: i, counts: counts() }))
    expect((await listed({ cards: many }, [])).out.split('\n')).toHaveLength(1201)
    expect((await listed({ cards: many }, ['--limit', '700'])).out.split('\n')).toHaveLength(701)
  })

  test('--root: only these folders are looked through, without those of Playhead', async () => {
    const { asked } = await listed({ cards }, ['--root', folder, '--root', join(folder, '..')])
    expect(asked.options[0]).toMatchObject({ roots: [folder, join(folder, '..')], state: null })
    expect(await listed({ cards }, ['--root', join(folder, 'nowhere')])).toMatchObject({
      ...{ code: 2, out: '', err: expect.stringContaining('this folder does not exist') as string }
    })
  })

  test('a project that is named by a link is the one that it leads to', async () => {
    mkdirSync(join(folder, 'real'), { recursive: true })
    symlinkSync(join(folder, 'real'), join(folder, 'linked'))
    const project = realpathSync(join(folder, 'real'))
    const { code, out } = await listed({ cards: [card({ path: '/s/x', project, counts: counts() })] }, [
      '--project',
      join(folder, 'linked')
    ])
    expect([code, out.split('\n').length]).toEqual([0, 2])
  })

  test('none: exit code 1, and where it looked', async () => {
    expect(await listed({ cards }, ['nothing like it'])).toMatchObject({
      ...{ code: 1, out: '', err: 'playhead: no match among 3 sessions\n' }
    })
    const root = { agent: null, kind: 'agent' as const, sessions: 0, notes: [] }
    const roots = [
      { ...root, path: '/home/ada/.claude', isMissing: true },
      { ...root, path: '/home/ada/.codex\x1b[2J', isMissing: false }
    ]
    const { code, err } = await listed({ status: { roots } }, ['--json'])
    expect([code, err.split('\n').slice(1)]).toEqual([
      1,
      ['playhead:   /home/ada/.claude (not found)', 'playhead:   /home/ada/.codex\\u001b[2J', '']
    ])
  })

  test('a folder that could not be looked into: exit code 2, and what there is', async () => {
    const { code, out, err } = await listed({ cards, read, unread: ['/s/closed'] }, [])
    expect([code, out.split('\n').length]).toEqual([2, 4])
    expect(err).toContain('/s/closed cannot be read')
  })

  test('a library that fails before all are listed: exit code 2, and why', async () => {
    const failure = new HostError('internal', 'The library stopped inside Playhead (TypeError). Please report it.')
    const { code, out, err, asked } = await listed({ cards, failure }, [])
    expect([code, out, err, asked.closed]).toEqual([2, '', `playhead: ${failure.message}\n`, 1])
  })

  test.each([
    [
      ['--agent', 'clod'],
      /--agent clod: unknown agent; use one of claude-code, openai-codex, google-gemini, cursor-agent/
    ],
    [['--state', 'asleep'], /--state asleep: unknown state; use one of live, done/],
    [['--since', 'soon'], /--since soon: write it like 24h/],
    [['--limit', '0'], /--limit 0: give a number/],
    [['--limit', 'x'], /--limit x: give a number/],
    [['--project='], /--project needs a folder/],
    [['x'.repeat(1001)], /1,000 characters/],
    [['--jsn'], /--jsn/]
  ])('%j is wrong use', async (argv, message) => {
    const { code, out, err, asked } = await listed({ cards }, argv)
    expect([code, out, asked.options]).toEqual([2, '', []])
    expect(err).toMatch(message)
    expect(err).toContain('usage: playhead sessions')
  })

  test('nothing in a card steers a terminal, or begins a line', async () => {
    const hostile = card({
      ...{
        path: '/s/\x1b[2J\nx.jsonl',
        title: 'a\nb\x1b]0;owned\x07\u202egnp\x9b1m',
        project: '/p\n\x1b[31m',
        counts: counts()
      }
    })
    for (const argv of [[], ['--json']]) {
      const { out } = await listed({ cards: [hostile] }, argv)
      expect(out).not.toMatch(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u)
      expect(out.split('\n')).toHaveLength(2)
    }
    const { out } = await listed({ cards: [hostile] }, ['--json'])
    expect(JSON.parse(out)).toMatchObject({ path: hostile.path, title: hostile.title, project: hostile.project })
  })

  test('a terminal has a heading, and lines that fit it', async () => {
    const out = terminal(80)
    const long = [
      ...cards,
      card({
        path: '/s/y',
        title: '日本語'.repeat(60),
        project: '/home/ada/a/very/long/way/to/the-long-project',
        counts: counts()
      })
    ]
    const { code } = await listed({ cards: long, read }, [], { stdout: out.stream })
    const lines = out.text().trimEnd().split('\n')
    expect([code, lines.length]).toEqual([0, 5])
    expect(lines[0]).toMatch(/^last +state +agent +project +todos +calls +title$/)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
    expect(lines[4]).toMatch(/^1970-01-01 .* …long-project .*…$/)
  })

  test('a terminal hears how far it is, and no line of it stays', async () => {
    const err = terminal(80)
    let now = 0
    await listed({ cards, read }, [], { stderr: err.stream, now: () => (now += 600) })
    expect(err.text()).toMatch(/looking for sessions, \d+ %/)
    expect(err.text().endsWith('\r\u001b[K')).toBe(true)
  })

  test('a reader that goes away ends it, quietly', async () => {
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      }
    })
    const many = Array.from({ length: 50 }, (_, i) => card({ path: `/s/${i}`, endedAt: 50 - i }))
    const { code, err, asked } = await listed({ cards: many }, [], { stdout: gone })
    expect([code, err, asked.closed]).toEqual([0, '', 1])
    expect(asked.read.length).toBeLessThan(5)
  })

  test('--help says what there is', async () => {
    const { code, out } = await playhead('sessions', '--help')
    expect(code).toBe(0)
    for (const word of [
      '--agent',
      '--project',
      '--since',
      '--state',
      '--limit',
      '--subagents',
      '--json',
      '--root',
      'Exit codes'
    ])
      expect(out).toContain(word)
  })
})
