import { taskResult } from './todo-tools.ts'
import { isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'

/** One task of Claude's Task tools; null members were not stated and do not change. */
export interface AgentTask {
  /** The agent's own number, from 1. */
  readonly id: string
  readonly content: string | null
  readonly status: string | null
  readonly activeForm: string | null
}

/** A change by a Task tool. The main agent and its subagents share one list. */
export interface AgentTaskChange {
  readonly session: string
  readonly set: readonly AgentTask[]
  readonly removed: readonly string[]
  /** `set` is the whole list. */
  readonly isWhole: boolean
}

/** Reads a PostToolUse hook of TaskCreate, TaskUpdate, TaskGet or TaskList; null if it states no change. */
export function hookTasks(hook: JsonValue): AgentTaskChange | null {
  if (!isJsonObject(hook) || stringAt(hook, 'hook_event_name') !== 'PostToolUse') return null
  const session = stringAt(hook, 'session_id')
  if (
    session === undefined ||
    session === '' ||
    !/^Task(?:Create|Update|Get|List)$/.test(stringAt(hook, 'tool_name') ?? '')
  ) {
    return null
  }
  const answer = taskResult('', hook['tool_response'])
  const said = saidIn(objectAt(hook, 'tool_input') ?? {})
  const change = { session, removed: [], isWhole: false }
  switch (answer?.kind) {
    case 'created':
      return { ...change, set: [{ ...said, id: answer.id, content: answer.subject, status: 'pending' }] }
    case 'updated':
      if (answer.to === 'deleted') return { ...change, set: [], removed: [answer.id] }
      return answer.changed ? { ...change, set: [{ ...said, id: answer.id, status: answer.to ?? null }] } : null
    case 'got':
      return {
        ...change,
        set: [{ ...known, id: answer.task.id, content: answer.task.subject, status: answer.task.status }]
      }
    case 'listed':
      return {
        ...change,
        set: answer.tasks.map(({ id, subject, status }) => ({ ...known, id, content: subject, status })),
        isWhole: true
      }
    case undefined:
      return null
  }
}

const known = { content: null, status: null, activeForm: null }

/** The members that the call states. */
function saidIn(input: JsonObject): Omit<AgentTask, 'id'> {
  return { ...known, content: stringAt(input, 'subject') ?? null, activeForm: stringAt(input, 'activeForm') ?? null }
}
