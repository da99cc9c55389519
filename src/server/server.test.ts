import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { connectHost } from '#contract/client.ts'
import type { LogStatus } from '#contract/methods.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import { letIn } from '../../test/server-access.ts'
import { startServer, type RunningServer } from './server.ts'

const record = `${JSON.stringify({ type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [] })}\n`
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'playhead server '))
  mkdirSync(join(folder, 'page'))
  writeFileSync(join(folder, 'page', 'index.html'), '<!doctype html>')
})
afterEach(() => rmSync(folder, { recursive: true }))

function start(...paths: string[]): Promise<RunningServer> {
  return startServer({
    state: join(folder, 'state'),
    port: 0,
    logs: paths.map((path) => ({ path })),
    createWorker,
    facts: { version: '1.2.3', sample: null },
    root: join(folder, 'page')
  })
}

async function connect(server: RunningServer) {
  const { rpc, protocols } = await letIn(server.address())
  const socket = new WebSocket(rpc, protocols)
  return connectHost(webSocketTransport(socket), { checkResults: true })
}

test('serves the logs it was started with, through the real thread, and tells every page how far they are', async () => {
  const path = join(folder, 'run.jsonl')
  writeFileSync(path, record.repeat(3) + '{"cut')
  const server = await start(path)
  const host = await connect(server)
  expect(await host.call('host.capabilities', {})).toMatchObject({
    host: 'browser',
    version: '1.2.3',
    drops: expect.stringMatching(/playhead-drop-[0-9a-f]+$/) as string
  })
  const { logs } = await host.call('log.list', {})
  expect(logs.map((log) => log.path)).toEqual([path])

  const added = join(folder, 'added.jsonl')
  writeFileSync(added, record)
  const other = await connect(server)
  const done = new Promise<LogStatus>((resolve) => {
    other.on('log.progress', (status) => status.path === added && status.phase === 'done' && resolve(status))
  })
  await other.call('host.capabilities', {})
  await host.call('log.open', { path: added })
  expect((await done).lines).toBe(1)
  const columns = await host.call('log.columns', { log: logs[0]?.log ?? '', from: 0, count: 100 })
  expect([...new Uint32Array(columns.line)]).toContain(4)
  await server.close()
})

test('a dropped file opens like any other', async () => {
  const server = await start()
  const { origin, headers } = await letIn(server.address())
  const answer = await fetch(`${origin}/drop/group/run.jsonl`, {
    method: 'PUT',
    body: record,
    headers: { origin, ...headers }
  })
  const { path } = (await answer.json()) as { path: string }
  expect((await (await connect(server)).call('log.open', { path })).name).toBe('run.jsonl')
  await server.close()
})

test('a log that is not there is a HostError, and nothing stays behind', async () => {
  await expect(start(join(folder, 'missing.jsonl'))).rejects.toMatchObject({ name: 'HostError', code: 'not-found' })
})

test('starts agents, and stops them when it is closed', async () => {
  const server = await start()
  const host = await connect(server)
  const command = join(folder, 'agent')
  writeFileSync(command, '#!/bin/sh\nwhile :; do sleep 0.05; done\n', { mode: 0o755 })
  await host.call('agent.setCommand', { agent: 'claude', command })
  expect(server.agentsAtWork).toBe(0)
  const request = {
    agent: 'claude',
    prompt: 'Wait',
    cwd: folder,
    model: null,
    mode: null,
    timeLimitMs: null,
    resumes: null
  } as const
  const { run } = await host.call('run.start', { request: { ...request, extraArguments: [] }, confirmed: false })
  expect(server.agentsAtWork).toBe(1)
  await server.close()
  const manifest = JSON.parse(readFileSync(join(folder, 'state', 'runs', run, 'run.json'), 'utf8')) as object
  expect(manifest).toMatchObject({
    state: 'ended',
    finishReason: 'cancelled',
    message: expect.stringMatching(/was closed/)
  })
})
