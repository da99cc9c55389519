import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { allFixtures, bytesOfFixture } from '../../../test/conformance/fixtures.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { Feed } from './feed.ts'
import type { FeedOutcome, FeedStart } from './feed-messages.ts'
import { GrowingFile } from './growing-file.ts'
import { RebuiltStreams } from './rebuilt-streams.ts'
import { runFiles } from './run-folder.ts'
import { shrinkStream } from './shrink-stream.ts'
import { rebuildStream } from './rebuild-stream.ts'
import { readOrder } from './stream-order.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-shrink-'))
const streams = new RebuiltStreams(createWorker)
afterAll(() => {
  streams.close()
  fs.rmSync(root, { recursive: true, force: true })
})

let runs = 0
let run: string
let start: FeedStart
beforeEach(() => {
  run = `r${runs++}`
  const folder = join(root, run)
  fs.mkdirSync(folder)
  start = {
    run,
    folder,
    recording: join(folder, 'stdout.jsonl'),
    format: 'claude-stream-json',
    timeLimitMs: 60_000,
    logs: null,
    tasks: null,
    shrinks: false
  }
})

const at = (name: string): string => join(start.folder, name)
const over: FeedOutcome = {
  finishReason: 'error',
  lastTurnDecides: false,
  exitCode: 1,
  signal: null,
  message: 'It failed.',
  stderrTail: '',
  disk: null
}
const silent = { tasks: () => {}, result: () => {}, problem: () => {}, streamed: () => {} }

/** Follows what is written, a step at a time, to its end; gives its stream. */
async function followed(steps: readonly (() => void)[], outcome = over): Promise<Buffer> {
  const feed = await Feed.open(start, silent, new AbortController().signal)
  for (const step of steps) {
    step()
    await feed.readOn()
  }
  await feed.end(outcome)
  await feed.close()
  return fs.readFileSync(at('stream.sse'))
}

async function offered(): Promise<Buffer> {
  const stream = new GrowingFile(async () => await streams.open(run, runFiles(root, run)))
  const bytes = await stream.read(Buffer.alloc(await stream.size()), 0)
  await stream.close()
  return bytes
}

/** The same, without a thread. */
async function anew(): Promise<Buffer> {
  const printed = { stdout: new GrowingFile(start.recording), stderr: new GrowingFile(at('stderr.txt')) }
  const pieces: Buffer[] = []
  for await (const bytes of rebuildStream(start.folder, await readOrder(at('order.json.gz')), printed))
    pieces.push(bytes)
  for (const file of Object.values(printed)) await file.close()
  return Buffer.concat(pieces)
}

const names = (): string[] => fs.readdirSync(start.folder).sort()
const sizeOf = (...files: string[]): number => files.reduce((sum, file) => sum + fs.statSync(at(file)).size, 0)
const record = (value: object): string => `${JSON.stringify({ session_id: 's', ...value })}\n`
const call = (id: string, name = 'Bash', input: object = { command: 'ls' }): string =>
  record({
    type: 'assistant',
    parent_tool_use_id: null,
    message: { id: `m${id}`, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] }
  })
const answer = (id: string, content: string, more: object = {}): string =>
  record({
    type: 'user',
    parent_tool_use_id: null,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
    ...more
  })
const hookLine = (id: string, response: object, stdoutBytes: number, more: object = {}): string =>
  `${JSON.stringify({
    ...{ at: 1, stdoutBytes },
    hook: {
      ...{ session_id: 's', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: id },
      tool_response: response,
      ...more
    }
  })}\n`
const write = (text: string | Uint8Array): void => fs.appendFileSync(start.recording, text)
const writeHook = (text: string): void => fs.appendFileSync(at('hooks.jsonl'), text)
const length = (): number => fs.statSync(start.recording).size

describe('a stream that is made anew', () => {
  const printed = new Set(['claude-stream-json', 'codex-exec-json', 'gemini-stream-json'])
  test.each(allFixtures().filter(({ formatId, name }) => printed.has(formatId) && !name.startsWith('array')))(
    'is the same, byte for byte: $formatId/$name',
    async (fixture) => {
      start = { ...start, format: fixture.formatId }
      const bytes = bytesOfFixture(fixture)
      const steps: (() => void)[] = []
      let random = bytes.length + 1
      const below = (most: number): number => (random = (random * 48271) % 2147483647) % most
      for (let from = 0; from < bytes.length;) {
        const to = from + 1 + below(1 + Math.ceil(bytes.length / 12))
        const piece = bytes.subarray(from, to)
        steps.push(() => write(piece))
        if (below(2) === 0)
          steps.push(() => fs.appendFileSync(at('stderr.txt'), Buffer.from('wörter 😀\n').subarray(0, 3 + below(12))))
        from = to
      }
      const written = await followed(steps)
      expect(await shrinkStream(start)).toBe(true)
      expect(names().filter((name) => name !== 'stderr.txt')).toEqual(['order.json.gz', 'stdout.jsonl'])
      expect(await anew()).toEqual(written)
    }
  )

  test('is the same where hooks told of results before the agent did, and of lists, and of nothing', async () => {
    const long = 'y'.repeat(100_000)
    const todos = [{ content: 'One', status: 'pending', activeForm: 'Doing one' }]
    const list = { tool_name: 'TodoWrite', tool_input: { todos } }
    const written = await followed([
      () => write(call('a') + call('b')),
      () => writeHook(hookLine('a', { stdout: 'quick', stderr: '' }, length())),
      () => writeHook(`garbage\n${hookLine('b', { stdout: long, stderr: '' }, 0)}`),
      () => write(answer('a', 'slow', { tool_use_result: { stdout: 'quick', stderr: '' } })),
      () => write(call('w', 'TodoWrite', { todos }) + answer('b', long)),
      // Late, and of an older list: what is told depends on how far the recording was read.
      () => writeHook(hookLine('w', { newTodos: todos }, 0, list) + hookLine('a', { stdout: 'late' }, 0)),
      () => writeHook(hookLine('unknown', { stdout: 'held' }, length())),
      () => write(answer('w', 'ok').slice(0, 30))
    ])
    expect(written.toString().match(/"source":"hook"/g)).toHaveLength(3)
    expect(await shrinkStream(start)).toBe(true)
    expect(names()).toEqual(['order.json.gz', 'stdout.jsonl'])
    expect(await offered()).toEqual(written)
  })

  test('and what it is made of take less than a fifth of what was printed, with 4 KiB', async () => {
    let random = 7
    const text = (): string =>
      Array.from({ length: 2000 }, () => (random = (random * 48271) % 2147483647).toString(36)).join(' ')
    const steps = Array.from({ length: 60 }, (_, i) => () => {
      const stdout = text()
      write(call(`t${i}`))
      writeHook(hookLine(`t${i}`, { stdout, stderr: '' }, length()))
      write(answer(`t${i}`, stdout, { tool_use_result: { stdout, stderr: '' } }))
    })
    await followed(steps)
    expect(sizeOf('stream.sse', 'hooks.jsonl')).toBeGreaterThan(length())
    expect(await shrinkStream(start)).toBe(true)
    expect(sizeOf('order.json.gz')).toBeLessThan(0.2 * length() + 4096)
    expect(sizeOf('order.json.gz')).toBeLessThan(0.01 * length())
  })
})

describe('nothing is lost', () => {
  beforeEach(async () => {
    await followed([() => write(call('a')), () => writeHook(hookLine('a', { stdout: 'quick' }, length()))])
  })

  test('by one that is killed after any of its steps', async () => {
    const [stream, hooks] = [fs.readFileSync(at('stream.sse')), fs.readFileSync(at('hooks.jsonl'))]
    await shrinkStream(start)
    fs.writeFileSync(at('hooks.jsonl'), hooks)
    expect(await offered()).toEqual(stream)
    fs.writeFileSync(at('stream.sse'), stream)
    expect(await offered()).toEqual(stream)
    fs.writeFileSync(at('order.json.gz.1-1.tmp'), 'torn')
    fs.rmSync(at('order.json.gz'))
    expect(await offered()).toEqual(stream)
    expect(await shrinkStream(start)).toBe(true)
    expect(await anew()).toEqual(stream)
  })

  test.each<[what: string, change: () => void]>([
    ['the recording is another one', () => fs.writeFileSync(start.recording, call('b'))],
    ['the recording is gone', () => fs.rmSync(start.recording)],
    ['the stream was not ended', () => fs.truncateSync(at('stream.sse'), fs.statSync(at('stream.sse')).size - 20)],
    ['the hooks are gone', () => fs.rmSync(at('hooks.jsonl'))],
    ['the recording lies elsewhere', () => (start = { ...start, recording: join(root, 'elsewhere.jsonl') })]
  ])('where %s: the stream stays', async (_what, change) => {
    change()
    const before = names()
    const stream = fs.readFileSync(at('stream.sse'))
    expect(await shrinkStream(start).catch(() => false)).toBe(false)
    expect(names()).toEqual(before)
    expect(await offered()).toEqual(stream)
  })

  test('where the recording was changed since, it is said', async () => {
    await shrinkStream(start)
    fs.truncateSync(start.recording, 10)
    await expect(offered()).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The event stream of this run cannot be rebuilt: the recording is shorter than it was.'
    })
  })
})
