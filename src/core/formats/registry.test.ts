import { describe, expect, test } from 'vitest'
import type { Head } from './log-format.ts'
import { headBytes, headOf } from './head.ts'
import { detectFormat, formatById } from './registry.ts'

function headOfText(text: string): Head {
  return headOf('log', new TextEncoder().encode(text))
}

/** The id of the format that claims a log of these records, or none. */
function claims(...records: unknown[]): unknown[] {
  const head = headOfText(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { format } = detectFormat(head)
  return format === null ? [] : [format.id]
}

/** Why no format reads a log of these records. */
function reason(text: string): string {
  const found = detectFormat(headOfText(text))
  if (found.format !== null) throw new Error(`claimed by ${found.format.id}`)
  return found.reason
}

const message = { role: 'assistant', content: [] }
const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/w', tools: [], model: 'm' }

describe('which format a log is (formats.md 2)', () => {
  test.each([
    ['rule 6: parentUuid', { parentUuid: null, type: 'user', message, sessionId: 's', uuid: 'u' }],
    [
      'rule 6: newer lines name the session twice',
      { parentUuid: null, session_id: 's', sessionId: 's', type: 'user', message }
    ],
    ['rule 6: isSidechain', { isSidechain: true, sessionId: 's', type: 'assistant', message }],
    ['rule 7: summary', { type: 'summary', summary: 'x', leafUuid: 'u' }],
    ['rule 7: snapshot', { type: 'file-history-snapshot', messageId: 'm', snapshot: {} }],
    ['rule 7: queue', { type: 'queue-operation', operation: 'enqueue', sessionId: 's' }],
    ['rule 7: bookkeeping', { type: 'last-prompt', lastPrompt: 'x', sessionId: 's' }]
  ])('a transcript by %s', (_, record) => {
    expect(claims(record)).toEqual(['claude-transcript'])
  })

  test.each([
    ['rule 10: stream_event', { type: 'stream_event', event: { type: 'ping' } }],
    ['rule 11: system with cwd and tools', init],
    ['rule 11: a hook before init', { type: 'system', subtype: 'hook_started', session_id: 's', uuid: 'u' }],
    ['rule 12: assistant', { type: 'assistant', message, parent_tool_use_id: null }],
    ['a message without an envelope, where nothing else is said', { uuid: 'u', type: 'assistant', message }],
    ['a message whose content is text', { message: { content: 'hi' }, type: 'user' }],
    [
      'rule 13: result, type last',
      { is_error: false, subtype: 'success', session_id: 's', num_turns: 1, type: 'result' }
    ]
  ])('stream-json by %s', (_, record) => {
    expect(claims(record)).toEqual(['claude-stream-json'])
  })

  test('the first conclusive record wins, whatever comes before and after it', () => {
    const transcript = { parentUuid: null, isSidechain: false, sessionId: 's', type: 'user', message }
    expect(claims(null, [1], 'x', { any: 1 }, init, transcript)).toEqual(['claude-stream-json'])
    expect(claims(42, transcript, init)).toEqual(['claude-transcript'])
    expect(detectFormat(headOfText(`stderr: warning\n\n${JSON.stringify(init)}\n`)).format?.id).toBe(
      'claude-stream-json'
    )
  })

  test('an exported event, whatever it is about', () => {
    const base = { eventId: 'e', agentId: 'a', agentType: 'claude-code', timestamp: 0, teamMetadata: {} }
    expect(claims({ type: 'turn.completed', finishReason: 'done', ...base })).toEqual(['normalized'])
    expect(claims({ type: 'text', text: 'x', ...base, raw: JSON.stringify(init) }, init)).toEqual(['normalized'])
  })

  test.each([
    ['codex-exec-json', 'rule 5', { type: 'thread.started', thread_id: 't' }],
    ['codex-exec-json', 'rule 14: before 0.44', { id: '0', msg: { type: 'task_started' } }],
    ['codex-rollout', 'rule 4', { type: 'session_meta', payload: {} }],
    ['codex-rollout', 'rule 3', { record_type: 'state' }],
    ['codex-rollout', 'rule 15', { id: 'x', timestamp: '2025-08-28T12:05:24Z', instructions: null }],
    ['codex-rollout', 'rule 16', { type: 'function_call', name: 'shell' }],
    ['gemini-stream-json', 'rule 8', { type: 'init', session_id: 's', model: 'm', timestamp: '2026-01-01T00:00:00Z' }],
    ['gemini-stream-json', 'rule 9', { type: 'tool_use', tool_name: 'x', tool_id: 'y' }],
    ['gemini-chat', 'rule 2', { sessionId: 's', projectHash: 'h' }],
    ['gemini-chat', 'rule 1', { $set: {} }],
    ['cursor-stream-json', 'a tool call', { type: 'tool_call', subtype: 'started', call_id: 'c', tool_call: {} }],
    ['cursor-stream-json', 'a thought', { type: 'thinking', subtype: 'delta', text: 'x', session_id: 's' }],
    [
      'cursor-stream-json',
      'a result with a request id',
      { type: 'result', subtype: 'success', session_id: 's', request_id: 'r', result: 'x' }
    ],
    [
      'cursor-stream-json',
      'an init without tools',
      { type: 'system', subtype: 'init', apiKeySource: 'login', cwd: '/w', session_id: 's', permissionMode: 'default' }
    ]
  ])('%s by %s', (id, _, record) => {
    expect(claims(record)).toEqual([id])
  })

  test('a document is told by its records', () => {
    const documents: [string, unknown][] = [
      ['claude-stream-json', [init]],
      ['gemini-chat', { sessionId: 's', projectHash: 'h', messages: [{ id: 'a', type: 'user', content: 'x' }] }],
      ['gemini-chat', [{ sessionId: 's', messageId: 0, type: 'user', message: 'x', timestamp: 't' }]]
    ]
    for (const [id, document] of documents) {
      for (const text of [JSON.stringify(document, null, 2), JSON.stringify(document)]) {
        expect([id, detectFormat(headOfText(text)).format?.id]).toEqual([id, id])
      }
    }
  })

  test('no format, but a name', () => {
    const named: [string, unknown][] = [
      ['Qwen Code', { type: 'system', subtype: 'session_start', session_id: 's', uuid: 'u' }],
      ['Qwen Code', { parentUuid: null, type: 'user', message: { role: 'user', parts: [] }, sessionId: 's' }],
      ['Factory Droid', { ...init, timestamp: 1700000000000 }],
      ['Amp', { ...init, session_id: 'T-0d0b7c47-cd1c-4c5f-8a0e-000000000000' }],
      ['opencode', { type: 'text', timestamp: 1, sessionID: 'ses_1', part: {} }],
      ['Copilot CLI', { type: 'session.start', data: {}, id: 'x', timestamp: 't', parentId: null }]
    ]
    for (const [name, record] of named) {
      expect([record, claims(record)]).toEqual([record, []])
      expect(reason(`${JSON.stringify(record)}\n`)).toContain(name)
    }
  })

  test('records with no more in them than the strict contract asks for, where nothing else tells', () => {
    const message = { role: 'assistant', content: [{ type: 'text', text: 'hi' }] }
    for (const record of [
      { type: 'system', subtype: 'ping', session_id: 's' },
      { type: 'system', subtype: 'init', sessionId: 's' },
      { type: 'assistant', session_id: 's', message },
      { type: 'user', sessionId: 's', message }
    ]) {
      expect([record, claims(record)]).toEqual([record, ['claude-stream-json']])
      expect([record, claims(record, { type: 'tool_call', tool_call: {} })]).toEqual([record, ['cursor-stream-json']])
      expect([record, claims(record, { type: 'summary', leafUuid: 'l' })]).toEqual([record, ['claude-transcript']])
    }
    expect(claims({ type: 'weird', session_id: 's' })).toEqual([])
    expect(claims({ type: 'user', session_id: 's' })).toEqual([])
  })

  test('a bare Messages API message is no log of Claude Code, nor of Codex', () => {
    const bare = { id: 'msg_1', type: 'message', role: 'assistant', content: [], model: 'm', usage: {} }
    expect(claims(bare)).toEqual([])
    expect(reason(`${JSON.stringify(bare)}\n`)).toMatch(/none of the formats/)
  })

  test('a first line longer than the head is told by what stands in its bytes', () => {
    const long = 'x'.repeat(headBytes)
    const found = (record: unknown): unknown => detectFormat(headOfText(JSON.stringify(record))).format?.id ?? null
    expect(found({ parentUuid: null, sessionId: 's', type: 'user', message: { content: long } })).toBe(
      'claude-transcript'
    )
    expect(found({ type: 'user', message: { content: long }, parent_tool_use_id: null })).toBe('claude-stream-json')
    expect(found({ type: 'system', subtype: 'init', session_id: 's', tools: [long] })).toBe('claude-stream-json')
    expect(found({ type: 'session_meta', payload: { long } })).toBe('codex-rollout')
    expect(found({ sessionId: 's', projectHash: 'h', long })).toBe('gemini-chat')
    expect(reason(JSON.stringify({ long }))).toMatch(/No line/)
  })

  test('what is no log gets a plain reason', () => {
    expect(reason('')).toBe('The file is empty.')
    expect(reason(' \n\t\n')).toBe('The file holds nothing but white space.')
    expect(reason('Hello\nthere\n')).toMatch(/No line at the start of the file is JSON/)
    const binary = headOf('app', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff, 0xfe]))
    expect(detectFormat(binary)).toEqual({ format: null, reason: 'This is a binary file, not a log.' })
  })
})

test('headOf looks at whole lines of the first 64 KiB only, and past a byte order mark', () => {
  const line = JSON.stringify({ n: 1 })
  const head = headOf('a', new TextEncoder().encode(`\uFEFF${line}\r\n${line}\n{"cut`))
  expect(head).toMatchObject({ name: 'a', records: [{ n: 1 }, { n: 1 }] })
  const big = headOf('b', new TextEncoder().encode(`${'y'.repeat(headBytes)}\n${line}\n`))
  expect(big.records).toEqual([])
  expect(big.text).toHaveLength(headBytes)
})

test('a format is found by its id', () => {
  expect(formatById('claude-transcript')?.title).toBe('Claude Code transcript')
  expect(formatById('toString')).toBeUndefined()
})
