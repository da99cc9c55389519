import { expect, test } from 'vitest'
import { missingText } from './missing-text.ts'

test.each<[number, boolean, boolean, string | null]>([
  [0, false, true, null],
  [0, false, false, null],
  [1, false, true, '1 subagent log is missing. Choose the session’s folder to show it.'],
  [2000, false, true, '2,000 subagent logs are missing. Choose the session’s folder to show them.'],
  [2, true, true, 'At least 2 subagent logs are missing. Choose the session’s folder to show them.'],
  [0, true, true, 'Subagent logs may be missing. Choose the session’s folder to show them.'],
  [2, true, false, '2 subagent logs are missing: not in the folder of this log.'],
  [0, true, false, null]
])('%s named, perhaps more: %s, of a log that was sent: %s', (named, perhaps, isSent, text) => {
  expect(missingText({ named, perhaps }, isSent)).toBe(text)
})
