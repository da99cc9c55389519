import { expect, test } from 'vitest'
import { redactedText, sharedText } from './shared-text.ts'

const exportedAt = Date.UTC(2026, 0, 2, 3, 4, 5)
const redacted = (...counts: number[]) =>
  redactedText({ exportedAt, redacted: counts.map((count, i) => ({ kind: `kind ${i}`, count })) })

test('states what was redacted, and what was not', () => {
  expect(redacted(1)).toBe('1 secret was redacted: kind 0.')
  expect(redacted(1200, 2)).toBe('1,202 secrets were redacted: 1,200 × kind 0, 2 × kind 1.')
  expect(redacted(6, 5, 4, 3, 2, 1)).toBe(
    '21 secrets were redacted: 6 × kind 0, 5 × kind 1, 4 × kind 2, 3 × kind 3, 2 other kinds.'
  )
  expect(redacted()).toBe('No secrets were found.')
  expect(redactedText({ exportedAt, redacted: null })).toContain('Nothing was redacted')
})

test('states when it was exported', () => {
  expect(sharedText({ exportedAt, redacted: null, part: { events: 12, of: 3400 } })).toMatch(
    /^Shared copy of 12 of 3,400 events, exported/
  )
  expect(sharedText({ exportedAt, redacted: null })).toMatch(/^Shared copy, exported 2026-01-0[123] \d\d:04\.$/)
})
