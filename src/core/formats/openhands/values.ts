import { list, members, role, type StatedValues, time, usage, usd } from '../stated-values.ts'

/** Each event. */
export const openhandsValues: StatedValues = members({
  timestamp: time,
  tools: list,
  llm_message: members({ role: role('user', 'assistant', 'system', 'tool') }),
  llm_metrics: members({ accumulated_cost: usd, accumulated_token_usage: usage }),
  tool_call_metadata: members({ model_response: members({ usage }) })
})
