import { expect, test } from 'vitest'
import { missingText } from './missing-text.ts'

const main = { trackId: null, label: '', depth: 0, call: -1 }
const subagent = { trackId: 'a', label: '', depth: 1, call: -1 }

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
  expect(missingText({ missing: { named, perhaps }, tracks: [main], files: [] }, isSent)).toBe(text)
})

test('a log with copies of its subagents’ records says that these are shown', () => {
  const status = { missing: { named: 8, perhaps: false }, tracks: [main, subagent], files: [] }
  expect(missingText(status, false)).toBe(
    '8 subagent logs are missing: not in the folder of this log. What this log itself holds of subagents is shown.'
  )
  const files = [{ name: 'agent-a.jsonl', bytes: 1, bytesRead: 1, lines: 1 }]
  expect(missingText({ ...status, files }, false)).toBe('8 subagent logs are missing: not in the folder of this log.')
})
