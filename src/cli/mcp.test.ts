import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { environment, folder, repository, sink } from '../../test/command-line.ts'
import { mcpClient } from '../../test/mcp-client.ts'
import { run } from './run.ts'

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
const place = mkdtempSync(join(folder, 'mcp-'))
const root = join(place, 'sessions')
const fixture = (name: string): string =>
  readFileSync(join(repository, 'test/fixtures/formats/claude-transcript', name, 'input.jsonl'), 'utf8')
const idOf = (log: string): string => /"sessionId":"([^"]+)"/.exec(log)?.[1] ?? ''

const first = fixture('background-2.1.330')
const second = fixture('stop-reasons-2.1.112')
const [firstId, secondId] = [idOf(first), idOf(second)]
const prompt = (number: number, content: string): string =>
  `${JSON.stringify({
    ...{
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: '/w',
      sessionId: 'secret-session',
      version: '2.1.330'
    },
    ...{ type: 'user', uuid: `00000000-0000-4000-8000-00000000000${number}`, timestamp: '2026-01-02T03:04:05Z' },
    message: { role: 'user', content }
  })}\n`

let server: Awaited<ReturnType<typeof mcpClient>>

/** Every file below the folder of the test, with its size and time. */
function tree(): string[] {
  return readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, statSync(join(place, name))] as const)
    .map(([name, { size, mtimeMs, mode }]) => `${name} ${size} ${mtimeMs} ${mode}`)
    .sort()
}

async function answer<T>(name: string, given: Record<string, unknown> = {}): Promise<T> {
  const { content, isError } = await server.ask(name, given)
  expect([isError ?? false, content[0]?.text]).toEqual([false, expect.anything()])
  return JSON.parse(content[0]?.text ?? '') as T
}

async function refusal(name: string, given: Record<string, unknown>): Promise<string> {
  const { content, isError } = await server.ask(name, given)
  expect(isError).toBe(true)
  return content[0]?.text ?? ''
}

interface List {
  readonly items: readonly Record<string, unknown>[]
  readonly next?: number
  readonly matches?: number
}

beforeAll(async () => {
  mkdirSync(join(root, 'project'), { recursive: true })
  writeFileSync(join(root, 'project', `${firstId}.jsonl`), first)
  writeFileSync(join(root, 'project', `${secondId}.jsonl`), second)
  const long = 'x'.repeat(100_000)
  writeFileSync(
    join(root, 'project', 'secret-session.jsonl'),
    prompt(1, `use ${token}`) + prompt(2, `or ${token.slice(0, 12)}`) + prompt(3, `${token.slice(12)} and ${long}`)
  )
  writeFileSync(join(place, 'outside.jsonl'), first)
  server = await mcpClient('--root', root)
})
afterAll(async () => {
  await server.end()
  rmSync(place, { recursive: true })
})

describe('playhead mcp', () => {
  test('lists its tools, all of which only read', async () => {
    const { tools } = await server.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['list_sessions', 'search_sessions', 'query_events', 'get_event', 'todos_at', 'findings', 'files_at'],
      ...['compare_sessions', 'stats']
    ])
    for (const { annotations, description } of tools)
      expect([annotations?.readOnlyHint, (description ?? '').length > 20]).toEqual([true, true])
  })

  test('sessions are listed, filtered and searched', async () => {
    const all = await answer<List>('list_sessions')
    expect(all.items.map(({ sessionId }) => sessionId).toSorted()).toEqual(
      [firstId, secondId, 'secret-session'].toSorted()
    )
    const page = await answer<List>('list_sessions', { limit: 1 })
    expect([page.items.length, page.next]).toEqual([1, 1])
    const found = await answer<List>('search_sessions', { text: 'or [redacted', limit: 5 })
    expect(found.items).toEqual([])
    const hits = await answer<List>('search_sessions', { text: secondId.slice(0, 12), limit: 5 })
    expect(hits.items.length).toBeGreaterThan(0)
    expect(await refusal('list_sessions', { where: 'failed:many' })).toContain('failed')
  })

  test('a session that was written since is found', async () => {
    const path = join(root, 'project', 'later.jsonl')
    writeFileSync(path, prompt(4, 'a later one').replaceAll('secret-session', 'later-session'))
    try {
      const { items } = await answer<List>('list_sessions')
      expect(items.map(({ sessionId }) => sessionId)).toContain('later-session')
    } finally {
      rmSync(path)
    }
  })

  test('events are asked for with queries, and one comes in full', async () => {
    const { items, matches } = await answer<List>('query_events', { session: firstId, query: 'type:tool.started' })
    expect(matches).toBe(items.length)
    expect(items.every(({ type }) => type === 'tool.started')).toBe(true)
    const seq = items[0]?.['seq']
    const event = JSON.parse((await answer<{ text: string }>('get_event', { session: firstId, seq })).text) as object
    expect(event).toMatchObject({ seq, type: 'tool.started' })
    expect(await refusal('get_event', { session: firstId, seq: 1e6 })).toMatch(/the last event of this session is \d+/)
  })

  test('pages join to the whole', async () => {
    const whole = await answer<List>('query_events', { session: firstId, limit: 500 })
    const items: unknown[] = []
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const page: List = await answer<List>('query_events', { session: firstId, limit: 3, offset })
      items.push(...page.items)
      offset = page.next
    }
    expect(items).toEqual(whole.items)
  })

  test('todos, findings, files, numbers and comparisons are those of the commands', async () => {
    const path = join(root, 'project', `${firstId}.jsonl`)
    for (const [tool, argv] of [
      ['todos_at', ['todos', path, '--json']],
      ['findings', ['findings', path, '--json']],
      ['files_at', ['files', path, '--json']]
    ] as const) {
      const out = sink()
      await run(argv, environment({ stdout: out.stream }))
      const lines = out
        .text()
        .split('\n')
        .filter((line) => line !== '')
      expect((await answer<List>(tool, { session: firstId, limit: 500 })).items).toEqual(
        lines.map((line) => JSON.parse(line) as unknown)
      )
    }
    const { items } = await answer<List>('stats', { session: firstId })
    expect(items[0]).toMatchObject({ format: 'claude-transcript', calls: { total: expect.any(Number) as number } })
    const same = await answer<List & { summary: object }>('compare_sessions', { a: firstId, b: firstId })
    expect([same.items, Object.keys(same.summary)]).toEqual([[], expect.arrayContaining(['a', 'b', 'same'])])
    const other = await answer<List>('compare_sessions', { a: firstId, b: secondId })
    expect(other.items.length).toBeGreaterThan(0)
  })

  test('secrets are redacted, also those across texts, unless the server is told otherwise', async () => {
    const { items } = await answer<List>('query_events', { session: 'secret-session', query: 'type:text' })
    const shown = JSON.stringify(items)
    expect(shown).toContain('[redacted: GitHub token]')
    for (const part of [token, token.slice(0, 12), token.slice(12)]) expect(shown).not.toContain(part)
    for (const seq of [1, 2, 3]) {
      const { text } = await answer<{ text: string }>('get_event', { session: 'secret-session', seq })
      for (const part of [token, token.slice(0, 12), token.slice(12)]) expect(text).not.toContain(part)
    }
    const open = await mcpClient('--root', root, '--no-redact')
    const kept = await open.ask('query_events', { session: 'secret-session', query: 'type:text' })
    expect(kept.content[0]?.text).toContain(token)
    expect(await open.end()).toBe(0)
  })

  test('answers are bounded, and say how to go on', async () => {
    const { items } = await answer<List>('query_events', { session: 'secret-session', query: 'type:text' })
    expect(JSON.stringify(items).length).toBeLessThan(5000)
    expect(JSON.stringify(items)).toMatch(/… \(\d{6} characters\)/)
    let text = ''
    for (let from: number | undefined = 0; from !== undefined;) {
      const part: { text: string; next?: number } = await answer('get_event', {
        session: 'secret-session',
        seq: 3,
        from
      })
      expect(part.text.length).toBeLessThanOrEqual(40_000)
      text += part.text
      from = part.next
    }
    expect(JSON.parse(text)).toMatchObject({ seq: 3, type: 'text' })
  })

  test('only sessions of the library are opened', async () => {
    const names = [
      'outside.jsonl',
      '../outside.jsonl',
      join(place, 'outside.jsonl'),
      join(root, 'project', '..', '..', 'outside.jsonl')
    ]
    for (const name of [
      ...names,
      '/etc/passwd',
      '/dev/zero',
      '*',
      '~',
      '--help',
      '',
      '\0',
      '__proto__',
      'x'.repeat(5000)
    ]) {
      const { isError, content } = await server.ask('stats', { session: name })
      expect([name.slice(0, 50), isError, content[0]?.text.length !== 0]).toEqual([name.slice(0, 50), true, true])
    }
    expect(await refusal('stats', { session: 'nowhere' })).toContain('list_sessions gives the ids')
  })

  test.each<[string, Record<string, unknown>]>([
    ['query_events', { session: 7 }],
    ['query_events', { session: ['a'] }],
    ['query_events', {}],
    ['query_events', { session: 'SECOND', query: 'x'.repeat(2000) }],
    ['query_events', { session: 'SECOND', offset: -1 }],
    ['query_events', { session: 'SECOND', limit: 1e9 }],
    ['query_events', { session: 'SECOND', query: '/(a+/' }],
    ['get_event', { session: 'SECOND', seq: 1.5 }],
    ['get_event', { session: 'SECOND', seq: 2 ** 53 }],
    ['get_event', { session: 'SECOND', seq: 'NaN' }],
    ['files_at', { session: 'SECOND', path: '' }],
    ['todos_at', { session: 'SECOND', seq: 999_999 }],
    ['compare_sessions', { a: 'SECOND' }],
    ['search_sessions', { text: '' }],
    ['no_such_tool', {}]
  ])('%s %j is refused in words', async (tool, given) => {
    const { session } = given
    const text = await refusal(tool, session === 'SECOND' ? { ...given, session: secondId } : given)
    expect(text.length).toBeGreaterThan(5)
    expect(text).not.toContain('inside Playhead')
  })

  test('questions asked before the input ends are answered', async () => {
    const out = sink()
    const message = (id: number | undefined, method: string, params: object): string =>
      `${JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), method, params })}\n`
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    const input =
      message(1, 'initialize', client) +
      message(undefined, 'notifications/initialized', {}) +
      message(2, 'tools/call', { name: 'list_sessions', arguments: {} })
    const code = await run(
      ['mcp', '--root', root],
      environment({
        stdin: Readable.from([Buffer.from(input)]),
        stdout: out.stream,
        untilStopped: async () => await new Promise(() => {})
      })
    )
    const ids = out
      .text()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
    expect([code, ids]).toEqual([0, [1, 2]])
  })

  test.each([
    ['in one piece', 5 << 20],
    ['in pieces', 64 << 10]
  ])('a message that is too long, %s, ends it with a word on standard error', async (_how, size) => {
    const [out, err] = [sink(), sink()]
    const pieces = Array.from({ length: Math.ceil((5 << 20) / size) }, () => Buffer.alloc(size, 'x'))
    const stdin = new PassThrough()
    const ended = run(
      ['mcp', '--root', root],
      environment({
        ...{ stdin, stdout: out.stream, stderr: err.stream },
        untilStopped: async () => await new Promise(() => {})
      })
    )
    for (const piece of pieces) stdin.write(piece)
    expect([await ended, out.text(), err.text()]).toEqual([
      2,
      '',
      'playhead: ended, as a message on standard input is longer than 4.2 MB\n'
    ])
  })

  test('a thousand questions at once are all answered', async () => {
    const answers = await Promise.all(
      Array.from(
        { length: 1000 },
        async (_, i) => await server.ask('stats', { session: i % 10 === 0 ? firstId : `none-${i}` })
      )
    )
    expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(100)
  })

  test('nothing is written', async () => {
    const before = tree()
    const other = await mcpClient('--root', root)
    for (const [tool, given] of [
      ['list_sessions', {}],
      ['search_sessions', { text: 'a' }],
      ['query_events', { session: firstId }],
      ['findings', { session: firstId }],
      ['files_at', { session: firstId }],
      ['compare_sessions', { a: firstId, b: secondId }]
    ] as const)
      expect((await other.ask(tool, given)).isError ?? false).toBe(false)
    expect(await other.end()).toBe(0)
    expect(tree()).toEqual(before)
    for (const name of ['state', 'cache', 'home']) expect(() => statSync(join(folder, name))).toThrow(/ENOENT/)
  })
})
