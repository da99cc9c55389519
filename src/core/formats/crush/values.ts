import { all, count, each, list, members, role, type StatedValues, time, todoCall, usd } from '../stated-values.ts'

/** Each row of the database. */
export const crushValues: StatedValues = members({
  row: members({
    role: role('user', 'assistant', 'system', 'tool'),
    created_at: time,
    updated_at: time,
    finished_at: time,
    prompt_tokens: count,
    completion_tokens: count,
    message_count: count,
    cost: usd,
    todos: list,
    parts: each(
      members({
        data: all(members({ time, started_at: time, finished_at: time }), todoCall('name', ['todos'], 'input'))
      })
    )
  })
})
