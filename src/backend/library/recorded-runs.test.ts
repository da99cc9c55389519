import * as fs from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { OpenLibrary } from '../../../test/open-library.ts'
import { processStart } from '../live-runs/process-start.ts'
import { createRunFiles, newRunId } from '../live-runs/run-folder.ts'
import { type RunManifest, writeManifest } from '../live-runs/run-manifest.ts'

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'playhead-own-runs-')))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

const state = join(root, 'state')
const home = join(root, 'home')
const owner = { pid: process.pid, startTime: processStart(process.pid), host: hostname() }

async function begun(prompt: string, over: Partial<RunManifest>): Promise<{ manifest: RunManifest; file: string }> {
  const run = newRunId(Date.now())
  const files = await createRunFiles(state, run, prompt)
  const manifest: RunManifest = {
    ...{ manifest: 1, run, owner, process: null, agent: 'claude', cwd: '/work/app', model: 'sonnet', mode: null },
    ...{
      extraArguments: [],
      timeLimitMs: null,
      resumes: null,
      version: null,
      commandLine: [],
      hookLost: null,
      state: 'running',
      startedAt: 1000
    },
    ...{ endedAt: null, elapsedMs: null, finishReason: null, exitCode: null, signal: null, unfinished: false },
    ...{ denied: null, message: null, incomplete: null, recording: files.stdout, format: 'claude-stream-json' },
    ...{ sessionId: null, stdoutBytes: 0, stderrBytes: 0, tokens: null, todo: null, dialogue: null },
    ...over
  }
  fs.writeFileSync(files.stdout, '')
  await writeManifest(files.manifest, manifest)
  return { manifest, file: files.manifest }
}

function says(session: string, type: 'stream' | 'transcript'): string {
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'm-1',
    content: [{ type: 'text', text: 'Hello' }]
  }
  const lines =
    type === 'stream'
      ? [
          { type: 'system', subtype: 'init', cwd: '/work/app', tools: [], model: 'm-1', session_id: session },
          { type: 'assistant', message, parent_tool_use_id: null, session_id: session }
        ]
      : [
          {
            ...{ type: 'user', sessionId: session, cwd: '/work/app', version: '2.1.56', uuid: 'a', parentUuid: null },
            ...{
              isSidechain: false,
              timestamp: '2026-01-02T03:04:05.000Z',
              message: { role: 'user', content: 'Of its own' }
            }
          },
          {
            ...{
              type: 'assistant',
              sessionId: session,
              cwd: '/work/app',
              version: '2.1.56',
              uuid: 'b',
              parentUuid: 'a'
            },
            ...{ isSidechain: false, timestamp: '2026-01-02T03:04:06.000Z', message }
          }
        ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

test('a live run is a session by its recording, and is the agent’s own log once there is one', async () => {
  const { manifest, file } = await begun('Say hello\nand more', {})
  const one = new OpenLibrary({ home, cache: join(root, 'cache'), state })
  try {
    one.library.watch({ isShown: true })
    // Nothing is in its recording so far.
    await one.until(async () => (await one.cards()).length === 1)
    expect((await one.cards())[0]).toMatchObject({
      ...{ title: 'Say hello and more', titleFrom: 'prompt', project: '/work/app', run: manifest.run, state: 'live' },
      path: manifest.recording
    })
    fs.writeFileSync(manifest.recording, says('s-1', 'stream'))
    await writeManifest(file, { ...manifest, sessionId: 's-1' })
    await one.until(async () => (await one.cards())[0]?.sessionId === 's-1')
    expect((await one.cards())[0]).toMatchObject({ agent: 'claude-code', format: 'claude-stream-json', state: 'live' })
    const own = join(home, '.claude/projects/-work-app/s-1.jsonl')
    fs.mkdirSync(join(own, '..'), { recursive: true })
    fs.writeFileSync(own, says('s-1', 'transcript'))
    await one.until(async () => (await one.cards())[0]?.path === own)
    expect(await one.cards()).toMatchObject([{ title: 'Of its own', run: manifest.run, state: 'live' }])
    await writeManifest(file, {
      ...manifest,
      sessionId: 's-1',
      state: 'ended',
      endedAt: 2000,
      finishReason: 'cancelled'
    })
    await one.until(async () => (await one.cards())[0]?.state !== 'live')
    expect(await one.cards()).toHaveLength(1)
  } finally {
    await one.library.close()
  }
})

test('runs that cannot be understood, or whose recording is gone, are not listed', async () => {
  const damaged = await begun('Damaged', {})
  fs.writeFileSync(damaged.file, '{')
  const without = await begun('Without', {})
  fs.rmSync(without.manifest.recording)
  const lost = await begun('Lost', { owner: { ...owner, startTime: 'long ago' } })
  fs.writeFileSync(lost.manifest.recording, says('s-2', 'stream'))
  fs.utimesSync(lost.manifest.recording, new Date(1000), new Date(1000))
  const one = new OpenLibrary({ home, cache: join(root, 'cache'), state })
  try {
    await one.idle()
    const titles = (await one.cards()).map(({ title, state: is, run }) => [title, is, run])
    expect(titles).toContainEqual(['Lost', expect.stringMatching(/done|interrupted/), lost.manifest.run])
    expect(titles.map(([title]) => title)).not.toContain('Damaged')
    expect(titles.map(([title]) => title)).not.toContain('Without')
  } finally {
    await one.library.close()
  }
})
