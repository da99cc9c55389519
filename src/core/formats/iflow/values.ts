import { each, members, role, type StatedValues, time, todoCall, usage } from '../stated-values.ts'

const todos = todoCall('name', ['todo_write'], 'input')

/** Each line of a session. */
export const iflowValues: StatedValues = members({
  timestamp: time,
  message: members({ role: role('user', 'assistant', 'system'), usage, content: each(todos) }),
  toolUseResult: members({ timestamp: time })
})
