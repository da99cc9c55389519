import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleForNode } from '../../../test/node-worker-plugin.ts'
import { readEvents, type ReceivedEvent } from '../../../test/server-sent-events.ts'
import { Feed } from './feed.ts'
import type { FeedOutcome, FeedStart } from './feed-messages.ts'

const root = fs.mkdtempSync(join(tmpdir(), 'playhead-feed-kill-'))
let program = ''
beforeAll(async () => {
  program = await bundleForNode(join(import.meta.dirname, '../../../test/feed-program.ts'), root)
})
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const over: FeedOutcome = {
  finishReason: 'done',
  lastTurnDecides: false,
  exitCode: 0,
  signal: null,
  message: null,
  stderrTail: '',
  disk: null
}
const silent = { tasks: () => {}, result: () => {}, problem: () => {}, streamed: () => {} }

function startIn(folder: string, recording: string): FeedStart {
  fs.mkdirSync(folder, { recursive: true })
  return {
    run: 'r',
    folder,
    recording,
    format: 'claude-stream-json',
    timeLimitMs: null,
    logs: null,
    tasks: null,
    shrinks: false
  }
}

async function ended(start: FeedStart): Promise<readonly ReceivedEvent[]> {
  const feed = await Feed.open(start, silent, new AbortController().signal)
  await feed.end(over)
  await feed.close()
  return readEvents(fs.readFileSync(join(start.folder, 'stream.sse'), 'utf8'))
}

const exited = async (child: ChildProcess): Promise<unknown> => await once(child, 'exit')

test('a program that follows a run is killed again and again (kill -9): the stream has each event once', async () => {
  const recording = join(root, 'stdout.jsonl')
  const start = startIn(join(root, 'killed'), recording)
  const stream = join(start.folder, 'stream.sse')
  let lines = 0
  const write = (): void => {
    const texts = Array.from({ length: 400 }, () => `${lines++} ${'é'.repeat((lines * 7919) % 3000)}`)
    const records = texts.map((text) => ({
      type: 'assistant',
      session_id: 's',
      parent_tool_use_id: null,
      message: { id: text, role: 'assistant', content: [{ type: 'text', text }] }
    }))
    fs.appendFileSync(recording, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  }
  const length = (): number => (fs.existsSync(stream) ? fs.statSync(stream).size : 0)
  let seen = ''
  for (let round = 0; round < 6; round++) {
    write()
    const before = length()
    const child = spawn(process.execPath, [program, JSON.stringify(start)], { stdio: 'ignore' })
    const died = exited(child)
    // It writes while it is killed: as soon as there is more, or some turns later.
    for (let turns = round % 3; length() <= before || turns > 0;) {
      if (length() > before) {
        turns--
        write()
      }
      await new Promise((resolve) => setTimeout(resolve, 1))
      expect(child.exitCode).toBeNull()
    }
    child.kill('SIGKILL')
    await died
    // What clients may have had by now stays as it is.
    const text = fs.readFileSync(stream, 'utf8')
    expect(text.startsWith(seen)).toBe(true)
    seen = text.slice(0, text.lastIndexOf('\n\n: read '))
  }
  const all = await ended(start)
  const atOnce = await ended(startIn(join(root, 'whole'), recording))
  expect(all.map(({ event }) => event)).toEqual(atOnce.map(({ event }) => event))
  expect(all.length).toBe(lines + 1)
})
