import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject } from '../../src/core/json.ts'
import { added, alike, bothDeviations, type Deviation, left, ofTypes, saysText } from './seed-deviations.ts'

const taskTools = new Set(['TaskCreate', 'TaskUpdate', 'TaskList'])

const blocksOf = (record: JsonObject): readonly JsonObject[] =>
  (arrayAt(objectAt(record, 'message') ?? {}, 'content') ?? []).filter(isJsonObject)

const fromBlock = (record: JsonObject, wanted: RegExp): boolean =>
  blocksOf(record).some((block) => wanted.test(stringAt(block, 'type') ?? ''))

const isResult = (record: JsonObject): boolean =>
  record['type'] === 'tool_result' || (record['type'] === 'user' && fromBlock(record, /^tool_result$/))

const isSynthetic = (record: JsonObject): boolean =>
  objectAt(record, 'message')?.['model'] === '<synthetic>' ||
  record['error'] !== undefined ||
  record['isApiErrorMessage'] === true

/** Of ClaudeCodeParser. */
export const claudeDeviations: readonly Deviation[] = [
  ...bothDeviations,
  {
    id: 'D-C1',
    why: 'what the model thinks is shown; the seed has no such text',
    holds: (d) => d.seed === null && saysText(d.ours, 'assistant', 'reasoning')
  },
  {
    id: 'D-C2',
    why: 'what a person typed, or a subagent was told, is shown; the seed reads results only in user records',
    holds: (d) => d.seed === null && saysText(d.ours, 'user', 'user-message')
  },
  {
    id: 'D-C3',
    why: 'what the harness says is shown, as the system’s',
    holds: (d) => d.seed === null && saysText(d.ours, 'system', 'status')
  },
  {
    id: 'D-C24',
    why: 'what the agent asked a person, and what was decided, is shown, as the system’s; the seed has no such records',
    holds: (d) => d.seed === null && saysText(d.ours, 'system', 'permission')
  },
  {
    id: 'D-C4',
    why: 'a message of the model <synthetic> is said by the harness, not by the model',
    holds: (d) => alike(d, 'role', 'category') && saysText(d.ours, 'system', 'status') && isSynthetic(d.at.record)
  },
  {
    id: 'D-C5',
    why: 'an error of the API is an error, not what the assistant says',
    holds: ({ at, seed, ours }) =>
      saysText(seed, 'assistant', 'assistant-message') &&
      ours?.type === 'error' &&
      ours['error'] === seed?.['text'] &&
      isSynthetic(at.record)
  },
  {
    id: 'D-C6',
    why: 'why a turn failed is an error: from `errors`, else the text of the result, else its subtype',
    holds: ({ at, seed, ours }) =>
      at.record['type'] === 'result' &&
      ours?.type === 'error' &&
      (seed === null ||
        (saysText(seed, 'assistant', 'result') &&
          (ours['error'] === seed['text'] || arrayAt(at.record, 'errors') !== undefined)))
  },
  {
    id: 'D-C7',
    why: 'a rate limit, a failed login and a refusal of the model are errors; the seed does not know those records',
    holds: (d) =>
      added(d, 'error') !== null && ['rate_limit_event', 'auth_status', 'system'].includes(String(d.at.record['type']))
  },
  {
    id: 'D-C8',
    why: 'a turn of an error subtype failed, also where `is_error` is false beside it (Claude Code 1.0, 2.0)',
    holds: (d) =>
      alike(d, 'finishReason') &&
      d.ours?.['finishReason'] === 'error' &&
      String(d.at.record['subtype']).startsWith('error')
  },
  {
    id: 'D-C9',
    why: 'a turn that was aborted is cancelled, which the type allows',
    holds: (d) =>
      alike(d, 'finishReason') &&
      d.ours?.['finishReason'] === 'cancelled' &&
      /"terminal_reason":"aborted|"subtype":"error_during_execution"/.test(d.at.text)
  },
  {
    id: 'D-C10',
    why: 'a turn that a person interrupts is over, also where no result says so',
    holds: (d) => added(d, 'turn.completed')?.['finishReason'] === 'cancelled' && d.at.record['type'] !== 'result'
  },
  {
    id: 'D-C11',
    why: 'a failed result has its text once, as `error`: `error` and `output` exclude each other',
    holds: (d) =>
      alike(d, 'output', 'error') &&
      d.ours?.['output'] === undefined &&
      typeof d.ours?.['error'] === 'string' &&
      (d.seed?.['error'] === d.ours['error'] || typeof d.seed?.['error'] !== 'string') &&
      /"is_error":\s*true/.test(d.at.text)
  },
  {
    id: 'D-C12',
    why: 'an output is text, as its type says: content blocks are joined, pictures named, nothing is an empty text',
    holds: (d) => alike(d, 'output') && typeof d.seed?.['output'] !== 'string' && typeof d.ours?.['output'] === 'string'
  },
  {
    id: 'D-C13',
    why: 'the Task tools are todo tools as well: their calls give no tool.started',
    holds: (d) => taskTools.has(String(left(d, 'tool.started')?.['toolName']))
  },
  {
    id: 'D-C14',
    why: 'a Task tool changes the list when it has answered: the list stands before its result',
    holds: (d) => taskTools.has(d.at.calls.get(String(added(d, 'todo_list')?.['todoId'])) ?? '')
  },
  {
    id: 'D-C15',
    why: 'a TodoWrite call that its result refuses changed nothing: the list before it is given again',
    holds: (d) =>
      d.at.calls.get(String(added(d, 'todo_list')?.['todoId'])) === 'TodoWrite' &&
      isResult(d.at.record) &&
      /"is_error":\s*true/.test(d.at.text)
  },
  {
    id: 'D-C23',
    why: 'a result that states another list than its call wrote is right: the list stands before it',
    holds: (d) => added(d, 'todo_list') !== null && /"newTodos":/.test(d.at.text)
  },
  {
    id: 'D-C16',
    why: 'a list that stands as JSON text in its call is read (Claude Code takes it, too)',
    holds: (d) => added(d, 'todo_list') !== null && /"todos":\s*"/.test(d.at.text)
  },
  {
    id: 'D-C17',
    why: 'tools that run at the vendor’s, and results inside assistant messages, are shown as all others',
    holds: (d) =>
      d.at.record['type'] === 'assistant' &&
      (added(d, 'tool.started') ?? added(d, 'tool.completed')) !== null &&
      fromBlock(d.at.record, /^(server_tool_use|mcp_tool_use|.*tool_result)$/)
  },
  {
    id: 'D-C18',
    why: 'content that is one string is a text',
    holds: (d) =>
      d.seed === null &&
      saysText(d.ours, 'assistant', 'assistant-message') &&
      typeof objectAt(d.at.record, 'message')?.['content'] === 'string'
  },
  {
    id: 'D-C19',
    why: 'a text that was streamed and cut off before its whole record is given as far as it got',
    holds: (d) =>
      d.seed === null &&
      saysText(d.ours, 'assistant', 'assistant-message') &&
      (['stream_event', 'result'].includes(String(d.at.record['type'])) ||
        (!d.at.terminated && d.at.value === undefined))
  },
  {
    id: 'D-C20',
    why: 'a line that repeats an earlier one (the same uuid) stays a record, and is not told twice',
    holds: (d) => d.seed !== null && d.ours === null && d.at.uuids.has(stringAt(d.at.record, 'uuid') ?? '')
  },
  {
    id: 'D-C21',
    why: '`is_error` has to be true to be one: another type there is a violation, not a failure',
    holds: (d) => alike(d, 'finishReason', 'error') && /"is_error":(?!true|false)/.test(d.at.text)
  },
  {
    id: 'D-C22',
    why: 'a carriage return before the line feed is a line end, and no part of what the line says',
    holds: (d) => alike(d, 'text') && d.at.text.endsWith('\r') && d.seed?.['text'] === `${String(d.ours?.['text'])}\r`
  },
  ofTypes
]
