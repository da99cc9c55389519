import { describe, expect, test } from 'vitest'
import type { Head } from './log-format.ts'
import { framingOfHead, headBytes, headOf } from './head.ts'
import { detectFormat, formatById } from './registry.ts'

function headOfText(text: string): Head {
  return headOf('log', new TextEncoder().encode(text))
}

/** The id of the detected format, or null. */
function claims(...records: unknown[]): unknown[] {
  const head = headOfText(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { format } = detectFormat(head)
  return format === null ? [] : [format.id]
}

/** The reason why no format is detected. */
function reason(text: string): string {
  const found = detectFormat(headOfText(text))
  if (found.format !== null) throw new Error(`claimed by ${found.format.id}`)
  return found.reason
}

const message = { role: 'assistant', content: [] }
const init = { type: 'system', subtype: 'init', session_id: 's', cwd: '/w', tools: [], model: 'm' }

describe('which format a log is', () => {
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

  test('of two equal records the first wins, whatever surrounds it', () => {
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

  test('a document is detected by its records', () => {
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
      ['Antigravity', { step_index: 0, source: 's', type: 't', status: 'DONE', created_at: 't' }],
      ['Hermes', { session_id: 's', platform: 'cli', session_start: 't', last_updated: 't' }]
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
    expect(reason(`${JSON.stringify(bare)}\n`)).toMatch(/none of the supported formats/)
  })

  test('a first line longer than the head is detected by its bytes', () => {
    const long = 'x'.repeat(headBytes)
    const found = (record: unknown): unknown => detectFormat(headOfText(JSON.stringify(record))).format?.id ?? null
    expect(found({ parentUuid: null, sessionId: 's', type: 'user', message: { content: long } })).toBe(
      'claude-transcript'
    )
    expect(found({ type: 'user', message: { content: long }, parent_tool_use_id: null })).toBe('claude-stream-json')
    expect(found({ type: 'system', subtype: 'init', session_id: 's', tools: [long] })).toBe('claude-stream-json')
    expect(found({ type: 'session_meta', payload: { long } })).toBe('codex-rollout')
    expect(found({ sessionId: 's', projectHash: 'h', long })).toBe('gemini-chat')
    expect(found({ type: 'message', role: 'user', content: long })).toBeNull()
  })

  test('a document on one line, longer than the head, is named or called a document', () => {
    const long = 'x'.repeat(headBytes)
    const session = { sessionId: 's', title: 't', workspaceDirectory: 'file:///w', history: [{ text: long }] }
    expect(reason(JSON.stringify(session))).toMatch(/Continue/)
    for (const document of [{ long }, [{ long }], { n: [1, { long }] }]) {
      expect(reason(JSON.stringify(document))).toMatch(/begins with a JSON value longer than 64 KiB, in none of the/)
    }
    expect(reason(`{"a": nonsense ${long}`)).toMatch(/No line at the start of the file is JSON/)
    expect(reason(JSON.stringify({ a: 1, b: 'document' }, null, 2))).toMatch(
      /This JSON document is in none of the supported formats/
    )
  })

  test('what is no log gets a plain reason', () => {
    expect(reason('')).toBe('The file is empty.')
    expect(reason(' \n\t\n')).toBe('The file contains only white space.')
    expect(reason('Hello\nthere\n')).toMatch(/No line at the start of the file is JSON/)
    const binary = headOf('app', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff, 0xfe]))
    expect(detectFormat(binary)).toEqual({ format: null, reason: 'This is a binary file, not a log.' })
    expect(reason(`SQLite format 3\0\u0010\0`)).toBe('This is a binary file, not a log: an SQLite database.')
    expect(reason('# aider chat started at 2026-11-22\n\n#### fix it\n\n```json\n{\n  "a": 1\n}\n```\n')).toMatch(
      /No line/
    )
  })
})

describe('how evidence is weighed', () => {
  const said = (type: string, sessionId: string, n: number, more: object = {}) =>
    Array.from({ length: n }, (_, i) => ({ parentUuid: null, uuid: `${i}`, sessionId, type, message, ...more }))
  const claude = said('assistant', 'c', 5)
  const rollout = (model_provider: string, n: number) => [
    { type: 'session_meta', payload: { id: `of ${model_provider}`, model_provider } },
    ...Array.from({ length: n }, () => ({ type: 'response_item', payload: { type: 'message', role: 'user' } }))
  ]
  const seen = (...records: unknown[]) =>
    detectFormat(headOfText(records.map((record) => `${JSON.stringify(record)}\n`).join('')))

  test('a few records that only an imitator writes make the session its own', () => {
    const qwen = { ...said('system', 'c', 1)[0], subtype: 'ui_telemetry', systemPayload: {} }
    expect(seen(...claude, qwen)).toMatchObject({ format: { id: 'qwen-code' }, note: null })
    expect(seen(...rollout('trae', 9))).toMatchObject({ format: { id: 'trae' }, note: null })
    expect(seen(...rollout('openai', 9))).toMatchObject({ format: { id: 'codex-rollout' }, note: null })
    const cursor = { type: 'tool_call', subtype: 'started', tool_call: {}, session_id: 's' }
    expect(seen(...Array(9).fill({ type: 'assistant', session_id: 's', message }), cursor)).toMatchObject({
      format: { id: 'cursor-stream-json' },
      note: null
    })
  })

  test('but not one of another session', () => {
    const qwen = { ...said('system', 'q', 1)[0], subtype: 'ui_telemetry', systemPayload: {} }
    for (const records of [
      [qwen, ...claude],
      [...claude, qwen]
    ]) {
      expect(seen(...records)).toMatchObject({ format: { id: 'claude-transcript' } })
    }
    expect(seen({ type: 'system', subtype: 'session_start', session_id: 'q', uuid: 'u' }, ...claude)).toMatchObject({
      format: { id: 'claude-transcript' }
    })
    const trae = rollout('trae', 0)
    expect(seen(...trae, ...rollout('openai', 9))).toMatchObject({ format: { id: 'codex-rollout' }, note: null })
  })

  test('later strong evidence beats early weak evidence', () => {
    const weak = { type: 'assistant', session_id: 's', message }
    const started = { type: 'thread.started', thread_id: 't' }
    expect(seen(weak, weak, weak, started)).toMatchObject({ format: { id: 'codex-exec-json' } })
    expect(seen(started, ...Array(9).fill(weak))).toMatchObject({ format: { id: 'claude-stream-json' }, note: null })
  })

  test('what many programs write claims nothing, and counts beside what only one writes', () => {
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] }
    expect(seen(item, item).format).toBeNull()
    expect(seen({ type: 'message', role: 'user', content: 'Hello' }).format).toBeNull()
    expect(seen({ id: 'x', timestamp: '2025-08-28T12:05:24Z', instructions: null }, item, item)).toMatchObject({
      format: { id: 'codex-rollout' },
      note: null
    })
    const spoken = { type: 'message', role: 'user', content: 'Hi', timestamp: '2026-01-01T00:00:00Z' }
    expect(seen(spoken, spoken).format).toBeNull()
  })

  test('two logs in one are read as the stronger one, and called mixed', () => {
    const exec = [
      { type: 'thread.started', thread_id: 't' },
      ...Array(3).fill({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'Hi' } })
    ]
    const longer = said('assistant', 'c', 20)
    for (const records of [
      [...exec, ...longer],
      [...longer, ...exec]
    ]) {
      expect(seen(...records)).toMatchObject({
        format: { id: 'claude-transcript' },
        note: expect.stringMatching(/^this log is mixed: .*Codex exec --json/)
      })
    }
    const step = { step_index: 0, source: 's', type: 't', status: 'DONE', created_at: 't' }
    expect(seen(...longer, step, step)).toMatchObject({ note: expect.stringContaining('an Antigravity log') })
    expect(seen(...Array(30).fill(step), ...exec)).toMatchObject({
      format: null,
      reason: expect.stringMatching(/looks like an Antigravity log, mixed with records of .*Codex exec --json/)
    })
  })

  test('a line or two that say as much as the log itself make it mixed, one before a long log does not', () => {
    const started = { type: 'thread.started', thread_id: 't' }
    const header = { sessionId: 's', projectHash: 'h' }
    expect(seen(started, header)).toMatchObject({ note: expect.stringContaining('mixed') })
    expect(seen(started, ...said('assistant', 'c', 9))).toMatchObject({ note: null })
  })

  test('a document below lines of something else is one', () => {
    const messages = [{ id: 'a', type: 'user', content: 'x' }]
    const chat = JSON.stringify({ sessionId: 's', projectHash: 'h', messages }, null, 2)
    for (const before of [
      'npm warn x',
      '{"level":30,"msg":"x"}',
      '[WARN] x',
      '{}',
      '[]',
      '42',
      '\uFEFF$ cat chat.json'
    ]) {
      const head = headOfText(`${before}\n${chat}\n`)
      expect([before, head.framing, detectFormat(head).format?.id]).toEqual([before, 'document', 'gemini-chat'])
    }
    const log = said('user', 's', 3).map((record) => `${JSON.stringify(record)}\n`)
    expect(headOfText(`${log.join('')}{\n  "error": 1\n}\n${log.join('')}`).framing).toBe('lines')
  })

  test.each([
    ['whose last element is a line', ''],
    ['with elements that lack the comma between them', '    {"id":"6","type":"gemini"} {"id":"7","type":"gemini"},\n']
  ])('a document of short lines %s is one below a longer line', (_, damaged) => {
    const messages = [1, 2, 3, 4, 5].map((id) => `    {"id":"${id}","type":"user"}`).join(',\n')
    const document = `{\n  "sessionId": "s",\n  "projectHash": "p",\n  "messages": [\n${damaged}${messages}`
    const foreign = JSON.stringify({ parentUuid: null, uuid: 'x'.repeat(2 * document.length) })
    for (const end of ['\n  ]\n}\n', ',\n    {"id":"8","typ']) {
      const head = headOfText(`${foreign}\n${document}${end}`)
      expect([end, head.framing, detectFormat(head).format?.id]).toEqual([end, 'document', 'gemini-chat'])
    }
  })

  test('damaged lines stay lines though one of them is an open brace', () => {
    const log = said('user', 's', 9).map((record) => `\0\0${JSON.stringify(record)}\n`)
    expect(headOfText(`${log.join('')}{\n${log.join('')}`).framing).toBe('lines')
  })
})

test('headOf looks at whole lines of the first 64 KiB only, and past a byte order mark', () => {
  const line = JSON.stringify({ n: 1 })
  const head = headOf('a', new TextEncoder().encode(`\uFEFF${line}\r\n${line}\n{"cut`))
  expect(head).toMatchObject({ name: 'a', records: [{ n: 1 }, { n: 1 }], cut: '{"cut' })
  const big = headOf('b', new TextEncoder().encode(`${'y'.repeat(headBytes)}\n${line}\n`))
  expect(big.records).toEqual([])
  expect(big.text).toHaveLength(headBytes)
})

test('a format is found by its id', () => {
  expect(formatById('claude-transcript')?.title).toBe('Claude Code transcript')
  expect(formatById('toString')).toBeUndefined()
})

test('a document may be compact, on lines of which the first is not whole, or of any length on one line', () => {
  const chat = { sessionId: 's', projectHash: 'p', messages: [{ id: 'm', type: 'user', content: 'Hi' }] }
  const compact = JSON.stringify(chat)
  const framingIn = (text: string) => headOfText(text).framing
  expect(framingIn(compact)).toBe('lines')
  const broken = compact.replace(',', ',\n')
  expect(framingIn(broken)).toBe('document')
  expect(framingOfHead(new TextEncoder().encode(broken))).toBe('document')
  expect(detectFormat(headOfText(broken)).format?.id).toBe('gemini-chat')
  const long = { ...chat, messages: [{ ...chat.messages[0], content: 'x'.repeat(headBytes) }] }
  expect(detectFormat(headOfText(JSON.stringify(long))).format?.id).toBe('gemini-chat')
  expect(framingIn(JSON.stringify(long).replace(',', ',\n'))).toBe('document')
  // A cut line starts no document.
  expect(framingIn(`${compact.slice(0, 30)}\n${compact}\n`)).toBe('lines')
  expect(framingIn(`${compact.slice(0, compact.indexOf(',') + 1)}\n${compact}\n`)).toBe('lines')
})
