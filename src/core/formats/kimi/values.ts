import { all, count, list, members, role, type StatedValues, time, todoCall, usage } from '../stated-values.ts'

const payload = members({ token_usage: usage })

/** Each line of a session: of the wire, of the context, of Kimi Code. */
export const kimiValues: StatedValues = members({
  timestamp: time,
  time,
  created_at: time,
  role: role('user', 'assistant', 'tool', 'system', '_system_prompt', '_checkpoint', '_usage'),
  tool_calls: list,
  usage,
  tokensBefore: count,
  tokensAfter: count,
  event: all(members({ usage }), todoCall('name', ['SetTodoList', 'TodoList'], 'args')),
  message: members({ payload: members({ token_usage: usage, event: members({ payload }) }) })
})
