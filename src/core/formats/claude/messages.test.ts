import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../json.ts'
import type { EventDraft } from '../log-format.ts'
import { claudeStreamJson } from './stream-json.ts'
import { claudeTranscript } from './transcript.ts'

const at = { line: 7, offset: 0, length: 0 }

const said = (content: JsonValue, rest: JsonObject = {}, model = 'opus'): readonly EventDraft[] =>
  claudeStreamJson.decode(
    { type: 'assistant', session_id: 's', message: { id: 'm', role: 'assistant', model, content }, ...rest },
    at
  ).drafts
const user = (content: JsonValue, rest: JsonObject = {}): readonly EventDraft[] =>
  claudeStreamJson.decode({ type: 'user', session_id: 's', message: { role: 'user', content }, ...rest }, at).drafts
const inTranscript = (content: JsonValue, rest: JsonObject = {}): readonly EventDraft[] =>
  claudeTranscript.decode({ type: 'user', sessionId: 's', message: { role: 'user', content }, ...rest }, at).drafts

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const assistant = (words: string, category = 'assistant-message'): EventDraft => ({
  type: 'text',
  text: words,
  role: 'assistant',
  category
})
const typed = (words: string): EventDraft => ({ type: 'text', text: words, role: 'user', category: 'user-message' })
const status = (words: string): EventDraft => ({ type: 'text', text: words, role: 'system', category: 'status' })
const image: JsonObject = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }

describe('blocks of an assistant message', () => {
  test('text, also as a plain string', () => {
    expect(said([text('Hello')])).toEqual([assistant('Hello')])
    expect(said('Hello')).toEqual([assistant('Hello')])
  })

  test('thinking is reasoning; empty or redacted it is a record', () => {
    expect(said([{ type: 'thinking', thinking: 'Hm', signature: 'x' }])).toEqual([assistant('Hm', 'reasoning')])
    expect(
      said([
        { type: 'thinking', thinking: '' },
        { type: 'redacted_thinking', data: 'AA' }
      ])
    ).toEqual([])
  })

  test('a tool call; one without an id is named by its place', () => {
    const call = { type: 'tool_use', name: 'Bash', input: { command: 'ls' } }
    expect(said([{ ...call, id: 't1' }, call])).toEqual([
      { type: 'tool.started', toolName: 'Bash', toolId: 't1', input: { command: 'ls' } },
      { type: 'tool.started', toolName: 'Bash', toolId: 'line-7-1', input: { command: 'ls' } }
    ])
  })

  test('a server tool and its answer, in one message', () => {
    const called = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'tide' } }
    const found = [{ type: 'web_search_result', title: 'Tides', url: 'https://example.org' }]
    const answered = { type: 'web_search_tool_result', tool_use_id: 's1', content: found }
    const failed = { type: 'advisor_tool_result', tool_use_id: 's1', content: { error_code: 'unavailable' } }
    expect(said([called, answered, failed])).toEqual([
      { type: 'tool.started', toolName: 'web_search', toolId: 's1', input: { query: 'tide' } },
      { type: 'tool.completed', toolId: 's1', output: 'Tides\nhttps://example.org' },
      { type: 'tool.completed', toolId: 's1', error: 'unavailable' }
    ])
  })

  test.each(['image', 'document', 'fallback', 'container_upload'])('%s is a record', (type) => {
    expect(said([{ type }])).toEqual([])
  })

  test('a synthetic message is by the harness, or an error', () => {
    expect(said([text('No response requested.')], {}, '<synthetic>')).toEqual([status('No response requested.')])
    expect(said([text('API Error: 400')], {}, '<synthetic>')).toEqual([{ type: 'error', error: 'API Error: 400' }])
    expect(said([text('Out of credit')], { error: 'billing_error' }, '<synthetic>')).toEqual([
      { type: 'error', error: 'Out of credit', code: 'billing_error' }
    ])
  })

  test('a text that an interrupt cut is an event', () => {
    expect(said([text('Hel')], { aborted: true })).toEqual([assistant('Hel')])
  })
})

describe('content of a user message on stdout', () => {
  test('a prompt: by the user, replayed, or of a subagent', () => {
    expect(user('Hello', { isReplay: true })).toEqual([typed('Hello')])
    expect(user([text('Look')], { parent_tool_use_id: 't1' })).toEqual([typed('Look')])
  })

  test('the harness speaks as the user', () => {
    expect(user([text('Output token limit hit.')], { isSynthetic: true })).toEqual([status('Output token limit hit.')])
    const ended =
      '<task-notification>\n<task-id>1</task-id>\n<summary>Done "a"</summary>\n</task-notification>\nRead it.'
    expect(user([text(ended)])).toEqual([status('Done "a"\ntask-id: 1\nRead it.')])
  })

  test.each(['[Request interrupted by user]', '[Request interrupted by user for tool use]'])(
    '%s is said by the harness',
    (words) => {
      expect(user([text(words)])).toEqual([status(words)])
    }
  )

  test('pictures are records', () => {
    expect(user([text('See'), image])).toEqual([typed('See')])
  })

  test.each<[string, JsonValue, string]>([
    ['a string', 'out', 'out'],
    ['parts, joined by line feeds', [text('one'), text('two')], 'one\ntwo'],
    ['a picture', [image], '[image/png, 3 B]'],
    ['a tool that was found', [{ type: 'tool_reference', tool_name: 'Chart' }], 'Chart'],
    ['no content', null, '']
  ])('a tool result with %s', (_, content, output) => {
    const block = { type: 'tool_result', tool_use_id: 't1', ...(content === null ? undefined : { content }) }
    expect(user([block])).toEqual([{ type: 'tool.completed', toolId: 't1', output }])
  })

  test.each([
    '<tool_use_error>InputValidationError: x</tool_use_error>',
    'Exit code 3\nout',
    'This command requires approval'
  ])('a failed call says why: %j', (content) => {
    const result = [{ type: 'tool_result', tool_use_id: 't1', content, is_error: true }]
    expect(user(result, { tool_use_result: 'Error: x' })).toEqual([
      { type: 'tool.completed', toolId: 't1', error: content }
    ])
  })

  test('the structured answer may be anything', () => {
    const result = [{ type: 'tool_result', tool_use_id: 't1', content: 'out' }]
    for (const tool_use_result of [[{ type: 'text', text: 'x' }], 'Error: x', null, 7, { stdout: 'out' }]) {
      expect(user(result, { tool_use_result })).toEqual([{ type: 'tool.completed', toolId: 't1', output: 'out' }])
    }
  })
})

describe('user lines of a transcript', () => {
  test('a string or blocks; what an editor puts before it is part of it', () => {
    expect(inTranscript('Hello')).toEqual([typed('Hello')])
    expect(inTranscript([text('<ide_selection>x</ide_selection> this')])).toEqual([
      typed('<ide_selection>x</ide_selection> this')
    ])
  })

  test('a picture beside its words', () => {
    expect(inTranscript([text('[Image #1] like this'), image], { imagePasteIds: [1] })).toEqual([
      typed('[Image #1] like this'),
      typed('[image/png, 3 B]')
    ])
  })

  test.each(['isMeta', 'isCompactSummary', 'isVisibleInTranscriptOnly'])('%s: the harness speaks', (flag) => {
    expect(inTranscript('Caveat: x', { [flag]: true })).toEqual([status('Caveat: x')])
  })

  test.each([
    ['<command-name>/review</command-name>\n<command-args>src</command-args>', '/review src'],
    ['<command-message>cost</command-message>\n<command-name>/cost</command-name>', '/cost'],
    ['<bash-input>pwd</bash-input>', '!pwd']
  ])('%j reads as it was typed', (words, as) => {
    expect(inTranscript(words)).toEqual([typed(as)])
  })

  test.each([
    ['<local-command-stdout>\n  a\n b\n</local-command-stdout>', '  a\n b'],
    ['<local-command-stderr>x</local-command-stderr>\ny', 'x\ny'],
    ['<local-command-caveat>x</local-command-caveat>', 'x'],
    ['<bash-stdout>x</bash-stdout><bash-stderr></bash-stderr>', 'x'],
    ['<bash-stdout></bash-stdout><bash-stderr></bash-stderr>', ''],
    ['<bash-stdout>x <bash-stderr>y', 'x <bash-stderr>y'],
    ['<task-notification>x</task-notification>', 'x']
  ])('%j is the harness, without its tags', (words, said) => {
    expect(inTranscript(words)).toEqual([status(said)])
  })

  test('the list of TodoWrite as it was at the prompt', () => {
    const todos = [{ content: 'One', status: 'in_progress', activeForm: 'Doing' }]
    expect(inTranscript('Go', { uuid: 'u1', todos })).toEqual([
      typed('Go'),
      { type: 'todo_list', todoId: 'u1', items: [{ text: 'One', status: 'in_progress' }] }
    ])
  })
})
