import { describe, expect, test } from 'vitest'
import { claudeStreamJson } from '../formats/claude/stream-json.ts'
import { codexExecJson } from '../formats/codex/exec-json.ts'
import { geminiStreamJson } from '../formats/gemini/stream-json.ts'
import type { LogFormat } from '../formats/log-format.ts'
import type { JsonObject } from '../json.ts'
import { RecordingReader } from './recording-reader.ts'
import { type RunFacts, RunStream } from './run-stream.ts'
import type { StreamEvent } from './stream-events.ts'

const utf8 = new TextEncoder()

/** What is known of a run that printed these records, and what of it was told. */
function told(format: LogFormat, records: readonly JsonObject[]): { facts: RunFacts; events: readonly StreamEvent[] } {
  const stream = new RunStream(format, null)
  const reader = new RecordingReader(format, stream)
  for (const record of records) reader.push(utf8.encode(`${JSON.stringify(record)}\n`))
  reader.end()
  return { facts: stream.facts, events: stream.drain().events }
}

const claude = (...records: JsonObject[]) =>
  told(claudeStreamJson, [{ type: 'system', subtype: 'init', session_id: 's' }, ...records])
const said = (...content: JsonObject[]): JsonObject => ({
  type: 'assistant',
  session_id: 's',
  parent_tool_use_id: null,
  message: { id: 'm1', role: 'assistant', content }
})
const text = (words: string): JsonObject => said({ type: 'text', text: words })
const call = (id: string): JsonObject => said({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } })
const result = (more: JsonObject = {}): JsonObject => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Over',
  session_id: 's',
  ...more
})

const codex = (...records: JsonObject[]) =>
  told(codexExecJson, [{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }, ...records])
const item = (type: string, facts: JsonObject): JsonObject => ({
  type: 'item.completed',
  item: { id: 'item_0', type, ...facts }
})
const codexEnd: JsonObject = { type: 'turn.completed', usage: { input_tokens: 1, output_tokens: 1 } }

const timestamp = '2026-11-21T22:02:53.191Z'
const gemini = (...records: JsonObject[]) =>
  told(
    geminiStreamJson,
    [{ type: 'init', session_id: 's', model: 'gemini-2.5-pro' }, ...records].map((record) => ({ ...record, timestamp }))
  )
const geminiCall = (tool_id: string): JsonObject => ({
  type: 'tool_use',
  tool_name: 'run_shell_command',
  tool_id,
  parameters: { command: 'ls' }
})
const geminiFailure = (tool_id: string, type: string): JsonObject => ({
  type: 'tool_result',
  tool_id,
  status: 'error',
  error: { type, message: 'Tool execution denied by policy.' }
})

describe('calls that were denied', () => {
  const denial = (id: string, tool: string): JsonObject => ({
    tool_name: tool,
    tool_use_id: id,
    tool_input: { command: 'rm x' }
  })
  const record = (id: string, tool: string): JsonObject => ({
    type: 'system',
    subtype: 'permission_denied',
    session_id: 's',
    tool_name: tool,
    tool_use_id: id,
    message: 'not granted'
  })

  test('none', () => {
    expect(claude(call('a'), result({ permission_denials: [] })).facts.denied).toBeNull()
    expect(codex(item('command_execution', { command: 'ls', status: 'failed', exit_code: 1 })).facts.denied).toBeNull()
    expect(gemini(geminiCall('a'), geminiFailure('a', 'file_not_found')).facts.denied).toBeNull()
  })

  test('of Claude Code: each once, though its result repeats them', () => {
    const denials = [denial('a', 'Write'), denial('b', 'Bash'), denial('c', 'Bash')]
    const { facts, events } = claude(
      ...[record('a', 'Write'), record('b', 'Bash')],
      result({ permission_denials: denials })
    )
    expect(facts.denied).toEqual({ calls: 3, tools: ['Write', 'Bash'] })
    expect(events.filter(({ type }) => type === 'permission_request')).toHaveLength(3)
  })

  test('of Codex', () => {
    const { facts, events } = codex(
      item('command_execution', { command: 'touch a', status: 'declined' }),
      item('file_change', { changes: [], status: 'declined' }),
      item('mcp_tool_call', { server: 'files', tool: 'move', arguments: {}, status: 'declined' }),
      codexEnd
    )
    expect(facts.denied).toEqual({ calls: 3, tools: ['command_execution', 'file_change', 'files.move'] })
    expect(events).toContainEqual({
      type: 'permission_request',
      data: expect.objectContaining({ tool_name: 'command_execution', input: { command: 'touch a' }, denied: true })
    })
  })

  test('of Gemini CLI: by its policy, with the name that the call had', () => {
    const { facts } = gemini(geminiCall('a'), geminiFailure('a', 'policy_violation'))
    expect(facts.denied).toEqual({ calls: 1, tools: ['run_shell_command'] })
  })

  test('names of tools are few and short', () => {
    const many = Array.from({ length: 30 }, (_, i) => record(`${i}`, `tool ${i}\n${'x'.repeat(500)}`))
    const denied = claude(...many).facts.denied
    expect([denied?.calls, denied?.tools.length]).toEqual([30, 10])
    for (const tool of denied?.tools ?? []) expect(tool).toMatch(/^tool \d+ x{40,60}…?$/)
  })
})

describe('whether the last turn is over', () => {
  const isOpen = ({ facts }: { facts: RunFacts }): boolean => facts.isTurnOpen

  test('it is not where nothing ends it, whatever was printed', () => {
    expect(isOpen(told(claudeStreamJson, []))).toBe(true)
    expect(isOpen(claude())).toBe(true)
    expect(isOpen(claude(text('Let me think')))).toBe(true)
    expect(isOpen(codex(item('agent_message', { text: 'Hi' })))).toBe(true)
    expect(isOpen(gemini({ type: 'message', role: 'user', content: 'Go' }))).toBe(true)
  })

  test('it is where something does', () => {
    expect(isOpen(claude(text('Hi'), result()))).toBe(false)
    expect(isOpen(codex(item('agent_message', { text: 'Hi' }), codexEnd))).toBe(false)
    expect(isOpen(codex({ type: 'turn.failed', error: { message: 'no' } }))).toBe(false)
    expect(isOpen(gemini({ type: 'result', status: 'success', stats: {} }))).toBe(false)
  })

  test('it is not where the agent goes on after a turn that is', () => {
    expect(isOpen(claude(result(), text('And on')))).toBe(true)
    expect(isOpen(claude(result(), call('a')))).toBe(true)
    expect(isOpen(codex(codexEnd, { type: 'turn.started' }, item('agent_message', { text: 'Hi' })))).toBe(true)
    expect(isOpen(claude(result(), text('And on'), result()))).toBe(false)
  })

  test('what else comes after its end changes nothing: results, notices, what a subagent does', () => {
    const status = { type: 'system', subtype: 'status', status: null, session_id: 's' }
    const answered: JsonObject = {
      type: 'user',
      session_id: 's',
      parent_tool_use_id: null,
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'late' }] }
    }
    expect(isOpen(claude(call('a'), result(), status, answered))).toBe(false)
    expect(isOpen(claude(call('a'), result(), { ...text('I am a subagent'), parent_tool_use_id: 'a' }))).toBe(false)
  })

  test('of Codex before 0.44, which does not print the end of a turn, it is never held against it', () => {
    const old = (...messages: JsonObject[]) =>
      told(codexExecJson, [
        { model: 'gpt-5', workdir: '/w', provider: 'openai' },
        { prompt: 'Go' },
        ...messages.map((msg, i) => ({ id: `${i}`, msg }))
      ])
    expect(isOpen(old({ type: 'agent_message', message: 'Hi' }))).toBe(false)
  })
})
