import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../../json.ts'
import { decodeLine } from '../decode-line.ts'
import type { IssueDraft } from '../issue.ts'
import { joinedDraft } from '../joined-text.ts'
import type { EventDraft, FoldedEvent } from '../log-format.ts'
import { LogReader } from '../log-reader.ts'
import { geminiStreamJson } from './stream-json.ts'

const utf8 = new TextEncoder()
const timestamp = '2026-11-21T21:03:02.973Z'
const time = Date.parse(timestamp)

/** A record of Gemini's stream-json, with a time. */
function record(type: string, more: object): object {
  return { type, timestamp, ...more }
}

const init = (session_id = 's1'): object => record('init', { session_id, model: 'gemini-2.5-pro' })
const delta = (content: string): object => record('message', { role: 'assistant', content, delta: true })
const use = (tool_name: string, tool_id: string, parameters: unknown): object =>
  record('tool_use', { tool_name, tool_id, parameters })
const answered = (tool_id: string, more: object = { status: 'success' }): object =>
  record('tool_result', { tool_id, ...more })
const refused = (tool_id: string, message = 'params/todos must be array'): object =>
  answered(tool_id, { status: 'error', output: message, error: { type: 'invalid_tool_params', message } })
const result = (more: object): object => record('result', more)

interface Read {
  readonly folded: FoldedEvent[]
  readonly drafts: EventDraft[]
  readonly issues: (IssueDraft & { line: number })[]
  readonly lines: number[]
  readonly times: (number | undefined)[]
  readonly bytes: Uint8Array
}

/** Reads records, one a line; a string is a raw line. */
function read(...lines: (object | string | JsonValue)[]): Read {
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('')
  const bytes = utf8.encode(text)
  const out: Read = { folded: [], drafts: [], issues: [], lines: [], times: [], bytes }
  const reader = new LogReader(geminiStreamJson, {
    line({ at, events, issues, timestamp: recordTime }) {
      out.lines.push(at.line)
      out.times.push(events[0]?.timestamp ?? recordTime)
      out.folded.push(...events)
      out.issues.push(...issues.map((issue) => ({ ...issue, line: at.line })))
    }
  })
  reader.push(bytes)
  reader.end()
  out.drafts.push(...out.folded.map((event) => event.draft))
  return out
}

/** Each event in short: a list by its items, a result by its todo tool. */
const wordsOf = ({ folded }: Read): string[] =>
  folded.map(({ draft, toolName }) => {
    if (draft.type === 'todo_list') return `list ${draft.items.map((item) => item.text).join(', ')}`
    if (draft.type !== 'tool.completed') return draft.type
    return `${draft.error === undefined ? 'done' : 'failed'} ${draft.toolId} ${toolName ?? ''}`.trimEnd()
  })

/** Line and items of each todo list. */
function listsOf({ folded }: Read): unknown[] {
  return folded.flatMap(({ at, draft }) =>
    draft.type === 'todo_list' ? [[at.line, draft.items.map((item) => `${item.status} ${item.text}`)]] : []
  )
}

describe('init', () => {
  test('a session begins; its id is that of all events after it', () => {
    const { folded } = read(init(), record('message', { role: 'user', content: 'Hi' }))
    expect(folded).toMatchObject([
      { draft: { type: 'session.started', model: 'gemini-2.5-pro' }, sessionId: 's1', timestamp: time },
      { draft: { type: 'text' }, sessionId: 's1' }
    ])
  })

  test('a process that resumes the session does not begin it again; another session does', () => {
    const { folded } = read(init(), init(), init('s2'))
    expect(folded.map(({ at, sessionId }) => [at.line, sessionId])).toEqual([
      [1, 's1'],
      [3, 's2']
    ])
  })
})

describe('message', () => {
  test('the prompt is in the log', () => {
    const { drafts } = read(record('message', { role: 'user', content: 'Say hello' }))
    expect(drafts).toEqual([{ type: 'text', text: 'Say hello', role: 'user', category: 'user-message' }])
  })

  test('pieces of an answer are one text, at the line of the first', () => {
    const seen = read(init(), delta('Hello '), delta('Ada, '), delta('😀'), result({ status: 'success' }))
    const text: EventDraft = { type: 'text', text: 'Hello Ada, 😀', role: 'assistant', category: 'assistant-message' }
    expect(seen.folded[1]).toMatchObject({ at: { line: 2 }, ordinal: 0, body: 0, draft: text, timestamp: time })
    expect(seen.folded).toHaveLength(3)
    expect(seen.lines).toEqual([1, 2, 3, 4, 5])
    expect(seen.times).toEqual([time, time, time, time, time])
  })

  test('a joined text has the offset of its end, and is rebuilt from its lines', () => {
    const { folded, bytes } = read(delta('a'), delta('b'), 'stderr says something', delta('c'), init())
    const [event] = folded
    expect(event?.joinedTo).toBeGreaterThan(0)
    const range = bytes.subarray(event?.at.offset, event?.joinedTo)
    expect(joinedDraft(geminiStreamJson, 'lines', range)).toEqual(event?.draft)
  })

  test('a text in one piece is that piece', () => {
    const { folded } = read(delta('whole'), init())
    expect(folded[0]).toMatchObject({ body: 0, draft: { text: 'whole' } })
    expect(folded[0]).not.toHaveProperty('joinedTo')
  })

  test.each([
    ['a tool call', use('glob', 't', {})],
    ['a prompt', record('message', { role: 'user', content: 'x' })],
    ['a whole message', record('message', { role: 'assistant', content: 'x' })],
    ['a record nobody knows', record('thought', {})],
    ['a value that is no record', [1]]
  ])('%s ends the text', (_what, other) => {
    const { drafts } = read(delta('a'), delta('b'), other, delta('c'))
    const texts = drafts.flatMap((draft) => (draft.type === 'text' ? [draft.text] : []))
    expect(texts.filter((text) => text !== 'x')).toEqual(['ab', 'c'])
  })

  test('blank lines and lines of stderr do not; their events come after it', () => {
    const { folded } = read(delta('a'), '', 'Attempt 1 failed', delta('b'), 'at stack', '\t', delta('c'))
    expect(folded.map(({ at, draft }) => [at.line, draft.type === 'text' ? draft.text : draft.type])).toEqual([
      [1, 'abc'],
      [3, 'error'],
      [5, 'error']
    ])
    expect(folded[1]).toMatchObject({ timestamp: time, timestampFrom: 'previous' })
  })

  test('a run killed during an answer has its text so far', () => {
    expect(read(init(), delta('I will '), delta('now')).drafts[1]).toMatchObject({ type: 'text', text: 'I will now' })
  })

  test('a text of nothing is no text', () => {
    expect(read(delta(''), delta(''), record('message', { role: 'user', content: '' })).drafts).toEqual([])
    expect(read(delta(''), delta('b')).drafts).toMatchObject([{ text: 'b' }])
  })

  test('a text on more lines than may be held goes on in another event', () => {
    const pieces = Array.from({ length: 12_000 }, (_, index) => delta(`${index} `))
    const { folded, lines } = read(...pieces)
    expect(folded.map(({ at }) => at.line)).toEqual([1, 5001, 10_001])
    expect(lines).toHaveLength(12_000)
    const whole = folded.map(({ draft }) => (draft.type === 'text' ? draft.text : '')).join('')
    expect(whole).toBe(pieces.map((_, index) => `${index} `).join(''))
  })

  test('so does a text of more than four million characters', () => {
    const { folded } = read(delta('x'.repeat(3 << 20)), delta('y'.repeat(1 << 20)), delta('z'))
    expect(folded.map(({ at, draft }) => [at.line, draft.type === 'text' ? draft.text.length : 0])).toEqual([
      [1, 4 << 20],
      [3, 1]
    ])
  })

  test('lines of stderr cannot hold a text open for ever', () => {
    const noise = Array.from({ length: 6000 }, () => 'noise')
    const { folded } = read(delta('a'), ...noise, delta('b'))
    expect(folded.flatMap(({ at, draft }) => (draft.type === 'text' ? [[at.line, draft.text]] : []))).toEqual([
      [1, 'a'],
      [6002, 'b']
    ])
    expect(folded).toHaveLength(6002)
  })

  test('nor can a long line of stderr make a text long: to be shown, it is read again from its first byte to its last', () => {
    const fold = geminiStreamJson.createFold({})
    const add = (line: number, offset: number, length: number): ReturnType<typeof fold.add> => {
      const at = { line, offset, length }
      const noise = { code: 'JsonParse', path: null, message: 'column 1: not a JSON value' } as const
      const record = JSON.parse(JSON.stringify(delta('x'))) as JsonValue
      return fold.add(
        at,
        line % 2 === 1 ? geminiStreamJson.decode(record, at) : geminiStreamJson.decodeMalformed('', noise, false)
      )
    }
    expect(add(1, 0, 100)).toMatchObject({ held: true })
    expect(add(2, 101, 1000)).toMatchObject({ held: true })
    expect(add(3, 1102, 100)).toMatchObject({ held: true })
    const full = add(4, 1203, 100 << 20)
    expect(full.held).toBeUndefined()
    expect(full.events).toMatchObject([
      { draft: { type: 'text', text: 'xx' }, joinedTo: 1202 },
      { draft: { type: 'error' }, at: { line: 2 } },
      { draft: { type: 'error' }, at: { line: 4 } }
    ])
  })

  test('text of the harness, and an unknown role', () => {
    const seen = read(
      record('message', { role: 'system', content: 'Compressed' }),
      record('message', { role: 'critic', content: 'Hm' })
    )
    expect(seen.drafts).toEqual([
      { type: 'text', text: 'Compressed', role: 'system', category: 'status' },
      { type: 'text', text: 'Hm' }
    ])
    expect(seen.issues).toMatchObject([{ line: 2, code: 'UnknownSubtype', path: '$.role' }])
  })
})

describe('tools', () => {
  test('all calls of a turn come first, then all results, in the order of completion', () => {
    const { drafts } = read(
      use('run_shell_command', 'a', { command: 'exit 3' }),
      use('read_file', 'b', { file_path: 'x' }),
      answered('b', { status: 'success', output: '' }),
      answered('a', { status: 'success', output: 'out\nerr' })
    )
    expect(drafts).toEqual([
      { type: 'tool.started', toolName: 'run_shell_command', toolId: 'a', input: { command: 'exit 3' } },
      { type: 'tool.started', toolName: 'read_file', toolId: 'b', input: { file_path: 'x' } },
      { type: 'tool.completed', toolId: 'b', output: '' },
      // The exit code is not in the log.
      { type: 'tool.completed', toolId: 'a', output: 'out\nerr' }
    ])
  })

  test('a display that is no text leaves no output', () => {
    expect(read(use('replace', 'a', {}), answered('a')).drafts[1]).toEqual({ type: 'tool.completed', toolId: 'a' })
  })

  test('of a failure the message counts, not its short form', () => {
    const error = { type: 'file_not_found', message: 'File not found: /w/x.txt' }
    const { drafts } = read(answered('a', { status: 'error', output: 'File not found.', error }))
    expect(drafts).toEqual([{ type: 'tool.completed', toolId: 'a', error: 'File not found: /w/x.txt' }])
  })

  test('without a message the error is the output, or the status', () => {
    expect(read(answered('a', { status: 'error', output: 'no' })).drafts).toMatchObject([{ error: 'no' }])
    expect(read(answered('a', { status: 'cancelled' })).drafts).toMatchObject([{ error: 'cancelled' }])
    expect(read(answered('a', { status: 'success', error: { type: 'x', message: 'no' } })).drafts).toMatchObject([
      { error: 'no' }
    ])
  })

  test('ids are not parsed; a call without one gets one', () => {
    const ids = ['run_shell_command-1766753316765-e8db', 'write_file_1772379697348_0', 'list_directory__859y31fx']
    expect(read(...ids.map((id) => use('t', id, {}))).drafts.map((d) => 'toolId' in d && d.toolId)).toEqual(ids)
    const without = read(
      record('tool_use', { tool_name: 't', parameters: {} }),
      record('tool_result', { status: 'success' })
    )
    expect(without.drafts).toMatchObject([{ toolId: 'line-1-0' }, { toolId: 'line-2-0' }])
    expect(without.issues).toMatchObject([
      { line: 1, code: 'TypedParse', path: '$.tool_id' },
      { line: 2, code: 'TypedParse', path: '$.tool_id' }
    ])
  })

  test('update_topic and the tracker tools that change nothing are tools like others', () => {
    for (const tool of [
      'update_topic',
      'tracker_get_task',
      'tracker_list_tasks',
      'tracker_add_dependency',
      'tracker_visualize'
    ]) {
      expect(read(use(tool, 'a', {}), answered('a')).drafts.map((draft) => draft.type)).toEqual([
        'tool.started',
        'tool.completed'
      ])
    }
  })

  test('an input nested too deeply is left out, with an issue', () => {
    const deep = `${'{"a":'.repeat(1200)}1${'}'.repeat(1200)}`
    const line = `{"type":"tool_use","timestamp":"${timestamp}","tool_name":"t","tool_id":"a","parameters":${deep}}`
    const { drafts, issues } = read(line)
    expect(drafts).toEqual([{ type: 'tool.started', toolName: 't', toolId: 'a', input: {} }])
    expect(issues).toMatchObject([{ code: 'TooDeep', path: '$.parameters' }])
  })
})

describe('error', () => {
  test('a warning is a status of the harness; the run goes on', () => {
    for (const message of ['Loop detected, stopping execution', 'Agent execution blocked: hook']) {
      const { drafts } = read(record('error', { severity: 'warning', message }), result({ status: 'success' }))
      expect(drafts).toMatchObject([
        { type: 'text', text: message, role: 'system', category: 'status' },
        { type: 'turn.completed', finishReason: 'done' }
      ])
    }
  })

  test('an error is an error', () => {
    const { drafts } = read(record('error', { severity: 'error', message: 'Maximum session turns exceeded' }))
    expect(drafts).toEqual([{ type: 'error', error: 'Maximum session turns exceeded' }])
  })
})

describe('result', () => {
  const stats = { total_tokens: 12, input_tokens: 10, output_tokens: 2, duration_ms: 104, tool_calls: 5 }

  test('the turn is over; 0.11 to 0.21: what it used', () => {
    expect(read(result({ status: 'success', stats })).drafts).toEqual([
      { type: 'turn.completed', finishReason: 'done', usage: stats, durationMs: 104 }
    ])
  })

  test('since 0.22 with the cache, since 0.34 by model: where it was one, it is the one that answered', () => {
    const newer = { ...stats, cached: 1, input: 9, models: { 'gemini-2.5-pro': { total_tokens: 12 } } }
    expect(read(result({ status: 'success', stats: newer })).drafts).toMatchObject([
      { model: 'gemini-2.5-pro', usage: newer }
    ])
    for (const models of [{}, { a: {}, b: {} }, null, 'x']) {
      const [draft] = read(result({ status: 'success', stats: { ...stats, models } })).drafts
      expect(draft).not.toHaveProperty('model')
    }
  })

  test('without statistics', () => {
    expect(read(result({ status: 'success' })).drafts).toEqual([{ type: 'turn.completed', finishReason: 'done' }])
  })

  test.each(['FatalTurnLimitedError', 'FatalToolExecutionError', 'unknown'])(
    '%s: what failed, then the end',
    (type) => {
      const message = 'x'.repeat(50_000)
      const failed = result({ status: 'error', error: { type, message }, stats: { ...stats, duration_ms: 0 } })
      const { drafts } = read(failed)
      expect(drafts).toEqual([
        { type: 'error', error: message, code: type },
        // 0 is not measured.
        { type: 'turn.completed', finishReason: 'error', usage: { ...stats, duration_ms: 0 } }
      ])
    }
  )

  test('a cancellation', () => {
    const error = { type: 'FatalCancellationError', message: 'Operation cancelled.' }
    expect(read(result({ status: 'error', error, stats })).drafts).toMatchObject([
      { type: 'error', error: 'Operation cancelled.', code: 'FatalCancellationError' },
      { type: 'turn.completed', finishReason: 'cancelled' }
    ])
  })

  test('an error without its reason, which an earlier record has', () => {
    expect(read(result({ status: 'error', stats })).drafts).toMatchObject([{ finishReason: 'error' }])
    expect(read(result({ status: 'error', error: {} })).drafts).toMatchObject([
      { type: 'error', error: 'unknown error' },
      { finishReason: 'error' }
    ])
  })

  test('statistics that no event can hold', () => {
    const deep = `${'['.repeat(1200)}${']'.repeat(1200)}`
    const { drafts, issues } = read(
      `{"type":"result","timestamp":"${timestamp}","status":"success","stats":{"a":${deep}}}`
    )
    expect(drafts).toEqual([{ type: 'turn.completed', finishReason: 'done' }])
    expect(issues).toMatchObject([{ code: 'TooDeep', path: '$.stats' }])
    const [endless] = read('{"type":"result","timestamp":"x","status":"success","stats":{"duration_ms":1e999}}').drafts
    expect(endless).not.toHaveProperty('durationMs')
  })
})

describe('write_todos', () => {
  const item = (description: string, status = 'pending'): object => ({ description, status })
  const write = (id: string, ...todos: unknown[]): object => use('write_todos', id, { todos })

  test('the whole list counts from the call on; its result names the tool', () => {
    const seen = read(write('a', item('one', 'in_progress'), item('two', 'blocked')), answered('a'), write('b'))
    expect(listsOf(seen)).toEqual([
      [1, ['in_progress one', 'pending two']],
      [3, []]
    ])
    expect(wordsOf(seen)).toEqual(['list one, two', 'done a write_todos', 'list '])
    expect(seen.drafts).toMatchObject([{ todoId: 'a' }, { toolId: 'a' }, { todoId: 'b' }])
    expect(seen.times[1]).toBe(time)
  })

  test('under its name of 2025 as well', () => {
    const seen = read(use('write_todos_list', 'a', { todos: [item('one')] }), answered('a'))
    expect(listsOf(seen)).toEqual([[1, ['pending one']]])
    expect(wordsOf(seen)).toEqual(['list one', 'done a write_todos_list'])
  })

  test('a rejected call has changed nothing: the list is what it was, after the result', () => {
    const seen = read(
      write('a', item('one')),
      answered('a'),
      write('b', item('x', 'in_progress'), item('y', 'in_progress')),
      refused('b', 'Only one task can be "in_progress" at a time.'),
      write('c'),
      answered('c')
    )
    expect(listsOf(seen)).toEqual([
      [1, ['pending one']],
      [3, ['in_progress x', 'in_progress y']],
      [4, ['pending one']],
      [5, []]
    ])
    expect(wordsOf(seen)).toEqual([
      ...['list one', 'done a write_todos', 'list x, y', 'failed b write_todos', 'list one'],
      ...['list ', 'done c write_todos']
    ])
    expect(seen.folded[4]).toMatchObject({ body: -1, draft: { todoId: 'b' } })
  })

  test('a call without a list emits none, nor does its rejection', () => {
    const seen = read(use('write_todos', 'a', { todos: 'not an array' }), refused('a'))
    expect(wordsOf(seen)).toEqual(['failed a write_todos'])
  })

  test('a repeated result emits no list', () => {
    expect(wordsOf(read(write('a', item('one')), answered('a'), answered('a'), refused('a')))).toEqual([
      'list one',
      'done a write_todos',
      'done a write_todos',
      'failed a write_todos'
    ])
  })

  test('a result whose call is not in the log is a result', () => {
    expect(read(answered('a')).drafts).toEqual([{ type: 'tool.completed', toolId: 'a' }])
  })

  test('an id used again by another tool is that of the other tool', () => {
    const seen = read(write('a', item('one')), answered('a'), use('glob', 'a', {}), answered('a'))
    expect(wordsOf(seen)).toEqual(['list one', 'done a write_todos', 'tool.started', 'done a'])
  })

  test('each session has its own list; a resumed one keeps it', () => {
    const invalid = [write('b', item(' ')), refused('b')]
    expect(listsOf(read(init(), write('a', item('one')), answered('a'), init('s2'), ...invalid)).at(-1)).toEqual([
      6,
      []
    ])
    expect(listsOf(read(init(), write('a', item('one')), answered('a'), init(), ...invalid)).at(-1)).toEqual([
      6,
      ['pending one']
    ])
  })
})

describe('the tracker', () => {
  const create = (id: string, title: string): object =>
    use('tracker_create_task', id, { title, description: 'd', type: 'task' })
  const update = (id: string, task: string, status: string): object =>
    use('tracker_update_task', id, { id: task, status })

  test('its whole list precedes the results', () => {
    const seen = read(
      create('a', 'Parse'),
      answered('a'),
      update('b', '4aba5d', 'in_progress'),
      answered('b'),
      update('c', '4aba5d', 'closed'),
      answered('c')
    )
    expect(listsOf(seen)).toEqual([
      [2, ['pending Parse']],
      [4, ['in_progress Parse']],
      [6, ['completed Parse']]
    ])
    expect(wordsOf(seen)).toEqual([
      ...['list Parse', 'done a tracker_create_task', 'list Parse', 'done b tracker_update_task'],
      ...['list Parse', 'done c tracker_update_task']
    ])
    expect(seen.folded[0]).toMatchObject({ body: -1, draft: { todoId: 'a' } })
    expect(seen.issues).toEqual([])
  })

  test('ids are not in the log: an update that could mean several tasks is of one more, with a notice', () => {
    const seen = read(
      create('a', 'A'),
      create('b', 'B'),
      answered('b'),
      answered('a'),
      update('c', '9baa06', 'blocked'),
      answered('c')
    )
    expect(listsOf(seen).at(-1)).toEqual([6, ['pending A', 'pending B', 'pending Task 9baa06']])
    expect(seen.issues).toMatchObject([{ line: 6, code: 'UnknownTask', path: '$.tool_id' }])
  })

  test('a refused call changes no list', () => {
    const seen = read(create('a', 'A'), answered('a'), update('b', 'ffffff', 'closed'), refused('b'))
    expect(listsOf(seen)).toEqual([[2, ['pending A']]])
    expect(wordsOf(seen)).toEqual(['list A', 'done a tracker_create_task', 'failed b tracker_update_task'])
  })

  test('durations of calls are between the times of call and result', () => {
    const later = (record: object, seconds: number): object => ({
      ...record,
      timestamp: new Date(time + seconds * 1000).toISOString()
    })
    const todos = use('write_todos', 'b', { todos: [] })
    const { folded } = read(
      ...[create('a', 'A'), todos, use('glob', 'c', {}), use('glob', 'd', {})],
      ...[later(answered('a'), 1), later(refused('b'), 2), later(answered('c'), 3), answered('d')]
    )
    const took = folded.flatMap(({ draft, tookMs }) => (draft.type === 'tool.completed' ? [tookMs] : []))
    expect(took).toEqual([1000, 2000, 3000, undefined])
  })
})

describe('what is required', () => {
  test.each([
    [{ type: 'init', timestamp, model: 'm' }, '$.session_id'],
    [{ type: 'init', timestamp, session_id: 's' }, '$.model'],
    [{ type: 'init', session_id: 's', model: 'm' }, '$.timestamp'],
    [{ type: 'message', timestamp, content: 'x' }, '$.role'],
    [{ type: 'message', timestamp, role: 'user', content: [{ text: 'x' }] }, '$.content'],
    [{ type: 'tool_use', timestamp, tool_id: 'a', parameters: {} }, '$.tool_name'],
    [{ type: 'tool_use', timestamp, tool_name: 't', tool_id: 'a', parameters: [] }, '$.parameters'],
    [{ type: 'tool_result', timestamp, tool_id: 'a' }, '$.status'],
    [{ type: 'tool_result', timestamp, tool_id: 'a', status: 'error', error: { type: 'x' } }, '$.error.message'],
    [{ type: 'tool_result', timestamp, tool_id: 'a', status: 'success', output: [] }, '$.output'],
    [{ type: 'error', timestamp, message: 'x' }, '$.severity'],
    [{ type: 'error', timestamp, severity: 'error' }, '$.message'],
    [{ type: 'result', timestamp }, '$.status'],
    [{ type: 'result', timestamp, status: 'error', error: 'x' }, '$.error'],
    [{ type: 'result', timestamp, status: 'success', stats: 7 }, '$.stats'],
    [{ timestamp }, '$.type'],
    [{ type: 7 }, '$.type']
  ])('%j lacks %s', (value, path) => {
    expect(read(value).issues).toMatchObject([{ code: 'TypedParse', path }])
  })

  test.each(['null', '42', '[]', '"text"'])('%s is no record', (line) => {
    const { issues, lines, drafts } = read(line)
    expect(issues).toMatchObject([{ code: 'TypedParse', path: '$' }])
    expect([lines, drafts]).toEqual([[1], []])
  })

  test('a record that lacks something is still read', () => {
    expect(read({ type: 'message', role: 'user', content: 'x' }).folded).toMatchObject([
      { draft: { text: 'x' }, timestamp: 0, timestampFrom: 'previous' }
    ])
    expect(read({ type: 'init', timestamp: '[trimmed]', session_id: 's' }).folded).toMatchObject([
      { draft: { type: 'session.started' }, sessionId: 's', timestamp: 0 }
    ])
  })

  test('an unknown record is a notice that does not quote it', () => {
    const { issues, drafts } = read(record('thread.started', { secret: 'hunter2' }), { type: 'constructor', timestamp })
    expect(issues).toMatchObject([{ code: 'UnknownType' }, { code: 'UnknownType' }])
    expect(JSON.stringify(issues)).not.toContain('hunter')
    expect(drafts).toEqual([])
  })
})

test('a line that is not JSON has an error event; one that the source ends in has its text', () => {
  const whole = { line: 1, offset: 0, length: 5, bytes: utf8.encode('{"a": secret'), terminated: true }
  expect(decodeLine(geminiStreamJson, whole).decoded?.drafts).toMatchObject([
    { type: 'error', code: 'JSONL_PARSE_ERROR' }
  ])
  const cut = decodeLine(geminiStreamJson, { ...whole, terminated: false })
  expect(cut.decoded?.drafts).toEqual([{ type: 'text', text: '{"a": secret', category: 'unparsed' }])
  expect(JSON.stringify(cut.decoded?.issues)).not.toContain('secret')
})
