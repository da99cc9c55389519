import { printedValues } from '../printed-run.ts'
import { all, each, listOf, members, role, type StatedValues, time, todoCall, usage } from '../stated-values.ts'

const message = members({
  role: role('user', 'assistant', 'info', 'system'),
  content: each(todoCall('name', ['todo_write'], 'input')),
  meta: members({ sentAt: time }),
  usage: all(usage, members({ timestamp: time }))
})

/** Each record: a thread, a message, a line of a printed run. */
export const ampValues: StatedValues = all(
  printedValues(),
  message,
  members({ message: members({ content: each(todoCall('name', ['todo_write'], 'input')) }) }),
  members({ created: time, messages: listOf(message) })
)
