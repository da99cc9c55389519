import {
  all,
  count,
  list,
  listOf,
  members,
  role,
  seconds,
  type StatedValues,
  time,
  usage,
  usd
} from '../stated-values.ts'

const info = members({
  model_stats: members({
    instance_cost: usd,
    total_cost: usd,
    tokens_sent: count,
    tokens_received: count,
    api_calls: count
  })
})

const said = members({ role: role('system', 'user', 'assistant', 'tool') })
const step = members({ execution_time: seconds, query: listOf(said) })

/** Each record of SWE-agent: a step, a message of the history, the end. */
export const sweAgentValues: StatedValues = all(
  said,
  step,
  members({ info, trajectory: listOf(step), history: listOf(said) })
)

const message = members({
  role: role('system', 'user', 'assistant', 'tool', 'exit'),
  tool_calls: list,
  extra: members({ timestamp: time, response: members({ usage }) })
})

/** Each record of mini-SWE-agent: a message, or the end. */
export const miniSweAgentValues: StatedValues = all(message, members({ info, messages: listOf(message) }))
