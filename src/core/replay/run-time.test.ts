import { expect, test } from 'vitest'
import type { AgentEvent, EventBody } from '../events/agent-event.ts'
import { soloIdentity } from '../formats/solo-identity.ts'
import { RunTime } from './run-time.ts'

type Said = EventBody & Pick<AgentEvent, never> & { readonly at: number; readonly trackId?: string }

function timesOf(...said: Said[]) {
  const time = new RunTime()
  for (const [index, { at, ...body }] of said.entries()) {
    const event = { ...body, eventId: String(index), timestamp: at, agentType: 'claude-code' as const }
    time.add({ ...event, ...soloIdentity('claude-code') } as AgentEvent)
  }
  return time.times
}

const prompt = (at: number): Said => ({ at, type: 'text', text: 'p', role: 'user', category: 'user-message' })
const answer = (at: number): Said => ({ at, type: 'text', text: 'a', role: 'assistant', category: 'assistant-message' })
const end = (at: number): Said => ({ at, type: 'turn.completed', finishReason: 'done' })

test('from the end of a turn to the next prompt the run waits for the person', () => {
  expect(timesOf(prompt(1000), answer(4000), end(4000), prompt(10_000), answer(11_000))).toEqual({
    wallMs: 10_000,
    activeMs: 4000,
    waitingMs: 6000
  })
})

test('a prompt that is typed while the agent works ends no turn', () => {
  expect(timesOf(prompt(1000), answer(2000), prompt(5000), answer(6000))).toMatchObject({
    waitingMs: 0,
    activeMs: 5000
  })
})

test('while a question is open it waits as well', () => {
  const question: Said = { at: 2000, type: 'tool.started', toolName: 'AskUserQuestion', toolId: 'q', input: {} }
  const reply: Said = {
    at: 9000,
    type: 'tool.completed',
    toolId: 'q',
    output: 'yes',
    durationMs: 7000,
    durationFrom: 'records'
  }
  expect(timesOf(prompt(1000), question, reply, answer(9500))).toEqual({
    wallMs: 8500,
    activeMs: 1500,
    waitingMs: 7000
  })
})

test('a run without two times has none', () => {
  expect(timesOf(prompt(0), answer(0))).toBeNull()
  expect(timesOf(prompt(5000), answer(5000))).toBeNull()
})

test('what a subagent does while the main agent waits is no waiting of its own', () => {
  const child: Said = { ...answer(20_000), trackId: 'call' }
  expect(timesOf(prompt(1000), answer(2000), end(2000), child, prompt(30_000))).toMatchObject({ waitingMs: 28_000 })
})
