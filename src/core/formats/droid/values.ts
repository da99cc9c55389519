import { list, members, ms, role, type StatedValues, time, usage } from '../stated-values.ts'

const roles = role('user', 'assistant', 'system')

/** Each line of a session, saved or printed. */
export const droidValues: StatedValues = members({
  timestamp: time,
  durationMs: ms,
  role: roles,
  usage,
  tools: list,
  message: members({ role: roles, usage })
})
