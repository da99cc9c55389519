import { count, entries, all, members, ms, role, type StatedValues, time, usage, usd } from '../stated-values.ts'

const roles = role(
  ...['user', 'assistant', 'toolResult', 'bashExecution', 'custom', 'branchSummary', 'compactionSummary']
)

/** Each line of a session. */
export const piValues: StatedValues = members({
  timestamp: time,
  tokensBefore: count,
  message: members({
    role: roles,
    timestamp: time,
    durationMs: ms,
    usage: all(usage, members({ cost: entries(usd) }))
  })
})
