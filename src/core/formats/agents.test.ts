import { expect, test } from 'vitest'
import { agentOf, namedAgent } from './agents.ts'
import { soloIdentity } from './solo-identity.ts'

test.each([
  ['claude-code', 'claude-code'],
  ['codex', 'openai-codex'],
  ['gemini-cli', 'google-gemini'],
  ['cursor-cli', 'cursor-agent'],
  ['Codex', 'openai-codex'],
  ['terminus-2', 'terminus-2'],
  ['Terminus', 'Terminus'],
  ['', undefined],
  ['two\nlines', undefined],
  ['x'.repeat(101), undefined],
  [undefined, undefined]
])('a log that names its agent %j is of %j', (name, type) => {
  expect(namedAgent(name)).toBe(type)
})

test('an agent that only a log names is called so; one that nothing names is unknown', () => {
  expect(agentOf('terminus-2')).toMatchObject({ name: 'terminus-2', words: ['terminus-2'], tools: {} })
  expect(agentOf('unknown').label).toBe('Unknown agent')
  expect(agentOf('__proto__').name).toBe('__proto__')
  expect(soloIdentity('terminus-2').teamMetadata.memberDisplayName).toBe('terminus-2')
})
