import { all, count, listOf, members, role, type StatedValues, time, todoCall, usage } from '../stated-values.ts'

const todoTools = ['SetTodoList', 'TodoList']
const call = members({ function: todoCall('name', todoTools, 'arguments') })
const payload = all(members({ token_usage: usage }), call)

/** Each line of a session: of the wire, of the context, of Kimi Code. */
export const kimiValues: StatedValues = members({
  timestamp: time,
  time,
  created_at: time,
  role: role('user', 'assistant', 'tool', 'system', '_system_prompt', '_checkpoint', '_usage'),
  tool_calls: listOf(call),
  usage,
  tokensBefore: count,
  tokensAfter: count,
  event: all(members({ usage }), todoCall('name', todoTools, 'args')),
  message: members({ payload: all(payload, members({ event: members({ payload }) })) })
})
