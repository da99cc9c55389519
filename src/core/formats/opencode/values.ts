import { all, list, listOf, members, role, type StatedValues, time, usage, usd, where } from '../stated-values.ts'

const span = members({ start: time, end: time })
const call = members({ state: members({ time: span }) })
const part = all(
  members({ time: span, cost: usd, tokens: usage }),
  call,
  where('tool', ['todowrite'], members({ state: members({ input: members({ todos: list }) }) }))
)
const moments = members({ created: time, updated: time, completed: time })
const message = members({
  info: members({ time: moments, cost: usd, tokens: usage, role: role('user', 'assistant') }),
  parts: listOf(part)
})

/** Each record: a line of a printed run, a message, or the session. */
export const opencodeValues: StatedValues = all(
  message,
  members({ timestamp: time, time: moments, part, messages: listOf(message) })
)
