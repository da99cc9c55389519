import { printedValues } from '../printed-run.ts'
import { all, count, each, listOf, members, role, todoCall, type StatedValues, usage } from '../stated-values.ts'

/** Each line of a chat, or of a printed run. */
export const qwenValues: StatedValues = all(
  printedValues('model', 'tool'),
  members({
    message: members({
      parts: listOf(members({ functionCall: todoCall('name', ['todo_write'], 'args') })),
      content: each(todoCall('name', ['todo_write'], 'input'))
    }),
    event: members({ message: members({ role: role('assistant') }) }),
    usageMetadata: usage,
    systemPayload: members({ info: members({ originalTokenCount: count, newTokenCount: count }) })
  })
)
