import {
  all,
  count,
  each,
  entries,
  inText,
  list,
  members,
  ms,
  role,
  seconds,
  type StatedValues,
  time,
  usage,
  todoCall,
  usd
} from '../stated-values.ts'

const todoWrite = todoCall('name', ['TodoWrite'], 'input', inText(list))

/** What a message states, in a stream, in a transcript, and in what other agents write as Claude Code does. */
export const messageValues: StatedValues = members({
  role: role('user', 'assistant', 'system'),
  usage,
  content: each(todoWrite)
})

/** What a result states beside its text. Of tools of others it may be any text or list. */
const structured = members({ durationMs: ms, totalDurationMs: ms, durationSeconds: seconds, totalTokens: count, usage })

const models = entries(
  members({
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: count,
    cacheCreationInputTokens: count,
    costUSD: usd
  })
)

/** Each line of a printed run. */
export const streamValues: StatedValues = all(
  // Other writers of this format have blocks that stand alone.
  todoWrite,
  members({
    timestamp: time,
    message: messageValues,
    duration_ms: ms,
    duration_api_ms: ms,
    num_turns: count,
    total_cost_usd: usd,
    usage,
    modelUsage: models,
    tools: list,
    event: members({ message: messageValues, usage }),
    compact_metadata: members({ pre_tokens: count, post_tokens: count, duration_ms: ms }),
    elapsed_time_seconds: seconds,
    retry_delay_ms: ms,
    estimated_tokens: count,
    rate_limit_info: members({ resetsAt: time }),
    tool_use_result: structured
  })
)

const nested = members({ timestamp: time, message: messageValues })

/** Each line of a transcript. */
export const transcriptValues: StatedValues = members({
  timestamp: time,
  message: messageValues,
  todos: list,
  tools: list,
  durationMs: ms,
  retryInMs: ms,
  totalCostUSD: usd,
  modelUsage: models,
  toolUseResult: structured,
  compactMetadata: members({ preTokens: count, postTokens: count, durationMs: ms }),
  microcompactMetadata: members({ preTokens: count, tokensSaved: count }),
  snapshot: members({ timestamp: time }),
  data: members({ message: nested, normalizedMessages: each(nested), elapsedTimeSeconds: seconds })
})
