import {
  all,
  each,
  entries,
  list,
  listOf,
  members,
  ms,
  role,
  type StatedValues,
  time,
  todoCall,
  usage
} from '../stated-values.ts'

const call = todoCall('name', ['write_todos', 'write_todos_list'], 'args')
const part = members({ functionCall: call })
const shown = members({ timestamp: time, resultDisplay: members({ todos: list }) })
const message = members({
  timestamp: time,
  tokens: usage,
  content: each(part),
  parts: listOf(part),
  thoughts: listOf(members({ timestamp: time })),
  toolCalls: listOf(all(shown, call))
})

/** Each record of a chat: its head, a message, an update, a turn of the history, a line of what was asked. */
export const chatValues: StatedValues = all(
  message,
  members({
    role: role('user', 'model'),
    startTime: time,
    lastUpdated: time,
    at: time,
    directories: list,
    messages: listOf(message),
    $set: members({ lastUpdated: time, messages: listOf(message) })
  })
)

/** Each line of a printed run. */
export const geminiStreamValues: StatedValues = members({
  timestamp: time,
  role: role('user', 'assistant', 'system'),
  stats: all(usage, members({ duration_ms: ms, models: entries(usage) })),
  parameters: members({ todos: list })
})
