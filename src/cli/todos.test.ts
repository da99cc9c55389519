import { describe, expect, test } from 'vitest'
import { file, good, init, json, jsonl, playhead, todoWrite } from '../../test/command-line.ts'

describe('todos', () => {
  const path = () => file('todos.jsonl', good)

  test('one line per snapshot, with what it changed', async () => {
    const { code, out } = await playhead('todos', path(), '--json')
    expect(code).toBe(0)
    const lines = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    expect(lines).toEqual([
      {
        seq: 2,
        line: 3,
        timestamp: Date.parse('2026-01-02T03:04:05.000Z'),
        agentId: 'claude-code',
        trackId: null,
        todoId: 't1',
        items: [{ text: 'Read', status: 'in_progress' }],
        changes: [{ kind: 'added', text: 'Read', to: 'in_progress' }],
        dropped: 0
      },
      expect.objectContaining({ seq: 3, trackId: 'sub', changes: [{ kind: 'added', text: 'Look', to: 'pending' }] }),
      expect.objectContaining({
        seq: 5,
        trackId: null,
        changes: [
          { kind: 'status', text: 'Read', from: 'in_progress', to: 'completed' },
          { kind: 'added', text: 'Write', to: 'pending' }
        ]
      })
    ])
    expect((await playhead('todos', path())).out.split('\n')).toEqual([
      'event 2  line 3  main agent  0/1  1 added',
      'event 3  line 4  sub  0/1  1 added',
      'event 5  line 6  main agent  1/2  Read, 1 added',
      ''
    ])
  })

  test('--at: the lists as they were after that event, the main agent first', async () => {
    const at = async (seq: string) =>
      (await playhead('todos', path(), '--at', seq, '--json')).out
        .trimEnd()
        .split('\n')
        .map((line) => {
          const { seq: of, trackId, todoId, items } = JSON.parse(line) as Record<string, unknown>
          return [of, trackId, todoId, (items as unknown[]).length]
        })
    expect(await at('1')).toEqual([[1, null, null, 0]])
    expect(await at('2')).toEqual([[2, null, 't1', 1]])
    expect(await at('4')).toEqual([
      [2, null, 't1', 1],
      [3, 'sub', 't2', 1]
    ])
    expect(await at('5')).toEqual([
      [5, null, 't3', 2],
      [3, 'sub', 't2', 1]
    ])
    expect((await playhead('todos', path(), '--at', '5')).out).toBe(
      'event 5  line 6  main agent  1/2\n  [x] Read\n  [ ] Write\nevent 3  line 4  sub  0/1\n  [ ] Look\n'
    )
    expect((await playhead('todos', path(), '--at', '0')).out).toBe('event 0  no todo list yet\n')
  })

  test('what was dropped is named and counted; a list that is stated again as it was is no line', async () => {
    const log = file(
      'dropped.jsonl',
      jsonl(
        init,
        todoWrite('t1', [
          ['Read', 'completed'],
          ['Ask', 'pending'],
          ['Write', 'in_progress']
        ]),
        todoWrite('t2', [
          ['Read', 'completed'],
          ['Ask', 'pending'],
          ['Write', 'in_progress']
        ]),
        todoWrite('t3', [['Read', 'completed']]),
        todoWrite('t4', [
          ['Read', 'completed'],
          ['Write', 'completed']
        ])
      )
    )
    expect((await playhead('todos', log)).out.split('\n')).toEqual([
      'event 1  line 2  main agent  1/3  3 added',
      'event 3  line 4  main agent  1/1  2 dropped (Ask, Write)',
      'event 4  line 5  main agent  2/2  1 added',
      ''
    ])
    const lines = (await playhead('todos', log, '--json')).out.trimEnd().split('\n')
    const printed = lines.map((line) => JSON.parse(line) as { dropped: number; changes: object[] })
    expect(printed.map(({ dropped }) => dropped)).toEqual([0, 2, 1])
    expect(printed[1]?.changes).toEqual([
      { kind: 'removed', text: 'Ask', from: 'pending', dropped: true },
      { kind: 'removed', text: 'Write', from: 'in_progress', dropped: true }
    ])
    expect((await playhead('todos', log, '--at', '4')).out).toBe(
      'event 4  line 5  main agent  2/2\n  [x] Read\n  [x] Write\n  dropped: Ask\n'
    )
    expect(await json('stats', log)).toMatchObject({ todoSnapshots: 3, byType: { todo_list: 4 } })
  })

  test.each(['6', 'x', '1.5', '99999999999999999999', ''])(
    '--at %j is refused with the range there is',
    async (seq) => {
      expect(await playhead('todos', path(), `--at=${seq}`)).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('from 0 to 5')
      })
    }
  )

  test('--at in a log without events', async () => {
    expect(await playhead('todos', file('none', ''), '--at', '0')).toMatchObject({
      code: 2,
      err: expect.stringContaining('no events')
    })
  })
})
