import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, describe, expect, test } from 'vitest'
import { createWorker } from '#backend/indexer/create-worker.ts'
import type { Environment } from './environment.ts'
import { run } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

const repository = join(import.meta.dirname, '..', '..')

function sink(slow = false): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    // `slow`: takes less than it is given, so that nothing relies on a reader that is always ready.
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      if (slow) setImmediate(done)
      else done()
    }
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

function environment(over: Partial<Environment> = {}): Environment {
  return {
    stdout: sink().stream,
    stderr: sink().stream,
    variables: { PLAYHEAD_STATE_DIR: join(folder, 'state') },
    platform: 'linux',
    isRoot: false,
    version: '1.2.3',
    root: repository,
    createWorker,
    untilStopped: async () => {},
    ...over
  }
}

/** Runs a command line; `out` is what other programs would read. */
async function playhead(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const out = sink(true)
  const err = sink()
  const code = await run(argv, environment({ stdout: out.stream, stderr: err.stream }))
  return { code, out: out.text(), err: err.text() }
}

async function json(...argv: string[]): Promise<Record<string, unknown>> {
  const { out, err, code } = await playhead(...argv, '--json')
  expect([code, err, out.split('\n').length]).toEqual([expect.any(Number), expect.any(String), 2])
  return JSON.parse(out) as Record<string, unknown>
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const init = { type: 'system', subtype: 'init', session_id: 's1', cwd: '/w', tools: [], model: 'm-1' }
const message = (role: 'assistant' | 'user', content: object, parent: string | null = null) => ({
  type: role,
  message: { role, content: [content] },
  parent_tool_use_id: parent,
  timestamp: '2026-01-02T03:04:05.000Z',
  session_id: 's1'
})
const say = (text: string) => message('assistant', { type: 'text', text })
const todoWrite = (id: string, todos: [string, string][], parent: string | null = null) => {
  const items = todos.map(([content, status]) => ({ content, status, activeForm: content }))
  return message('assistant', { type: 'tool_use', id, name: 'TodoWrite', input: { todos: items } }, parent)
}
const bash = message('assistant', { type: 'tool_use', id: 'b1', name: 'Bash', input: { command: 'ls' } })
const jsonl = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

const good = jsonl(
  init,
  say('naïve ☕'),
  todoWrite('t1', [['Read', 'in_progress']]),
  todoWrite('t2', [['Look', 'pending']], 'sub'),
  bash,
  todoWrite('t3', [
    ['Read', 'completed'],
    ['Write', 'pending']
  ])
)

describe('check', () => {
  test('a good log: nothing to say, exit code 0', async () => {
    const path = file('good.jsonl', good)
    expect(await playhead('check', path)).toEqual({
      code: 0,
      out: '',
      err: 'playhead: 6 lines, 6 records, 6 events: 0 malformed, 0 in violation, 0 notices\n'
    })
    expect(await json('check', path)).toEqual({
      file: path,
      format: 'claude-stream-json',
      bytes: Buffer.byteLength(good),
      lines: 6,
      records: 6,
      events: 6,
      issues: []
    })
  })

  test('a line for each issue, exit code 1', async () => {
    const path = file('bad.jsonl', jsonl(init) + 'oops\n\n' + jsonl({ ...init, session_id: 7 }))
    const { code, out, err } = await playhead('check', path)
    expect(code).toBe(1)
    expect(out.split('\n')).toEqual([
      expect.stringMatching(/^.*bad\.jsonl:2: JsonParse - column 1: /),
      expect.stringMatching(/^.*bad\.jsonl:4: TypedParse \$\.session_id /),
      ''
    ])
    expect(err).toContain('4 lines, 2 records,')
  })

  test('notices alone are fine', async () => {
    const path = file('notice.jsonl', jsonl(init, { type: 'brand_new', session_id: 's1' }))
    expect(await playhead('check', path)).toMatchObject({ code: 0, out: expect.stringContaining('UnknownType') })
  })
})

describe('bad input', () => {
  /** The bytes that `check --json` says each issue is about. */
  async function issuesOf(path: string): Promise<{ code: string; line: number; bytes: string }[]> {
    const { issues } = await json('check', path)
    const bytes = readFileSync(path)
    return (issues as { code: string; line: number; offset: number; length: number }[]).map(
      ({ code, line, offset, length }) => ({
        code,
        line,
        bytes: bytes.subarray(offset, offset + length).toString('latin1')
      })
    )
  }

  test('an empty file has nothing in it, which is no fault', async () => {
    const path = file('empty.jsonl', '')
    const { code, out, err } = await playhead('check', path, '--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({ file: path, format: null, bytes: 0, lines: 0, records: 0, events: 0, issues: [] })
    expect(err).toMatch(/empty/)
    for (const command of ['export', 'todos', 'stats']) expect((await playhead(command, path)).code).toBe(0)
  })

  test('a missing file, a directory, a pipe: exit code 2 and a sentence', async () => {
    mkdirSync(join(folder, 'dir'))
    spawnSync('mkfifo', [join(folder, 'pipe')])
    for (const command of ['check', 'export', 'todos', 'stats']) {
      expect(await playhead(command, join(folder, 'nope'))).toEqual({
        code: 2,
        out: '',
        err: `playhead: ${join(folder, 'nope')} does not exist; check the path\n`
      })
      expect(await playhead(command, join(folder, 'dir'))).toMatchObject({
        code: 2,
        err: expect.stringMatching(/directory/)
      })
      expect(await playhead(command, join(folder, 'pipe'))).toMatchObject({
        code: 2,
        err: expect.stringMatching(/pipe/)
      })
      expect(await playhead(command, 'a\0b')).toMatchObject({ code: 2, out: '' })
    }
  })

  test.skipIf(process.getuid?.() === 0)('a file that may not be read (as root every file may)', async () => {
    const path = file('secret.jsonl', good)
    chmodSync(path, 0)
    expect(await playhead('check', path)).toMatchObject({ code: 2, err: expect.stringMatching(/permissions/) })
  })

  test('a binary is said to be one, and its lines are malformed', async () => {
    const path = file('binary', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff, 0xfe, 10, 0, 0, 10]))
    const { code, err } = await playhead('check', path)
    expect(code).toBe(1)
    expect(err).toMatch(/binary/)
    expect((await issuesOf(path)).map(({ line }) => line)).toEqual(expect.arrayContaining([1, 2]))
  })

  test('null, an array and a number are records that break the contract, each on its line', async () => {
    const path = file('null.jsonl', jsonl(init) + 'null\n[1]\n7\n' + jsonl(say('on')))
    expect(await issuesOf(path)).toEqual([
      { code: 'TypedParse', line: 2, bytes: 'null' },
      { code: 'TypedParse', line: 3, bytes: '[1]' },
      { code: 'TypedParse', line: 4, bytes: '7' }
    ])
    expect(await json('stats', path)).toMatchObject({ events: 2 })
  })

  test('bytes that are not UTF-8 are an issue of their line only', async () => {
    const spoilt = Buffer.from(jsonl(init, say('é'), say('on')))
    spoilt[spoilt.indexOf(0xc3)] = 0xff
    const [issue, ...more] = await issuesOf(file('latin.jsonl', spoilt))
    expect([issue?.code, issue?.line, more]).toEqual(['InvalidUtf8', 2, []])
  })

  test('a cut last line is an issue, the lines before it are events', async () => {
    const cut = Buffer.from(jsonl(init, say('whole'), say('☕☕☕'))).subarray(0, -95)
    const path = file('cut.jsonl', cut)
    expect(await issuesOf(path)).toMatchObject([{ code: 'JsonParse', line: 3 }])
    expect((await playhead('check', path)).out).toContain('the source ends inside this line')
    expect((await playhead('export', path)).out).toContain('"text":"whole"')
  })

  test('CRLF throughout and a byte order mark change offsets, and nothing else', async () => {
    const path = file('crlf.jsonl', `\ufeff${(jsonl(init) + 'oops\n' + good).replaceAll('\n', '\r\n')}`)
    expect(await issuesOf(path)).toEqual([{ code: 'JsonParse', line: 2, bytes: 'oops' }])
    expect(await json('stats', path)).toMatchObject({ format: 'claude-stream-json', lines: 8, todoSnapshots: 3 })
  })

  test('100 MB on one line: the line is read, and so is the rest', { timeout: 120_000 }, async () => {
    const path = join(folder, 'huge.jsonl')
    writeFileSync(path, jsonl(init))
    const [before, after] = JSON.stringify(say('HERE')).split('HERE')
    writeFileSync(path, before ?? '', { flag: 'a' })
    for (let i = 0; i < 100; i++) writeFileSync(path, 'x'.repeat(1 << 20), { flag: 'a' })
    writeFileSync(path, `${after}\noops\n${jsonl(say('on'))}`, { flag: 'a' })
    expect(await issuesOf(path)).toMatchObject([{ code: 'JsonParse', line: 3, bytes: 'oops' }])
    expect(await json('stats', path)).toMatchObject({ lines: 4, byType: { error: 1 } })
    rmSync(path)
  })

  test('text that would steer a terminal is not printed as it is', async () => {
    const path = file('escape.jsonl', jsonl(init, todoWrite('t', [['\u001b]0;owned\u0007\u202eabc', 'pending']])))
    const { out } = await playhead('todos', path, '--at', '1')
    expect(out).toContain(']0;owned abc')
    expect(out.replaceAll('\n', '')).not.toMatch(/\p{C}/u)
  })
})

describe('export', () => {
  test('one event a line, in log order; opened again the same', async () => {
    const path = file('export.jsonl', good)
    const { code, out, err } = await playhead('export', path)
    expect([code, err]).toEqual([0, ''])
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events.map(({ type }) => type)).toEqual([
      'session.started',
      'text',
      'todo_list',
      'todo_list',
      'tool.started',
      'todo_list'
    ])
    const again = await playhead('export', file('export-again.jsonl', out))
    expect(again.out).toBe(out)
    const todos = await playhead('todos', join(folder, 'export-again.jsonl'), '--json')
    expect(todos.out).toBe((await playhead('todos', path, '--json')).out)
  })

  test('--raw adds the exact line', async () => {
    const { out } = await playhead('export', file('raw.jsonl', good.replaceAll('\n', '\r\n')), '--raw')
    const raws = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { raw: string }).raw)
    expect(raws).toEqual(good.trimEnd().split('\n'))
  })

  test('-o writes a file whole, and says so', async () => {
    const path = file('to-file.jsonl', good)
    const target = file('target.jsonl', 'former')
    chmodSync(target, 0o640)
    const { code, out, err } = await playhead('export', path, '-o', target)
    expect([code, out]).toEqual([0, ''])
    expect(err).toContain('6 events')
    expect(readFileSync(target, 'utf8')).toBe((await playhead('export', path)).out)
    expect(statSync(target).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('-o never writes to the log itself, by whatever path', async () => {
    const path = file('self.jsonl', good)
    symlinkSync(path, join(folder, 'soft'))
    linkSync(path, join(folder, 'hard'))
    for (const target of [
      path,
      join(folder, 'soft'),
      join(folder, 'hard'),
      join(folder, 'state', '..', 'self.jsonl')
    ]) {
      mkdirSync(join(folder, 'state'), { recursive: true })
      expect(await playhead('export', path, '-o', target)).toMatchObject({
        code: 2,
        err: expect.stringMatching(/the log itself/)
      })
    }
    expect(await playhead('export', join(folder, 'soft'), '-o', path)).toMatchObject({ code: 2 })
    expect(readFileSync(path, 'utf8')).toBe(good)
  })

  test('-o leaves what was there when the log cannot be read', async () => {
    const target = file('kept.jsonl', 'former')
    expect((await playhead('export', join(folder, 'nope'), '-o', target)).code).toBe(2)
    expect(readFileSync(target, 'utf8')).toBe('former')
    expect(await playhead('export', file('f', good), '-o', join(folder, 'no', 'dir'))).toMatchObject({ code: 2 })
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  test('-o writes to a device as it is', async () => {
    expect((await playhead('export', file('dev', good), '-o', '/dev/null')).code).toBe(0)
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test('other targets are not there yet', async () => {
    const path = file('to.jsonl', good)
    expect(await playhead('export', path, '--to', 'html')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/not in this version/)
    })
    expect(await playhead('export', path, '--to', 'pdf')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/only jsonl/)
    })
  })
})

describe('todos', () => {
  const path = () => file('todos.jsonl', good)

  test('one line per snapshot, with what it changed', async () => {
    const { code, out } = await playhead('todos', path(), '--json')
    expect(code).toBe(0)
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(lines).toEqual([
      {
        seq: 2,
        line: 3,
        timestamp: Date.parse('2026-01-02T03:04:05.000Z'),
        agentId: 'claude-code',
        trackId: null,
        todoId: 't1',
        items: [{ text: 'Read', status: 'in_progress' }],
        changes: [{ kind: 'added', text: 'Read', to: 'in_progress' }]
      },
      expect.objectContaining({ seq: 3, trackId: 'sub', changes: [{ kind: 'added', text: 'Look', to: 'pending' }] }),
      expect.objectContaining({
        seq: 5,
        trackId: null,
        changes: [
          { kind: 'status', text: 'Read', from: 'in_progress', to: 'completed' },
          { kind: 'added', text: 'Write', to: 'pending' }
        ]
      })
    ])
    expect((await playhead('todos', path())).out.split('\n')).toEqual([
      'event 2  line 3  main agent  0/1  1 added',
      'event 3  line 4  sub  0/1  1 added',
      'event 5  line 6  main agent  1/2  Read, 1 added',
      ''
    ])
  })

  test('--at: the lists as they were after that event, the main agent first', async () => {
    const at = async (seq: string) =>
      (await playhead('todos', path(), '--at', seq, '--json')).out
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { seq: of, trackId, todoId, items } = JSON.parse(line) as Record<string, unknown>
          return [of, trackId, todoId, (items as unknown[]).length]
        })
    expect(await at('1')).toEqual([[1, null, null, 0]])
    expect(await at('2')).toEqual([[2, null, 't1', 1]])
    expect(await at('4')).toEqual([
      [2, null, 't1', 1],
      [3, 'sub', 't2', 1]
    ])
    expect(await at('5')).toEqual([
      [5, null, 't3', 2],
      [3, 'sub', 't2', 1]
    ])
    expect((await playhead('todos', path(), '--at', '5')).out).toBe(
      'event 5  line 6  main agent  1/2\n  [x] Read\n  [ ] Write\nevent 3  line 4  sub  0/1\n  [ ] Look\n'
    )
    expect((await playhead('todos', path(), '--at', '0')).out).toBe('event 0  no todo list yet\n')
  })

  test.each(['6', 'x', '1.5', '99999999999999999999', ''])(
    '--at %j is refused with the range there is',
    async (seq) => {
      expect(await playhead('todos', path(), `--at=${seq}`)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('from 0 to 5')
      })
    }
  )

  test('--at in a log without events', async () => {
    expect(await playhead('todos', file('none', ''), '--at', '0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no events')
    })
  })
})

describe('stats', () => {
  test('counts what is in the log', async () => {
    const path = file('stats.jsonl', good + 'oops\n' + jsonl({ type: 'brand_new', session_id: 's1' }))
    expect(await json('stats', path)).toEqual({
      file: path,
      format: 'claude-stream-json',
      bytes: statSync(path).size,
      lines: 8,
      events: 8,
      byType: {
        'session.started': 1,
        text: 2,
        'tool.started': 1,
        'tool.completed': 0,
        'turn.completed': 0,
        error: 1,
        todo_list: 3
      },
      tools: { Bash: 1 },
      tracks: [
        { trackId: null, events: 7 },
        { trackId: 'sub', events: 1 }
      ],
      issues: { malformed: 1, violation: 0, notice: 1 },
      todoSnapshots: 3,
      firstTimestamp: Date.parse('2026-01-02T03:04:05.000Z'),
      lastTimestamp: Date.parse('2026-01-02T03:04:05.000Z'),
      parseMs: expect.any(Number),
      peakRssBytes: expect.any(Number)
    })
    expect((await playhead('stats', path)).out).toContain('firstTimestamp  2026-01-02T03:04:05.000Z\n')
  })

  test('a log without times has none', async () => {
    expect(await json('stats', file('timeless', jsonl(init)))).toMatchObject({
      firstTimestamp: null,
      lastTimestamp: null
    })
  })
})

describe('serve and open', () => {
  test('print the address and nothing else, and end when they are asked to', async () => {
    const path = file('served.jsonl', good)
    const { code, out, err } = await playhead('serve', path, '--no-open')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+\n$/)
  })

  test('open says on one line which host it is, why, and where', async () => {
    const out = sink()
    expect(await run([file('opened.jsonl', good)], environment({ stdout: out.stream, root: folder }))).toBe(0)
    expect(out.text()).toMatch(
      /^Playhead in the browser, since Electron's program is not installed: http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+\n$/
    )
  })

  test('open starts Electron where it can run', async () => {
    const root = join(folder, 'app')
    mkdirSync(join(root, 'node_modules', 'electron', 'dist'), { recursive: true })
    writeFileSync(join(root, 'node_modules', 'electron', 'path.txt'), 'electron')
    const binary = join(root, 'node_modules', 'electron', 'dist', 'electron')
    const seen = join(folder, 'seen')
    writeFileSync(binary, `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}'\nexit 3\n`, { mode: 0o755 })
    const log = file('for electron.jsonl', good)
    const host = { root, variables: { DISPLAY: ':0' } }
    expect(await run(['open', log], environment(host))).toBe(3)
    expect(readFileSync(seen, 'utf8')).toBe(`${root}\n${log}\n`)

    const why = async (over: Partial<Environment>) => {
      const out = sink()
      await run(['open', log, '--no-open'], environment({ ...host, stdout: out.stream, ...over }))
      return out.text()
    }
    expect(await why({ isRoot: true })).toMatch(/does not run as root/)
    expect(await why({ variables: {} })).toMatch(/no display/)
    expect(await why({ root: folder })).toMatch(/not installed/)
  })

  test('a log that is not there is said before anything is opened', async () => {
    for (const command of ['open', 'serve']) {
      expect(await playhead(command, join(folder, 'nope'))).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/does not exist/)
      })
    }
    expect(await playhead('serve', '--port', '99999')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/0 .* to 65535/)
    })
  })
})

describe('the command line itself', () => {
  test('--version and --help', async () => {
    expect(await playhead('--version')).toEqual({ code: 0, out: '1.2.3\n', err: '' })
    const { code, out, err } = await playhead('--help')
    expect([code, err]).toEqual([0, ''])
    for (const word of ['open', 'serve', 'check', 'export', 'todos', 'stats', 'claude-stream-json'])
      expect(out).toContain(word)
    expect((await playhead('check', '--help')).out).toMatch(/^usage: playhead check FILE/)
  })

  test.each([
    [['chek', 'x'], /neither a command .* nor a file/],
    [['check'], /which FILE/],
    [['check', 'a', 'b'], /one too many/],
    [['check', 'a', '--jsn'], /--jsn/],
    [['stats', 'a', '--format', 'cobol'], /exist/],
    [['run', 'claude'], /not in this version/],
    [['--nonsense'], /--nonsense/]
  ])('%j is refused with exit code 2', async (argv, reason) => {
    const { code, out, err } = await playhead(...argv)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(reason)
  })

  test('--format overrides what the log looks like', async () => {
    const path = file('forced.jsonl', good)
    expect(await json('stats', path, '--format', 'normalized')).toMatchObject({ format: 'normalized', events: 0 })
    expect(await playhead('check', path, '--format', 'cobol')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/no log format "cobol".*claude-transcript/)
    })
  })

  test('a reader that goes away is no failure', async () => {
    const path = file('long.jsonl', jsonl(init, ...Array.from({ length: 20_000 }, (_, i) => say(`line ${i}`))))
    const gone = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      }
    })
    const err = sink()
    expect(await run(['export', path], environment({ stdout: gone, stderr: err.stream }))).toBe(0)
    expect(err.text()).toBe('')
  })
})

const built = join(repository, 'out', 'main', 'cli.js')
describe.skipIf(!existsSync(built))('the built program (skipped where there is no build)', () => {
  test('is the same: data on stdout, and a pipe that closes early is quiet', () => {
    const path = file('built.jsonl', good.repeat(5000))
    const checked = spawnSync(process.execPath, [built, 'check', path, '--json'], { encoding: 'utf8' })
    expect(checked.status).toBe(0)
    expect(JSON.parse(checked.stdout)).toMatchObject({ file: path, lines: 30_000 })
    const piped = spawnSync('sh', ['-c', '"$1" "$2" export "$3" | head -n 1', 'sh', process.execPath, built, path], {
      encoding: 'utf8'
    })
    expect([piped.status, piped.stderr, piped.stdout.split('\n').length]).toEqual([0, '', 2])
  })
})
