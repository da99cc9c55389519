import { expect, test } from 'vitest'
import { cannedTasks } from '../../../test/page/tasks.ts'
import { type TestHost, testHost } from '../../../test/page/host.ts'
import { TasksBySession } from './tasks-by-session.ts'

function hostWith(...titles: string[]) {
  const canned = cannedTasks(titles, (): TestHost => served)
  const served: TestHost = testHost([], {}, canned.handlers)
  return { canned, bySession: new TasksBySession(served.host) }
}

async function openTasks(...titles: string[]) {
  const { canned, bySession } = hostWith(...titles)
  const tasks = bySession.of('s')
  tasks.show()
  await expect.poll(() => tasks.isRead).toBe(true)
  const shown = () => tasks.tasks.map(({ title }) => title)
  const id = (title: string) => tasks.tasks.find((each) => each.title === title)?.id ?? ''
  return { canned, bySession, tasks, shown, id }
}

/** Waits until no request is pending: the page then shows the host's tasks. */
async function settled({ canned, shown }: Awaited<ReturnType<typeof openTasks>>, titles: string[]) {
  await expect.poll(canned.titles).toEqual(titles)
  await expect.poll(shown).toEqual(titles)
}

test('nothing is loaded before a component shows the tasks, and tasks of agents are excluded', async () => {
  const { canned, bySession } = hostWith('Read')
  const tasks = bySession.of('s')
  canned.refuse('task.list', 'asked too early')
  await tasks.read()
  tasks.show()
  await expect.poll(() => tasks.problem).toEqual({ what: 'read', message: 'asked too early' })
  await tasks.read()
  expect([tasks.problem, tasks.tasks.map(({ title }) => title)]).toEqual([null, ['Read']])
  expect(bySession.of('s')).toBe(tasks)
})

test('tasks are added, edited, moved and removed, shown at once and stored in order', async () => {
  const opened = await openTasks('Read', 'Write')
  const { canned, tasks, shown, id } = opened
  const release = canned.hold()
  tasks.setTitle(id('Read'), '  Read all ')
  tasks.setStatus(id('Write'), 'completed')
  tasks.move(id('Write'), 0)
  tasks.move(id('Write'), -3)
  tasks.setTitle(id('Write'), '   ')
  expect(shown()).toEqual(['Write', 'Read all'])
  expect(canned.titles()).toEqual(['Read', 'Write'])
  const added = tasks.add('Report')
  release()
  expect(await added).toBe(true)
  await settled(opened, ['Write', 'Read all', 'Report'])
  expect(tasks.tasks.map(({ status }) => status)).toEqual(['completed', 'pending', 'pending'])
  tasks.move(id('Write'), 99)
  await settled(opened, ['Read all', 'Report', 'Write'])
})

test('changes of others are shown, but never an older state than an own change', async () => {
  const opened = await openTasks('Read', 'Write')
  const { canned, tasks, shown, id } = opened
  canned.byOthers((all) => (all[0] = { ...all[0]!, title: 'Read more' }))
  await settled(opened, ['Read more', 'Write'])
  const seen: string[][] = []
  tasks.changes.subscribe(() => seen.push(shown()))
  const release = canned.hold()
  canned.byOthers((all) => all.push({ ...all[0]!, id: 'user-x', title: 'From afar' }))
  tasks.move(id('Write'), 0)
  release()
  await settled(opened, ['Write', 'Read more', 'From afar'])
  expect(seen.map((titles) => titles.indexOf('Write'))).not.toContain(1)
})

test('removed tasks are restored, the last first, until another change', async () => {
  const opened = await openTasks('Read', 'Write', 'Report')
  const { tasks, id } = opened
  tasks.remove(id('Write'))
  tasks.remove(id('Report'))
  tasks.remove('nothing')
  await settled(opened, ['Read'])
  await expect.poll(() => tasks.removed.map(({ title }) => title)).toEqual(['Write', 'Report'])
  tasks.undoRemove()
  await settled(opened, ['Read', 'Report'])
  tasks.undoRemove()
  tasks.undoRemove()
  await settled(opened, ['Read', 'Write', 'Report'])
  tasks.remove(id('Read'))
  await expect.poll(() => tasks.removed.length).toBe(1)
  tasks.setStatus(id('Write'), 'in_progress')
  expect(tasks.removed).toEqual([])
})

test('a refused change is undone, with the reason until the next change', async () => {
  const opened = await openTasks('Read')
  const { canned, tasks, id } = opened
  canned.refuse('task.edit', 'The disk is full.')
  tasks.setTitle(id('Read'), 'Read all')
  await expect.poll(() => tasks.problem).toEqual({ what: 'change', message: 'The disk is full.' })
  await settled(opened, ['Read'])
  canned.refuse('task.add', 'The disk is full.')
  expect(await tasks.add('Write')).toBe(false)
  await settled(opened, ['Read'])
  expect(tasks.problem).not.toBeNull()
  tasks.dismissProblem()
  canned.refuse('task.remove', 'Busy.')
  tasks.remove(id('Read'))
  await expect.poll(() => tasks.problem?.message).toBe('Busy.')
  await settled(opened, ['Read'])
  expect(tasks.removed).toEqual([])
  expect(await tasks.add('Write')).toBe(true)
  expect(tasks.problem).toBeNull()
})

test('tasks are read again after a lost connection', async () => {
  const opened = await openTasks('Read')
  const { canned, bySession, tasks } = opened
  canned.refuse('task.list', 'The connection is lost.')
  await tasks.read()
  expect(tasks.problem?.what).toBe('read')
  bySession.reload()
  await expect.poll(() => tasks.problem).toBeNull()
})
