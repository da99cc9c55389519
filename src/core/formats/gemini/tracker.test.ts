import { describe, expect, test } from 'vitest'
import { displayedTasks, trackerCall, TrackerList, madeTask } from './tracker.ts'

/** Adds a call and its result. */
function done(list: TrackerList, id: string, tool: string, input: object): ReturnType<TrackerList['result']> {
  const call = trackerCall(tool, input as never)
  if (call === null) throw new Error(`${tool} is no call that changes the list`)
  list.call(id, call)
  return list.result(id, false)
}

const create = (list: TrackerList, title: string): ReturnType<TrackerList['result']> =>
  done(list, `create ${title}`, 'tracker_create_task', { title, description: 'd', type: 'task' })
const update = (list: TrackerList, id: string, change: object): ReturnType<TrackerList['result']> =>
  done(list, `update ${id}`, 'tracker_update_task', { id, ...change })

describe('tools', () => {
  test('two change the list; the others are ordinary tools', () => {
    expect(trackerCall('tracker_create_task', { title: 'A' })).toEqual({ tool: 'create', title: 'A' })
    expect(trackerCall('tracker_update_task', { id: 'x1', status: 'closed' })).toEqual({
      tool: 'update',
      id: 'x1',
      title: undefined,
      status: 'completed'
    })
    for (const tool of ['get_task', 'list_tasks', 'visualize', 'add_dependency']) {
      expect(trackerCall(`tracker_${tool}`, {})).toBeNull()
    }
  })

  test.each([
    ['open', 'pending'],
    ['in_progress', 'in_progress'],
    ['blocked', 'pending'],
    ['closed', 'completed'],
    ['done', undefined],
    [7, undefined]
  ])('status %s is %s', (status, expected) => {
    expect(trackerCall('tracker_update_task', { id: 'x', status })).toMatchObject({ status: expected })
  })

  test('an input of any shape is a call', () => {
    for (const input of [null, 7, 'x', [], {}, { title: 7, id: 7 }]) {
      expect(trackerCall('tracker_create_task', input)).toEqual({ tool: 'create', title: undefined })
      expect(trackerCall('tracker_update_task', input)).toMatchObject({ tool: 'update', id: undefined })
    }
  })

  test('a title is cut where it is no title any more', () => {
    const call = trackerCall('tracker_create_task', { title: 'x'.repeat(10_000) })
    expect(call).toEqual({ tool: 'create', title: `${'x'.repeat(500)}…` })
  })
})

describe('the list', () => {
  test('takes a task at the result of its creation, in the order of the calls', () => {
    const list = new TrackerList()
    list.call('1', { tool: 'create', title: 'first' })
    list.call('2', { tool: 'create', title: 'second' })
    expect(list.result('2', false).items).toEqual([{ text: 'second', status: 'pending' }])
    expect(list.result('1', false).items?.map((item) => item.text)).toEqual(['first', 'second'])
  })

  test('a refused creation, a refused update and an unknown call change nothing', () => {
    const list = new TrackerList()
    create(list, 'kept')
    list.call('1', { tool: 'create', title: 'refused' })
    expect(list.result('1', true)).toEqual({ items: null, issue: null })
    list.call('2', { tool: 'update', id: 'x', title: undefined, status: 'completed' })
    expect(list.result('2', true)).toEqual({ items: null, issue: null })
    expect(list.result('3', false)).toEqual({ items: null, issue: null })
    expect(create(list, 'next').items?.map((item) => item.text)).toEqual(['kept', 'next'])
  })

  test('an unknown id is that of the only task without one', () => {
    const list = new TrackerList()
    create(list, 'A')
    expect(update(list, 'aaaaaa', { status: 'closed' })).toEqual({
      items: [{ text: 'A', status: 'completed' }],
      issue: null
    })
    create(list, 'B')
    expect(update(list, 'bbbbbb', { status: 'in_progress', title: 'B, renamed' }).items).toEqual([
      { text: 'A', status: 'completed' },
      { text: 'B, renamed', status: 'in_progress' }
    ])
    expect(update(list, 'aaaaaa', { status: 'open' }).items?.[0]).toEqual({ text: 'A', status: 'pending' })
  })

  test('with several candidates or none it is a task of its own, with one issue', () => {
    const list = new TrackerList()
    create(list, 'A')
    create(list, 'B')
    const first = update(list, '9baa06', { status: 'in_progress' })
    expect(first.items).toEqual([
      { text: 'A', status: 'pending' },
      { text: 'B', status: 'pending' },
      { text: 'Task 9baa06', status: 'in_progress' }
    ])
    expect(first.issue).toMatchObject({ code: 'UnknownTask' })
    const again = update(list, '9baa06', { status: 'closed' })
    expect(again.items?.[2]).toEqual({ text: 'Task 9baa06', status: 'completed' })
    expect(again.issue).toBeNull()
    const empty = new TrackerList()
    expect(update(empty, 'ffffff', { status: 'closed' }).items).toEqual([{ text: 'Task ffffff', status: 'completed' }])
  })

  test('an id that the answer to a creation states is that of its task', () => {
    const list = new TrackerList()
    for (const [call, title] of [
      ['1', 'A'],
      ['2', 'B']
    ] as const)
      list.call(call, { tool: 'create', title })
    list.result('2', false, madeTask('Created task 9baa06: B'))
    list.result('1', false, madeTask('Created task 4ccd41: A'))
    expect(update(list, '9baa06', { status: 'closed' })).toEqual({
      items: [
        { text: 'A', status: 'pending' },
        { text: 'B', status: 'completed' }
      ],
      issue: null
    })
    expect(madeTask('Task 9baa06 created')).toBeUndefined()
  })

  test('an update cannot mean a task that was made after it was called', () => {
    const list = new TrackerList()
    create(list, 'A')
    list.call('make B', { tool: 'create', title: 'B' })
    list.call('update', { tool: 'update', id: 'aaaaaa', title: undefined, status: 'completed' })
    list.result('make B', false)
    expect(list.result('update', false)).toEqual({
      items: [
        { text: 'A', status: 'completed' },
        { text: 'B', status: 'pending' }
      ],
      issue: null
    })
  })

  test('an update without a change emits no list', () => {
    const list = new TrackerList()
    create(list, 'A')
    update(list, 'aaaaaa', { status: 'closed' })
    expect(update(list, 'aaaaaa', { status: 'closed', dependencies: ['bbbbbb'] }).items).toBeNull()
    expect(done(list, 'x', 'tracker_update_task', { status: 'closed' }).items).toBeNull()
  })

  test('does not grow without bound', () => {
    const list = new TrackerList()
    for (let index = 0; index < 200; index += 1) create(list, `task ${index}`)
    expect(create(list, 'one more')).toMatchObject({ items: null, issue: { code: 'UnknownTask' } })
    expect(update(list, 'ffffff', { status: 'closed' })).toMatchObject({ items: null, issue: { code: 'UnknownTask' } })
  })
})

describe('the list as a result displays it', () => {
  test('without the type, the id and the depth of a task', () => {
    const todos = [
      { description: 'epic: Build parser (9f5135)', status: 'in_progress' },
      { description: '  task: Claude format (stream) (4aba5d)', status: 'blocked' },
      { description: '    bug: a: b', status: 'completed' },
      { description: '  [669633] [TASK] Codex format', status: 'pending' },
      { description: '[CYCLE DETECTED: 9f5135]', status: 'cancelled' },
      { description: '', status: 'pending' },
      null
    ]
    expect(displayedTasks({ todos })).toEqual([
      { text: 'Build parser', status: 'in_progress' },
      { text: 'Claude format (stream)', status: 'pending' },
      { text: '    bug: a: b', status: 'completed' },
      { text: 'Codex format', status: 'pending' },
      { text: '[CYCLE DETECTED: 9f5135]', status: 'cancelled' }
    ])
  })

  test('a display that is no list', () => {
    for (const display of [undefined, null, 'Failed to update task.', {}, { todos: 'x' }, []]) {
      expect(displayedTasks(display)).toBeNull()
    }
  })

  test('a text of any length is read in time', () => {
    const text = `task: ${'(a '.repeat(100_000)}`
    expect(displayedTasks({ todos: [{ description: text, status: 'pending' }] })?.[0]?.text).toBe(text)
  })
})
