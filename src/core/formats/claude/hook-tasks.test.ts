import { expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../json.ts'
import { hookTasks } from './hook-tasks.ts'

const hook = (tool: string, response: JsonValue, input: JsonObject = {}): JsonObject => ({
  session_id: 's',
  hook_event_name: 'PostToolUse',
  tool_name: tool,
  tool_input: input,
  tool_response: response
})
const nothing = { content: null, status: null, activeForm: null }
const change = { session: 's', removed: [], isWhole: false }

test('TaskCreate', () => {
  const response = { task: { id: '1', subject: 'Write', description: 'Write it.' } }
  expect(hookTasks(hook('TaskCreate', response, { subject: 'Write', activeForm: 'Writing' }))).toEqual({
    ...change,
    set: [{ id: '1', content: 'Write', status: 'pending', activeForm: 'Writing' }]
  })
})

test('TaskUpdate: its status, its words, that it is gone, that nothing changed', () => {
  const updated = (fields: string[], to?: string): JsonObject => ({
    success: true,
    taskId: '2',
    updatedFields: fields,
    ...(to === undefined ? {} : { statusChange: { from: 'pending', to } })
  })
  expect(hookTasks(hook('TaskUpdate', updated(['status'], 'in_progress')))?.set).toEqual([
    { ...nothing, id: '2', status: 'in_progress' }
  ])
  expect(hookTasks(hook('TaskUpdate', updated(['subject']), { taskId: '2', subject: 'New' }))?.set).toEqual([
    { ...nothing, id: '2', content: 'New' }
  ])
  expect(hookTasks(hook('TaskUpdate', updated(['deleted'])))).toEqual({ ...change, set: [], removed: ['2'] })
  expect(hookTasks(hook('TaskUpdate', updated([])))).toBeNull()
})

test('TaskList and TaskGet', () => {
  const tasks = [
    { id: '1', subject: 'a', status: 'completed' },
    { id: '3', subject: 'b', status: 'pending' }
  ]
  expect(hookTasks(hook('TaskList', { tasks }))).toEqual({
    ...change,
    isWhole: true,
    set: [
      { ...nothing, id: '1', content: 'a', status: 'completed' },
      { ...nothing, id: '3', content: 'b', status: 'pending' }
    ]
  })
  expect(hookTasks(hook('TaskGet', { task: { id: '3', subject: 'b', status: 'in_progress' } }))?.set).toEqual([
    { ...nothing, id: '3', content: 'b', status: 'in_progress' }
  ])
})

test('everything else says nothing about tasks', () => {
  const response = { task: { id: '1', subject: 'Write' } }
  for (const value of [
    null,
    'text',
    hook('Task', response),
    hook('TaskStop', response),
    hook('TaskCreate', null),
    { ...hook('TaskCreate', response), hook_event_name: 'PreToolUse' },
    { ...hook('TaskCreate', response), session_id: 7 }
  ])
    expect(hookTasks(value)).toBeNull()
})
