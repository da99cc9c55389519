import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { environment, folder, sink } from '../../test/command-line.ts'
import { processStart } from '#backend/live-runs/process-start.ts'
import { Reviews } from '#backend/reviews.ts'
import { run } from './run.ts'

const now = Date.UTC(2026, 5, 1)
const day = 86_400_000

let state: string
beforeEach(() => {
  state = mkdtempSync(join(folder, 'runs-'))
})

const at = (id: string, ...names: string[]): string => join(state, 'runs', id, ...names)
const alive = { pid: process.pid, startTime: processStart(process.pid), host: hostname() }
const dead = { pid: 1, startTime: 'long ago', host: hostname() }

/** A run that ended so many days ago, with 1,000 bytes of recording. */
function kept(id: string, daysAgo: number, over: object = {}): string {
  const time = now - daysAgo * day
  mkdirSync(at(id), { recursive: true })
  const recording = at(id, 'stdout.jsonl')
  writeFileSync(recording, 'x'.repeat(1000))
  writeFileSync(at(id, 'prompt.txt'), `\u001b[31mCount\u001b[0m\nthe ${id}`)
  const run = {
    ...{
      manifest: 1,
      run: id,
      agent: 'claude',
      cwd: '/w',
      model: null,
      mode: null,
      extraArguments: [],
      timeLimitMs: null
    },
    ...{ version: null, commandLine: ['claude'], state: 'ended', startedAt: time, endedAt: time, finishReason: 'done' },
    ...{ exitCode: 0, signal: null, message: null, recording, format: 'claude-stream-json', sessionId: null },
    ...{ stdoutBytes: 1000, stderrBytes: 0, tokens: null, todo: null, owner: dead, process: null },
    ...over
  }
  writeFileSync(at(id, 'run.json'), JSON.stringify(run))
  return recording
}

async function runs(...argv: string[]): Promise<{ code: number; out: string[]; err: string }> {
  const [out, err] = [sink(true), sink()]
  const variables = { PLAYHEAD_STATE_DIR: state }
  const code = await run(
    ['runs', ...argv],
    environment({ stdout: out.stream, stderr: err.stream, variables, now: () => now })
  )
  return { code, out: out.text().split('\n').slice(0, -1), err: err.text() }
}

const left = (): string[] => readdirSync(join(state, 'runs')).sort()

describe('playhead runs', () => {
  test('without any, there are none', async () => {
    expect(await runs()).toMatchObject({ code: 0, out: [], err: expect.stringContaining('0 runs, 0 B') })
    expect(existsSync(join(state, 'runs'))).toBe(false)
  })

  test('lists all with what they take, the latest first, as lines of JSON or as text that no prompt can steer', async () => {
    kept('20260101-a', 100)
    kept('20260102-b', 90, { state: 'running', endedAt: null, owner: alive })
    kept('20260103-c', 80, { state: 'running', endedAt: null })
    kept('20260104-d', 70)
    writeFileSync(at('20260104-d', 'run.json'), 'no JSON')
    const { out, err } = await runs('list', '--json')
    const listed = out.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(listed.map(({ id, state: word }) => [id, word])).toEqual([
      ['20260104-d', 'unreadable'],
      ['20260103-c', 'lost'],
      ['20260102-b', 'running'],
      ['20260101-a', 'ended']
    ])
    expect(listed[3]).toEqual({
      ...{ id: '20260101-a', agent: 'claude', state: 'ended', startedAt: now - 100 * day, endedAt: now - 100 * day },
      ...{ folder: at('20260101-a'), recording: at('20260101-a', 'stdout.jsonl'), bytes: expect.any(Number) }
    })
    expect(listed[3]?.['bytes']).toBeGreaterThan(1500)
    expect(listed[0]).toMatchObject({ agent: null, startedAt: null, endedAt: null, recording: null })
    expect(err).toMatch(/^playhead: 4 runs, [\d.]+ kB in /)
    const { out: text } = await runs()
    expect(text[3]).toMatch(/^20260101-a +2026-02-21 00:00 +claude +ended +\S+ kB {2}Count the 20260101-a$/)
  })

  test('removes those that are named, also with bookmarks or unreadable; never one that goes on or is not settled', async () => {
    const bookmarked = kept('a', 1)
    await new Reviews(state).change(bookmarked, () => ({
      bookmarks: [{ line: 1, ordinal: 0, kind: 'assistant', note: '', at: 1 } as never],
      breakpoints: []
    }))
    kept('b', 1, { state: 'running', endedAt: null, owner: alive })
    kept('c', 1, { state: 'running', endedAt: null })
    kept('d', 1)
    writeFileSync(at('d', 'run.json'), '{}')
    const dry = await runs('remove', 'a', 'd', '--dry-run')
    expect([dry.code, dry.out.length, left()]).toEqual([0, 2, ['a', 'b', 'c', 'd']])
    expect(dry.err).toMatch(/^playhead: would delete 2 runs, /)
    const { code, err } = await runs('remove', 'a', 'b', 'c', 'd', '..', 'nothing')
    expect([code, left()]).toEqual([2, ['b', 'c']])
    expect(err).toContain('b was kept: it is active')
    expect(err).toContain('c was kept: it was lost and is not settled')
    expect(err).toContain('.. was kept: there is no such run')
    expect(err).toMatch(/deleted 2 runs, [\d.]+ kB\n$/)
  })

  test('prunes by age, by number, and by both; what has bookmarks or cannot be read stays', async () => {
    for (let i = 0; i < 6; i++) kept(`run-${i}`, 100 - i * 15)
    await new Reviews(state).change(at('run-1', 'stdout.jsonl'), () => ({
      bookmarks: [{ line: 1 } as never],
      breakpoints: []
    }))
    writeFileSync(at('run-0', 'run.json'), 'damaged')
    const plan = await runs('prune', '--older-than', '50d', '--json', '--dry-run')
    expect(plan.out.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: 'run-2', removed: false },
      { id: 'run-3', removed: false }
    ])
    expect(left()).toHaveLength(6)
    expect((await runs('prune', '--older-than', '50d', '--keep', '3')).out).toEqual([expect.stringMatching(/^run-2 /)])
    const { code, err } = await runs('prune', '--keep', '1')
    expect([code, left()]).toEqual([0, ['run-0', 'run-1', 'run-5']])
    expect(err).toContain('run-0 was kept: it cannot be read')
    expect(err).toContain('run-1 was kept: it has bookmarks or breakpoints')
  })

  test('leaves a recording that lies elsewhere, and ends a removal that somebody was killed in', async () => {
    const elsewhere = join(state, 'mine.jsonl')
    writeFileSync(elsewhere, 'mine')
    kept('a', 1, { recording: elsewhere })
    mkdirSync(at('.deleting-b', 'deep'), { recursive: true })
    writeFileSync(at('.deleting-b', 'stdout.jsonl'), 'half')
    expect((await runs('list')).out).toHaveLength(1)
    expect(left()).toEqual(['.deleting-b', 'a'])
    await runs('remove', 'a')
    expect(left()).toEqual([])
    expect(existsSync(elsewhere)).toBe(true)
    rmSync(elsewhere)
  })

  test.each<[string[], RegExp]>([
    [['prune'], /no runs selected; give --older-than 90d/],
    [['prune', '--keep', '-1'], /--keep/],
    [['prune', '--older-than', 'never'], /write it like 90d/],
    [['remove'], /no runs given/],
    [['list', '--keep', '3'], /need "runs prune"/],
    [['shrink'], /unknown subcommand "shrink"; use list, remove or prune/]
  ])('%j is wrong use', async (argv, message) => {
    kept('a', 1000)
    expect(await runs(...argv)).toMatchObject({ code: 2, err: expect.stringMatching(message) })
    expect(left()).toEqual(['a'])
  })
})
