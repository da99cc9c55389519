import { expect, test } from 'vitest'
import type { AgentEvent, EventBody } from '../events/agent-event.ts'
import { soloIdentity } from '../formats/solo-identity.ts'
import { stamp } from '../formats/stamp.ts'
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
  // Also where it names its tool, and where only the repetition fails.
  const again: EventBody = { type: 'tool.completed', toolId: 'a', error: 'no', toolName: 'Bash' }
  expect(countsOf(call('a'), done('a'), again).all).toEqual({ total: 1, failed: 0 })
})

test('a command whose output states that it failed counts as failed', () => {
  const output = 'Command: npm test\nOutput: not ok 2\nExit Code: 3\nProcess Group PGID: 59'
  expect(countsOf(call('a'), { type: 'tool.completed', toolId: 'a', output }).all).toEqual({ total: 1, failed: 1 })
})

test('an id that is used again is that of another call', () => {
  expect(countsOf(call('a'), done('a', 5), call('a', 'Read'), done('a', 7)).byTool).toMatchObject([
    { tool: 'Bash', total: 1, durationMs: 5 },
    { tool: 'Read', total: 1, durationMs: 7 }
  ])
})

test('calls of two parts of a run that use the same ids are told apart', () => {
  const counts = new CallCounts()
  const at = { line: 1, offset: 0, length: 1 }
  for (const [draft, idScope] of [
    [call('item_0'), 't:1'],
    [call('item_0', 'Read'), 't:2'],
    [{ type: 'tool.completed', toolId: 'item_0', error: 'no' }, 't:1'],
    [done('item_0', 5), 't:2']
  ] as const)
    counts.add(stamp({ at, ordinal: 0, draft, body: 0, timestamp: 1, idScope }, { agentType: 'openai-codex' }))
  expect(counts.byTool).toMatchObject([
    { tool: 'Bash', total: 1, failed: 1, durationMs: null },
    { tool: 'Read', total: 1, failed: 0, durationMs: 5 }
  ])
})

test('what an event adds', () => {
  const counts = new CallCounts()
  const add = (body: EventBody): object =>
    counts.add({
      ...body,
      eventId: 'e',
      timestamp: 1,
      agentType: 'openai-codex',
      ...soloIdentity('openai-codex')
    } as AgentEvent)
  const todo: EventBody = { type: 'tool.completed', toolId: 't', error: 'no', toolName: 'update_plan' }
  const adds = [call('a'), done('a', 5), todo, todo, { type: 'error', error: 'no' } as const].map(add)
  const nothing = { total: 0, failed: 0, durationMs: null }
  expect(adds).toEqual([
    { ...nothing, total: 1 },
    { ...nothing, durationMs: 5 },
    { total: 1, failed: 1, durationMs: null },
    nothing,
    nothing
  ])
})

test('tools beyond the first thousand are counted together, and long names are cut', () => {
  const many = countsOf(
    ...Array.from({ length: 1005 }, (_, i) => call(`c${i}`, `tool ${i}`)),
    call('x', 'y'.repeat(500))
  )
  expect(many.all.total).toBe(1006)
  expect(many.byTool).toHaveLength(1001)
  expect(many.byTool[0]).toMatchObject({ tool: 'further tools', total: 6 })
  expect(countsOf(call('x', 'y'.repeat(500))).byTool[0]?.tool).toHaveLength(120)
})

test('a todo call whose id was used before is another call, but not the list that its own answer states', () => {
  const at = (line: number) => ({ source: { line, offset: line, length: 1, ordinal: 0 } })
  const list = { type: 'todo_list' as const, todoId: 't', items: [] }
  const result = { type: 'tool.completed' as const, toolId: 't', toolName: 'update_plan', output: '' }
  const counts = (...events: readonly (EventBody & ReturnType<typeof at>)[]) => countsOf(...events).all.total
  expect(counts({ ...list, ...at(1) }, { ...result, ...at(2) }, { ...list, ...at(5) }, { ...result, ...at(6) })).toBe(2)
  expect(counts({ ...list, ...at(1) }, { ...result, ...at(2) }, { ...list, ...at(2) }, { ...result, ...at(6) })).toBe(1)
})
