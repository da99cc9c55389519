import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Handlers, LogStatus } from '#contract/methods.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type TestHost, testHandlers, testHost } from '../../../../test/page/host.ts'
import { cannedTasks } from '../../../../test/page/tasks.ts'
import { TodoPanel } from '../todos/todo-panel.tsx'
import { MyTasks } from './my-tasks.tsx'

const rows = [{ kind: 'todo' as const, items: [{ text: 'Of the log', status: 'pending' as const }] }]

beforeEach(() => page.viewport(1440, 900))

interface Opening {
  readonly changes?: Partial<LogStatus>
  readonly tasks?: boolean
  readonly storage?: Map<string, string>
}

/** The todo panel with a person's tasks below the list of the log. */
async function open(titles: readonly string[], { changes = {}, tasks = true, storage = new Map() }: Opening = {}) {
  const canned = cannedTasks(titles, (): TestHost => served)
  const capabilities: Handlers['host.capabilities'] = async () => ({
    ...(await testHandlers([])['host.capabilities']({})),
    tasks
  })
  const served = testHost(
    rows,
    { sessionId: 's', ...changes },
    { ...canned.handlers, 'host.capabilities': capabilities }
  )
  const app = createAppStore(served.host, {
    storage: { getItem: (key) => storage.get(key) ?? null, setItem: (key, value) => void storage.set(key, value) }
  })
  app.getState().setConnection('open')
  await expect.poll(() => app.getState().capabilities).not.toBeNull()
  const log = createLogStore(served.host, served.status)
  const screen = await render(
    <AppStoreContext value={app}>
      <LogStoreContext value={log}>
        <div style={{ display: 'flex', width: 400, height: 400 }}>
          <TodoPanel>
            <MyTasks />
          </TodoPanel>
        </div>
      </LogStoreContext>
    </AppStoreContext>
  )
  const panel = screen.getByRole('region', { name: 'Todos' })
  const mine = panel.getByRole('region', { name: 'My tasks' })
  const shown = () =>
    mine
      .getByRole('checkbox')
      .all()
      .map((box) => `${box.element().getAttribute('aria-label')} ${box.element().getAttribute('aria-checked')}`)
  const titlesShown = () => shown().map((line) => line.replace(/^Done: (.*) \w+$/, '$1'))
  await expect.element(panel).toHaveTextContent('at the playhead')
  return { canned, screen, panel, mine, shown, titlesShown, storage }
}

test('without tasks there is one line, which adds the first and further ones', async () => {
  const { canned, panel, mine, shown } = await open([])
  const toggle = mine.getByRole('button', { name: 'My tasks' })
  await expect.element(toggle).toHaveAttribute('aria-expanded', 'false')
  await mine.getByRole('button', { name: 'Add a task' }).click()
  await expect.element(mine.getByRole('textbox', { name: 'Add a task' })).toHaveFocus()
  await userEvent.keyboard('  Read the log {Enter}{Enter}Ask <b>why</b>{Enter}')
  await expect.poll(canned.titles).toEqual(['Read the log', 'Ask <b>why</b>'])
  await expect.poll(shown).toEqual(['Done: Read the log false', 'Done: Ask <b>why</b> false'])
  await expect.element(mine).toHaveTextContent('0/2')
  // They are not in the list of the log.
  expect(
    panel
      .getByRole('listitem')
      .all()
      .map((each) => each.element().textContent)
  ).toEqual([expect.stringContaining('Of the log')])
  await userEvent.keyboard('half{Escape}{Escape}')
  await expect.element(mine.getByRole('textbox', { name: 'Add a task' })).not.toHaveFocus()
})

test('an empty field closes when it loses the focus', async () => {
  const { mine } = await open([])
  const toggle = mine.getByRole('button', { name: 'My tasks' })
  await toggle.click()
  await expect.element(mine.getByRole('textbox', { name: 'Add a task' })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(toggle).toHaveAttribute('aria-expanded', 'false')
})

test('a task is completed and reopened by its mark, started and put back', async () => {
  const { mine, shown } = await open(['Read'])
  const box = mine.getByRole('checkbox', { name: 'Done: Read' })
  await box.click()
  await expect.poll(shown).toEqual(['Done: Read true'])
  await expect.element(mine).toHaveTextContent('1/1')
  await box.click()
  await mine.getByRole('button', { name: 'Start Read' }).click({ force: true })
  await expect.poll(shown).toEqual(['Done: Read mixed'])
  await mine.getByRole('button', { name: 'Reopen Read' }).click({ force: true })
  await expect.poll(shown).toEqual(['Done: Read false'])
})

test('a title is edited in place: Enter or leaving saves, Escape does not', async () => {
  const { canned, mine } = await open(['Read', 'Write'])
  await mine.getByRole('button', { name: 'Edit Read' }).click()
  await userEvent.keyboard(' it all{Enter}')
  await expect.poll(canned.titles).toEqual(['Read it all', 'Write'])
  await expect.element(mine.getByRole('button', { name: 'Edit Read it all' })).toHaveFocus()
  await userEvent.keyboard('{Enter} twice{Escape}')
  await expect.element(mine.getByRole('button', { name: 'Edit Read it all' })).toHaveFocus()
  await mine.getByRole('button', { name: 'Edit Write' }).click()
  await userEvent.keyboard(' tests')
  await mine.getByRole('textbox', { name: 'Add a task' }).click()
  await expect.poll(canned.titles).toEqual(['Read it all', 'Write tests'])
})

test('a task is moved by keys, keeps the focus, is removed and restored', async () => {
  const { canned, mine, titlesShown } = await open(['Read', 'Write', 'Report'])
  await expect.poll(titlesShown).toEqual(['Read', 'Write', 'Report'])
  mine.getByRole('button', { name: 'Edit Read' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}{/Alt}')
  await expect.poll(canned.titles).toEqual(['Write', 'Read', 'Report'])
  await expect.element(mine.getByRole('button', { name: 'Edit Read' })).toHaveFocus()
  await expect.element(mine).toHaveTextContent('Read: 2 of 3')
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(mine.getByRole('button', { name: 'Edit Report' })).toHaveFocus()
  await userEvent.keyboard('{Delete}')
  await expect.poll(canned.titles).toEqual(['Write', 'Read'])
  await expect.element(mine.getByRole('button', { name: 'Edit Read' })).toHaveFocus()
  await expect.element(mine).toHaveTextContent('Removed “Report”.')
  await mine.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titlesShown).toEqual(['Write', 'Read', 'Report'])
  // Tab reaches only one of them.
  expect(mine.element().querySelectorAll('[data-control="title"][tabindex="0"]').length).toBe(1)
})

test('a task is dragged to its new place', async () => {
  const { canned, mine, titlesShown } = await open(['Read', 'Write', 'Report'])
  await expect.poll(titlesShown).toEqual(['Read', 'Write', 'Report'])
  const grip = (place: number) => mine.element().querySelectorAll('.task-grip')[place] as HTMLElement
  await userEvent.dragAndDrop(grip(0), grip(2), { force: true })
  await expect.poll(canned.titles).toEqual(['Write', 'Report', 'Read'])
  await expect.poll(titlesShown).toEqual(['Write', 'Report', 'Read'])
})

test('a refusal is shown in the section, and the input is kept', async () => {
  const { canned, mine } = await open(['Read'])
  const field = mine.getByRole('textbox', { name: 'Add a task' })
  await expect.element(field).toBeVisible()
  canned.refuse('task.add', 'The disk is full.')
  await field.fill('Write')
  await userEvent.keyboard('{Enter}')
  await expect.element(mine).toHaveTextContent('The disk is full.')
  await expect.element(field).toHaveValue('Write')
  await mine.getByRole('button', { name: 'Dismiss' }).click()
  await expect.element(mine).not.toHaveTextContent('The disk is full.')
})

test('a read error is shown with a retry', async () => {
  const { canned, mine, shown, screen } = await open(['Read'], { changes: { sessionId: null } })
  await expect.element(screen.getByRole('region', { name: 'Todos' })).toBeVisible()
  expect(mine.elements()).toEqual([])
  canned.refuse('task.list', 'No database is here.')
  await screen.unmount()
  const again = await open(['Read'])
  again.canned.refuse('task.list', 'No database is here.')
  again.canned.byOthers(() => {})
  await expect.element(again.mine).toHaveTextContent('Your tasks could not be read: No database is here.')
  await again.mine.getByRole('button', { name: 'Try again' }).click()
  await expect.element(again.mine).not.toHaveTextContent('could not be read')
  expect(shown()).toEqual(again.shown())
})

test('without tasks in the host there is no section', async () => {
  const { panel, mine } = await open(['Read'], { tasks: false })
  await expect.element(panel).toBeVisible()
  expect(mine.elements()).toEqual([])
})

test('the choice to list tasks is stored; in a small window they are collapsed by default', async () => {
  const { mine, storage, screen } = await open(['Read'])
  await expect.element(mine.getByRole('checkbox')).toBeVisible()
  await mine.getByRole('button', { name: 'My tasks' }).click()
  expect(mine.getByRole('checkbox').elements()).toEqual([])
  await screen.unmount()
  const again = await open(['Read'], { storage })
  await expect.element(again.mine).toHaveTextContent('0/1')
  expect(again.mine.getByRole('checkbox').elements()).toEqual([])
  await again.screen.unmount()
  await page.viewport(1024, 700)
  const small = await open(['Read'])
  await expect.element(small.mine).toHaveTextContent('0/1')
  expect(small.mine.getByRole('checkbox').elements()).toEqual([])
  await small.mine.getByRole('button', { name: 'My tasks' }).click()
  await expect.element(small.mine.getByRole('checkbox')).toBeVisible()
})
