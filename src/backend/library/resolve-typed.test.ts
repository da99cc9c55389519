import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { SessionCard } from '#core/library/session-card.ts'
import { pathGlob } from '#core/library/path-glob.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { filesOfGlob } from './files-of-glob.ts'
import { createLibrary } from './library.ts'
import { resolveTyped, type TypedOptions } from './resolve-typed.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-typed-'))
afterAll(() => rmSync(folder, { recursive: true }))

function file(path: string, writtenAt: number): string {
  const at = join(folder, path)
  mkdirSync(join(at, '..'), { recursive: true })
  writeFileSync(at, '')
  utimesSync(at, writtenAt, writtenAt)
  return at
}

const old = file('logs/old.jsonl', 1000)
const young = file('logs/young.jsonl', 3000)
const deep = file('logs/a/b/deep.jsonl', 2000)
const hidden = file('logs/.hidden/x.jsonl', 5000)
const odd = file('logs/odd [1]*.jsonl', 500)
file('logs/text.txt', 9000)
mkdirSync(join(folder, 'project', 'below'), { recursive: true })
mkdirSync(join(folder, 'empty'))
symlinkSync('..', join(folder, 'logs', 'a', 'loop'))
symlinkSync(join(folder, 'project'), join(folder, 'link'))

const first = '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0'
function card(path: string, endedAt: number, over: Partial<SessionCard> = {}): SessionCard {
  return {
    ...{ id: path, path, title: `Title of ${path}`, endedAt, modifiedAt: 0, parent: null },
    ...{ sessionId: null, project: null, ...over }
  } as SessionCard
}
const cards = [
  card(`/store/${first}.jsonl`, 10, { sessionId: first, project: join(folder, 'project') }),
  card('/store/rollout-2026-01-01-0b1c2d3e-ffff.jsonl.zst', 30, { sessionId: '0b1c2d3e-ffff', project: '/elsewhere' }),
  card('/store/below.jsonl', 20, { sessionId: 'ab', project: join(folder, 'project', 'below') }),
  card('/store/beside.jsonl', 90, { project: join(folder, 'projects') }),
  card(`/store/${first}/subagents/agent-77.jsonl`, 99, {
    sessionId: first,
    parent: 'x',
    project: join(folder, 'project')
  }),
  card('C:\\store\\w.jsonl', 5, { project: 'C:\\code' })
]

let asked = 0
const options: TypedOptions = {
  ...{ home: folder, folder: join(folder, 'logs'), platform: 'linux' as const },
  sessions: async () => {
    asked++
    return cards
  },
  sessionsIn: async (path) => (path.endsWith('logs') ? [{ path: old, title: 'Old', at: 1 }] : [])
}
async function paths(text: string, over: Partial<TypedOptions> = {}): Promise<string[]> {
  return (await resolveTyped(text, { ...options, ...over })).map(({ path }) => path)
}

describe('a typed text', () => {
  test('that is the name of a file is that file, and the library is not asked', async () => {
    asked = 0
    expect(await resolveTyped('old.jsonl', options)).toEqual([{ path: old, title: null, at: 1_000_000 }])
    expect(await paths(` "${old}"\n`)).toEqual([old])
    expect(await paths('odd [1]*.jsonl')).toEqual([odd])
    expect(await paths('~/logs/odd [1]*.jsonl')).toEqual([odd])
    expect(await paths('~/logs/old.jsonl')).toEqual([old])
    expect(await paths(`file://${old}`)).toEqual([old])
    expect(asked).toBe(0)
  })

  test('may be a session id, or its beginning; the latest comes first', async () => {
    expect(await resolveTyped(first.toUpperCase(), options)).toEqual([
      { path: cards[0]?.path, title: cards[0]?.title, at: 10 }
    ])
    expect(await paths('0b1c2d3e')).toEqual([cards[1]?.path, cards[0]?.path])
    expect(await paths('rollout-2026-01-01-0b1c2d3e-ffff')).toEqual([cards[1]?.path])
    expect(await paths('agent-77')).toEqual([cards[4]?.path])
    expect(await paths('ab')).toEqual([cards[2]?.path])
  })

  test('may be the folder of a project, with those below it, or the folder of its logs', async () => {
    expect(await paths('../project')).toEqual([cards[2]?.path, cards[0]?.path])
    expect(await paths('~/link')).toEqual([cards[2]?.path, cards[0]?.path])
    const lying = [card(old, 1)]
    expect(await paths('.', { sessions: async () => lying })).toEqual([old])
  })

  test('may be the folder of a project that is gone', async () => {
    expect(await paths('/elsewhere')).toEqual(['/store/rollout-2026-01-01-0b1c2d3e-ffff.jsonl.zst'])
    asked = 0
    await expect(resolveTyped('/elsewhere/run.jsonl', options)).rejects.toMatchObject({ code: 'not-found' })
    expect(asked).toBe(0)
  })

  test('may be a pattern: regular files, the one written last first', async () => {
    expect(await paths('*.jsonl')).toEqual([young, old, odd])
    expect(await paths('~/logs/**/*.jsonl')).toEqual([young, deep, old, odd])
    expect(await paths('**/a/**/**/*.jsonl')).toEqual([deep])
    expect(await paths('.*/*.jsonl')).toEqual([hidden])
    expect(await paths('a/**')).toEqual([deep])
    expect(await paths('a/loop/[oy]*.jsonl')).toEqual([
      join(folder, 'logs/a/loop/young.jsonl'),
      join(folder, 'logs/a/loop/old.jsonl'),
      join(folder, 'logs/a/loop/odd [1]*.jsonl')
    ])
    for (let i = 0; i < 60; i++) file(`many/${i}.log`, i)
    expect(await paths('~/many/*')).toHaveLength(50)
  })

  test.skipIf(process.platform !== 'linux')('that is a pattern finds names that are not UTF-8', async () => {
    const odd = (...names: (string | number)[]): Buffer =>
      Buffer.concat(names.map((name) => (typeof name === 'number' ? Buffer.of(name) : Buffer.from(name))))
    mkdirSync(odd(`${folder}/odd/of-`, 0xe4), { recursive: true })
    writeFileSync(odd(`${folder}/odd/of-`, 0xe4, '/a-', 0xff, '.jsonl'), '')
    const read = join(folder, 'odd/of-\ufffd/a-\ufffd.jsonl')
    expect(await paths('~/odd/*/*.jsonl')).toEqual([read])
    expect(await paths('~/odd/**')).toEqual([read])
    writeFileSync(odd(`${folder}/odd/of-`, 0xe4, '/a-', 0xfe, '.jsonl'), '')
    await expect(resolveTyped('~/odd/**', options)).rejects.toThrow(/2 names in .* not UTF-8; rename the file you mean/)
  })

  test.each<[string, string, RegExp]>([
    ['nope.jsonl', 'not-found', /does not exist; check the path/],
    ['ffffffff', 'not-found', /does not exist, and no session id begins with "ffffffff"/],
    ['0b1', 'not-found', /no session id begins with/],
    ['../empty', 'not-a-file', /is a directory without a session; give the path of a log/],
    ['*.nope', 'not-found', /no file matches/],
    ['file://server/x', 'bad-params', /another machine/],
    ['https://example.org/x', 'bad-params', /cannot open https:/],
    ['x\0y', 'not-found', /does not exist/],
    ['x'.repeat(5000), 'not-found', /does not exist/]
  ])('%j is refused with what to do', async (text, code, message) => {
    await expect(resolveTyped(text, options)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string
    })
  })

  test('without a library is a file or a pattern', async () => {
    const without = { ...options, sessions: null }
    expect(await paths('*g.jsonl', { sessions: null })).toEqual([young])
    await expect(resolveTyped('ffffffff', without)).rejects.toThrow(/does not exist; check the path/)
    await expect(resolveTyped('../empty', without)).rejects.toThrow(/is a directory without a session/)
    expect(await paths('../logs', { sessions: null })).toEqual([old])
  })
})

test('a library answers with the sessions that it finds first', async () => {
  const home = join(folder, 'home')
  const path = file(`home/.claude/projects/-w/${first}.jsonl`, 1000)
  const message = { role: 'user', content: 'Count the sheep' }
  const at = { sessionId: first, cwd: join(folder, 'project'), timestamp: '2026-01-02T03:04:05.000Z', uuid: 'u' }
  writeFileSync(path, `${JSON.stringify({ type: 'user', message, ...at, parentUuid: null, version: '2.1.0' })}\n`)
  const library = createLibrary({
    ...{ createWorker, cache: join(folder, 'cache'), state: null, roots: null, variables: {}, home },
    ...{ notify: () => {}, problem: () => {}, now: Date.now }
  })
  try {
    const expected = { path, title: 'Count the sheep', at: expect.any(Number) as number }
    for (const text of ['0b1c2d3e', join(folder, 'project')])
      expect(await library.handlers['library.resolve']({ text })).toEqual({ logs: [expected] })
    await expect(library.handlers['library.resolve']({ text: 'ffffffff' })).rejects.toMatchObject({ code: 'not-found' })
  } finally {
    await library.close()
  }
})

test('a pattern that leads to too many files is refused', async () => {
  const glob = pathGlob('**/*.jsonl', false)
  if (glob === null) throw new Error('no glob')
  await expect(filesOfGlob(glob, { folder, ignoresCase: false, most: 20 })).rejects.toThrow(/more than 20 files/)
})
