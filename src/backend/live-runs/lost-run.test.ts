import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { LiveRun } from '#contract/live-runs.ts'
import { builtModule, newFolder, notedPids, isAlive, processesOf, program } from '../../../test/run-processes.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { lostMessage } from './kept-runs.ts'
import { LiveRuns } from './live-runs.ts'
import { processStart } from './process-start.ts'

let hostModule = ''
beforeAll(async () => {
  hostModule = await builtModule(join(import.meta.dirname, '../../../test/live-run-host.ts'))
})

let folder = ''
let state = ''
let all: LiveRuns[] = []
let told: LiveRun[] = []
let problems: string[] = []
beforeEach(() => {
  folder = realpathSync(newFolder())
  state = join(folder, 'state')
  all = []
  told = []
  problems = []
})
afterEach(async () => {
  await Promise.all(all.map(async (each) => await each.close()))
})

function host(): LiveRuns {
  const each = new LiveRuns({
    state,
    createWorker,
    hook: null,
    tasks: null,
    notify: (name, payload) => name === 'run.changed' && told.push(payload as LiveRun),
    problem: (message) => problems.push(message)
  })
  all.push(each)
  return each
}

const line = (record: object): string => `echo '${JSON.stringify(record)}'`
const init = line({ type: 'system', subtype: 'init', session_id: 's1', model: 'm', tools: [] })
const result = line({ ...{ type: 'result', subtype: 'success', is_error: false }, result: 'Over', session_id: 's1' })
async function events({ run }: LiveRun, runs: LiveRuns): Promise<string[]> {
  const stream = (await runs.stream(run)).open()
  const bytes = await stream.read(Buffer.alloc(await stream.size()), 0)
  await stream.close()
  return [...bytes.toString().matchAll(/^event: (.*)$/gm)].map(([, name]) => name ?? '')
}

/** A run that has ended, as it would stand there had its Playhead been killed while it ran. */
async function abandoned(lines: readonly string[]): Promise<LiveRun> {
  const runs = host()
  await runs.agents.setCommand('claude', program(folder, lines))
  const request = {
    agent: 'claude',
    prompt: 'Count.',
    cwd: folder,
    model: null,
    mode: null,
    timeLimitMs: null,
    resumes: null
  } as const
  const { run } = await runs.start({ ...request, extraArguments: [] }, { confirmed: false })
  const end = await runs.ended(run)
  const file = join(dirname(end.recording), 'run.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
  const open = { state: 'running', endedAt: null, finishReason: null, exitCode: null, message: null, sessionId: null }
  writeFileSync(file, JSON.stringify({ ...manifest, ...open, owner: deadProcess() }))
  await runs.close()
  rmSync(join(dirname(end.recording), 'order.json.gz'), { force: true })
  rmSync(join(dirname(end.recording), 'stream.sse'), { force: true })
  return end
}

function deadProcess(): { pid: number; startTime: string; host: string } {
  const { pid } = spawnSync('true')
  return { pid, startTime: 'long ago', host: hostname() }
}

async function recovered(run: string, runs: LiveRuns): Promise<LiveRun> {
  let found: LiveRun | undefined
  await expect.poll(async () => (found = (await runs.list()).find((each) => each.run === run))?.endedAt).not.toBeNull()
  if (found === undefined) throw new Error('the run is gone')
  return found
}

test('a run whose Playhead is killed is offered with all that it printed, and nothing of it runs', async () => {
  const agent = program(folder, [
    ...['case "$1" in --version) exit; esac', init, `setsid sh -c 'echo $$ > ${folder}/child; sleep 1000' &`],
    ...['echo ready', 'while :; do echo on; sleep 0.05; done']
  ])
  const playhead = spawn(process.execPath, [hostModule, state, agent, folder], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [id] = (await once(playhead.stdout, 'data')) as [Buffer]
  const run = id.toString().trim()
  await expect.poll(() => notedPids(join(folder, 'child'))).toHaveLength(1)
  const watching = host()
  expect(await watching.list()).toMatchObject([{ run, own: false, state: 'running', endedAt: null }])

  const killed = once(playhead, 'exit')
  playhead.kill('SIGKILL')
  await killed
  const [lost] = await watching.list()
  expect(lost).toMatchObject({ run, state: 'lost', message: lostMessage })
  const end = await recovered(run, watching)
  expect(end).toMatchObject({
    ...{ state: 'lost', own: false, finishReason: 'error', message: lostMessage, sessionId: 's1' },
    stdoutBytes: readFileSync(end.recording).length
  })
  expect(readFileSync(end.recording, 'utf8')).toMatch(/"init".*\nready\non\n/s)
  expect(end.endedAt).toBeGreaterThanOrEqual(end.startedAt)
  // Its watchdog sees to the same, and ends by itself.
  await expect.poll(() => processesOf(run)).toEqual([])
  expect(notedPids(join(folder, 'child')).filter(isAlive)).toEqual([])
  expect((await events(end, watching)).filter((event) => event === 'done')).toHaveLength(1)
  expect(told.filter(({ endedAt }) => endedAt !== null)).toEqual([end])
  expect(await watching.stop(run)).toEqual(end)
  await watching.remove([run])
  expect(await watching.list()).toEqual([])
})

test('of several hosts one brings it to its end, and its stream is written once', async () => {
  const before = await abandoned([init, result, 'echo words >&2'])
  const hosts = Array.from({ length: 4 }, host)
  const [end, ...others] = await Promise.all(hosts.map((each) => recovered(before.run, each)))
  expect(others).toEqual([end, end, end])
  // Its last turn was over.
  expect(end).toMatchObject({ state: 'lost', finishReason: 'done', sessionId: 's1', stderrBytes: 6 })
  expect((await events(before, host())).filter((event) => event === 'done')).toHaveLength(1)
  expect(existsSync(join(dirname(before.recording), 'recovery.lock'))).toBe(false)
})

test('is left to a host that is at it, unless that one is dead as well', async () => {
  const { run, recording } = await abandoned([init])
  const lock = join(dirname(recording), 'recovery.lock')
  writeFileSync(lock, JSON.stringify({ pid: process.pid, startTime: processStart(process.pid) }))
  const first = host()
  expect(await first.list()).toMatchObject([{ run, state: 'lost', endedAt: null }])
  await first.close()
  writeFileSync(lock, JSON.stringify(deadProcess()))
  expect(await recovered(run, host())).toMatchObject({ state: 'lost', finishReason: 'error' })
})

test('is lost also where it never printed anything, or was never started', async () => {
  const { run, recording } = await abandoned([])
  const file = join(dirname(recording), 'run.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(
    file,
    JSON.stringify({ ...manifest, state: 'starting', process: null, recording: join(folder, 'none') })
  )
  expect(await recovered(run, host())).toMatchObject({ state: 'lost', stdoutBytes: 0, finishReason: 'error' })
  expect(problems).toEqual([])
})

test('a run of another machine is left alone, unless nothing was written for a day', async () => {
  const { run, recording } = await abandoned([init])
  const at = dirname(recording)
  const manifest = JSON.parse(readFileSync(join(at, 'run.json'), 'utf8')) as object
  const owner = { ...deadProcess(), host: `not-${hostname()}` }
  writeFileSync(join(at, 'run.json'), JSON.stringify({ ...manifest, owner }))
  expect(await host().list()).toMatchObject([{ run, state: 'running', own: false }])
  const yesterday = Date.now() / 1000 - 25 * 3600
  for (const name of ['run.json', 'stdout.jsonl', 'stderr.txt']) utimesSync(join(at, name), yesterday, yesterday)
  expect(await recovered(run, host())).toMatchObject({ state: 'lost' })
})

test('an agent that has the number of another process by now does that one no harm', async () => {
  const { run, recording } = await abandoned([init])
  const bystander = spawn('sleep', ['1000'])
  const file = join(dirname(recording), 'run.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as object
  writeFileSync(file, JSON.stringify({ ...manifest, process: { pid: bystander.pid, startTime: 'before' } }))
  await recovered(run, host())
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
  expect(isAlive(bystander.pid ?? 0)).toBe(true)
  bystander.kill()
})
