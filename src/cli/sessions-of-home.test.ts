import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpusFiles, corpusIsHere } from '../../test/conformance/corpus.ts'
import { fillHome } from '../../test/corpus-home.ts'
import { every, times } from '../../test/thorough.ts'
import { environment, folder, repository, sink } from '../../test/command-line.ts'
import { run } from './run.ts'

/** A home folder with logs of the fixtures, where agents keep theirs; what each command says of it. */

const fixtures = join(repository, 'test', 'fixtures', 'formats')
const home = join(folder, 'full-home')
const claude = '0b1c2d3e-4f50-6172-8394-a5b6c7d8e9f0'
const placed: string[] = []

function place(fixture: string, ...way: string[]): string {
  const path = join(home, ...way)
  mkdirSync(join(path, '..'), { recursive: true })
  const name = readdirSync(join(fixtures, fixture)).find((each) => /^(?:log|input|main)?.*\.jsonl?$/.test(each)) ?? ''
  copyFileSync(join(fixtures, fixture, name), path)
  placed.push(path)
  // The first is the one that was written to last.
  const written = Date.UTC(2026, 0, 2) / 1000 - placed.length * 60
  utimesSync(path, written, written)
  return path
}

const transcript = place('claude-transcript/todowrite-2.0.77', '.claude', 'projects', '-w', `${claude}.jsonl`)
const rollout = place(
  'codex-rollout/exec-command-0.105',
  ...[
    '.codex',
    'sessions',
    '2026',
    '01',
    '01',
    'rollout-2026-01-01T00-00-00-0b1cffff-0000-7000-8000-000000000001.jsonl'
  ]
)
const chat = place('gemini-chat/todos-0.22', '.gemini', 'tmp', 'app', 'chats', 'session-2026-01-01T00-00-aaaa.json')

let count = 0
async function playhead(...argv: string[]) {
  const out = sink()
  const err = sink()
  const variables = {
    PLAYHEAD_STATE_DIR: join(folder, `state-${count}`),
    PLAYHEAD_CACHE_DIR: join(folder, `cache-${count}`)
  }
  const code = await run(argv, environment({ stdout: out.stream, stderr: err.stream, home, variables }))
  return { code, out: out.text(), err: err.text() }
}

async function jsonLines(...argv: string[]): Promise<Record<string, unknown>[]> {
  const { out } = await playhead(...argv, '--json')
  return out === ''
    ? []
    : out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
}

describe('a home full of sessions', () => {
  test('sessions lists each once, with counts; a second look says the same', async () => {
    count++
    const before = placed.map((path) => [statSync(path).mtimeMs, readFileSync(path, 'hex')])
    const first = await jsonLines('sessions')
    expect(first.map(({ path }) => path).toSorted()).toEqual(placed.toSorted())
    for (const session of first) {
      expect(Object.keys(session)).toHaveLength(24)
      expect(session).toMatchObject({
        parent: null,
        turns: expect.any(Number) as number,
        calls: expect.any(Number) as number
      })
    }
    expect(await jsonLines('sessions')).toEqual(first)
    expect((await playhead('sessions')).out.trimEnd().split('\n')).toHaveLength(3)
    expect((await jsonLines('sessions', '--agent', 'codex')).map(({ path }) => path)).toEqual([rollout])
    expect(await jsonLines('sessions', '--limit', '1')).toEqual(first.slice(0, 1))
    expect(await playhead('sessions', '--agent', 'cursor')).toMatchObject({ code: 1, out: '' })
    expect(placed.map((path) => [statSync(path).mtimeMs, readFileSync(path, 'hex')])).toEqual(before)
  })

  test('what grows is counted anew', async () => {
    count++
    const own = join(folder, 'growing')
    mkdirSync(own)
    const path = join(own, 'a.jsonl')
    const lines = readFileSync(transcript, 'utf8').trimEnd().split('\n')
    writeFileSync(path, `${lines.slice(0, 3).join('\n')}\n`)
    const [short] = await jsonLines('sessions', '--root', own)
    writeFileSync(path, `${lines.join('\n')}\n`)
    const [long] = await jsonLines('sessions', '--root', own)
    expect(Number(long?.['calls'])).toBeGreaterThan(Number(short?.['calls']))
    expect(long?.['bytes']).toBe(statSync(path).size)
  })

  test('search finds the lines that have a text, with their events', async () => {
    count++
    const hits = await jsonLines('search', 'todo')
    expect(hits.length).toBeGreaterThan(3)
    for (const hit of hits) {
      expect(Object.keys(hit)).toEqual(['path', 'line', 'seq', 'kind', 'tool', 'at', 'text'])
      expect(placed).toContain(hit['path'])
      expect(hit['kind']).not.toBe('')
    }
    const inTranscript = readFileSync(transcript, 'utf8')
      .split('\n')
      .flatMap((line, i) => (line.includes('todo') ? [i + 1] : []))
    expect(hits.filter(({ path }) => path === transcript).map(({ line }) => line)).toEqual(inTranscript)
    expect((await jsonLines('search', 'TODO', '--ignore-case')).length).toBeGreaterThanOrEqual(hits.length)
    expect(await jsonLines('search', 'todo', '--limit', '2')).toEqual(hits.slice(0, 2))
    expect((await jsonLines('search', 'to[d]o', '--regex')).length).toBe(hits.length)
    expect(await playhead('search', 'no such text anywhere')).toMatchObject({ code: 1, out: '' })
    expect(await playhead('search', '(', '--regex')).toMatchObject({ code: 2, out: '' })
    expect(await playhead('search', 'todo', '--agent', 'cursor')).toMatchObject({ code: 1, out: '' })
  })

  test('a log is found by its id, the beginning of one, and the folder of its project', async () => {
    count++
    const [{ project } = {}] = await jsonLines('sessions', '--agent', 'claude')
    for (const typed of [claude, claude.slice(0, 8), `~/.claude/projects/-w`, `~/.claude/**/*.jsonl`]) {
      const { code, out } = await playhead('stats', typed, '--json')
      expect([typed, code]).toEqual([typed, 0])
      expect(JSON.parse(out)).toMatchObject({ file: transcript, format: 'claude-transcript' })
    }
    expect(project).toEqual(expect.any(String))
    expect((await jsonLines('sessions', '--project', String(project))).map(({ path }) => path)).toContain(transcript)
    expect((await playhead('stats', '~')).err).toContain('"~" matches 3 logs')
    expect((await playhead('stats', join(home, '.gemini'), '--json')).out).toContain(chat)
    expect(await playhead('open', '--last', '--no-open')).toMatchObject({ code: 0, err: '' })
  })

  test('an empty home: exit code 1, and where it looked', async () => {
    count++
    const empty = join(folder, 'empty-home')
    mkdirSync(empty)
    const err = sink()
    expect(await run(['sessions'], environment({ stderr: err.stream, home: empty }))).toBe(1)
    expect(err.text()).toContain(join(empty, '.claude', 'projects'))
    expect(await run(['open', '--last'], environment({ home: empty }))).toBe(2)
    expect(await run(['search', 'x', '--root', empty], environment({ home: empty }))).toBe(1)
  })

  test.skipIf(!corpusIsHere)('of real logs: search finds what grep finds', async () => {
    count++
    const real = join(folder, 'corpus-home')
    fillHome(real, 'linux', every(4, corpusFiles()))
    const sessions = await jsonLines('sessions', '--root', real, '--subagents')
    expect(sessions.length).toBeGreaterThan(times(12, 50))
    const lined = sessions.map(({ path }) => String(path)).filter((path) => path.endsWith('.jsonl'))
    const expected = lined.flatMap((path) => {
      const lines = readFileSync(path, 'utf8').split('\n')
      return lines.flatMap((line, i) => (line.includes('wordcount') ? [`${path}:${i + 1}`] : []))
    })
    const found = (await jsonLines('search', 'wordcount', '--root', real)).map(
      ({ path, line }) => `${String(path)}:${String(line)}`
    )
    expect(expected.length).toBeGreaterThan(0)
    expect(found.filter((place) => place.includes('.jsonl:')).toSorted()).toEqual(expected.toSorted())
  })
})

const built = join(repository, 'out', 'main', 'cli.js')
describe.skipIf(!existsSync(built))('the built program (skipped where there is no build)', () => {
  test('lists and searches, and a pipe that closes early is quiet', () => {
    const env = {
      ...process.env,
      PLAYHEAD_STATE_DIR: join(folder, 'built'),
      PLAYHEAD_CACHE_DIR: join(folder, 'built-cache')
    }
    const words = [process.execPath, built]
    const listed = spawnSync(words[0] ?? '', [built, 'sessions', '--json', '--root', home], { encoding: 'utf8', env })
    expect([listed.status, listed.stderr, listed.stdout.trimEnd().split('\n').length]).toEqual([0, '', 3])
    const found = spawnSync(words[0] ?? '', [built, 'search', 'todo', '--root', home], { encoding: 'utf8', env })
    expect([found.status, found.stderr, found.stdout !== '']).toEqual([0, '', true])
    const piped = spawnSync('sh', ['-c', '"$1" "$2" search todo --root "$3" | head -n 1', 'sh', ...words, home], {
      encoding: 'utf8',
      env
    })
    expect([piped.status, piped.stderr, piped.stdout.split('\n').length]).toEqual([0, '', 2])
  })
})
