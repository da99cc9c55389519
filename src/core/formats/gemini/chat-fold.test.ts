import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FoldedEvent } from '../log-format.ts'
import { RunReader, type RunSource } from '../run-reader.ts'
import { stamp } from '../stamp.ts'
import { geminiChat } from './chat.ts'
import type { Seen } from '../../../../test/invented-chat.ts'
import { at, call, context, drafts, gemini, header, read, shortly, told, user } from '../../../../test/invented-chat.ts'

describe('turns', () => {
  const turns = (...records: object[]): string[] => told(read(records)).filter((line) => line.includes('turn'))
  const said = gemini('g', { content: 'Yes.' })

  test('end when the next prompt follows, and at the end after an answer', () => {
    expect(turns(user('u', 'a'), said, user('v', 'b'), gemini('h', { content: 'No.' }))).toEqual([
      '3 turn done',
      '4 turn done'
    ])
  })

  test('end at the end after calls of which none is open', () => {
    const failed = call('d', { status: 'error' })
    expect(turns(user('u', 'a'), gemini('g', { toolCalls: [call('c'), failed] }))).toEqual(['2 turn done'])
  })

  test('of an answer without a prompt do not end', () => {
    expect(turns(said, user('u', 'a'))).toEqual([])
  })

  test.each<[string, object]>([
    ['a call that goes on', gemini('g', { content: 'x', toolCalls: [call('c', { status: 'executing' })] })],
    [
      'calls of which one goes on',
      gemini('g', { content: 'x', toolCalls: [call('c'), call('d', { status: 'awaiting_approval' })] })
    ],
    ['a message without a word: its call was killed', gemini('g')],
    ['nothing', { $set: { lastUpdated: at(4) } }]
  ])('do not end at the end of a chat after %s', (_, last) => {
    expect(turns(user('u', 'a'), last)).toEqual([])
  })

  test('end with the last error', () => {
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

describe('todo lists', () => {
  const todos = (...items: [string, string][]): object => ({
    todos: items.map(([description, status]) => ({ description, status }))
  })
  const write = (id: string, args: object, more: object = {}): object =>
    call(id, { name: 'write_todos', args, ...more })
  const toolNames = ({ events }: Seen): (string | undefined)[] =>
    events.flatMap(({ draft, toolName }) => (draft.type === 'tool.completed' ? [toolName] : []))

  test('the call of `write_todos` is a list, and its result names it; `blocked` is pending; `[]` clears', () => {
    const calls = [
      write('a', todos(['one', 'in_progress'], ['two', 'blocked'], ['', 'pending'], ['three', 'cancelled'])),
      call('b', { name: 'write_todos_list', args: { todos: [] } })
    ]
    const seen = read([gemini('g', { toolCalls: calls })])
    expect(told(seen)).toEqual([
      '1 todos one in_progress, two pending, three cancelled',
      '1 done a: of a',
      '1 todos ',
      '1 done b: of b'
    ])
    expect(drafts(seen)).toMatchObject([{ todoId: 'a' }, { toolId: 'a' }, { todoId: 'b' }, { toolId: 'b' }])
    expect(toolNames(seen)).toEqual(['write_todos', 'write_todos_list'])
  })

  test('a refused call restores the list, after its result', () => {
    const first = write('a', todos(['one', 'pending']))
    const open = write('b', todos(['one', 'completed']), { status: 'executing', result: null })
    const refused = write('b', todos(['one', 'completed']), { status: 'error' })
    const seen = read([gemini('g', { toolCalls: [first, open] }), gemini('g', { toolCalls: [first, refused] })])
    expect(told(seen)).toEqual([
      '1 todos one pending',
      '1 done a: of a',
      '1 todos one completed',
      '2 failed b: of b',
      '2 todos one pending'
    ])
    expect(toolNames(seen)).toEqual(['write_todos', 'write_todos'])
  })

  test('an answer in the next message settles a call whose record does not say what came of it', () => {
    const open = (id: string, status: string): object =>
      write(id, todos(['one', status]), { status: 'executing', result: null })
    const answers = (id: string, response: object): object => ({
      functionResponse: { id, name: 'write_todos', response }
    })
    const seen = read([
      gemini('g', { toolCalls: [open('a', 'pending')] }),
      user('u', [answers('a', { output: 'ok' })]),
      gemini('h', { toolCalls: [open('b', 'completed')] }),
      user('v', [answers('b', { error: 'no' })])
    ])
    expect(told(seen)).toEqual([
      '1 todos one pending',
      '2 done a: ok',
      '3 todos one completed',
      '4 failed b: no',
      '4 todos one pending'
    ])
    expect(toolNames(seen)).toEqual(['write_todos', 'write_todos'])
  })

  test('a call without a list has only its result', () => {
    const seen = read([gemini('g', { toolCalls: [write('a', { todos: 'x' }, { status: 'error' })] })])
    expect(told(seen)).toEqual(['1 failed a: of a'])
    expect(toolNames(seen)).toEqual(['write_todos'])
  })

  const task = (id: string, name: string, more: object = {}): object =>
    call(id, { name, args: { title: 't' }, ...more })
  const shows = (...items: [string, string][]): object => ({ resultDisplay: todos(...items) })

  test('the tracker’s list is what a call shows, before its result; two calls that show the same are one change', () => {
    const both = shows(['task: Read (log) files (4aba5d)', 'in_progress'], ['  bug: Crash (9f5135)', 'blocked'])
    const calls = [task('a', 'tracker_create_task', both), task('b', 'tracker_create_task', both)]
    const seen = read([gemini('g', { toolCalls: calls })])
    expect(told(seen)).toEqual([
      '1 todos Read (log) files in_progress, Crash pending',
      '1 done a: of a',
      '1 done b: of b'
    ])
    expect(toolNames(seen)).toEqual(['tracker_create_task', 'tracker_create_task'])
  })

  test('a tracker call that fails changes no list; one that shows no list is an ordinary tool', () => {
    const failed = task('a', 'tracker_update_task', { status: 'error', resultDisplay: 'Failed to update task.' })
    const silent = task('b', 'tracker_update_task')
    const seen = read([gemini('g', { toolCalls: [failed, silent] })])
    expect(told(seen)).toEqual(['1 failed a: of a', '1 start b', '1 done b: of b'])
    expect(toolNames(seen)).toEqual(['tracker_update_task', undefined])
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
      const seen = read([gemini('g', { toolCalls: calls })])
      expect(told(seen)).toEqual(['1 start a', '1 todos Read pending', '1 done a: of a', '1 start b', '1 done b: of b'])
      expect(toolNames(seen)).toEqual([undefined, undefined])
    }
  )
})

describe('how long a call took', () => {
  const tookMs = ({ events }: Seen): (number | undefined)[] =>
    events.flatMap(({ draft, tookMs }) => (draft.type === 'tool.completed' ? [tookMs] : []))

  test('is the time from its message to its result', () => {
    expect(tookMs(read([gemini('g', { toolCalls: [call('a', { timestamp: at(5) })] })]))).toEqual([3000])
    const write = call('a', { name: 'write_todos', args: { todos: [] }, timestamp: at(4) })
    expect(tookMs(read([gemini('g', { toolCalls: [write] })]))).toEqual([2000])
    const open = gemini('g', { toolCalls: [call('a', { status: 'executing', timestamp: null, result: null })] })
    expect(tookMs(read([open, gemini('g', { toolCalls: [call('a', { timestamp: at(9) })] })]))).toEqual([7000])
  })

  test('is not known of one of several calls of a message: they may have waited for each other', () => {
    const calls = [call('a', { timestamp: at(5) }), call('b', { timestamp: at(8) })]
    expect(tookMs(read([gemini('g', { toolCalls: calls })]))).toEqual([undefined, undefined])
  })

  test('is not known of a result that does not say when it came', () => {
    expect(tookMs(read([gemini('g', { toolCalls: [call('a', { timestamp: null })] })]))).toEqual([undefined])
  })
})

describe('checkpoints and rewinds', () => {
  const checkpoint = (...messages: object[]): object => ({ $set: { messages, lastUpdated: at(9) } })
  const lines = ({ marks }: Seen): number[] => marks.map(({ at: { line } }) => line).sort((a, b) => a - b)

  test('the context a session starts with is nothing', () => {
    expect(told(read([header(), context, user('u', 'hi')]))).toEqual(['1 session', '3 user-message: hi'])
  })

  test('dropped messages are marked; only new ones are emitted', () => {
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
      '7 assistant-message: new',
      '8 turn done'
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

  test('a message that returns after a rewind is emitted again', () => {
    const seen = read([user('u', 'a'), gemini('g', { content: 'b' }), { $rewindTo: 'u' }, user('u', 'c')])
    expect(told(seen).at(-1)).toBe('4 user-message: c')
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
        // A session starts with an empty checkpoint.
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
    const ids = seen.events
      .map((event) => stamp(event, geminiChat))
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
