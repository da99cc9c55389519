import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { connectHost } from '#contract/client.ts'
import { type AgentId, agentIds, defaultDialogueLimits, LiveRun, type RunRequest } from '#contract/live-runs.ts'
import { Task } from '#contract/tasks.ts'
import { webSocketTransport } from '#contract/websocket-transport.ts'
import { EventReader, readEvents, type ReceivedEvent } from '../../test/server-sent-events.ts'
import { letIn, type LetIn } from '../../test/server-access.ts'
import { slowCall } from '../../test/stand-in/slow-call.ts'
import { program } from '../../test/stand-in/stand-in.ts'
import { type RunningServer, startServer } from './server.ts'

let folder = ''
let server: RunningServer
let access: LetIn
let host: ReturnType<typeof connectHost>
const faults: unknown[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'playhead live '))
  mkdirSync(join(folder, 'page'))
  writeFileSync(join(folder, 'page', 'index.html'), '<!doctype html>')
  faults.length = 0
  server = await startServer({
    port: 0,
    logs: [],
    createWorker,
    facts: { version: '1.2.3', sample: null, hook: null },
    state: join(folder, 'state'),
    root: join(folder, 'page'),
    onFault: (_what, fault) => faults.push(fault)
  })
  access = await letIn(server.address())
  host = connectHost(webSocketTransport(new WebSocket(access.rpc, access.protocols)))
})
afterEach(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
  expect(faults).toEqual([])
})

const fetched = async (path: string): Promise<Response> =>
  await fetch(`${access.origin}${path}`, { headers: access.headers })

/** Starts an agent, which is a program. */
async function start(agent: AgentId, command: string, more: Partial<RunRequest> = {}): Promise<LiveRun> {
  await host.call('agent.setCommand', { agent, command })
  const asked = { agent, prompt: 'Go.', cwd: folder, model: null, mode: null }
  const request = { ...asked, extraArguments: [], timeLimitMs: null, resumes: null, ...more }
  return await host.call('run.start', { request, confirmed: false })
}

/** Has an agent run that does what a script of the shell says; gives its run and its stream, to the end. */
async function run(agent: AgentId, script: string): Promise<{ started: LiveRun; events: readonly ReceivedEvent[] }> {
  const started = await start(agent, program(join(folder, 'bin'), agent, script))
  const response = await fetched(`/api/runs/${started.run}/stream`)
  return { started, events: readEvents(await response.text()) }
}

const fixture = (path: string): string =>
  `'${fileURLToPath(new URL(`../../test/fixtures/formats/${path}/input.jsonl`, import.meta.url))}'`

test('an agent is started, and a program follows it to its end, finds it in the list, and its tasks', async () => {
  const { started, events } = await run(
    'claude',
    `head -n 3 ${fixture('claude-stream-json/todowrite-1.0.56')}; echo careful >&2; sleep 0.2
     tail -n +4 ${fixture('claude-stream-json/todowrite-1.0.56')}`
  )
  const types = events.map(({ event }) => event.type)
  expect(types[0]).toBe('status')
  expect(types).toEqual(expect.arrayContaining(['task_update', 'tool_output', 'result']))
  expect(types.indexOf('done')).toBe(types.length - 1)
  const [turn] = events.flatMap(({ event }) => (event.type === 'result' ? [event.data.finish_reason] : [])).slice(-1)
  expect(events.at(-1)?.event.data).toMatchObject({ finish_reason: turn, exit_code: 0 })

  // The list may say so a moment later.
  const session = await vi.waitFor(async () => {
    const { runs } = (await (await fetched('/api/runs')).json()) as { runs: unknown[] }
    const [listed, ...others] = runs.map((one) => LiveRun.parse(one))
    expect(others).toEqual([])
    expect(listed).toMatchObject({ run: started.run, state: 'ended', finishReason: turn })
    return listed?.sessionId ?? ''
  }, 60_000)
  const { tasks } = (await (await fetched(`/api/tasks?session_id=${session}`)).json()) as { tasks: unknown[] }
  const [last] = events.flatMap(({ event }) => (event.type === 'task_update' ? [event.data.todos] : [])).slice(-1)
  expect(last?.length).toBeGreaterThan(0)
  expect(tasks.map((task) => Task.parse(task).title)).toEqual(last?.map(({ content }) => content))
})

test.each([
  ['codex', 'codex-exec-json/plan-0.77'],
  ['gemini', 'gemini-stream-json/todos-0.61']
] as const)('%s gives events of the same types', async (agent, path) => {
  const { events } = await run(agent, `cat ${fixture(path)}`)
  const types = new Set(events.map(({ event }) => event.type))
  expect([...types]).toEqual(expect.arrayContaining(['status', 'text', 'task_update', 'done']))
})

test('one that fails, and one that cannot be started, say so', async () => {
  const failed = await run('claude', 'echo no key >&2; exit 1')
  expect(failed.events.map(({ event }) => event.type)).toEqual(['tool_output', 'error', 'done'])
  expect(failed.events.at(-1)?.event.data).toMatchObject({ finish_reason: 'error', exit_code: 1 })

  const { run: id, state } = await start('claude', join(folder, 'not', 'there'))
  expect(state).toBe('failed')
  const response = await fetched(`/api/runs/${id}/stream`)
  expect(readEvents(await response.text()).map(({ event }) => event.type)).toEqual(['error', 'done'])
})

/** The least that is allowed. */
const toolMs = 1000
/** `tool_timeout` may come so much later. */
const mostLateMs = 250
/** On a machine that is busy with other programs any of them may be late. A clock that is late is so each time. */
const tries = 8

test.each(agentIds)('a program is told of a call of %s within 250 ms of its limit', async (agent) => {
  let leastMs = Infinity
  for (let n = 0; n < tries && leastMs > mostLateMs; n++) leastMs = Math.min(leastMs, await lateMsOf(agent, n))
  expect(leastMs).toBeLessThanOrEqual(mostLateMs)
})

/** How much later than its limit a program that follows the run has `tool_timeout`. */
async function lateMsOf(agent: AgentId, n: number): Promise<number> {
  const { command, begin, end } = slowCall(join(folder, `slow-${agent}-${n}`), agent)
  const { run: id, recording } = await start(agent, command, { limits: { ...defaultDialogueLimits, toolMs } })
  const response = await fetched(`/api/runs/${id}/stream`)
  const reader = new EventReader()
  const typesOf = (): string[] => reader.events.map(({ event }) => event.type)
  let lateMs: number | null = null
  for await (const bytes of response.body ?? []) {
    reader.push(Buffer.from(bytes).toString())
    // Whoever follows the run is there by then.
    if (reader.events.length > 0) begin()
    if (lateMs !== null || !typesOf().includes('tool_timeout')) continue
    // The call was printed last.
    lateMs = Date.now() - (statSync(recording).mtimeMs + toolMs)
    end()
  }
  expect(typesOf().filter((type) => type.startsWith('tool_'))).toEqual(['tool_use', 'tool_timeout', 'tool_result'])
  return lateMs ?? Infinity
}
