import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { geminiChat } from './chat.ts'
import {
  answer,
  at,
  call,
  drafts,
  gemini,
  header,
  read,
  readText,
  shortly,
  told,
  user
} from '../../../../test/invented-chat.ts'

describe('records', () => {
  test('the header starts the session; the same again is a record, another id another session', () => {
    const seen = read([header(), header(), header({ sessionId: 's2' }), header()])
    expect(told(seen)).toEqual(['1 session', '3 session'])
    expect(seen.events.map(({ sessionId }) => sessionId)).toEqual(['s1', 's2'])
  })

  test('a header may hold the messages itself', () => {
    const seen = read([header({ messages: [user('u', 'hi'), gemini('g', { content: 'hello' })] })])
    expect(told(seen)).toEqual(['1 session', '1 user-message: hi', '1 assistant-message: hello', '1 turn done'])
    expect(seen.events.map(({ timestamp }) => timestamp)).toEqual([at(0), at(1), at(2), at(2)].map(Date.parse))
  })

  test('a document reads as its change log does', () => {
    const messages = [
      user('u', 'hi'),
      gemini('g', { content: 'hello', toolCalls: [call('c')] }),
      gemini('h', { content: 'x' })
    ]
    const document = readText(
      JSON.stringify({ ...header(), messages, kind: 'main', summary: 'Greeting' }, null, 2),
      'document'
    )
    expect(drafts(document)).toEqual(drafts(read([header(), ...messages])))
    expect(document.rows).toBe(5)
    expect(document.issues).toEqual([])
  })

  test('a document that states its session after the messages', () => {
    const text = JSON.stringify({ kind: 'main', messages: [user('u', 'hi'), user('v', 'ho')], ...header() }, null, 2)
    const seen = readText(text, 'document')
    expect(seen.events.map(({ draft, sessionId }) => [shortly(draft), sessionId])).toEqual([
      ['user-message: hi', undefined],
      ['user-message: ho', undefined],
      ['session', 's1']
    ])
  })

  test('other metadata is a record, without a word', () => {
    const seen = read([header(), { $set: { lastUpdated: at(5) } }, { $set: { summary: 'a title', directories: [] } }])
    expect(told(seen)).toEqual(['1 session'])
    expect(seen.issues).toEqual([])
  })

  test('events after `$set.sessionId` are of that session', () => {
    const seen = read([header(), { $set: { sessionId: 's9' } }, user('u', 'hi')])
    expect(seen.events.map(({ sessionId }) => sessionId)).toEqual(['s1', 's9'])
  })
})

describe('user messages', () => {
  test.each<[string, unknown, string]>([
    ['a text', 'plain', 'plain'],
    ['parts', [{ text: 'one ' }, 'two'], 'one two'],
    ['one part', { text: 'single' }, 'single'],
    ['a picture', [{ text: 'see' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }], 'see\n[image/png]'],
    ['a file', [{ fileData: { fileUri: 'gs://x' } }], '[file]']
  ])('%s', (_, content, text) => {
    expect(drafts(read([user('u', content)]))).toEqual([{ type: 'text', text, role: 'user', category: 'user-message' }])
  })

  test('what was typed is preferred to what became of it', () => {
    const seen = read([user('u', [{ text: 'three pages' }], { displayContent: [{ text: '/review' }] })])
    expect(told(seen)).toEqual(['1 user-message: /review'])
  })

  test.each([
    ['answers of tools', [answer('c', { output: 'x' }), answer('d', { output: 'y' })]],
    ['the context of today', [{ text: '<session_context>\nToday is Monday' }]],
    ['the context of last year', 'This is the Gemini CLI. We are setting up the context for our chat.'],
    ['nothing', []]
  ])('%s: a record', (_, content) => {
    const seen = read([user('u', content)])
    expect(seen.events).toEqual([])
    expect(seen.issues).toEqual([])
    expect(seen.rows).toBe(1)
  })

  test('an unknown part is reported with its path, and the rest is read', () => {
    const seen = read([user('u', [{ text: 'a' }, { hologram: {} }, 7])])
    expect(told(seen)).toEqual(['1 user-message: a'])
    expect(seen.issues.map(({ code, path }) => [code, path])).toEqual([
      ['UnknownBlock', '$.content[1]'],
      ['UnknownBlock', '$.content[2]']
    ])
  })

  test('of many such parts a hundred are reported, and that there are more', () => {
    const seen = read([user('u', Array(100_000).fill({}))])
    expect(seen.issues).toHaveLength(101)
  })
})

describe('messages of the model', () => {
  test('thoughts, then text, then tools', () => {
    const thoughts = [
      { subject: 'Plan', description: 'Look first.', timestamp: at(1) },
      { subject: '', description: 'Only this.' },
      { subject: 'Only that', description: '' },
      { subject: '', description: '' }
    ]
    const seen = read([gemini('g', { thoughts, content: 'I look.', toolCalls: [call('c')] })])
    expect(told(seen)).toEqual([
      '1 reasoning: Plan\n\nLook first.',
      '1 reasoning: Only this.',
      '1 reasoning: Only that',
      '1 assistant-message: I look.',
      '1 start c',
      '1 done c: of c'
    ])
  })

  test('an answer counts from its completion, its call from the message or the answer before', () => {
    const calls = [call('c', { timestamp: at(5) }), call('d', { timestamp: at(9) })]
    const seen = read([gemini('g', { toolCalls: calls })])
    expect(seen.events.map(({ timestamp }) => timestamp)).toEqual([at(2), at(5), at(5), at(9)].map(Date.parse))
  })

  test.each<[string, object, string]>([
    [
      'its own answer, not its siblings’',
      { result: [answer('d', { output: 'no' }), answer('c', { output: 'yes' })] },
      'done c: yes'
    ],
    ['an answer without an id', { result: [{ functionResponse: { response: { output: 'yes' } } }] }, 'done c: yes'],
    ['no answer but a sibling’s', { result: [answer('d', { output: 'no' })], resultDisplay: 'shown' }, 'done c: shown'],
    ['an error in a success', { result: [answer('c', { error: 'boom' })] }, 'failed c: boom'],
    ['an error', { status: 'error', result: [answer('c', { error: 'boom' })] }, 'failed c: boom'],
    [
      'an error that is said as output',
      { status: 'error', result: [answer('c', { output: 'boom' })] },
      'failed c: boom'
    ],
    ['an error without a word', { status: 'error', result: null }, 'failed c: failed; the log does not say why'],
    [
      'cancelled',
      { status: 'cancelled', result: [answer('c', { error: '[Operation Cancelled]' })] },
      'failed c: [Operation Cancelled]'
    ],
    ['cancelled without a word', { status: 'cancelled', result: null }, 'failed c: cancelled'],
    ['an object', { result: [answer('c', { output: { rows: 2 } })] }, 'done c: {"rows":2}'],
    ['members of its own', { result: [answer('c', { content: [1] })] }, 'done c: {"content":[1]}'],
    ['an empty response', { result: [answer('c', {})] }, 'done c: '],
    ['parts of text', { result: [{ text: 'a' }, 'b'] }, 'done c: ab'],
    ['a text', { result: 'plain' }, 'done c: plain'],
    ['a part', { result: answer('c', { output: 'single' }) }, 'done c: single'],
    ['only a display', { result: null, resultDisplay: 'shown' }, 'done c: shown'],
    ['a display that is no text', { result: null, resultDisplay: { fileDiff: '@@' } }, 'done c: '],
    ['a status of a later version, answered', { status: 'imagined' }, 'done c: of c']
  ])('result: %s', (_, more, expected) => {
    const [started, completed, ...rest] = drafts(read([gemini('g', { toolCalls: [call('c', more)] })]))
    expect(started).toEqual({ type: 'tool.started', toolName: 'read_file', toolId: 'c', input: { path: 'a' } })
    expect(completed && shortly(completed)).toBe(expected)
    expect(rest).toEqual([])
  })

  test.each(['validating', 'scheduled', 'executing', 'awaiting_approval'])('%s: started only', (status) => {
    expect(told(read([gemini('g', { toolCalls: [call('c', { status, result: null })] })]))).toEqual(['1 start c'])
  })

  test('a call without an id gets one of its line', () => {
    const nameless = { name: 'ls', args: {}, status: 'success' }
    expect(told(read([gemini('g', { toolCalls: [call('c'), nameless] })])).slice(2)).toEqual([
      '1 start line-1-1',
      '1 done line-1-1: '
    ])
  })

  test('arguments nested too deeply are left out, with an issue', () => {
    const deep = JSON.stringify(gemini('g', { toolCalls: [call('c', { args: { deep: 'HERE' } })] }))
    const seen = readText(deep.replace('"HERE"', '['.repeat(5000) + ']'.repeat(5000)))
    expect(drafts(seen)[0]).toMatchObject({ type: 'tool.started', input: {} })
    expect(seen.issues).toMatchObject([{ code: 'TooDeep', path: '$.toolCalls[0].args' }])
  })

  test('info and warning are status, error is an error; an unknown type is a notice', () => {
    const seen = read([
      { id: 'i', timestamp: at(1), type: 'info', content: 'Update available' },
      { id: 'w', timestamp: at(1), type: 'warning', content: [{ text: 'Careful' }] },
      { id: 'e', timestamp: at(1), type: 'error', content: '[API Error: quota]' },
      { id: 'x', timestamp: at(1), type: 'about', content: '' }
    ])
    expect(told(seen)).toEqual(['1 status: Update available', '2 status: Careful', '3 error: [API Error: quota]'])
    expect(seen.issues).toMatchObject([{ code: 'UnknownType', path: '$.type' }])
  })
})

describe('a message written again', () => {
  test('adds what is new, at its own line', () => {
    const seen = read([
      gemini('g', { content: 'I look.', thoughts: [{ subject: 'A', description: '' }] }),
      gemini('g', {
        content: 'I look.',
        thoughts: [{ subject: 'A', description: '' }],
        toolCalls: [call('c', { status: 'executing' })]
      }),
      gemini('g', {
        content: 'I look.',
        thoughts: [
          { subject: 'A', description: '' },
          { subject: 'B', description: '' }
        ],
        toolCalls: [call('c'), call('d')]
      }),
      gemini('g', {
        content: 'masked',
        toolCalls: [call('c', { result: [answer('c', { output: 'masked' })] }), call('d')]
      })
    ])
    expect(told(seen)).toEqual([
      '1 reasoning: A',
      '1 assistant-message: I look.',
      '2 start c',
      '3 reasoning: B',
      '3 done c: of c',
      '3 start d',
      '3 done d: of d'
    ])
  })

  test('a later text is a later event', () => {
    const seen = read([gemini('g'), gemini('g', { content: 'Late.' }), gemini('g', { content: 'Late.' })])
    expect(told(seen)).toEqual(['2 assistant-message: Late.'])
  })

  test('its tokens count once, also where they come later', () => {
    const tokens = { input: 5, output: 2, cached: 1, thoughts: 0, tool: 0, total: 7 }
    const seen = read([
      user('u', 'hi'),
      gemini('g', { content: 'a' }),
      gemini('g', { content: 'a', tokens }),
      gemini('g', { content: 'a', tokens, model: 'gemini-2.5-pro' }),
      gemini('h', { content: 'b', tokens })
    ])
    expect(drafts(seen).at(-1)).toEqual({
      type: 'turn.completed',
      finishReason: 'done',
      model: 'gemini-2.5-pro',
      usage: { input: 10, output: 4, cached: 2, thoughts: 0, tool: 0, total: 14 }
    })
  })
})

describe('what lies beside the chats', () => {
  test('logs.json: the prompts of several sessions', () => {
    const entry = (sessionId: string, message: string): object => ({
      sessionId,
      messageId: 0,
      type: 'user',
      message,
      timestamp: at(1)
    })
    const seen = read([entry('a', 'one'), entry('b', 'two'), entry('a', 'three')], 'document')
    expect(seen.events.map(({ draft, sessionId }) => [sessionId, shortly(draft)])).toEqual([
      ['a', 'session'],
      ['a', 'user-message: one'],
      ['b', 'session'],
      ['b', 'user-message: two'],
      ['a', 'user-message: three']
    ])
  })

  test('checkpoint-<tag>.json: turns of the API, calls and answers as parts', () => {
    const turns = [
      { role: 'user', parts: [{ text: 'Look' }] },
      {
        role: 'model',
        parts: [
          { text: 'I look.' },
          { functionCall: { id: 'c', name: 'ls', args: { at: '.' } } },
          { text: 'hm', thought: true }
        ]
      },
      { role: 'user', parts: [answer('c', { output: 'README' }), answer('z', { output: 'of nobody' })] },
      { role: 'model', parts: [{ text: 'One file.' }] }
    ]
    const expected = [
      'user-message: Look',
      'reasoning: hm',
      'assistant-message: I look.',
      'start c',
      'done c: README',
      'assistant-message: One file.',
      'turn done'
    ]
    const asList = read(turns, 'document')
    expect(drafts(asList).map(shortly)).toEqual(expected)
    const asObject = readText(JSON.stringify({ history: turns, authType: 'oauth' }, null, 2), 'document')
    expect(drafts(asObject).map(shortly)).toEqual(expected)
    expect([...asList.issues, ...asObject.issues]).toEqual([])
  })
})

describe('what is wrong with a record', () => {
  test.each<[string, unknown, string]>([
    ['no object', null, '$'],
    ['no id', { type: 'user', timestamp: at(1), content: '' }, '$.id'],
    ['no time', { id: 'u', type: 'user', content: '' }, '$.timestamp'],
    ['no content', { id: 'u', type: 'user', timestamp: at(1) }, '$.content'],
    ['a type that is no text', { id: 'u', type: 7, timestamp: at(1), content: '' }, '$.type'],
    ['a call that is none', gemini('g', { toolCalls: [7] }), '$.toolCalls[0]'],
    [
      'a call without a name',
      gemini('g', { toolCalls: [{ id: 'c', args: {}, status: 'success' }] }),
      '$.toolCalls[0].name'
    ],
    ['a header without its time', { sessionId: 's', projectHash: 'f' }, '$.startTime'],
    ['an update that is none', { $set: 7 }, '$.$set'],
    ['a message of a checkpoint', { $set: { messages: [user('u', 'x'), { type: 'user' }] } }, '$.$set.messages[1].id'],
    ['a rewind to nowhere', { $rewindTo: null }, '$.$rewindTo'],
    ['an entry of logs.json', { sessionId: 's', messageId: 0, message: 'x', type: 'user' }, '$.timestamp']
  ])('%s', (_, record, path) => {
    const { issues } = read([record])
    expect(issues.filter(({ code }) => code === 'TypedParse').map((issue) => issue.path)).toEqual([path])
    expect(JSON.stringify(issues)).not.toContain('success')
  })

  test('what can be read is, all the same', () => {
    expect(
      told(
        read([
          { type: 'user', content: 'hi' },
          { type: 'user', content: 'hi' }
        ])
      )
    ).toEqual(['1 user-message: hi', '2 user-message: hi'])
  })

  test('an unknown kind of record is a notice', () => {
    expect(read([{ $later: true }]).issues).toMatchObject([{ code: 'UnknownType', path: '$' }])
  })

  test('a line that is no JSON is an error; a cut one is a text', () => {
    const seen = readText(`Loaded cached credentials.\n${JSON.stringify(user('u', 'hi'))}\n{"id":"g","ty`)
    expect(drafts(seen)).toMatchObject([
      { type: 'error', code: 'JSONL_PARSE_ERROR' },
      { type: 'text', category: 'user-message' },
      { type: 'text', category: 'unparsed', text: '{"id":"g","ty' }
    ])
    expect(seen.issues.map(({ code }) => code)).toEqual(['JsonParse', 'JsonParse'])
  })

  test('no value throws, and nothing of a prototype is changed', () => {
    const key = fc.constantFrom(
      ...['$set', '$rewindTo', 'sessionId', 'projectHash', 'messages', 'id', 'type', 'content', 'toolCalls', 'result'],
      ...['status', 'args', 'name', 'thoughts', 'tokens', 'parts', 'role', '__proto__', 'resultDisplay', 'todos']
    )
    const leaf = fc.oneof(fc.constantFrom('user', 'gemini', 'success', 'write_todos', 'id', ''), fc.jsonValue())
    const value = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 4 }), tie('object')),
      object: fc.dictionary(key, tie('value'), { maxKeys: 6 })
    })).object
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (records) => {
        const seen = read(records)
        expect(seen.rows).toBe(records.length)
        for (const { draft, body, at: place } of seen.events) {
          if (body < 0) continue
          const record = JSON.parse(JSON.stringify(records[place.line - 1]))
          expect(geminiChat.decode(record, place).drafts[body]).toEqual(draft)
        }
      }),
      { numRuns: 300 }
    )
    expect(Object.keys(Object.prototype)).toEqual([])
  })
})
