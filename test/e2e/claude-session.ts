import { writeFileSync } from 'node:fs'
import { test } from '@playwright/test'

const at = (s: number) => new Date(Date.UTC(2026, 0, 5, 9, 0, s)).toISOString()

/** Records of a Claude Code session; `s`: seconds from its start, `agent`: of a subagent. */
let line = 0
export const record = (s: number, type: 'user' | 'assistant', message: object, agent?: string) => ({
  ...{
    parentUuid: null,
    sessionId: 'session-1',
    version: '2.1.0',
    cwd: '/w',
    uuid: `u${line++}`,
    timestamp: at(s),
    type
  },
  ...(agent === undefined ? { isSidechain: false } : { isSidechain: true, agentId: agent }),
  message: { role: type, ...message }
})
export const asked = (s: number, content: string, agent?: string) => record(s, 'user', { content }, agent)
export const called = (
  s: number,
  id: string,
  name: string,
  input: object,
  tokens: number,
  agent?: string,
  model?: string
) =>
  record(
    s,
    'assistant',
    {
      ...{
        id: `msg-${id}`,
        type: 'message',
        model: model ?? (agent === undefined ? 'model-1' : 'model-2'),
        stop_reason: null
      },
      content: [{ type: 'tool_use', id, name, input }],
      usage: { input_tokens: tokens, output_tokens: 90 }
    },
    agent
  )
export const answered = (s: number, id: string, content: string, agent?: string, failed = false) =>
  record(s, 'user', { content: [{ type: 'tool_result', tool_use_id: id, content, is_error: failed }] }, agent)
export const task = (prompt: string) => ({ description: prompt, prompt, subagent_type: 'general-purpose' })

/** Where a compaction replaced a context of so many tokens. */
export const compacted = (s: number, tokens: number) => ({
  ...record(s, 'user', {}),
  ...{ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', message: undefined },
  compactMetadata: { trigger: 'auto', preTokens: tokens }
})

/** Writes a file of a session into the folder of the running test. */
export function writeSession(name: string, records: readonly object[]): string {
  const path = test.info().outputPath(name)
  writeFileSync(path, records.map((each) => `${JSON.stringify(each)}\n`).join(''))
  return path
}
