import { expect, test } from 'vitest'
import type { SessionCard } from '#core/library/session-card.ts'
import { resumeCommand } from './resume-command.ts'

const card = (over: Partial<SessionCard>): SessionCard =>
  ({ format: 'claude-transcript', sessionId: 'a-1', project: null, parent: null, ...over }) as SessionCard

test('goes on with a session in its folder', () => {
  expect(resumeCommand(card({}), 'linux')).toBe('claude --resume a-1')
  expect(resumeCommand(card({ project: '/work/my app' }), 'linux')).toBe("cd '/work/my app' && claude --resume a-1")
  expect(resumeCommand(card({ project: "/it's; rm -rf $HOME" }), 'darwin')).toBe(
    "cd '/it'\\''s; rm -rf $HOME' && claude --resume a-1"
  )
  expect(resumeCommand(card({ project: 'C:\\Users\\me' }), 'win32')).toBe(
    'cd /d "C:\\Users\\me" && claude --resume a-1'
  )
})

test.each([
  ['no format', { format: null }],
  ['a format that nothing goes on with', { format: 'claude-stream-json' }],
  ['no id', { sessionId: null }],
  ['an id that is an option', { sessionId: '--dangerously-skip-permissions' }],
  ['an id of several words', { sessionId: 'a; rm -rf /' }],
  ['a subagent', { parent: 'other' }],
  ['a folder that ends a paste', { project: '/work\u001b[201~\nrm -rf /' }],
  ['a folder that turns the order of text', { project: '/work\u202e' }]
])('nothing goes on with %s', (_, over) => {
  expect(resumeCommand(card(over), 'linux')).toBeNull()
})

test('nothing is expanded on Windows', () => {
  expect(resumeCommand(card({ project: 'C:\\%PATH%' }), 'win32')).toBeNull()
})
