import { expect, test } from 'vitest'
import type { AgentEvent, EventBody } from '../events/agent-event.ts'
import { soloIdentity } from '../formats/solo-identity.ts'
import { CallCounts } from './call-counts.ts'

function countsOf(...bodies: EventBody[]): CallCounts {
  const counts = new CallCounts()
  for (const [index, body] of bodies.entries()) {
    const event = { ...body, eventId: String(index), timestamp: 1, agentType: 'claude-code' as const }
    counts.add({ ...event, ...soloIdentity('claude-code') } as AgentEvent)
  }
  return counts
}

const call = (toolId: string, toolName = 'Bash'): EventBody => ({ type: 'tool.started', toolName, toolId, input: {} })
const done = (toolId: string, durationMs?: number): EventBody => ({
  type: 'tool.completed',
  toolId,
  output: '',
  ...(durationMs !== undefined && { durationMs, durationFrom: 'stated' as const })
})

test('calls by tool, those that failed, and how long they took where that is known', () => {
  const counts = countsOf(
    call('a'),
    done('a', 5),
    call('b'),
    { type: 'tool.completed', toolId: 'b', error: 'no' },
    call('c', 'Read')
  )
  expect(counts.all).toEqual({ total: 3, failed: 1 })
  expect(counts.byTool).toEqual([
    { tool: 'Bash', total: 2, failed: 1, durationMs: 5, unknownDurations: 1 },
    { tool: 'Read', total: 1, failed: 0, durationMs: null, unknownDurations: 1 }
  ])
})

test('a todo call counts when it is answered, once', () => {
  const result: EventBody = { type: 'tool.completed', toolId: 't', error: 'no', toolName: 'TodoWrite' }
  expect(countsOf(result, result).byTool).toMatchObject([{ tool: 'TodoWrite', total: 1, failed: 1 }])
})

test('a result that is delivered again, or without its call, is no call', () => {
  expect(countsOf(call('a'), done('a', 5), done('a', 9), done('x')).byTool).toMatchObject([{ total: 1, durationMs: 5 }])
})
