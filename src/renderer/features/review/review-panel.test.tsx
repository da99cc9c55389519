import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import '../../ui/controls.css'
import '../runs/runs-panel.css'
import { describe, expect, it } from 'vitest'
import { userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Handlers } from '#contract/methods.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost } from '../../../../test/page/host.ts'
import { ReviewPanel } from './review-panel.tsx'

const item = { text: 'Write tests', status: 'pending' as const }
const rows: CannedRow[] = [
  { kind: 'prompt', text: 'Go' },
  { kind: 'tool', tool: 1, text: 'npm test' },
  { kind: 'tool-error', pair: 1, tool: 1 },
  { kind: 'todo', items: [item] },
  { kind: 'todo', items: [{ ...item, status: 'completed' }] }
]

async function open(handlers: Partial<Handlers> = {}, tools: readonly string[] = ['Bash']) {
  const { host, status } = testHost(rows, { tools: [...tools] }, handlers)
  const store = createLogStore(host, status)
  const screen = await render(
    <LogStoreContext value={store}>
      <nav>
        <ReviewPanel />
      </nav>
    </LogStoreContext>
  )
  await expect.poll(() => store.getState().isComplete && store.getState().review.phase !== 'loading').toBe(true)
  const breakpoints = screen.getByRole('region', { name: 'Breakpoints' })
  const bookmarks = screen.getByRole('region', { name: 'Bookmarks' })
  return { store, screen, breakpoints, bookmarks }
}

describe('bookmarks', () => {
  it('are set, noted, selected, removed and restored', async () => {
    const { store, screen, bookmarks } = await open()
    await expect.element(bookmarks).toHaveTextContent('No bookmarks.')
    store.getState().playhead.select(1)
    await bookmarks.getByRole('button', { name: 'Bookmark this event' }).click()
    await bookmarks.getByRole('button', { name: 'Note for npm test' }).click({ force: true })
    await userEvent.keyboard('it broke here{Enter}')
    const jump = bookmarks.getByRole('button', { name: 'it broke here', exact: true })
    store.getState().playhead.select(4)
    await jump.click()
    expect(store.getState().row).toBe(1)
    await bookmarks.getByRole('button', { name: 'Note for it broke here' }).click({ force: true })
    await userEvent.keyboard(' and there{Escape}')
    await expect.element(jump).toBeVisible()
    await bookmarks.getByRole('button', { name: 'Remove it broke here' }).click({ force: true })
    await expect.element(bookmarks).toHaveTextContent('No bookmarks.')
    await screen.getByRole('button', { name: 'Undo' }).click()
    await expect.element(jump).toBeVisible()
  })

  it('without a line say so, and have no link', async () => {
    const place = { file: null, line: 99, ordinal: 0, kind: 'tool' as const, time: null, text: 'rm -rf' }
    const { bookmarks } = await open({
      'review.get': async () => ({ bookmarks: [{ id: 'a', place, note: '' }], breakpoints: [], revision: 1 })
    })
    await expect.element(bookmarks).toHaveTextContent('line gone')
    await expect.element(bookmarks.getByRole('button', { name: 'rm -rf', exact: true })).toBeDisabled()
  })

  it('that could not be read show the error, and are read again', async () => {
    let asked = 0
    const { screen, bookmarks } = await open({
      'review.get': async () => {
        if (asked++ === 0) throw new Error('no')
        return { bookmarks: [], breakpoints: [], revision: 0 }
      }
    })
    const add = bookmarks.getByRole('button', { name: 'Bookmark this event' })
    await expect.element(add).toBeDisabled()
    await screen.getByRole('button', { name: 'Try again' }).click()
    await expect.element(add).toBeEnabled()
  })
})

describe('breakpoints', () => {
  it('are queries, which are disabled, edited and removed', async () => {
    const { store, screen, breakpoints } = await open()
    await breakpoints.getByRole('button', { name: 'New breakpoint' }).click()
    const dialog = screen.getByRole('dialog', { name: 'New breakpoint' })
    await dialog.getByRole('button', { name: 'Add breakpoint' }).click()
    await expect.element(dialog.getByRole('alert')).toHaveTextContent('Enter a query.')
    await dialog.getByRole('combobox', { name: 'Stop where' }).fill('kind:tool-error')
    await dialog.getByRole('button', { name: 'Add breakpoint' }).click()
    const toggle = breakpoints.getByRole('switch', { name: 'Stop at: kind:tool-error' })
    await expect.element(toggle).toHaveAttribute('aria-checked', 'true')
    await expect.element(breakpoints).toHaveTextContent('1')
    await breakpoints.getByRole('button', { name: 'kind:tool-error', exact: true }).click()
    expect(store.getState().row).toBe(2)
    await toggle.click()
    await expect.element(breakpoints.getByRole('button', { name: 'kind:tool-error, off' })).toBeVisible()
    await breakpoints.getByRole('button', { name: 'Edit kind:tool-error' }).click({ force: true })
    const change = screen.getByRole('dialog', { name: 'Edit breakpoint' })
    const field = change.getByRole('combobox', { name: 'Stop where' })
    await field.fill('kind:tool-error /(/')
    await change.getByRole('button', { name: 'Save breakpoint' }).click()
    await expect.element(change.getByRole('alert')).toHaveTextContent('Invalid regular expression')
    await field.fill('kind:tool-error /tool/')
    await change.getByRole('button', { name: 'Save breakpoint' }).click()
    await expect.element(breakpoints.getByText('kind:tool-error /tool/')).toBeVisible()
    expect(store.getState().review.breakpoints).toMatchObject([
      { enabled: true, rule: { type: 'query', text: 'kind:tool-error /tool/' } }
    ])
    await breakpoints.getByRole('button', { name: /^Remove/ }).click({ force: true })
    await expect.element(breakpoints).toHaveTextContent('No breakpoints.')
  })

  it('match a todo that reaches a status', async () => {
    const { store, screen, breakpoints } = await open()
    await breakpoints.getByRole('button', { name: 'New breakpoint' }).click()
    const dialog = screen.getByRole('dialog', { name: 'New breakpoint' })
    await dialog.getByRole('combobox', { name: 'Stop where' }).fill('todo:"tests"=done')
    await userEvent.keyboard('{Enter}')
    await breakpoints.getByRole('button', { name: 'todo:"tests"=done', exact: true }).click()
    await expect.poll(() => store.getState().reviewing.breakpoints.firstIn(0, 5)?.row).toBe(4)
  })

  it('that do not stop list their rows up to the playhead', async () => {
    const { store, screen, breakpoints } = await open()
    await breakpoints.getByRole('button', { name: 'New breakpoint' }).click()
    const dialog = screen.getByRole('dialog', { name: 'New breakpoint' })
    await dialog.getByRole('combobox', { name: 'Stop where' }).fill('kind:tool-error')
    await dialog.getByRole('checkbox', { name: /logpoint/ }).click()
    await dialog.getByRole('button', { name: 'Add breakpoint' }).click()
    await expect.element(breakpoints.getByRole('switch', { name: 'List: kind:tool-error' })).toBeVisible()
    store.getState().playhead.select(0)
    await expect.element(breakpoints).toHaveTextContent('No matches up to the playhead.')
    store.getState().playhead.select(3)
    const listed = breakpoints.getByRole('list', { name: 'Matches up to the playhead' })
    await listed.getByRole('button').click()
    expect([store.getState().row, store.getState().reviewing.breakpoints.firstIn(0, 5)]).toEqual([2, null])
  })

  it('that cannot be searched show the error', async () => {
    const { store, breakpoints } = await open({ 'log.find': () => Promise.reject(new Error('no')) })
    store.getState().reviewing.addBreakpoint({
      type: 'rows',
      kinds: [],
      tools: [],
      text: { text: 'x', regex: false, caseSensitive: false }
    })
    await expect.element(breakpoints.getByRole('img')).toBeVisible()
  })
})
