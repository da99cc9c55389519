import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { rpcProtocols } from '#contract/access.ts'
import { connectHost } from '#contract/client.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import { letIn, type LetIn } from '../../test/server-access.ts'
import { dialogueStandIn, WrittenDialogue } from '../../test/stand-in/dialogue-play.ts'
import { type RunningServer, startServer } from './server.ts'

let folder = ''
let server: RunningServer
let access: LetIn
let host: ReturnType<typeof connectHost>
let asked: LiveRun

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'playhead talk '))
  mkdirSync(join(folder, 'page'))
  writeFileSync(join(folder, 'page', 'index.html'), '<!doctype html>')
  server = await startServer({
    ...{ port: 0, logs: [], createWorker, facts: { version: '1.2.3', sample: null, hook: null } },
    ...{ state: join(folder, 'state'), root: join(folder, 'page'), onFault: () => {} }
  })
  access = await letIn(server.address())
  host = connectHost(webSocketTransport(new WebSocket(access.rpc, access.protocols)))
  const play = new WrittenDialogue()
    .asks('r-1', 'Bash', { command: 'ls' })
    .allow('r-1', { command: 'ls' })
    .waits()
    .play()
  const agent = join(folder, 'agent')
  await host.call('agent.setCommand', { agent: 'claude', command: dialogueStandIn(agent, play).command })
  const request = {
    agent: 'claude',
    prompt: 'Tidy up.',
    cwd: folder,
    model: null,
    mode: null,
    timeLimitMs: null,
    resumes: null
  } as const
  const started = new Promise<LiveRun>((resolve) => {
    host.on('run.changed', (run) => (run.dialogue?.asks.length ?? 0) > 0 && resolve(run))
  })
  await host.call('run.start', { request: { ...request, extraArguments: [], interactive: true }, confirmed: false })
  asked = await started
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const noted = (): string => readFileSync(join(dirname(asked.recording), 'dialogue.jsonl'), 'utf8')

/** Calls over a socket of its own: what came of it. */
async function answerOver(protocols: string[], headers: Record<string, string>): Promise<string> {
  const socket = new WebSocket(access.rpc, protocols, { headers })
  const refused = new Promise<string>((resolve) => socket.on('error', ({ message }) => resolve(message)))
  const opened = new Promise<string>((resolve) => socket.on('open', () => resolve('open')))
  const answer = await Promise.race([refused, opened])
  socket.terminate()
  return answer
}

test('nobody answers or prompts without the token, under another name or from another site', async () => {
  const before = noted()
  expect(await answerOver(rpcProtocols('wrong'.repeat(8)), {})).toMatch(/401|403/)
  expect(await answerOver(access.protocols, { origin: 'http://evil.example' })).toMatch(/403/)
  expect(await answerOver(access.protocols, { host: 'evil.example' })).toMatch(/403/)
  expect(await answerOver(access.protocols, {})).toBe('open')
  expect(noted()).toBe(before)
})

test('the event stream is read only: nothing over HTTP answers, prompts or ends a run', async () => {
  const before = noted()
  const body = JSON.stringify({ run: asked.run, ask: '"r-1"', answer: { allow: 'once' } })
  const names = ['stream', 'answer', 'prompt', 'interrupt', 'finish']
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    for (const path of [...names.map((name) => `/api/runs/${asked.run}/${name}`), '/api/runs', '/rpc']) {
      const response = await fetch(`${access.origin}${path}`, { method, body, headers: access.headers })
      expect([method, path, response.ok]).toEqual([method, path, false])
    }
  }
  expect(noted()).toBe(before)
  const { runs } = await host.call('run.list', {})
  expect(runs[0]?.dialogue?.asks).toHaveLength(1)
})
