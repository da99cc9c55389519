import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { once } from 'node:events'
import { parquetReadObjects } from 'hyparquet'
import { afterEach, describe, expect, test } from 'vitest'
import { file, folder, good, jsonl, playhead, repository, say } from '../../test/command-line.ts'

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`

/** Every file below a folder, with the time of its last write. */
function filesBelow(path: string): Map<string, number> {
  const entries = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    entries.map((entry) => join(entry.parentPath, entry.name)).map((name) => [name, statSync(name).mtimeMs])
  )
}

async function rowsOf(set: string, table: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (const name of filesBelow(join(set, table)).keys()) {
    const bytes = readFileSync(name)
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
    rows.push(...(await parquetReadObjects({ file: buffer })))
  }
  return rows
}

describe('export --to parquet', () => {
  test('a second export of an unchanged session writes nothing; a changed one replaces its files', async () => {
    const path = file('table.jsonl', good)
    const set = join(folder, 'set')
    const first = await playhead('export', path, '--to', 'parquet', '-o', set)
    expect([first.code, first.err]).toEqual([0, `playhead: 6 events written to ${set}\n`])
    const written = filesBelow(set)
    expect([...written.keys()].map((name) => name.slice(set.length).split(/[\\/]/)[1]).sort()).toEqual([
      '_playhead.json',
      'events',
      'requests',
      'runs',
      'todo_changes'
    ])
    const second = await playhead('export', path, '--to', 'parquet', '-o', set)
    expect([second.code, second.err]).toEqual([0, `playhead: unchanged: ${path}\n`])
    expect(filesBelow(set)).toEqual(written)
    writeFileSync(path, good + jsonl(say('more')))
    await playhead('export', path, '--to', 'parquet', '-o', set)
    expect([...filesBelow(set).keys()].sort()).toEqual([...written.keys()].sort())
    expect(await rowsOf(set, 'events')).toHaveLength(7)
    expect(await rowsOf(set, 'runs')).toHaveLength(1)
  })

  test('the same log gives the same bytes', async () => {
    const path = file('same.jsonl', good)
    const sets = ['same-a', 'same-b'].map((name) => join(folder, name))
    for (const set of sets) await playhead('export', path, '--to', 'parquet', '-o', set)
    const [a = [], b = []] = sets.map((set) =>
      [...filesBelow(set).keys()].map((name) => [name.slice(set.length), readFileSync(name).toString('hex')])
    )
    expect(b).toEqual(a)
  })

  test('secrets are redacted unless asked otherwise; --no-text leaves out all texts', async () => {
    const path = file('secret.jsonl', jsonl(say(`use ${token}`)))
    const texts = async (...how: string[]): Promise<unknown[]> => {
      const set = join(folder, `secret${how.join('')}`)
      await playhead('export', path, '--to', 'parquet', '-o', set, ...how)
      return (await rowsOf(set, 'events')).map(({ text }) => text)
    }
    expect(await texts()).toContain('use [redacted: GitHub token]')
    expect(await texts('--no-redact')).toContain(`use ${token}`)
    expect(new Set(await texts('--no-text'))).toEqual(new Set([null]))
  })

  test('a broken list of what was written is replaced', async () => {
    const path = file('broken.jsonl', good)
    const set = join(folder, 'broken')
    mkdirSync(set)
    writeFileSync(join(set, '_playhead.json'), '{"sessions": {"x": 1}}')
    const { code } = await playhead('export', path, '--to', 'parquet', '-o', set)
    expect(code).toBe(0)
    expect(await rowsOf(set, 'runs')).toHaveLength(1)
  })

  test('needs a folder', async () => {
    const { code, err } = await playhead('export', file('no-folder.jsonl', good), '--to', 'parquet')
    expect([code, err]).toEqual([2, expect.stringContaining('--to parquet needs -o FOLDER')])
  })
})

test('--library exports the sessions that match, each once', async () => {
  const root = join(folder, 'machine')
  rmSync(root, { recursive: true, force: true })
  mkdirSync(join(root, 'project'), { recursive: true })
  const log = readFileSync(
    join(repository, 'test/fixtures/formats/claude-transcript/retracted-2.1.330/input.jsonl'),
    'utf8'
  )
  const [, id = ''] = /"sessionId":"([^"]+)"/.exec(log) ?? []
  for (const other of [id, id.replace(/.$/, 'f')])
    writeFileSync(join(root, 'project', `${other}.jsonl`), log.replaceAll(id, other))
  const set = join(folder, 'library-set')
  const first = await playhead('export', '--library', '-o', set, '--root', root)
  expect([first.code, first.err]).toEqual([0, expect.stringContaining('2 sessions written')])
  const written = filesBelow(set)
  const second = await playhead('export', '--library', '-o', set, '--root', root)
  expect([second.code, second.err]).toEqual([0, expect.stringContaining('0 sessions written')])
  expect(second.err).toContain('2 unchanged')
  expect(filesBelow(set)).toEqual(written)
  const none = await playhead('export', '--library', '-o', set, '--root', root, '--since', '2999-01-01')
  expect(none.code).toBe(1)
})

test('several sessions get a file each', async () => {
  const out = join(folder, 'traces')
  const paths = [file('a.jsonl', good), file('b.jsonl', good)]
  const { code } = await playhead('export', ...paths, '--to', 'trace', '-o', out)
  expect([code, readdirSync(out).sort()]).toEqual([0, ['a.trace.json', 'b.trace.json']])
  const { code: refused, err } = await playhead('export', ...paths)
  expect([refused, err]).toEqual([2, expect.stringContaining('several sessions need -o FOLDER')])
})

describe('options of other forms are refused', () => {
  test.each([
    [['--to', 'atif', '--raw'], '--raw cannot be used with --to atif'],
    [['--to', 'trace', '--content'], '--content cannot be used with --to trace'],
    [['--to', 'md', '--endpoint', 'http://localhost:1'], '--endpoint cannot be used with --to md'],
    [['--to', 'otlp', '--no-text'], '--no-text cannot be used with --to otlp'],
    [['--to', 'otlp', '--allow-remote'], '--allow-remote goes with --endpoint'],
    [['--agent', 'claude'], '--agent goes with --library'],
    [['--to', 'xml'], '--to xml: use one of jsonl, md, html, atif, otlp, trace, parquet']
  ])('%j', async (how, message) => {
    const { code, err } = await playhead('export', file('refused.jsonl', good), ...how)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('--endpoint', () => {
  let server: Server | undefined
  afterEach(() => server?.close())

  async function collector(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
    server = createServer(answer).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const timed = jsonl(
    { ...say('hello'), timestamp: '2026-01-02T03:04:05Z' },
    { ...say('again'), timestamp: '2026-01-02T03:04:07Z' }
  )

  test('posts the spans as JSON to /v1/traces', async () => {
    const got: { url: string; type: string; body: string }[] = []
    const url = await collector((request, response) => {
      let body = ''
      request.on('data', (bytes: Buffer) => (body += bytes.toString()))
      request.on('end', () => {
        got.push({ url: request.url ?? '', type: request.headers['content-type'] ?? '', body })
        response.end('{}')
      })
    })
    const path = file('timed.jsonl', timed)
    const { code, out, err } = await playhead('export', path, '--to', 'otlp', '--endpoint', url)
    expect([code, out, err]).toEqual([0, '', `playhead: spans sent to ${url}/v1/traces\n`])
    expect(got.map(({ url: at, type }) => [at, type])).toEqual([['/v1/traces', 'application/json']])
    expect(got[0]?.body).toBe((await playhead('export', path, '--to', 'otlp')).out.trimEnd())
  })

  test('says what a collector answers', async () => {
    const url = await collector((_request, response) => {
      response.statusCode = 503
      response.end('later')
    })
    const { code, err } = await playhead('export', file('late.jsonl', timed), '--to', 'otlp', '--endpoint', url)
    expect([code, err]).toEqual([2, expect.stringContaining('answered 503 later')])
  })

  test('follows no redirect, and sends to no other machine', async () => {
    const url = await collector((_request, response) => {
      response.statusCode = 307
      response.setHeader('location', 'http://192.0.2.1/v1/traces')
      response.end()
    })
    const path = file('moved.jsonl', timed)
    const moved = await playhead('export', path, '--to', 'otlp', '--endpoint', url)
    expect([moved.code, moved.err]).toEqual([2, expect.stringContaining('does not answer')])
    for (const remote of ['http://192.0.2.1:4318', 'https://collector.example', 'http://127.0.0.1.example']) {
      const { code, err } = await playhead('export', path, '--to', 'otlp', '--endpoint', remote)
      expect([code, err]).toEqual([2, expect.stringContaining('is another machine. Add --allow-remote')])
    }
    const { code } = await playhead('export', path, '--to', 'otlp', '--endpoint', 'ftp://127.0.0.1')
    expect(code).toBe(2)
  })
})

test('a log without times has no spans, and says so', async () => {
  const untimed = jsonl(
    { type: 'thread.started', thread_id: 't' },
    { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'hello' } }
  )
  const out = join(folder, 'untimed.otlp')
  const { code, err } = await playhead('export', file('untimed.jsonl', untimed), '--to', 'otlp', '-o', out)
  expect([code, existsSync(out)]).toEqual([2, false])
  expect(err).toContain('states no times')
})
