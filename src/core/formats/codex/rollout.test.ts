import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonValue } from '../../json.ts'
import { LinesMarked, type PlacedMark } from '../../../../test/placed-marks.ts'
import type { FoldedEvent, RunFile } from '../log-format.ts'
import { RunReader } from '../run-reader.ts'
import { codexRollout } from './rollout.ts'

/** Whole sessions are fixtures; these tests need several files or a few lines. */

const time = (second: number): string => new Date(Date.UTC(2026, 4, 4, 10, 0, second)).toISOString()
let clock = 0

function line(type: string, payload: JsonObject): JsonObject {
  clock += 1
  return { timestamp: time(clock), type, payload }
}
const item = (payload: JsonObject): JsonObject => line('response_item', payload)
const event = (type: string, rest: JsonObject = {}): JsonObject => line('event_msg', { type, ...rest })
const userItem = (...texts: string[]): JsonObject =>
  item({ type: 'message', role: 'user', content: texts.map((text) => ({ type: 'input_text', text })) })
const userEvent = (message: string): JsonObject => event('user_message', { message })
const said = (text: string): JsonObject =>
  item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })
const call = (id: string, name: string, input: JsonObject): JsonObject =>
  item({ type: 'function_call', name, call_id: id, arguments: JSON.stringify(input) })
const output = (id: string, text: JsonValue): JsonObject =>
  item({ type: 'function_call_output', call_id: id, output: text })
const plan = (id: string, ...steps: string[]): JsonObject =>
  call(id, 'update_plan', { plan: steps.map((step) => ({ step, status: 'pending' })) })
const meta = (id: string, rest: JsonObject = {}): JsonObject => line('session_meta', { id, ...rest })

interface Log {
  readonly events: readonly FoldedEvent[]
  readonly marks: readonly PlacedMark[]
  readonly issues: readonly string[]
  readonly rows: number
}

interface Part extends RunFile {
  readonly lines: readonly JsonValue[]
}

function read(lines: readonly JsonValue[], files: readonly Part[] = []): Log {
  const events: FoldedEvent[] = []
  const marked = new LinesMarked()
  const issues: string[] = []
  let rows = 0
  const sources = files.map(({ name, callId }) => ({ name, callId, framing: 'lines' as const }))
  const reader = new RunReader(
    codexRollout,
    {
      line: (read) => {
        rows += read.blank ? 0 : 1
        events.push(...read.events)
        marked.add(read.at, read.marks)
        issues.push(...read.issues.map(({ code, path }) => `${code} ${path}`))
      },
      end: (more, moreMarks) => {
        events.push(...more)
        marked.end(moreMarks)
      }
    },
    { files: sources }
  )
  for (const [index, part] of [lines, ...files.map((file) => file.lines)].entries()) {
    reader.push(index, new TextEncoder().encode(part.map((record) => `${JSON.stringify(record)}\n`).join('')))
    reader.endFile(index)
  }
  reader.end()
  return { events, marks: marked.marks, issues, rows }
}

/** An event in short, with its track. */
function words({ draft, trackId, toolName }: FoldedEvent): string {
  const track = trackId === undefined ? '' : `[${trackId}] `
  switch (draft.type) {
    case 'text':
      return `${track}${draft.category}: ${draft.text}`
    case 'todo_list':
      return `${track}todos ${draft.todoId}: ${draft.items.map(({ text }) => text).join(', ')}`
    case 'tool.started':
      return `${track}${draft.toolName} ${draft.toolId}`
    case 'tool.completed':
      return `${track}done ${draft.toolId}${toolName === undefined ? '' : ` by ${toolName}`}`
    case 'turn.completed':
      return `${track}turn ${draft.finishReason}`
    default:
      return `${track}${draft.type}`
  }
}
const told = (lines: readonly JsonValue[]): string[] => read(lines).events.map(words)

describe('what the user typed', () => {
  test('is the event; messages in the user name are records, wherever they stand', () => {
    expect(told([userItem('typed'), userEvent('typed'), said('a'), userItem('put in')])).toEqual([
      'user-message: typed',
      'assistant-message: a'
    ])
  })

  test('is the message where the agent goes to work without an event', () => {
    expect(told([userItem('<environment_context>x'), userItem('typed'), line('world_state', {}), said('a')])).toEqual([
      'user-message: typed',
      'assistant-message: a'
    ])
  })

  test('is known by the kinds of its parts from 0.15x on', () => {
    const message = { ...userItem('<b>bold</b>', 'context') }
    const payload = {
      ...(message['payload'] as JsonObject),
      internal_chat_message_metadata_passthrough: {
        content_item_kinds: ['user.text', 'environments.environment_context']
      }
    }
    expect(told([item(payload), said('a')])).toEqual(['user-message: <b>bold</b>', 'assistant-message: a'])
  })

  test.each([
    ...['<environment_context>', '<user_instructions>', '# AGENTS.md instructions for /x', '<turn_aborted>', '<skill>'],
    ...['<recommended_plugins>', '<subagent_notification>', '# Context from my IDE setup:\n## Open tabs']
  ])('is not a text that begins with %j', (text) => {
    expect(told([userItem(text), said('a')])).toEqual(['assistant-message: a'])
  })

  test('is what an IDE sent with its context', () => {
    const text = '# Context from my IDE setup:\n\n## My request for Codex:\nfix it'
    expect(told([userItem(text), said('a')])).toEqual([`user-message: ${text}`, 'assistant-message: a'])
  })

  test('is not waited for without end', () => {
    const events: FoldedEvent[] = []
    const fold = codexRollout.createFold({})
    const give = (record: JsonObject, index: number): void => {
      const at = { line: index + 1, offset: index * 10, length: 9 }
      events.push(...fold.add(at, codexRollout.decode(record, at)).events)
    }
    give(userItem('typed'), 0)
    for (let index = 1; index < 200; index += 1) give(line('world_state', {}), index)
    expect(events).toEqual([])
    give(line('world_state', {}), 200)
    expect(events.map(words)).toEqual(['user-message: typed'])
    expect(events[0]?.at.line).toBe(1)
  })

  test('is known at the end of a file that stops there', () => {
    expect(told([userItem('typed'), line('world_state', {})])).toEqual(['user-message: typed'])
  })
})

describe('texts that stand twice', () => {
  test('are emitted once each, in either order', () => {
    const twin = (text: string): JsonObject => event('agent_message', { message: text })
    expect(told([userEvent('p'), said('a'), twin('a'), twin('b'), said('b'), twin('a'), said('a')])).toEqual([
      'user-message: p',
      'assistant-message: a',
      'assistant-message: b',
      'assistant-message: a'
    ])
  })

  test('are matched within one turn only', () => {
    const first = [event('task_started'), said('a'), event('task_complete')]
    const second = [event('task_started'), event('agent_message', { message: 'a' })]
    expect(told([...first, ...second])).toEqual(['assistant-message: a', 'turn done', 'assistant-message: a'])
  })

  test('are no twins if one is a thought', () => {
    expect(told([said('a'), event('agent_reasoning', { text: 'a' })])).toEqual(['assistant-message: a', 'reasoning: a'])
  })
})

describe('plans', () => {
  test('count at once and stay where they are accepted', () => {
    expect(told([plan('1', 'a'), output('1', 'Plan updated'), plan('2'), output('2', 'Plan updated')])).toEqual([
      'todos 1: a',
      'done 1 by update_plan',
      'todos 2: ',
      'done 2 by update_plan'
    ])
  })

  test('that are rejected leave the list as it was', () => {
    const lines = [
      plan('1', 'a'),
      output('1', 'Plan updated'),
      plan('2', 'b'),
      output('2', 'unsupported call: update_plan')
    ]
    expect(told(lines)).toEqual([
      'todos 1: a',
      'done 1 by update_plan',
      'todos 2: b',
      'done 2 by update_plan',
      'todos 2: a'
    ])
  })

  test('without a literal have no list; their result is emitted', () => {
    const bad = item({ type: 'function_call', name: 'update_plan', call_id: '1', arguments: '{"plan":' })
    const error = 'failed to parse function arguments: EOF'
    const { events } = read([bad, output('1', error)])
    expect(events).toMatchObject([
      { draft: { type: 'tool.completed', toolId: '1', error }, toolName: 'update_plan', tookMs: 1000 }
    ])
  })

  test('are known by their result if the call is missing', () => {
    expect(told([output('1', 'Plan updated')])).toEqual(['done 1 by update_plan'])
  })

  test('in a script are lists of the script, which has the answer; one that fails brings back the list before', () => {
    const script = (id: string, step: string): JsonObject =>
      item({
        type: 'custom_tool_call',
        name: 'exec',
        call_id: id,
        input: `await tools.update_plan({plan:[{step:"${step}",status:"pending"}]})`
      })
    const answer = (id: string, head: string): JsonObject =>
      item({ type: 'custom_tool_call_output', call_id: id, output: `${head}\nWall time 0.5 seconds\nOutput:\nx` })
    const lines = [script('1', 'a'), answer('1', 'Script completed'), script('2', 'b'), answer('2', 'Script failed')]
    expect(told(lines)).toEqual([
      ...['exec 1', 'todos 1: a', 'done 1'],
      ...['exec 2', 'todos 2: b', 'done 2', 'todos 2: a']
    ])
  })

  test('in a script that is no literal are reported', () => {
    const script = item({ type: 'custom_tool_call', name: 'exec', call_id: '1', input: 'tools.update_plan(p)' })
    const log = read([script])
    expect(log.issues).toEqual(['PlanNotRead $.payload.input'])
    expect(log.events.map(words)).toEqual(['exec 1'])
  })

  test('in what is no script are no plans', () => {
    const patch = item({
      type: 'custom_tool_call',
      name: 'apply_patch',
      call_id: '1',
      input: 'tools.update_plan({plan:[]})'
    })
    expect(told([patch])).toEqual(['apply_patch 1'])
  })
})

describe('calls recorded by the interface', () => {
  const changes = { '/work/a.js': { type: 'add', content: 'x' } }
  const patchEnd = (id: string): JsonObject =>
    event('patch_apply_end', { call_id: id, success: true, stdout: 'Success.', stderr: '', changes })
  const fileChange = (id: string): JsonObject =>
    event('item_completed', { item: { type: 'FileChange', id, changes, status: 'completed' } })
  const patchCall = (id: string): JsonObject =>
    item({ type: 'custom_tool_call', name: 'apply_patch', call_id: id, input: '*** Begin Patch' })

  test.each([
    ['patch_apply_end', patchEnd('exec-1')],
    ['FileChange', fileChange('exec-1')]
  ])('a patch that only %s tells of has its changes under their name', (_, line) => {
    const [started] = read([line]).events
    expect(started?.draft).toMatchObject({ type: 'tool.started', toolName: 'apply_patch', input: { changes } })
  })

  test.each([
    ['after', [patchCall('1'), patchEnd('1'), fileChange('1'), output('1', 'Success.')]],
    ['before', [patchEnd('1'), patchCall('1'), output('1', 'Success.')]],
    ['before', [fileChange('1'), patchCall('1'), output('1', 'Success.')]]
  ])('are no second calls where they stand %s them', (_, lines) => {
    expect(told(lines).filter((words) => words === 'apply_patch 1')).toHaveLength(1)
    expect(told(lines).at(-1)).toBe('done 1')
  })

  test('an id that a later turn uses again is that of another call', () => {
    const lines = [
      call('1', 'shell', {}),
      output('1', 'a'),
      patchEnd('1'),
      call('1', 'shell', { of: 2 }),
      output('1', 'b')
    ]
    expect(told(lines)).toEqual(['shell 1', 'done 1', 'shell 1', 'done 1'])
  })
})

test('a local shell answers by a record of its own, as in the documents of early 2025', () => {
  const shell = {
    type: 'local_shell_call',
    call_id: '1',
    status: 'completed',
    action: { type: 'exec', command: ['ls'] }
  }
  const answer = { type: 'local_shell_call_output', call_id: '1', output: '{"output":"a","metadata":{"exit_code":0}}' }
  const log = read([shell, answer])
  expect(log.events.map(words)).toEqual(['local_shell 1', 'done 1'])
  expect(log.issues).toEqual([])
})

describe('payloads without a type', () => {
  test.each(['event_msg', 'response_item'])('of %s lack it, which is all that is said of them', (type) => {
    expect(read([line(type, {})]).issues).toEqual(['TypedParse $.payload.type'])
  })
})

describe('turns', () => {
  const tokens = (total: number, last: number): JsonObject =>
    event('token_count', {
      info: { total_token_usage: { input_tokens: total }, last_token_usage: { input_tokens: last } }
    })
  const ends = (lines: readonly JsonValue[]): unknown[] =>
    read(lines).events.flatMap(({ draft }) => (draft.type === 'turn.completed' ? [draft] : []))

  test('cost what the counts of the thread grew by, of which a resumed file has more than it tells', () => {
    const done = event('task_complete')
    const lines = [event('task_started'), tokens(500, 100), tokens(700, 200), tokens(700, 200), done]
    expect(ends([...lines, event('task_started'), tokens(750, 50), done, event('task_started'), done])).toEqual([
      { type: 'turn.completed', finishReason: 'done', usage: { input_tokens: 300 } },
      { type: 'turn.completed', finishReason: 'done', usage: { input_tokens: 50 } },
      { type: 'turn.completed', finishReason: 'done' }
    ])
  })

  test('cost all that is counted where counting began anew', () => {
    const lines = [event('task_started'), tokens(500, 500), event('task_complete')]
    const [, second] = ends([...lines, event('task_started'), tokens(80, 80), event('task_complete')])
    expect(second).toMatchObject({ usage: { input_tokens: 80 } })
  })

  test('have the model and the tokens that records of their own state', () => {
    const record = line('token_usage_record', { turn_token_usage: { input_tokens: 7, note: 'x' } })
    const lines = [event('task_started'), line('turn_context', { model: 'gpt' }), record, event('task_complete')]
    expect(ends(lines)).toEqual([
      { type: 'turn.completed', finishReason: 'done', model: 'gpt', usage: { input_tokens: 7 } }
    ])
  })

  test('end at the next prompt without another sign, if the agent acted', () => {
    expect(told([userEvent('a'), userEvent('b'), said('x'), userEvent('c')])).toEqual([
      'user-message: a',
      'user-message: b',
      'assistant-message: x',
      'turn done',
      'user-message: c'
    ])
  })

  test('are not ended by what is written of them after they were aborted', () => {
    const aborted = event('turn_aborted', { reason: 'interrupted' })
    expect(told([userEvent('a'), call('1', 'shell', {}), aborted, output('1', 'aborted'), userEvent('b')])).toEqual([
      'user-message: a',
      'shell 1',
      'turn cancelled',
      'done 1',
      'user-message: b'
    ])
  })

  test('that are taken back are marked from their first line on', () => {
    const turn = (text: string): JsonObject[] => [
      event('task_started'),
      userItem(text),
      userEvent(text),
      said('x'),
      event('task_complete')
    ]
    const { marks } = read([...turn('a'), ...turn('b'), ...turn('c'), event('thread_rolled_back', { num_turns: 2 })])
    expect(marks.map(({ at, mark }) => `${at.line} ${mark}`)).toEqual(
      [6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((at) => `${at} abandoned`)
    )
  })

  test('that end with the next prompt are taken back with what the agent did last, not with that prompt', () => {
    const turn = (text: string): JsonObject[] => [userEvent(text), said('x')]
    const { events, marks } = read([...turn('a'), ...turn('b'), event('thread_rolled_back', { num_turns: 1 })])
    const ends = events.filter(({ draft }) => draft.type === 'turn.completed')
    expect(ends.map(({ at, markedWith }) => [at.line, markedWith?.line])).toEqual([[3, 2]])
    expect(marks.map(({ at }) => at.line)).toEqual([3, 4])
  })
})

describe('subagents', () => {
  const child = (id: string, rest: JsonObject = {}): JsonObject => meta(id, { parent_thread_id: 'P', ...rest })
  const spawn = (id: string, input: JsonObject): JsonObject => call(id, 'spawn_agent', input)
  const trackOf = (lines: readonly JsonValue[], file: Part): string | undefined =>
    read(lines, [file]).events.find(({ at }) => at.file === file.name)?.trackId

  test('are tracks of the run, named by the call that asked for them', () => {
    const lines = [meta('P'), spawn('call_1', { message: 'look' })]
    const file = { name: 'c.jsonl', lines: [child('C'), said('from below')] }
    const log = read([...lines, said('from above')], [file])
    expect(log.events.map(words).sort()).toEqual(
      [
        'session.started',
        'spawn_agent call_1',
        '[call_1] assistant-message: from below',
        'assistant-message: from above'
      ].sort()
    )
    expect(new Set(log.events.map(({ sessionId }) => sessionId))).toEqual(new Set(['P']))
  })

  test.each<[string, JsonObject[], JsonObject, string | undefined]>([
    ['what the folder says', [spawn('call_1', {}), spawn('call_2', {})], {}, 'call_2'],
    [
      'the activity of the parent',
      [event('sub_agent_activity', { event_id: 'call_2', agent_thread_id: 'C' })],
      {},
      undefined
    ],
    [
      'the item of the activity',
      [event('item_completed', { item: { type: 'SubAgentActivity', id: 'call_2', agent_thread_id: 'C' } })],
      {},
      undefined
    ],
    [
      'the end of the spawn',
      [event('collab_agent_spawn_end', { call_id: 'call_2', new_thread_id: 'C' })],
      {},
      undefined
    ],
    [
      'the answer of the spawn',
      [spawn('call_1', {}), spawn('call_2', {}), output('call_2', '{"agent_id":"C"}')],
      {},
      undefined
    ],
    [
      'the name of the task',
      [spawn('call_1', { task_name: 'a' }), spawn('call_2', { task_name: 'b' })],
      { agent_path: '/root/b' },
      undefined
    ]
  ])('are linked by %s', (_, lines, rest, callId) => {
    const parent = [meta('P'), ...lines]
    expect(trackOf(parent, { name: 'c.jsonl', callId, lines: [child('C', rest), said('x')] })).toBe('call_2')
  })

  test('that no call is known of are named by their thread', () => {
    expect(trackOf([meta('P')], { name: 'c.jsonl', lines: [child('C'), said('x')] })).toBe('C')
  })

  test('repeat the history of their parent when forked: marked, and no events', () => {
    const head = meta('P')
    const history = [event('task_started', { turn_id: 'p1' }), userEvent('hello'), said('old words')]
    const own = [event('task_started', { turn_id: 'c1' }), said('new words')]
    const file = { name: 'c.jsonl', callId: 'call_1', lines: [child('C'), head, ...history, ...own] }
    const log = read([head, ...history], [file])
    expect(log.events.filter(({ at }) => at.file !== undefined).map(words)).toEqual([
      '[call_1] assistant-message: new words'
    ])
    expect(log.marks.map(({ at, mark }) => `${at.file} ${at.line} ${mark}`)).toEqual(
      [2, 3, 4, 5].map((at) => `c.jsonl ${at} duplicate`)
    )
    expect(log.rows).toBe(4 + 7)
  })
})

test('a repeated response item is a copy; one of the same id with another text is not', () => {
  const reply = (id: string, text: string): JsonObject =>
    item({ type: 'message', id, role: 'assistant', content: [{ type: 'output_text', text }] })
  const log = read([reply('m1', 'a'), reply('m1', 'a'), reply('m1', 'b')])
  expect(log.events.map(words)).toEqual(['assistant-message: a', 'assistant-message: b'])
  expect(log.marks.map(({ at, mark }) => `${at.line} ${mark}`)).toEqual(['2 duplicate'])
})

test('a time that is no date is that of the line before', () => {
  const { events } = read([said('a'), { ...said('b'), timestamp: '[trimmed]' }])
  expect(events[1]?.timestamp).toBe(events[0]?.timestamp)
  expect(events[1]?.timestampFrom).toBe('previous')
})

test('arguments nested too deeply stay out of the event', () => {
  const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`
  const { events, issues } = read([item({ type: 'function_call', name: 'f', call_id: '1', arguments: deep })])
  expect(events[0]?.draft).toMatchObject({ input: {} })
  expect(issues).toEqual(['TooDeep $.payload.arguments'])
})
