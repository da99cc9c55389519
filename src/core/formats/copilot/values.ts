import { all, count, entries, members, ms, role, type StatedValues, time, usage } from '../stated-values.ts'

/** Each line of a session, saved or printed. */
export const copilotValues: StatedValues = members({
  timestamp: time,
  usage: all(usage, members({ sessionDurationMs: ms, totalApiDurationMs: ms })),
  data: members({
    role: role('system', 'developer', 'user', 'assistant'),
    startTime: time,
    resumeTime: time,
    outputTokens: count,
    preCompactionTokens: count,
    totalApiDurationMs: ms,
    durationMs: ms,
    modelMetrics: entries(members({ usage }))
  })
})
