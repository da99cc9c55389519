import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Host, LogStatus, MethodName, Params, Result, TodoSnapshot } from '#contract/methods.ts'
import { HostError } from '#contract/host-error.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import type { TodoItem } from '#core/events/todo.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost } from '../../../../test/page/host.ts'
import { TodoPanel } from './todo-panel.tsx'

/** Ten events of the main agent, except event 6; lists at events 2, 5, 6 (of the subagent) and 8 (cleared). */
const events = 10
const snapshots: TodoSnapshot[] = [
  snapshot(
    0,
    2,
    null,
    [item('Read', 'pending'), item('Write', 'pending'), item('Ask', 'pending')],
    [
      { kind: 'added', text: 'Read', to: 'pending' },
      { kind: 'added', text: 'Write', to: 'pending' },
      { kind: 'added', text: 'Ask', to: 'pending' }
    ]
  ),
  snapshot(
    1,
    5,
    null,
    [item('Read', 'completed'), item('Write', 'in_progress')],
    [
      { kind: 'removed', text: 'Ask', from: 'pending', dropped: true },
      { kind: 'status', text: 'Read', from: 'pending', to: 'completed' },
      { kind: 'status', text: 'Write', from: 'pending', to: 'in_progress' }
    ],
    1
  ),
  snapshot(2, 6, 'call-1', [item('Check', 'pending')], [{ kind: 'added', text: 'Check', to: 'pending' }]),
  snapshot(
    3,
    8,
    null,
    [],
    [
      { kind: 'removed', text: 'Read', from: 'completed' },
      { kind: 'removed', text: 'Write', from: 'in_progress', dropped: true }
    ],
    2
  )
]

function item(text: string, status: TodoItem['status']): TodoItem {
  return { text, status }
}

function snapshot(
  index: number,
  seq: number,
  trackId: string | null,
  items: TodoItem[],
  changes: TodoSnapshot['changes'],
  dropped = 0
): TodoSnapshot {
  const place = { index, seq, row: seq, line: seq + 1, timestamp: seq, trackId, todoId: 'todos' }
  const lanes = items.map((_, at) => at)
  return {
    ...place,
    items,
    changes,
    moreChanges: 0,
    dropped,
    lanes,
    sinceSeq: items.map(() => seq),
    since: items.map(() => seq),
    tookMs: items.map(() => null),
    edited: [],
    returned: []
  }
}

const status: LogStatus = {
  log: 'log-1',
  path: '/runs/a.jsonl',
  name: 'a.jsonl',
  phase: 'done',
  error: null,
  format: 'claude-stream-json',
  formatTitle: 'Claude Code stream-json',
  formatNote: null,
  notes: [],
  files: [],
  missing: { named: 0, perhaps: false },
  bytes: 1000,
  bytesRead: 1000,
  lines: events,
  rows: events,
  events,
  generation: 1,
  generationNote: null,
  settled: { rows: 2, events: 2, todoSnapshots: 2 },
  fileState: 'there',
  grownAt: null,
  waitingBytes: 0,
  savedRows: 0,
  marked: 0,
  todoSnapshots: snapshots.length,
  issues: { malformed: 0, violation: 0, notice: 0 },
  failedCalls: 0,
  firstTimestamp: 0,
  lastTimestamp: events,
  model: null,
  sessionId: null,
  agent: 'claude-code',
  tools: [],
  tracks: [
    { trackId: null, label: 'main', depth: 0, call: -1 },
    { trackId: 'call-1', label: 'Check the notes', depth: 1, call: -1 }
  ]
}

const trackOf = (entry: TodoSnapshot) => (entry.trackId === null ? 0 : 1)
const completedOf = (entry: TodoSnapshot) => entry.items.filter((todo) => todo.status === 'completed').length

const answers: { [M in MethodName]?: (params: Params<M>) => Result<M> } = {
  'log.columns': () => ({
    from: 0,
    count: events,
    kind: Uint8Array.from({ length: events }, () => rowKinds.indexOf('assistant')).buffer,
    severity: new Uint8Array(events).buffer,
    issues: new Uint16Array(events).buffer,
    time: new Float64Array(events).buffer,
    line: Uint32Array.from({ length: events }, (_, row) => row + 1).buffer,
    seq: Int32Array.from({ length: events }, (_, row) => row).buffer,
    tool: new Uint16Array(events).buffer,
    track: Uint16Array.from({ length: events }, (_, row) => (row === 6 ? 1 : 0)).buffer,
    pair: new Int32Array(events).fill(-1).buffer,
    took: new Float64Array(events).fill(NaN).buffer,
    mark: new Uint8Array(events).buffer,
    file: new Uint16Array(events).buffer
  }),
  'log.todoColumns': () => ({
    from: 0,
    count: snapshots.length,
    seq: Int32Array.from(snapshots, ({ seq }) => seq).buffer,
    row: Int32Array.from(snapshots, ({ row }) => row).buffer,
    track: Uint16Array.from(snapshots, trackOf).buffer,
    completed: Uint16Array.from(snapshots, completedOf).buffer,
    total: Uint16Array.from(snapshots, ({ items }) => items.length).buffer,
    dropped: Uint32Array.from(snapshots, ({ dropped }) => dropped).buffer
  }),
  'log.todos': ({ from, count }) => ({ snapshots: snapshots.slice(from, from + count) })
}

const host: Host = {
  async call(method, params) {
    const answer = answers[method]
    if (answer === undefined) throw new HostError('unavailable', `${method} is not part of this test`)
    return answer(params)
  },
  on: () => () => {},
  onClose: () => {}
}

/** The panel over the canned log, and its store. */
async function openPanel(log: LogStatus = status) {
  const store = createLogStore(host, log)
  const screen = await render(
    <LogStoreContext value={store}>
      <TodoPanel />
    </LogStoreContext>
  )
  await expect.poll(() => store.getState().columns.rows).toBe(log.rows)
  await expect.poll(() => store.getState().todos.count).toBe(log.todoSnapshots)
  const panel = screen.getByRole('region', { name: 'Todos' })
  const shown = () =>
    [...screen.container.querySelectorAll('li')].map((line) => ({
      text: line.querySelector('.todo-text')?.textContent,
      status: line.dataset['status'],
      changed: line.dataset['changed'] ?? null
    }))
  return { store: store.getState(), panel, shown }
}

test('there is no list before the first one', async () => {
  const { store, panel, shown } = await openPanel()
  store.playhead.placeEvent(1)
  await expect.element(panel).toHaveTextContent('No todo list at this point yet.')
  expect(shown()).toEqual([])
})

test('a session without lists says so', async () => {
  const { panel } = await openPanel({ ...status, todoSnapshots: 0 })
  await expect.element(panel).toHaveTextContent('This session has no todo list.')
})

test('the list in force at the playhead shows the changes of its event', async () => {
  const { store, panel, shown } = await openPanel()
  store.playhead.placeEvent(5)
  await expect.element(panel.getByText('1/2')).toBeVisible()
  expect(shown()).toEqual([
    { text: 'Read', status: 'completed', changed: 'true' },
    { text: 'Write', status: 'in_progress', changed: 'true' }
  ])
  await expect.element(panel).toHaveTextContent('+1 done, 1 started, 1 dropped by this event')
})

test('later the list has no changes, and links to its event', async () => {
  const { store, panel, shown } = await openPanel()
  store.playhead.placeEvent(7)
  await expect.element(panel).toHaveTextContent('2 events ago')
  expect(shown().map(({ changed }) => changed)).toEqual([null, null])
  await panel.getByRole('button', { name: 'event 5' }).click()
  await expect.element(panel).toHaveTextContent('by this event')
})

test('removed items are struck through and not counted', async () => {
  const { store, panel, shown } = await openPanel()
  store.playhead.placeEvent(5)
  await expect.element(panel.getByText('Ask')).toBeVisible()
  expect(shown().map(({ text }) => text)).not.toContain('Ask')
})

test('dropped items differ from finished and removed ones, and are counted', async () => {
  const { store, panel } = await openPanel()
  store.playhead.placeEvent(5)
  await expect.element(panel.getByText('1 in progress · 1 dropped')).toBeVisible()
  await expect.element(panel.getByRole('img', { name: '1 of 2 completed, 1 dropped' })).toBeVisible()
  store.playhead.placeEvent(8)
  await expect.element(panel).toHaveTextContent('1 dropped, 1 removed by this event')
  const removed = panel.getByRole('group', { name: 'Removed' })
  await expect.element(removed).toHaveTextContent(/^Readremoved.*Writedropped$/)
  await expect.element(removed.getByRole('img', { name: 'was in progress' })).toBeVisible()
})

test('a repeated list changes nothing', async () => {
  const { store, panel } = await openRows([
    { kind: 'todo', items: [item('Read', 'pending')] },
    { kind: 'todo', items: [item('Read', 'pending')] },
    { kind: 'todo', items: [item('Read', 'completed')] }
  ])
  expect(store.todos.count).toBe(2)
  store.playhead.placeEvent(1)
  await expect.element(panel).toHaveTextContent('1 added by event 0')
  store.stepping.nextTodo(1)
  await expect.element(panel).toHaveTextContent('+1 done by this event')
})

test('the list of the track at the playhead is shown until another one is picked', async () => {
  const { store, panel, shown } = await openPanel()
  store.playhead.placeEvent(6)
  await expect.element(panel.getByRole('button', { name: 'Check the notes' })).toHaveAttribute('aria-pressed', 'true')
  expect(shown().map(({ text }) => text)).toEqual(['Check'])
  await panel.getByRole('button', { name: /^main/ }).click()
  expect(shown().map(({ text }) => text)).toEqual(['Read', 'Write'])
})

test('a cleared list is labelled', async () => {
  const { store, panel, shown } = await openPanel()
  store.playhead.placeEvent(9)
  await expect.element(panel).toHaveTextContent('The list was cleared.')
  expect(shown()).toEqual([])
})

test('the arrows go to the changes before and after', async () => {
  const { store, panel } = await openPanel()
  store.playhead.placeEvent(7)
  await panel.getByRole('button', { name: 'Previous todo change' }).click()
  await expect.element(panel.getByRole('button', { name: 'Check the notes' })).toHaveAttribute('aria-pressed', 'true')
  await panel.getByRole('button', { name: 'Next todo change' }).click()
  await expect.element(panel).toHaveTextContent('The list was cleared.')
})

/** The panel over a log whose rows are one second apart, with real lists. */
async function openRows(rows: readonly CannedRow[], width?: number) {
  const { host: canned, status: log } = testHost(rows)
  const store = createLogStore(canned, log)
  const screen = await render(
    <LogStoreContext value={store}>
      <div style={{ display: 'flex', flexDirection: 'column', width, height: 300 }}>
        <TodoPanel />
      </div>
    </LogStoreContext>
  )
  await expect.poll(() => store.getState().isComplete).toBe(true)
  return { store: store.getState(), panel: screen.getByRole('region', { name: 'Todos' }), box: screen.container }
}

test('an edited item shows its former text and the age of its status', async () => {
  const { store, panel } = await openRows([
    { kind: 'todo', items: [item('Read', 'in_progress'), item('Report', 'pending')] },
    { kind: 'assistant' },
    { kind: 'todo', items: [item('Read', 'completed'), item('Report the result', 'pending')] },
    { kind: 'assistant' }
  ])
  store.playhead.placeEvent(2)
  await expect.element(panel).toHaveTextContent('+1 done, 1 edited by this event')
  const line = panel.getByRole('listitem').nth(1)
  await expect.element(line).toHaveAttribute('data-changed', 'true')
  await expect.element(line.getByTitle('was “Report”')).toBeVisible()
  store.playhead.placeEvent(3)
  const ages = () => panel.getByRole('listitem').all()
  await expect
    .poll(() => ages().map((each) => each.element().querySelector('.todo-age')?.textContent))
    .toEqual(['took 2.0 s · done 1.0 s ago', 'for 3.0 s'])
})

test('the buttons for changes fit a panel of any width', async () => {
  const { store, panel, box } = await openRows(
    [
      { kind: 'todo', items: [item('Read', 'pending')] },
      ...Array.from({ length: 2000 }, () => ({ kind: 'assistant' as const }))
    ],
    184
  )
  store.playhead.placeEvent(2000)
  await expect.element(panel).toHaveTextContent('2,000 events ago')
  const { right = 0 } = box.firstElementChild?.getBoundingClientRect() ?? {}
  const next = panel.getByRole('button', { name: 'Next todo change' }).element().getBoundingClientRect()
  expect(next.right).toBeLessThanOrEqual(right)
  expect(next.width).toBeGreaterThan(0)
})

test('of a long list only visible items are rendered, and the changed one is visible', async () => {
  const long = (done: number) =>
    Array.from({ length: 1000 }, (_, at) => item(`Item ${at}`, at === done ? 'completed' : 'pending'))
  const { store, panel } = await openRows([
    { kind: 'todo', items: long(-1) },
    { kind: 'todo', items: long(700) }
  ])
  store.playhead.placeEvent(0)
  await expect.element(panel.getByText('0/1,000', { exact: true })).toBeVisible()
  await expect.element(panel.getByText('Item 0', { exact: true })).toBeVisible()
  store.playhead.placeEvent(1)
  await expect.element(panel.getByText('Item 700', { exact: true })).toBeInViewport()
  await expect.poll(() => panel.getByRole('listitem').all().length).toBeLessThan(60)
  await expect.element(panel.getByText('Item 700', { exact: true })).toBeInViewport()
})
