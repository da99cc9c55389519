import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type AgentId, agentIds } from '#contract/live-runs.ts'
import type { JsonObject } from '#core/json.ts'
import { keepSession } from '../../../test/kept-session.ts'
import { RunHost } from '../../../test/run-host.ts'
import { builtModule, newFolder, processesOf } from '../../../test/run-processes.ts'
import { readEvents } from '../../../test/server-sent-events.ts'
import { AgentScript, chatOf } from '../../../test/stand-in/agent-script.ts'
import { dialogueStandIn } from '../../../test/stand-in/dialogue-play.ts'
import { times } from '../../../test/thorough.ts'

let hostModule = ''
beforeAll(async () => {
  hostModule = await builtModule(join(import.meta.dirname, '../../../test/live-run-host.ts'))
})

let host: RunHost
let playhead: ChildProcess | null = null
let home = ''
let project = ''
beforeEach(() => {
  home = realpathSync(newFolder())
  project = join(home, 'project')
  mkdirSync(project)
  vi.stubEnv('HOME', home)
  vi.stubEnv('GEMINI_CLI_HOME', home)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  playhead?.kill('SIGKILL')
  await host.close()
})

const linesOf = (file: string): JsonObject[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as JsonObject)
    : []

/** A dialogue whose Playhead is killed once the agent has begun this part of its steps. */
async function killed(agent: AgentId, number: number, part: number): Promise<void> {
  // One each: the program of an agent is a setting of the state folder.
  host = new RunHost()
  const session = `${number.toString(16).padStart(8, '0')}-d357-4522-a44f-4b4d8b9df8c9`
  const script = new AgentScript(agent, session).opens()
  for (const ask of [1, 2, 3]) script.asks(ask, 'ls').answered(ask).says(`Done ${ask}.`)
  const play = script.endsTurn().waits().play()
  const folder = join(home, `${agent}-${number}`)
  mkdirSync(folder)
  const standIn = dialogueStandIn(folder, play)
  // Both keep files of their own, which the stand-in does not write.
  if (agent !== 'gemini') keepSession(home, agent, { id: session, cwd: project })
  // It allows what it is asked.
  const argv = [hostModule, host.state, standIn.command, project, 'interactive', agent]
  const started = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  playhead = started
  const [id] = (await once(started.stdout, 'data')) as [Buffer]
  const run = id.toString().trim()
  const at = Math.floor(part * play.steps.length)
  await expect.poll(() => standIn.steps, { interval: 1, timeout: 30_000 }).toBeGreaterThanOrEqual(at)
  const gone = once(started, 'exit')
  started.kill('SIGKILL')
  await gone

  await host.handlers['run.list']({})
  const lost = await host.run(run, ({ state, endedAt }) => state === 'lost' && endedAt !== null)
  expect(lost).toMatchObject({ dialogue: { turn: 'lost', asks: [] }, own: false })
  // The watchdog looks twice before it goes.
  await expect.poll(() => processesOf(run), { timeout: 30_000 }).toEqual([])
  const beside = (name: string): string => join(dirname(lost.recording), name)
  const recorded = readFileSync(beside('stdout.jsonl'))
  expect(standIn.endedAfter(recorded), 'the recording is what was printed').toBe(true)
  // Gemini CLI is prompted once its session was read. Before, its log has nothing, and is nobody's.
  const hasSession =
    agent === 'gemini' ? standIn.read.some((line) => line.includes('session/prompt')) : recorded.includes(session)
  if (agent === 'gemini' && hasSession) {
    const chat = join(home, '.gemini/tmp', chatOf(session))
    expect(readFileSync(lost.recording, 'utf8')).toBe(readFileSync(chat, 'utf8'))
  }
  // A line may be noted and not be read any more, never the other way round.
  const noted = linesOf(beside('dialogue.jsonl')).flatMap(({ sent }) => (sent === undefined ? [] : [sent]))
  expect(noted.slice(0, standIn.read.length)).toEqual(standIn.read)
  const events = readEvents(await host.stream(run)).map(({ event }) => event)
  const asked = events
    .filter(({ type }) => type === 'permission_request')
    .map(({ data }) => (data as JsonObject)['request_id'])
  const decided = events
    .filter(({ data }) => (data as JsonObject)['kind'] === 'answer')
    .map(({ data }) => (data as JsonObject)['request_id'])
  expect(decided).toEqual(asked)
  expect(events.at(-1)?.type).toBe('done')

  if (!hasSession) return
  const { request } = await host.handlers['run.resumable']({ path: lost.recording })
  expect(request.resumes).toEqual({ session, run })
  const more = join(home, `${agent}-${number}-more`)
  mkdirSync(more)
  const further = new AgentScript(agent, session, true).opens('And now?').says('Nothing.').endsTurn().waits()
  const next = dialogueStandIn(more, further.play())
  const over = { ...request, prompt: 'And now?', cwd: project, interactive: true }
  const resumed = await host.start(agent, next.command, over)
  await host.run(resumed.run, ({ dialogue }) => dialogue?.turn === 'idle')
  await host.handlers['run.finish']({ run: resumed.run })
  expect(await host.ended(resumed.run)).toMatchObject({ finishReason: 'done', resumes: { session } })
}

test.each(agentIds)(
  'a Playhead that is killed at any moment of a dialogue with %s leaves no process, a whole recording, each line that it sent, and a session to go on with',
  async (agent) => {
    const count = times(2, 50)
    for (let number = 0; number < count; number++) {
      await killed(agent, number, (number + 0.5) / count)
      if (number < count - 1) await host.close()
    }
  },
  600_000
)
