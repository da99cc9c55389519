import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { LiveRun, RunRequest } from '#contract/live-runs.ts'
import { contentOf, RunHost } from '../run-host.ts'
import { fixturePlays } from '../stand-in/play.ts'
import { program, standIn } from '../stand-in/stand-in.ts'
import { someCuts } from './read-log.ts'

/** Agents as they must not be: each run has the right state in the end, with a sentence that says what happened. */

const host = new RunHost()
afterAll(() => host.close())

let folders = 0
function newFolder(): string {
  const folder = join(host.state, `agent-${folders++}`)
  mkdirSync(folder)
  return folder
}

/** A program whose text is `script`, of the shell. */
function shell(script: string): string {
  return program(newFolder(), 'claude', script)
}

/** A program of Node. */
function node(script: string): string {
  const folder = newFolder()
  writeFileSync(join(folder, 'agent.mjs'), script)
  return program(folder, 'claude', `exec '${process.execPath}' '${join(folder, 'agent.mjs')}'`)
}

/** A file that is not as a program has to be. */
function file(content: string, mode: number): string {
  const path = join(newFolder(), 'claude')
  writeFileSync(path, content)
  chmodSync(path, mode)
  return path
}

const line = (text: string): string => {
  const message = { role: 'assistant', id: text, model: 'm', content: [{ type: 'text', text }] }
  return JSON.stringify({ type: 'assistant', message, parent_tool_use_id: null, session_id: 's' })
}
const said = (text: string): string => `printf '%s\\n' '${line(text)}'`
const finished = `printf '%s\\n' '${JSON.stringify({ type: 'result', subtype: 'success', is_error: false, session_id: 's' })}'`
const unfinished = {
  finishReason: 'error',
  exitCode: 0,
  unfinished: true,
  message: 'The agent exited without a final turn. Its output does not show that it finished.'
}

async function ended(command: string, over: Partial<RunRequest> = {}): Promise<LiveRun> {
  return await host.ended((await host.start('claude', command, over)).run)
}

describe('an agent that ends', () => {
  test.for<[what: string, script: string, expected: object]>([
    ['well', `${said('one')}; ${finished}`, { finishReason: 'done', exitCode: 0, signal: null, message: null }],
    [
      'with an error and no output',
      'exit 1',
      {
        finishReason: 'error',
        exitCode: 1,
        stdoutBytes: 0,
        stderrBytes: 0,
        message: 'Claude Code ended with exit code 1 and printed nothing.'
      }
    ],
    [
      'with output on standard error only',
      'echo "Invalid API key" >&2',
      {
        exitCode: 0,
        stdoutBytes: 0,
        stderrBytes: 16,
        message: 'Claude Code ended and printed nothing on standard output. It said: Invalid API key'
      }
    ],
    [
      'with an error that it tells in colours',
      `${said('one')}; printf '\\033[31mno \\033]0;title\\007quota\\033[0m\\r\\n' >&2; exit 41`,
      { finishReason: 'error', exitCode: 41, message: 'Claude Code ended with exit code 41. It said: no quota' }
    ],
    [
      'by a signal that it sends itself',
      `${said('one')}; kill -SEGV $$`,
      { finishReason: 'error', exitCode: null, signal: 'SIGSEGV', message: expect.stringContaining('(SIGSEGV)') }
    ],
    [
      'before its commands, in its own session and in others',
      `${said('one')}; ${finished}; sleep 600 & setsid sleep 600 & (setsid sh -c 'sleep 600 & sleep 600' &) ; sleep 0.3`,
      { finishReason: 'done', exitCode: 0, message: expect.stringMatching(/^\d processes .* were ended\.$/) }
    ],
    [
      'and prints no record at all',
      'echo "Welcome to the agent!"; head -c 3000 /dev/urandom; echo "<html>"',
      unfinished
    ],
    ['in the middle of a line', `printf '{"type":"assistant"'`, { ...unfinished, stdoutBytes: 19 }],
    ['without the end of its turn', said('one'), unfinished]
  ])('%s', async ([, script, expected]) => {
    const run = await ended(shell(script))
    expect(run).toMatchObject({ state: 'ended', ...expected })
    expect(statSync(run.recording).size).toBe(run.stdoutBytes)
    const { log } = await host.handlers['log.open']({ path: run.recording, format: run.format })
    expect(await host.log(log, ({ phase }) => phase !== 'reading')).toMatchObject({
      bytes: run.stdoutBytes,
      phase: 'done'
    })
  })
})

describe.concurrent('an agent that does not end', () => {
  const forever = 'while :; do sleep 1; done'

  test.for<[what: string, script: string, expected: object]>([
    ['is interrupted', said('one'), { exitCode: null, signal: 'SIGINT' }],
    ['is killed where it takes no notice of signals', `trap '' INT TERM; ${said('one')}`, { signal: 'SIGKILL' }],
    ['says how it ends', `trap 'exit 7' TERM; trap '' INT; ${said('one')}`, { exitCode: 7, signal: null }]
  ])('%s', async ([, script, expected], { expect }) => {
    const { run } = await host.start('claude', shell(`${script}; ${forever}`))
    await host.run(run, ({ stdoutBytes }) => stdoutBytes > 0)
    await host.handlers['run.stop']({ run })
    const end = { state: 'ended', finishReason: 'cancelled', message: null, ...expected }
    expect(await host.ended(run)).toMatchObject(end)
  })

  test('is ended by its time limit', async ({ expect }) => {
    expect(await ended(shell(`${said('one')}; ${forever}`), { timeLimitMs: 1000 })).toMatchObject({
      ...{ state: 'ended', finishReason: 'timeout', message: expect.stringContaining('time limit') }
    })
  })

  test('and closes its output says so while it runs', async ({ expect }) => {
    const { run } = await host.start('claude', shell(`${said('one')}; exec >&- 2>&-; ${forever}`))
    expect(await host.run(run, ({ message }) => message !== null)).toMatchObject({
      ...{ state: 'running', message: expect.stringContaining('closed its output') }
    })
    await host.handlers['run.stop']({ run })
    expect(await host.ended(run)).toMatchObject({ finishReason: 'cancelled', message: null })
  })
})

describe('an agent that prints', () => {
  test('lines cut anywhere is followed to the same end', async () => {
    const play = fixturePlays().find(({ name }) => name === 'gemini-stream-json/todos-0.61')
    if (play === undefined) throw new Error('the fixture has another name')
    const { length } = readFileSync(play.stdout)
    const ends = [...someCuts(length, 60, 7), length]
    const chunks = ends.map((end, i): [number, number] => [i * 5, end - (ends[i - 1] ?? 0)])
    const { command } = standIn(newFolder(), { ...play, chunks, exitedAfterMs: 320 })
    const { run, recording, format } = await host.start('gemini', command)
    const { log } = await host.handlers['log.open']({ path: recording, format })
    expect(await host.ended(run)).toMatchObject({ state: 'ended', finishReason: 'done', stdoutBytes: length })
    const { log: other } = await host.handlers['log.open']({ path: play.stdout })
    const offline = await host.log(other, ({ phase }) => phase === 'done')
    const live = await host.log(log, ({ bytesRead, rows }) => bytesRead === length && rows === offline.rows)
    expect(await contentOf(host.handlers, live)).toEqual(await contentOf(host.handlers, offline))
  })

  test('50 MB at once is recorded to the last byte', async () => {
    const text = 'x'.repeat(2000)
    const count = Math.ceil(50_000_000 / (line(text).length + 1))
    const flood = node(`
      import { writeSync } from 'node:fs'
      const block = Buffer.from((${JSON.stringify(line(text))} + '\\n').repeat(${count}))
      for (let done = 0; done < block.length;) done += writeSync(1, block, done)
    `)
    const { run, recording, format } = await host.start('claude', flood)
    const { log } = await host.handlers['log.open']({ path: recording, format })
    const bytes = count * (line(text).length + 1)
    expect(await host.ended(run)).toMatchObject({
      ...{ state: 'ended', stdoutBytes: bytes },
      ...unfinished
    })
    expect(statSync(recording).size).toBe(bytes)
    expect(await host.log(log, ({ lines, phase }) => lines === count && phase === 'done')).toMatchObject({
      bytesRead: bytes
    })
    await host.handlers['log.close']({ log })
  })

  test('a line of 12 MB, and no line end', async () => {
    const long = node(`
      import { writeSync } from 'node:fs'
      const block = Buffer.from(${JSON.stringify(line('@'))}.replaceAll('@', 'é'.repeat(6_000_000)))
      for (let done = 0; done < block.length;) done += writeSync(1, block, done)
    `)
    expect(await ended(long)).toMatchObject(unfinished)
  })
})

describe('an agent that cannot be started', () => {
  test.for<[what: string, command: () => string, message: RegExp]>([
    ['does not exist', () => join(newFolder(), 'claude'), /does not exist/],
    ['is not executable', () => file('#!/bin/sh\n', 0o644), /not executable/],
    ['is a folder', () => newFolder(), /is a folder/],
    // As an npm package leaves it whose install script was not run.
    [
      'is text without an interpreter',
      () => file('echo "Error: not installed." >&2\nexit 1\n', 0o755),
      /not a program/
    ],
    ['lacks its interpreter', () => file('#!/no/such/node\n', 0o755), /\/no\/such\/node/],
    [
      'is a link to nothing',
      () => {
        const path = join(newFolder(), 'claude')
        symlinkSync('/no/such/program', path)
        return path
      },
      /does not exist/
    ]
  ])('because it %s', async ([, command, message]) => {
    const run = await host.start('claude', command())
    expect(run).toMatchObject({
      ...{
        state: 'failed',
        finishReason: 'error',
        exitCode: null,
        signal: null,
        message: expect.stringMatching(message)
      }
    })
    expect(run.endedAt).toBeGreaterThanOrEqual(run.startedAt)
  })
})
