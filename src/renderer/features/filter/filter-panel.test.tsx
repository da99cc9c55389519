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
import { FilterButton } from './filter-button.tsx'

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

/** The button and the timeline of a loaded log. */
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
          <FilterButton />
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
  const bar = screen.getByRole('region', { name: 'Active filter' })
  return { screen, store, grid, lines, open, choose, bar, found, log: store.getState() }
}

describe('the filter', () => {
  it('shows matching rows: any of a group, all groups; with counts and chips', async () => {
    const { grid, lines, open, choose, bar, screen } = await show()
    const panel = await open()
    // The footer is no landmark.
    expect(screen.getByRole('contentinfo').elements()).toEqual([])
    await choose(/^Call, 3/)
    await choose(/^Prompt, 1/)
    await expect.poll(lines).toEqual(['1', '2', '6', '8'])
    await choose(/^Bash, 3/)
    await expect.poll(lines).toEqual(['2', '8'])
    await expect.element(panel).toHaveTextContent('2 of 8 rows')
    await expect.element(grid).toHaveAttribute('aria-rowcount', '4')
    await expect.element(bar).toHaveTextContent('Event typePrompt, Call')
    await expect.element(bar).toHaveTextContent('2 of 8 rows, 6 hidden')
    await expect.element(screen.getByRole('button', { name: 'Filter, 2 active' })).toBeVisible()
    await bar.getByRole('button', { name: 'Remove filter Event type: Prompt, Call' }).click()
    await expect.poll(lines).toEqual(['2', '8'])
    await bar.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(lines).toEqual(['1', '2', '6', '7', '8'])
    expect(bar.elements()).toEqual([])
  })

  it('shows the issues of a row under it, and a track alone', async () => {
    const { grid, lines, open, choose } = await show()
    await open()
    await choose(/^Violation, 1/)
    await expect.poll(lines).toEqual(['7'])
    expect(grid.element().querySelector('.issue-line')?.getAttribute('data-line')).toBe('7')
    await choose(/^Violation, 1/)
    await choose(/^Look around, 1/)
    await expect.poll(lines).toEqual(['6'])
  })

  it('excludes tools, kinds and tracks, by click and key', async () => {
    const { screen, lines, open, bar, store } = await show()
    await open()
    const exclude = (name: string) => screen.getByRole('button', { name: `Exclude ${name}`, exact: true })
    await exclude('Bash').click()
    await expect.poll(lines).toEqual(['1', '6', '7'])
    await expect.element(bar).toHaveTextContent('Not toolBash')
    await expect.element(exclude('Bash')).toHaveAttribute('aria-pressed', 'true')
    await exclude('Look around').click()
    await expect.poll(lines).toEqual(['1', '7'])
    screen
      .getByRole('checkbox', { name: /^Assistant/ })
      .element()
      .focus()
    await userEvent.keyboard('x')
    await expect.poll(lines).toEqual(['1'])
    await expect.element(bar).toHaveTextContent('Not event typeAssistant')
    // An included member is not excluded.
    await screen.getByRole('checkbox', { name: /^Bash/ }).click()
    await expect.element(exclude('Bash')).toHaveAttribute('aria-pressed', 'false')
    expect(store.getState().filter.without.tools.size).toBe(0)
    await bar.getByRole('button', { name: /^Remove filter Not event type/ }).click()
    await expect.poll(lines).toEqual(['2', '8'])
  })

  it('is opened, used and closed by keyboard', async () => {
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

  it('closes on a click outside', async () => {
    const { open, grid } = await show()
    const panel = await open()
    await grid.click({ position: { x: 20, y: 400 } })
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

  it('shows only matches, as they are found', async () => {
    const { open, choose, lines, log, bar } = await show()
    log.finding.setQuery({ text: 'npm' })
    await open()
    await choose(/^Only matches/)
    await expect.poll(lines).toEqual(['2', '3', '8'])
    await expect.element(bar).toHaveTextContent('Matchesnpm')
    log.finding.setQuery({ text: 'a.txt' })
    await expect.poll(lines).toEqual(['6'])
    log.finding.setQuery({ text: '' })
    await expect.element(bar).toHaveTextContent('Matchesno active search')
    await expect.element(bar).toHaveTextContent('8 of 8 rows')
  })

  it('fits its chips in few lines, with the rest counted', async () => {
    const { log, bar } = await show()
    document.querySelector<HTMLElement>('.filter-place + *')?.parentElement?.style.setProperty('width', '632px')
    log.filtering.set({
      ...log.filter,
      kinds: new Set(['prompt', 'assistant', 'tool', 'tool-error', 'todo', 'session'] as const),
      tools: new Set(['Bash', 'a tool with a name of some length', 'another one']),
      tracks: new Set(['main', null]),
      severities: new Set(['notice', 'violation', 'malformed'] as const),
      onlyHits: true,
      onlyFailed: true
    })
    await expect.element(bar.getByRole('button', { name: /^Remove filter Matches/ })).toBeVisible()
    const tops = bar
      .getByRole('listitem')
      .elements()
      .map((chip) => chip.getBoundingClientRect().top)
    expect(tops.length).toBe(6)
    expect(new Set(tops).size).toBeLessThanOrEqual(3)
    const first = bar.getByRole('listitem').first().element().getBoundingClientRect()
    for (const part of [bar.getByText(/of 8 rows/), bar.getByRole('button', { name: 'Clear' })]) {
      const { top, bottom } = part.element().getBoundingClientRect()
      expect([top >= first.top - 1, bottom <= first.bottom + 1]).toEqual([true, true])
    }
  })

  it('reports when nothing matches, and how to show all', async () => {
    const { screen, open, choose, lines } = await show()
    await open()
    await choose(/^Session start, 0/)
    await expect.element(screen.getByText('No rows match the filter.')).toBeVisible()
    await screen.getByRole('button', { name: 'Show all rows' }).click()
    await expect.poll(() => lines().length).toBe(5)
  })
})

describe('moving under a filter', () => {
  it('visits only shown events', async () => {
    const { store, log } = await show()
    const { filter } = log
    log.filtering.set({ ...filter, tools: new Set(['Bash']) })
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

  it('reports that the row at the playhead is hidden, and its place', async () => {
    const { grid, log, bar, lines } = await show()
    log.filtering.set({ ...log.filter, tools: new Set(['Bash']) })
    log.playhead.placeEvent(3)
    await expect.poll(lines).toEqual(['2', '8'])
    await expect.element(bar).toHaveTextContent('playhead hidden')
    expect(grid.element().querySelector('[aria-selected="true"]')).toBeNull()
    ;(grid.element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowDown}')
    await expect.poll(() => grid.element().querySelector('[aria-selected="true"]')?.getAttribute('data-line')).toBe('8')
  })

  it('keeps the visible rows in place', async () => {
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
    log.filtering.set({ ...log.filter, tools: new Set(['Bash']) })
    await expect.poll(() => store.getState().layout.count).toBe(1000)
    await expect.poll(() => Number(lineAt()[1]) - before()).toBe(top)
    log.filtering.set({ ...log.filter, tools: new Set() })
    await expect.poll(() => store.getState().layout.count).toBe(3000)
    await expect.poll(() => [lineAt()[0], Number(lineAt()[1]) - before()]).toEqual(['1501', top])
  })

  it('goes to a match that is found together with many earlier ones', async () => {
    const many = Array.from({ length: 3000 }, () => bash)
    const range = (from: number) => Array.from({ length: 1000 }, (_, at) => from + at)
    // As in a session of several files: the second thousand is found first.
    const inOrderFound = Uint32Array.from([...range(1000), ...range(0), ...range(2000)])
    const { store, grid, log, found } = await show(
      many,
      {},
      {
        'log.find': async () => ({ find: 1 }),
        'log.hits': async ({ from, count }) => ({ rows: inOrderFound.slice(from, from + count).buffer })
      }
    )
    const progress = { log: 'log-1', find: 1, as: 'find', generation: 1, bytes: 100, bytesSearched: 50, error: null }
    log.filtering.set({ ...log.filter, onlyHits: true })
    log.finding.setQuery({ text: 'npm' })
    found({ ...progress, searching: true, hits: 1000 })
    await expect.poll(() => store.getState().layout.count).toBe(1000)
    log.stepping.end()
    await expect.poll(() => grid.element().querySelector('[data-row="1999"]')).not.toBeNull()
    grid.element().scrollTop = 0
    await expect.poll(() => grid.element().querySelector('[data-row="1000"]')).not.toBeNull()
    log.finding.next(1)
    found({ ...progress, searching: false, hits: 3000 })
    await expect.poll(() => store.getState().row).toBe(2000)
    await expect
      .poll(() => {
        const row = grid.element().querySelector('[aria-selected="true"]')?.getBoundingClientRect()
        const list = grid.element().getBoundingClientRect()
        return row !== undefined && row.top >= list.top && row.bottom <= list.bottom
      })
      .toBe(true)
  })
})
