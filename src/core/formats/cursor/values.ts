import { each, entries, list, members, ms, role, type StatedValues, time, todoCall, usage } from '../stated-values.ts'

const roles = role('user', 'assistant', 'system', 'tool')

/** Each line of a printed run. */
export const cursorStreamValues: StatedValues = members({
  timestamp_ms: time,
  duration_ms: ms,
  duration_api_ms: ms,
  usage,
  message: members({ role: roles }),
  tool_call: entries(
    members({
      args: members({ todos: list }),
      result: members({ success: members({ executionTime: ms, todos: list }) })
    })
  )
})

/** Each line of a transcript. */
export const cursorTranscriptValues: StatedValues = members({
  role: role('user', 'assistant'),
  message: members({ content: each(todoCall('name', ['TodoWrite'], 'input')) })
})

/** Each row of a chat's database. */
export const cursorChatValues: StatedValues = members({
  row: members({
    data: members({ role: roles, content: each(todoCall('toolName', ['TodoWrite'], 'args')) }),
    value: members({ createdAt: time })
  })
})
