import * as fs from 'node:fs'
import * as fsPromises from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { claudeBesideRun, claudeFolderRun, codexRun, geminiRun, write } from '../../../test/invented-runs.ts'
import { Run } from './run.ts'
import { RunWatch } from './run-watch.ts'

vi.mock('node:fs', { spy: true })
vi.mock('node:fs/promises', { spy: true })

const folder = fs.mkdtempSync(join(tmpdir(), 'playhead-run-watch-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

let root = ''
beforeEach(() => {
  root = fs.mkdtempSync(join(folder, 'run-'))
})

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.resetAllMocks()
  for (const end of ends.splice(0)) await end()
})

interface Watched {
  readonly run: Run
  readonly watch: RunWatch
  /** What each look said that the watch asked for. */
  readonly looks: boolean[]
}

async function watched(
  path: string,
  { single = false, format = null as string | null, pollMs = 50 } = {}
): Promise<Watched> {
  const run = await Run.open({ path, format, single })
  const looks: boolean[] = []
  const watch: RunWatch = new RunWatch(run, () => void watch.look().then((more) => looks.push(more)), { pollMs })
  ends.push(async () => {
    watch.close()
    await watch.look()
    await run.close()
  })
  return { run, watch, looks }
}

async function until(holds: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(holds()).toBe(true), { timeout: 60_000, interval: 5 })
}

const header = (key: string) =>
  `${JSON.stringify({ sessionId: key, projectHash: 'p', startTime: '2026-01-05T09:00:00Z' })}\n`

describe.each([
  ['with watchers', true],
  ['where the system has no watchers to give', false]
])('a run that is watched %s', (_, watchers) => {
  beforeEach(() => {
    if (watchers) return
    vi.mocked(fs.watch).mockImplementation(() => {
      throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
    })
  })

  test('tells of the file of a new agent, also in a folder that was not there', async () => {
    const path = claudeFolderRun(root)
    const { looks, run } = await watched(path)
    expect(run.files.length).toBe(3)
    write(root, 'session-1/subagents/workflows/w2/deep/agent-ccc.jsonl', '')
    await until(() => looks.includes(true))
  })

  test('tells of the first agent', async () => {
    const path = claudeFolderRun(root)
    fs.rmSync(join(root, 'session-1'), { recursive: true })
    const { looks, run } = await watched(path)
    expect(run.files.length).toBe(1)
    write(root, 'session-1/subagents/agent-ccc.jsonl', '')
    await until(() => looks.includes(true))
  })

  test('tells of an agent whose call is known only later', async () => {
    const path = claudeFolderRun(root)
    write(root, 'session-1/subagents/agent-ccc.jsonl', '')
    const { looks } = await watched(path)
    write(root, 'session-1/subagents/agent-ccc.meta.json', '{"toolUseId":"call-a"}')
    await until(() => looks.includes(true))
  })

  test('tells of a file that says only later that it belongs', async () => {
    const path = codexRun(root)
    const [child = ''] = (await watched(path)).run.files.slice(1).map(({ source }) => source.path)
    const content = fs.readFileSync(child)
    fs.truncateSync(child, 0)
    const { looks, run } = await watched(path)
    const before = run.files.length
    fs.appendFileSync(child, content.subarray(0, 10))
    await until(() => looks.length > 0)
    expect(looks).not.toContain(true)
    fs.appendFileSync(child, content.subarray(10))
    await until(() => looks.includes(true))
    const again = await Run.open({ path, format: null, single: false })
    expect(again.files.length).toBe(before + 1)
    await again.close()
  })

  test('tells of a log that was empty and now says what it is', async () => {
    const path = write(root, 'chat.jsonl', '')
    const { looks, run } = await watched(path)
    expect(run.chosen.format.id).toBeNull()
    fs.appendFileSync(path, header('chat'))
    await until(() => looks.includes(true))
  })
})

describe('a run that is watched', () => {
  test('keeps what it has when files go', async () => {
    const path = claudeFolderRun(root)
    const { looks } = await watched(path)
    fs.rmSync(join(root, 'session-1'), { recursive: true })
    await until(() => looks.length > 0)
    expect(looks).not.toContain(true)
    write(root, 'session-1/subagents/agent-ccc.jsonl', '')
    await until(() => looks.includes(true))
  })

  test.each([
    ['Claude, in a folder', claudeFolderRun],
    ['Claude, beside the session', claudeBesideRun],
    ['Codex', codexRun],
    ['Gemini', geminiRun]
  ])('is found as it was when nothing came: %s', async (_, make) => {
    const { watch, run, looks } = await watched(make(root), { pollMs: 1 })
    const opened = vi.mocked(fsPromises.open).mock.calls.length
    const listed = vi.mocked(fsPromises.readdir).mock.calls.length
    expect(await watch.look()).toBe(false)
    await until(() => vi.mocked(fsPromises.readdir).mock.calls.length > listed + 20)
    expect(looks).toEqual([])
    expect(run.files.length).toBeGreaterThan(1)
    // What was looked at once is not opened again.
    expect(vi.mocked(fsPromises.open).mock.calls.length).toBe(opened)
  })

  test('does not ask about other files or formats where neither is wanted', async () => {
    const path = claudeFolderRun(root)
    const { watch } = await watched(path, { single: true, format: 'claude-transcript' })
    write(root, 'session-1/subagents/agent-ccc.jsonl', '')
    expect(await watch.look()).toBe(false)
  })

  test('opens only the heads of new files, however many there are', async () => {
    const path = claudeFolderRun(root)
    const record = JSON.stringify({ type: 'user', isSidechain: true, sessionId: 'another' })
    for (let i = 0; i < 500; i++) write(root, `agent-${i}.jsonl`, `${record}\n`)
    const { watch } = await watched(path)
    const opened = vi.mocked(fsPromises.open).mock.calls.length
    write(root, 'agent-new.jsonl', `${record}\n`)
    expect(await watch.look()).toBe(false)
    expect(vi.mocked(fsPromises.open).mock.calls.length).toBe(opened + 1)
  })

  test('is at rest while its files only grow', async () => {
    const path = claudeFolderRun(root)
    const { looks } = await watched(path, { pollMs: 10_000 })
    for (let i = 0; i < 200; i++) {
      fs.appendFileSync(join(root, 'session-1/subagents/agent-aaa.jsonl'), '{}\n')
      await new Promise((resume) => setImmediate(resume))
    }
    expect(looks).toEqual([])
  })

  test('says nothing of a main file that cannot be read', async () => {
    const { watch, run } = await watched(claudeFolderRun(root))
    vi.spyOn(run.main.source, 'chunks').mockImplementation(() => {
      throw Object.assign(new Error('EIO'), { code: 'EIO' })
    })
    expect(await watch.look()).toBe(false)
  })
})
