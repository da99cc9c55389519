import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import '../../ui/controls.css'
import { userEvent } from 'vitest/browser'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Handlers, LogStatus } from '#contract/methods.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost } from '../../../../test/page/host.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { filterRows } from '../../../../test/page/filter-rows.ts'

const bash: CannedRow = { kind: 'tool', tool: 1, text: 'npm test' }
const rows: CannedRow[] = [
  { kind: 'prompt', text: 'Make the tests pass' },
  bash,
  { kind: 'tool-error', tool: 1, pair: 1, text: 'npm failed' },
  { kind: 'record' },
  { kind: 'record' },
  { kind: 'tool', tool: 2, track: 1, text: 'a.txt' },
  { kind: 'assistant', severity: 'violation', text: 'Done' },
  bash
]

/** The button and the timeline of a log, all of its columns loaded. */
async function show(
  shown: readonly CannedRow[] = rows,
  changes: Partial<LogStatus> = {},
  handlers: Partial<Handlers> = {}
) {
  const { host, status, found } = testHost(shown, changes, handlers)
  const store = createLogStore(host, status)
  const storage = { getItem: () => null, setItem: () => {} }
  const screen = await render(
    <AppStoreContext value={createAppStore(host, { storage })}>
      <LogStoreContext value={store}>
        <div
          style={{ display: 'flex', flexDirection: 'column', width: 900, height: 600, container: 'main / inline-size' }}
        >
          <Timeline />
        </div>
      </LogStoreContext>
    </AppStoreContext>
  )
  await expect.poll(() => store.getState().columns.rows).toBe(shown.length)
  const grid = screen.getByRole('grid', { name: 'Timeline' })
  const lines = () => [...grid.element().querySelectorAll<HTMLElement>('.row')].map((row) => row.dataset['line'])
  const open = async () => {
    await screen.getByRole('button', { name: /^Filter/ }).click()
    return screen.getByRole('dialog', { name: 'Filter' })
  }
  const choose = (name: RegExp) => screen.getByRole('checkbox', { name }).click()
  const bar = screen.getByRole('region', { name: 'Filter rows' })
  const query = screen.getByRole('combobox', { name: 'Filter' })
  return { screen, store, grid, lines, open, choose, bar, query, found, log: store.getState() }
}

describe('the filter', () => {
  it('shows what passes: any of a group, all groups; says how much that is, and writes the query', async () => {
    const { grid, lines, open, choose, bar, query, screen } = await show()
    const panel = await open()
    // What stands at its foot is no landmark of the page.
    expect(screen.getByRole('contentinfo').elements()).toEqual([])
    await choose(/^Call, 3/)
    await choose(/^Prompt, 1/)
    await expect.poll(lines).toEqual(['1', '2', '6', '8'])
    await choose(/^Bash, 3/)
    await expect.poll(lines).toEqual(['2', '8'])
    await expect.element(panel).toHaveTextContent('2 of 8 rows')
    await expect.element(grid).toHaveAttribute('aria-rowcount', '4')
    await expect.element(query).toHaveValue('kind:(tool OR prompt) tool:Bash')
    await expect.element(bar).toHaveTextContent('2 of 8 rows')
    await expect.element(screen.getByRole('button', { name: 'Filter, 2 active' })).toBeVisible()
    await query.fill('tool:Bash')
    await expect.element(screen.getByRole('checkbox', { name: /^Call, 3/ })).not.toBeChecked()
    await expect.poll(lines).toEqual(['2', '8'])
    await bar.getByRole('button', { name: 'Clear the query' }).click()
    await expect.element(query).toHaveValue('')
    await expect.element(bar).toHaveTextContent('all 8 rows')
    await expect.poll(lines).toEqual(['1', '2', '6', '7', '8'])
  })

  it('keeps the issues of a row under it, and shows a track by itself', async () => {
    const { grid, lines, open, choose } = await show()
    await open()
    await choose(/^Violation, 1/)
    await expect.poll(lines).toEqual(['7'])
    expect(grid.element().querySelector('.issue-line')?.getAttribute('data-line')).toBe('7')
    await choose(/^Violation, 1/)
    await choose(/^Look around, 1/)
    await expect.poll(lines).toEqual(['6'])
  })

  it('leaves out tools, kinds and tracks, by a click and by a key', async () => {
    const { screen, lines, open, query } = await show()
    await open()
    const exclude = (name: string) => screen.getByRole('button', { name: `Exclude ${name}`, exact: true })
    await exclude('Bash').click()
    await expect.poll(lines).toEqual(['1', '6', '7'])
    await expect.element(query).toHaveValue('-tool:Bash')
    await expect.element(exclude('Bash')).toHaveAttribute('aria-pressed', 'true')
    await exclude('Look around').click()
    await expect.poll(lines).toEqual(['1', '7'])
    screen
      .getByRole('checkbox', { name: /^Assistant/ })
      .element()
      .focus()
    await userEvent.keyboard('x')
    await expect.poll(lines).toEqual(['1'])
    await expect.element(query).toHaveValue('-tool:Bash -track:call-1 -kind:assistant')
    // What is asked for is not left out.
    await screen.getByRole('checkbox', { name: /^Bash/ }).click()
    await expect.element(exclude('Bash')).toHaveAttribute('aria-pressed', 'false')
    await expect.element(query).toHaveValue('-track:call-1 -kind:assistant tool:Bash')
    await expect.poll(lines).toEqual(['2', '8'])
  })

  it('is reached and left with the keys', async () => {
    const { screen, lines, open } = await show()
    const panel = await open()
    await expect.element(screen.getByRole('checkbox', { name: /^Prompt/ })).toHaveFocus()
    await userEvent.keyboard('{ArrowDown} ')
    await expect.poll(lines).toEqual(['7'])
    await userEvent.keyboard('{ArrowUp}{ArrowUp} ')
    await expect.element(screen.getByRole('checkbox', { name: /^Look around/ })).toBeChecked()
    await userEvent.keyboard('{Escape}')
    expect(panel.elements()).toEqual([])
    await expect.element(screen.getByRole('button', { name: /^Filter/ })).toHaveFocus()
  })

  it('closes when one clicks beside it', async () => {
    const { open, grid } = await show()
    const panel = await open()
    await grid.click({ position: { x: 700, y: 400 } })
    await expect.poll(() => panel.elements()).toEqual([])
  })

  it('finds a tool among many by its name', async () => {
    const tools = Array.from({ length: 300 }, (_, at) => `tool_${at}`)
    const { screen, open, lines } = await show([...rows, { kind: 'tool', tool: 288, text: 'x' }], { tools })
    const panel = await open()
    await expect.element(panel).toHaveTextContent('200 more. Type to narrow the list.')
    await screen.getByRole('textbox', { name: 'Search tools' }).fill('_287')
    await screen.getByRole('checkbox', { name: 'tool_287, 1' }).click()
    await expect.poll(lines).toEqual(['9'])
    await screen.getByRole('textbox', { name: 'Search tools' }).fill('nothing')
    await expect.element(screen.getByRole('checkbox', { name: 'tool_287, 1' })).toBeChecked()
  })

  it('shows only what Find finds, as a text of the query', async () => {
    const { open, choose, lines, log, query } = await show()
    log.finding.setQuery({ text: 'npm' })
    await open()
    await choose(/^Only matches/)
    await expect.poll(lines).toEqual(['2', '3', '8'])
    await expect.element(query).toHaveValue('npm')
    await choose(/^Only matches/)
    await expect.element(query).toHaveValue('')
  })

  it('says so when nothing passes, and how to see all again', async () => {
    const { screen, open, choose, lines } = await show()
    await open()
    await choose(/^Session start, 0/)
    await userEvent.keyboard('{Escape}')
    await expect.element(screen.getByText('No rows match the filter.')).toBeVisible()
    await screen.getByRole('button', { name: 'Show all rows' }).click()
    await expect.poll(() => lines().length).toBe(5)
  })
})

describe('moving under a filter', () => {
  it('keeps to the events that are shown', async () => {
    const { store, log } = await show()
    await filterRows(store, 'tool:Bash')
    const steps = [
      () => log.stepping.home(),
      () => log.stepping.step(1),
      () => log.stepping.step(1),
      () => log.stepping.step(1),
      () => log.stepping.step(-1)
    ]
    const at = steps.map((step) => {
      step()
      return store.getState().row
    })
    expect(at).toEqual([1, 2, 7, 7, 2])
    log.playhead.placeEvent(0)
    expect(store.getState().row).toBe(0)
    log.stepping.step(1)
    expect(store.getState().row).toBe(1)
    log.playhead.placeEvent(3)
    log.stepping.step(-1)
    expect(store.getState().row).toBe(2)
    log.stepping.end()
    expect(store.getState().row).toBe(7)
    log.stepping.nextIssue(-1)
    expect(store.getState().row).toBe(7)
  })

  it('says that the row of the playhead is not shown, and where it would be', async () => {
    const { grid, log, bar, lines, store } = await show()
    await filterRows(store, 'tool:Bash')
    log.playhead.placeEvent(3)
    await expect.poll(lines).toEqual(['2', '8'])
    await expect.element(bar).toHaveTextContent('playhead hidden')
    expect(grid.element().querySelector('[aria-selected="true"]')).toBeNull()
    ;(grid.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.poll(() => grid.element().querySelector('[aria-selected="true"]')?.getAttribute('data-line')).toBe('8')
  })

  it('keeps what is looked at where it is', async () => {
    const many = Array.from({ length: 3000 }, (_, at): CannedRow => ({ kind: 'tool', tool: at % 3 === 0 ? 1 : 2 }))
    const { store, grid, log } = await show(many)
    const lineAt = () => {
      const row = grid.element().querySelector<HTMLElement>('[aria-selected="true"]')
      return [row?.dataset['line'], row?.getBoundingClientRect().top]
    }
    log.playhead.placeEvent(1500)
    await expect.poll(() => lineAt()[0]).toBe('1501')
    const before = () => grid.element().getBoundingClientRect().top
    const top = Number(lineAt()[1]) - before()
    await filterRows(store, 'tool:Bash')
    await expect.poll(() => store.getState().layout.count).toBe(1000)
    await expect.poll(() => Number(lineAt()[1]) - before()).toBe(top)
    log.filtering.clear()
    await expect.poll(() => store.getState().layout.count).toBe(3000)
    await expect.poll(() => [lineAt()[0], Number(lineAt()[1]) - before()]).toEqual(['1501', top])
  })
})
