import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { agentIds, defaultDialogueLimits } from '#contract/live-runs.ts'
import { streamEventData, streamEventTypes } from '#core/bridge/stream-events.ts'
import type { JsonObject } from '#core/json.ts'
import { DialogueRuns } from '../../../test/dialogue-runs.ts'
import { AgentScript } from '../../../test/stand-in/agent-script.ts'
import { slowCall } from '../../../test/stand-in/slow-call.ts'

/** The whole stream of a run of the real host: docs/seeds.md#todowrite-bridge. */

const session = '0e7ecc99-26b4-49b0-abb1-767b20aa5bf2'
/** The least that is allowed. No test waits for more than that it is over. */
const limits = { ...defaultDialogueLimits, toolMs: 1000 }

let host: DialogueRuns
beforeEach(() => {
  host = new DialogueRuns()
})
afterEach(async () => await host.close())

type Events = Awaited<ReturnType<DialogueRuns['events']>>

/** The stream once it has an event that is wanted. */
async function once(run: string, wanted: (event: Events[number]) => boolean): Promise<Events> {
  await expect.poll(async () => (await host.events(run)).some(wanted), { timeout: 60_000 }).toBe(true)
  return await host.events(run)
}

const typesOf = (events: Events, ...types: string[]): string[] =>
  events.map(({ type }) => type).filter((type) => types.includes(type))

test('all types of events, each as often as it happens, and a slow call once', async () => {
  const todo = { content: 'Write the tests', status: 'in_progress', activeForm: 'Writing the tests' }
  const list = (...todos: JsonObject[]): JsonObject => ({
    type: 'assistant',
    message: {
      id: `m-${todos.length}`,
      content: [{ type: 'tool_use', id: `w-${todos.length}`, name: 'TodoWrite', input: { todos } }]
    },
    session_id: session
  })
  const script = new AgentScript('claude', session)
    .opens()
    .says('I look.')
    .prints(list(todo))
    .prints(list(todo))
    .prints(list(todo, { ...todo, content: 'Run them' }))
    .complains('a warning')
    .asks('r-1', 'ls')
    .answered('r-1')
    .runsCommand()
    .changesMode('acceptEdits', '', 'And now?')
    .commandEnds()
    .prints({ type: 'assistant', error: 'server_error', session_id: session, message: { id: 'e', content: [] } })
    .endsTurn()
    .waits()
  const play = script.play()
  const { run, standIn } = await host.begin(
    { ...play, steps: [...play.steps.slice(0, -2), { out: '{"torn' }, ...play.steps.slice(-2)] },
    { limits }
  )
  await host.allow(run)
  const { recording } = await host.run(run, ({ dialogue }) => dialogue?.turn === 'working')
  // The hook states the list once more.
  const hook = {
    ...{ session_id: session, hook_event_name: 'PostToolUse', tool_name: 'TodoWrite', tool_use_id: 'w-2' },
    ...{ tool_input: { todos: [todo, { ...todo, content: 'Run them' }] }, tool_response: {} }
  }
  appendFileSync(join(dirname(recording), 'hooks.jsonl'), `${JSON.stringify({ stdoutBytes: 0, hook })}\n`)
  await once(run, ({ type }) => type === 'tool_timeout')
  await host.handlers['run.setMode']({ run, mode: 'acceptEdits', confirmed: false })
  await host.handlers['run.prompt']({ run, text: 'And now?', when: 'now' })
  await host.turn(run, 'idle')
  await host.finished(run)
  expect(standIn.read.at(-1)).toContain('And now?')
  const events = await host.events(run)
  for (const { type, data } of events)
    expect(streamEventData[type as keyof typeof streamEventData].parse(data)).toEqual(data)
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(streamEventTypes))
  expect(typesOf(events, 'tool_use', 'tool_timeout', 'tool_result')).toEqual([
    'tool_use',
    'tool_timeout',
    'tool_result'
  ])
  const slow = events.find(({ type }) => type === 'tool_timeout')
  expect(slow?.data).toMatchObject({ tool_use_id: 'long', tool_name: 'Bash', session_id: session })
  expect(
    events.filter(({ type }) => type === 'task_update').map(({ data }) => (data['todos'] as unknown[]).length)
  ).toEqual([1, 2])
  expect(events.at(-1)?.type).toBe('done')
})

describe.each(agentIds)('%s', (agent) => {
  test('tells a slow call of a conversation once, and not while a person is asked', async () => {
    const script = new AgentScript(agent, session).opens().runsCommand().asks(9, 'ls').answered(9).commandEnds()
    const { run } = await host.begin(script.endsTurn().waits().play(), { limits })
    await host.turn(run, 'asking')
    const slow = (events: Events): unknown[] =>
      events.filter(({ type }) => type === 'tool_timeout').map(({ data }) => data['tool_use_id'])
    const asked = await once(run, ({ type }) => type === 'tool_timeout')
    // The other one waits.
    expect(slow(asked)).toEqual(['long'])
    await host.allow(run)
    await host.turn(run, 'idle')
    await host.finished(run)
    const events = await host.events(run)
    expect(slow(events).filter((id) => id === 'long')).toEqual(['long'])
    const first = events.find(({ type }) => type === 'tool_timeout')
    expect(first?.data['elapsed_seconds']).toBeGreaterThanOrEqual(1)
  })

  test('tells a slow call of one prompt once', async () => {
    const { command, begin, end } = slowCall(join(host.home, 'agent'), agent)
    const { run } = await host.start(agent, command, { limits })
    begin()
    await once(run, ({ type }) => type === 'tool_timeout')
    end()
    await host.ended(run)
    const events = await host.events(run)
    expect(typesOf(events, 'tool_use', 'tool_timeout', 'tool_result')).toEqual([
      'tool_use',
      'tool_timeout',
      'tool_result'
    ])
  })
})
