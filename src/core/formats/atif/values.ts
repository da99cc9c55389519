import {
  all,
  count,
  each,
  ms,
  usage,
  inText,
  list,
  listOf,
  members,
  type StatedValues,
  time,
  usd,
  where
} from '../stated-values.ts'

const todoTools = ['TodoWrite', 'todo_write', 'todowrite', 'write_todos', 'update_plan']
const lists = members({ todos: inText(list), plan: inText(list) })
const call = all(
  members({ extra: members({ timestamp: time }) }),
  where('function_name', todoTools, members({ arguments: lists }))
)

const step = members({
  timestamp: time,
  llm_call_count: count,
  tool_calls: listOf(call),
  metrics: members({ prompt_tokens: count, completion_tokens: count, cached_tokens: count, cost_usd: usd }),
  observation: members({ results: listOf(members({ extra: members({ timestamp: time, duration_ms: ms }) })) }),
  extra: members({ timestamp: time, duration_ms: ms })
})

const totals = members({
  total_prompt_tokens: count,
  total_completion_tokens: count,
  total_cached_tokens: count,
  total_cost_usd: usd,
  total_steps: count
})

/** The end of a turn, as exports of Playhead keep it. */
const turn = members({ timestamp: time, usage, cost_usd: usd, duration_ms: ms })

/** Each record: a step, the members beside the steps, or all of them. */
export const atifValues: StatedValues = all(
  step,
  members({
    steps: listOf(step),
    extra: members({ turns: each(turn) }),
    final_metrics: totals,
    subagent_trajectories: listOf(members({ steps: listOf(step), final_metrics: totals }))
  })
)
