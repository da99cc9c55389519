import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventDraft, FoldedEvent, Framing, LineMark } from '../log-format.ts'
import { LogReader } from '../log-reader.ts'
import type { IssueDraft } from '../issue.ts'
import { RunReader, type RunSource } from '../run-reader.ts'
import { stamp } from '../stamp.ts'
import { soloIdentity } from '../solo-identity.ts'
import { geminiChat } from './chat.ts'

interface Seen {
  readonly events: FoldedEvent[]
  readonly issues: IssueDraft[]
  readonly marks: LineMark[]
  readonly rows: number
}

const at = (second: number): string => new Date(Date.UTC(2026, 2, 2, 9, 0, second)).toISOString()

const header = (more: object = {}): object => ({ sessionId: 's1', projectHash: 'f00', startTime: at(0), ...more })
const user = (id: string, content: unknown, more: object = {}): object => ({
  id,
  timestamp: at(1),
  type: 'user',
  content,
  ...more
})
const gemini = (id: string, more: object = {}): object => ({
  id,
  timestamp: at(2),
  type: 'gemini',
  content: '',
  ...more
})
const call = (id: string, more: object = {}): object => ({
  id,
  name: 'read_file',
  args: { path: 'a' },
  status: 'success',
  timestamp: at(3),
  result: [answer(id, { output: `of ${id}` })],
  ...more
})
const answer = (id: string, response: object): object => ({ functionResponse: { id, name: 'read_file', response } })
const context = {
  $set: { messages: [user('c', [{ text: '<session_context>\nToday is Monday' }])], lastUpdated: at(0) }
}

function read(records: readonly unknown[], framing: Framing = 'lines'): Seen {
  const text =
    framing === 'lines'
      ? records.map((record) => `${JSON.stringify(record)}\n`).join('')
      : JSON.stringify(records, null, 2)
  return readText(text, framing)
}

function readText(text: string, framing: Framing = 'lines'): Seen {
  const seen = { events: [] as FoldedEvent[], issues: [] as IssueDraft[], marks: [] as LineMark[], rows: 0 }
  const reader = new LogReader(
    geminiChat,
    {
      line({ events, issues, marks, blank }) {
        seen.events.push(...events)
        seen.issues.push(...issues)
        seen.marks.push(...(marks ?? []))
        if (!blank) seen.rows += 1
      },
      end: (events) => seen.events.push(...events)
    },
    { framing }
  )
  reader.push(new TextEncoder().encode(text))
  reader.end()
  return seen
}

const drafts = ({ events }: Seen): EventDraft[] => events.map(({ draft }) => draft)

/** What was said, shortly: the type of an event, or its text, tool or list; before it the line. */
function told(seen: Seen): string[] {
  return seen.events.map(({ at: { line }, draft }) => `${line} ${shortly(draft)}`)
}

function shortly(draft: EventDraft): string {
  switch (draft.type) {
    case 'text':
      return `${draft.category}: ${draft.text}`
    case 'tool.started':
      return `start ${draft.toolId}`
    case 'tool.completed':
      return draft.error === undefined
        ? `done ${draft.toolId}: ${draft.output}`
        : `failed ${draft.toolId}: ${draft.error}`
    case 'todo_list':
      return `todos ${draft.items.map(({ text, status }) => `${text} ${status}`).join(', ')}`
    case 'turn.completed':
      return `turn ${draft.finishReason}`
    case 'error':
      return `error: ${draft.error}`
    case 'session.started':
      return 'session'
  }
}

describe('records (formats.md 10.2)', () => {
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

  test('a document that says whose its messages are after them', () => {
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

  test('a part nobody knows is reported with its path, and the rest is read', () => {
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

  test('arguments nested too deep are left out, and said to be', () => {
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

  test('text that comes later is said then', () => {
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

describe('turns', () => {
  const turns = (...records: object[]): string[] => told(read(records)).filter((line) => line.includes('turn'))
  const said = gemini('g', { content: 'Yes.' })

  test('end when the next prompt follows, and at the end after an answer', () => {
    expect(turns(user('u', 'a'), said, user('v', 'b'), gemini('h', { content: 'No.' }))).toEqual([
      '3 turn done',
      '4 turn done'
    ])
  })

  test('of an answer to nobody do not end', () => {
    expect(turns(said, user('u', 'a'))).toEqual([])
  })

  test.each<[string, object]>([
    ['a call that goes on', gemini('g', { content: 'x', toolCalls: [call('c', { status: 'executing' })] })],
    ['a call that was answered, but not the answer', gemini('g', { content: 'x', toolCalls: [call('c')] })],
    ['a message without a word: its call was killed', gemini('g')],
    ['nothing', { $set: { lastUpdated: at(4) } }]
  ])('do not end at the end of a chat after %s', (_, last) => {
    expect(turns(user('u', 'a'), last)).toEqual([])
  })

  test('end with the error that was said last', () => {
    const error = { id: 'e', timestamp: at(3), type: 'error', content: 'quota' }
    expect(turns(user('u', 'a'), error, user('v', 'b'), said, error)).toEqual(['3 turn error', '5 turn error'])
  })

  test('are cancelled with their last call, or by the notice', () => {
    const stopped = gemini('g', { toolCalls: [call('c', { status: 'cancelled' })] })
    const notice = { id: 'i', timestamp: at(3), type: 'info', content: 'Request cancelled.' }
    expect(turns(user('u', 'a'), stopped, user('v', 'b'), gemini('h', { content: 'I…' }), notice)).toEqual([
      '3 turn cancelled',
      '5 turn cancelled'
    ])
  })

  test('end before another process goes on with the chat', () => {
    expect(turns(header(), user('u', 'a'), said, header(), context, user('v', 'b'))).toEqual(['4 turn done'])
  })
})

describe('todo lists (formats.md 9)', () => {
  const todos = (...items: [string, string][]): object => ({
    todos: items.map(([description, status]) => ({ description, status }))
  })
  const write = (id: string, args: object, more: object = {}): object =>
    call(id, { name: 'write_todos', args, ...more })

  test('`write_todos` gives a list and no tool; `blocked` is pending; `[]` clears', () => {
    const calls = [
      write('a', todos(['one', 'in_progress'], ['two', 'blocked'], ['', 'pending'], ['three', 'cancelled'])),
      call('b', { name: 'write_todos_list', args: { todos: [] } })
    ]
    const seen = read([gemini('g', { toolCalls: calls })])
    expect(told(seen)).toEqual(['1 todos one in_progress, two pending, three cancelled', '1 todos '])
    expect(drafts(seen)).toMatchObject([{ todoId: 'a' }, { todoId: 'b' }])
  })

  test('a refused call restores the list, at the line that says so', () => {
    const first = write('a', todos(['one', 'pending']))
    const open = write('b', todos(['one', 'completed']), { status: 'executing', result: null })
    const refused = write('b', todos(['one', 'completed']), { status: 'error' })
    const seen = read([gemini('g', { toolCalls: [first, open] }), gemini('g', { toolCalls: [first, refused] })])
    expect(told(seen)).toEqual(['1 todos one pending', '1 todos one completed', '2 todos one pending'])
  })

  test('a call without a list changes nothing', () => {
    expect(told(read([gemini('g', { toolCalls: [write('a', { todos: 'x' }, { status: 'error' })] })]))).toEqual([])
  })

  const task = (id: string, name: string, more: object = {}): object =>
    call(id, { name, args: { title: 't' }, ...more })
  const shows = (...items: [string, string][]): object => ({ resultDisplay: todos(...items) })

  test('the tracker’s list is what is shown after a call; two calls that show the same are one change', () => {
    const both = shows(['task: Read (log) files (4aba5d)', 'in_progress'], ['  bug: Crash (9f5135)', 'blocked'])
    const calls = [task('a', 'tracker_create_task', both), task('b', 'tracker_create_task', both)]
    expect(told(read([gemini('g', { toolCalls: calls })]))).toEqual([
      '1 todos Read (log) files in_progress, Crash pending'
    ])
  })

  test('a tracker call that fails changes nothing; one that shows no list is an ordinary tool', () => {
    const failed = task('a', 'tracker_update_task', { status: 'error', resultDisplay: 'Failed to update task.' })
    const silent = task('b', 'tracker_update_task')
    expect(told(read([gemini('g', { toolCalls: [failed, silent] })]))).toEqual(['1 start b', '1 done b: of b'])
    const opened = task('b', 'tracker_update_task', { status: 'executing' })
    expect(told(read([gemini('g', { toolCalls: [opened] }), gemini('g', { toolCalls: [silent] })]))).toEqual([
      '2 start b',
      '2 done b: of b'
    ])
  })

  test.each(['tracker_list_tasks', 'tracker_get_task', 'tracker_visualize', 'tracker_add_dependency'])(
    '%s is an ordinary tool; a list it shows is given if it is another',
    (name) => {
      const list = shows(['task: Read (4aba5d)', 'pending'])
      const calls = [task('a', name, list), task('b', name, list)]
      expect(told(read([gemini('g', { toolCalls: calls })]))).toEqual([
        '1 start a',
        '1 done a: of a',
        '1 todos Read pending',
        '1 start b',
        '1 done b: of b'
      ])
    }
  )
})

describe('checkpoints and rewinds', () => {
  const checkpoint = (...messages: object[]): object => ({ $set: { messages, lastUpdated: at(9) } })
  const lines = ({ marks }: Seen): number[] => marks.map(({ at: { line } }) => line).sort((a, b) => a - b)

  test('the context a session starts with is nothing', () => {
    expect(told(read([header(), context, user('u', 'hi')]))).toEqual(['1 session', '3 user-message: hi'])
  })

  test('messages that are gone are marked; what is known is not said again, what is new is', () => {
    const seen = read([
      header(),
      user('u', 'old'),
      gemini('g', { content: 'kept', toolCalls: [call('c')] }),
      gemini('g', { content: 'kept', toolCalls: [call('c')] }),
      gemini('x', { content: 'gone' }),
      gemini('x', { content: 'gone' }),
      checkpoint(
        user('s', [{ text: '<state_snapshot>\nAll so far' }]),
        gemini('g', { content: 'kept, masked', toolCalls: [call('c')] }),
        gemini('other-id', { content: 'a copy', toolCalls: [call('c')] }),
        gemini('n', { content: 'new' })
      ),
      gemini('other-id', { content: 'a copy', toolCalls: [call('c')] })
    ])
    expect(told(seen).slice(6)).toEqual([
      '7 status: Checkpoint: the conversation now has 4 messages; 2 dropped',
      '7 status: <state_snapshot>\nAll so far',
      '7 assistant-message: new'
    ])
    expect(lines(seen)).toEqual([2, 5, 6])
    expect(seen.marks.every(({ mark }) => mark === 'abandoned')).toBe(true)
  })

  test('a chat that goes on in a new file brings its history, with its turns', () => {
    const seen = read([header(), checkpoint(user('u', 'a'), gemini('g', { content: 'b' }), user('v', 'c'))])
    expect(told(seen)).toEqual([
      '1 session',
      '2 status: Checkpoint: the conversation now has 3 messages',
      '2 user-message: a',
      '2 assistant-message: b',
      '2 turn done',
      '2 user-message: c'
    ])
  })

  test('a rewind drops a message and all after it; an unknown one drops everything', () => {
    const seen = read([user('u', 'a'), gemini('g', { content: 'b' }), user('v', 'c'), { $rewindTo: 'g' }])
    expect(told(seen).at(-1)).toBe('4 status: Rewound: 2 messages dropped')
    expect(lines(seen)).toEqual([2, 3])
    const all = read([user('u', 'a'), gemini('g', { content: 'b' }), { $rewindTo: 'z' }])
    expect(told(all).at(-2)).toBe('3 status: Rewound to the start: 2 messages dropped')
    expect(lines(all)).toEqual([1, 2])
  })

  test('a row is marked once, and one written again after a rewind is not', () => {
    const seen = read([user('u', 'a'), { $rewindTo: 'u' }, user('u', 'a'), { $rewindTo: 'z' }, { $rewindTo: 'u' }])
    expect(seen.marks.map(({ at: { line } }) => line)).toEqual([1, 3])
  })

  test('the replay is the program’s own: what is not marked is what it would load', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd')
    const change = fc.oneof(
      { weight: 3, arbitrary: id.map((name) => ({ say: name })) },
      { weight: 1, arbitrary: id.map((name) => ({ rewind: name })) },
      { weight: 1, arbitrary: fc.uniqueArray(id).map((names) => ({ keep: names })) }
    )
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        // `loadConversationRecord`, as its source has it: a map in order of insertion.
        let loaded = new Map<string, number[]>()
        const records = changes.map((each, index) => {
          if ('say' in each) {
            loaded.set(each.say, [...(loaded.get(each.say) ?? []), index + 2])
            return gemini(each.say, { content: each.say })
          }
          if ('rewind' in each) {
            const names = [...loaded.keys()]
            for (const name of names.slice(Math.max(0, names.indexOf(each.rewind)))) loaded.delete(name)
            return { $rewindTo: each.rewind }
          }
          loaded = new Map(each.keep.map((name) => [name, loaded.get(name) ?? []]))
          return checkpoint(...each.keep.map((name) => gemini(name, { content: name })))
        })
        // A checkpoint of nothing before any message is how a session starts.
        const seen = read([user('first', 'x'), ...records])
        const marked = new Set(lines(seen))
        const written = changes.flatMap((each, index) => ('say' in each ? [index + 2] : []))
        expect(written.filter((line) => !marked.has(line)).sort()).toEqual([...loaded.values()].flat().sort())
      })
    )
  })
})

describe('the same tool id in two sessions', () => {
  test('belongs to the session it is in', () => {
    const seen = read([
      header(),
      gemini('g', { toolCalls: [call('c')] }),
      header({ sessionId: 's2' }),
      gemini('h', { toolCalls: [call('c')] })
    ])
    const identity = soloIdentity('google-gemini')
    const ids = seen.events
      .map((event) => stamp(event, 'google-gemini', identity))
      .flatMap((event) => (event.type === 'tool.started' || event.type === 'tool.completed' ? [event.toolId] : []))
    expect(ids).toEqual(['c', 'c', 's2:c', 's2:c'])
  })
})

describe('subagents', () => {
  const child = [
    header({ sessionId: 'ngz', kind: 'subagent', startTime: at(4) }),
    user('u', 'Find it', { timestamp: at(4) }),
    gemini('g', { timestamp: at(5), content: 'Found.', toolCalls: [call('ngz#0', { timestamp: at(6) })] })
  ]
  const parent = [
    header(),
    user('p', 'Ask'),
    gemini('q', { toolCalls: [call('task-1', { name: 'invoke_agent', agentId: 'ngz', timestamp: at(7) })] }),
    gemini('r', { timestamp: at(8), content: 'It is there.' })
  ]

  function readRun(main: object[], file: RunSource, records: object[]): FoldedEvent[] {
    const events: FoldedEvent[] = []
    const sink = {
      line: (line: { events: readonly FoldedEvent[] }) => events.push(...line.events),
      end: (more: readonly FoldedEvent[]) => events.push(...more)
    }
    const reader = new RunReader(geminiChat, sink, { files: [file] })
    const bytesOf = (all: object[]): Uint8Array =>
      new TextEncoder().encode(all.map((record) => `${JSON.stringify(record)}\n`).join(''))
    reader.push(0, bytesOf(main))
    reader.push(1, bytesOf(records))
    reader.endFile(0)
    reader.endFile(1)
    reader.end()
    return events
  }

  const name = 's1/ngz.jsonl'
  const tracks = (events: FoldedEvent[]): unknown =>
    new Set(events.flatMap(({ at: { file }, trackId }) => (file === undefined ? [] : [trackId])))

  test('are tracks of the call that names their session', () => {
    const events = readRun(parent, { name, framing: 'lines' }, child)
    expect(tracks(events)).toEqual(new Set(['task-1']))
    expect(events.filter(({ trackId }) => trackId === undefined).map(({ draft }) => shortly(draft))).toEqual([
      'session',
      'user-message: Ask',
      'start task-1',
      'done task-1: of task-1',
      'assistant-message: It is there.',
      'turn done'
    ])
    expect(events.filter(({ trackId }) => trackId !== undefined).map(({ draft }) => shortly(draft))).toEqual([
      'user-message: Find it',
      'assistant-message: Found.',
      'start ngz#0',
      'done ngz#0: of ngz#0'
    ])
  })

  test('are tracks of the call that something beside the file names', () => {
    expect(tracks(readRun(parent, { name, framing: 'lines', callId: 'task-9' }, child))).toEqual(new Set(['task-9']))
  })

  test('whose call is not known are tracks of their own id, in a run and alone', () => {
    expect(tracks(readRun(parent.slice(0, 2), { name, framing: 'lines' }, child))).toEqual(new Set(['ngz']))
    const alone = read(child)
    expect(alone.events.map(({ trackId }) => trackId)).toEqual([undefined, 'ngz', 'ngz', 'ngz', 'ngz'])
    expect(told(alone).filter((line) => line.includes('turn'))).toEqual([])
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

  test('a kind of record nobody knows is a notice', () => {
    expect(read([{ $later: true }]).issues).toMatchObject([{ code: 'UnknownType', path: '$' }])
  })

  test('a line that is no JSON is an error; one that was cut is said', () => {
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
