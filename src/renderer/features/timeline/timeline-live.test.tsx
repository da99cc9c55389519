import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import { userEvent } from 'vitest/browser'
import { describe, expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { AppStoreContext, createAppStore, useApp } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import type { CannedRow } from '../../../../test/page/host.ts'
import { liveHost } from '../../../../test/page/live-host.ts'
import { Timeline } from './timeline.tsx'

const tool: CannedRow = { kind: 'tool', tool: 1 }
const turn: CannedRow = { kind: 'turn' }
/** A timeout for slow machines. */
const eventually = <T,>(value: () => T) => expect.poll(value, { timeout: 60_000, interval: 5 })
const tools = (count: number): CannedRow[] => Array.from({ length: count }, () => tool)

/** A timeline of 600 px with a growing, loaded log; the rows `ending` are not settled. */
async function show(rows: readonly CannedRow[], ending: readonly CannedRow[] = []) {
  const live = liveHost(rows, ending)
  const store = createLogStore(live.host, live.status)
  const screen = await render(
    <AppStoreContext value={createAppStore(live.host, { storage: localStorage })}>
      <LogStoreContext value={store}>
        <div style={{ display: 'flex', flexDirection: 'column', width: 800, height: 600 }}>
          <Timeline />
        </div>
      </LogStoreContext>
    </AppStoreContext>
  )
  const grid = screen.getByRole('grid', { name: 'Timeline' }).element()
  const caughtUp = async () => {
    const { rows: all, status } = live.now
    await eventually(() => [store.getState().columns.rows, store.getState().settledRows]).toEqual([
      all.length,
      status.settled.rows
    ])
    await eventually(() => grid.getAttribute('aria-rowcount')).toBe(String(store.getState().layout.count + 1))
  }
  await caughtUp()
  /** Visible rows, with their distance from the top. */
  const seen = () =>
    [...grid.querySelectorAll<HTMLElement>('[data-row]')]
      .map((row) => [Number(row.dataset['row']), row.getBoundingClientRect().top] as const)
      .filter(([, top]) => top > grid.getBoundingClientRect().top && top < grid.getBoundingClientRect().bottom)
      .sort(([a], [b]) => a - b)
  /** The lowest wholly visible row. */
  const lowest = () => seen().findLast(([, top]) => top + 24 <= grid.getBoundingClientRect().bottom + 0.5)?.[0]
  return { live, store, grid, seen, lowest, caughtUp }
}

describe('the timeline of a growing log', () => {
  it.each([
    ['at its start', 0],
    ['in its middle, between two rows', 24 * 200 + 11],
    ['at its end', 24 * 500]
  ])('does not move where a person looks %s', async (_, top) => {
    const { live, store, grid, seen, caughtUp } = await show(tools(500), [turn])
    grid.scrollTop = top
    await eventually(() => seen().length).toBeGreaterThan(20)
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const before = { rows: seen().slice(0, 20), top: grid.scrollTop, row: store.getState().row }
    for (let growth = 0; growth < 5; growth++) {
      live.grow(tools(7), [turn])
      await caughtUp()
    }
    expect({ rows: seen().slice(0, 20), top: grid.scrollTop, row: store.getState().row }).toEqual(before)
  })

  it('keeps a followed end visible, whatever the last rows are', async () => {
    const { live, store, lowest, caughtUp } = await show(tools(500), [turn])
    store.getState().stepping.end()
    await eventually(lowest).toBe(500)
    for (let growth = 0; growth < 20; growth++)
      live.grow([tool, { kind: 'record' }], [{ kind: 'record', severity: 'notice' }])
    await caughtUp()
    await eventually(lowest).toBe(540)
    expect(store.getState()).toMatchObject({ row: 538, following: true })
  })

  it('shows a call as failed when its result arrives, also on its own row', async () => {
    const { live, store, grid, caughtUp } = await show([tool, tool])
    await eventually(() => grid.querySelectorAll('[data-kind="tool"]').length).toBe(2)
    live.grow([{ kind: 'tool-error', tool: 1, pair: 0 }])
    await caughtUp()
    expect(store.getState().layout.resultAt(0)).toBe(-1)
    await eventually(() => grid.querySelector('[data-row="0"]')?.textContent).toContain('failed')
    expect(grid.querySelector('[data-row="1"]')?.textContent).not.toContain('failed')
  })

  it('stops following when a person scrolls away from the end', async () => {
    const { live, store, grid, seen, lowest, caughtUp } = await show(tools(500))
    store.getState().stepping.follow(true)
    await eventually(lowest).toBe(499)
    grid.scrollTop -= 240
    await eventually(() => store.getState().following).toBe(false)
    const before = seen().slice(0, 20)
    live.grow(tools(3))
    await caughtUp()
    expect(seen().slice(0, 20)).toEqual(before)
    expect(store.getState().row).toBe(499)
  })

  it('keeps following when its height changes', async () => {
    const { store, grid, lowest } = await show(tools(500))
    store.getState().stepping.follow(true)
    await eventually(lowest).toBe(499)
    const box = grid.parentElement
    if (box === null) throw new Error('the timeline stands in a box')
    for (const height of [300, 600, 450, 700]) {
      box.style.height = `${height}px`
      // After a resize, the browser may report the scroll before the resize.
      grid.getBoundingClientRect()
      grid.dispatchEvent(new Event('scroll'))
      for (let frame = 0; frame < 4; frame++) await new Promise((resolve) => requestAnimationFrame(resolve))
      await eventually(lowest).toBe(499)
    }
    expect(store.getState().following).toBe(true)
  })

  it('does not scroll to a row that was taken back', async () => {
    const { live, store, grid, seen, caughtUp } = await show(tools(500), [turn, turn])
    store.getState().playhead.select(500)
    grid.scrollTop = 0
    await eventually(() => seen()[0]?.[0]).toBe(0)
    const before = seen()
    live.grow([])
    await caughtUp()
    expect(store.getState().row).toBe(499)
    expect(seen()).toEqual(before)
  })

  it('is scrolled by keys away from the end', async () => {
    const { live, store, grid, caughtUp } = await show(tools(500))
    store.getState().stepping.end()
    ;(grid as HTMLElement).focus()
    await userEvent.keyboard('{ArrowUp}')
    expect(store.getState()).toMatchObject({ row: 498, following: false })
    live.grow([tool])
    await caughtUp()
    expect(store.getState().row).toBe(498)
  })
})

describe('the timeline of a reordered log', () => {
  it('stays in place when rows are inserted above', async () => {
    const live = liveHost(tools(500))
    const app = createAppStore(live.host, { storage: localStorage })
    function Shown() {
      const log = useApp(({ logStores }) => logStores.get('log-1'))
      return log === undefined ? null : (
        <LogStoreContext value={log}>
          <div style={{ display: 'flex', flexDirection: 'column', width: 800, height: 600 }}>
            <Timeline key={log.getState().key} />
          </div>
        </LogStoreContext>
      )
    }
    const screen = await render(
      <AppStoreContext value={app}>
        <Shown />
      </AppStoreContext>
    )
    app.getState().setConnection('open')
    const grid = screen.getByRole('grid', { name: 'Timeline' })
    await expect.element(grid).toHaveAttribute('aria-rowcount', '501')
    grid.element().scrollTop = 24 * 200 + 11
    const seen = () =>
      [...grid.element().querySelectorAll<HTMLElement>('[data-row]')]
        .map((row) => [row.dataset['line'], row.dataset['kind'], row.getBoundingClientRect().top] as const)
        .sort(([, , a], [, , b]) => a - b)
        .slice(10, 20)
    await eventually(() => seen().some(([line]) => line === '210')).toBe(true)
    const before = seen()
    const lines = tools(500).map((row, at) => ({ ...row, line: at + 1 }))
    const others = Array.from({ length: 10 }, (_, at) => ({ ...tool, file: 1, line: at + 1 }))
    live.startOver([...lines.slice(0, 100), ...others, ...lines.slice(100)], null)
    await expect.element(grid).toHaveAttribute('aria-rowcount', '511')
    expect(seen()).toEqual(before)
  })
})

describe('a log of 1,000,000 rows that exceeds the maximum height of an element', () => {
  it('keeps its scroll position, and follows its end', async () => {
    const { live, store, seen, lowest, caughtUp } = await show(tools(1_000_000))
    store.getState().playhead.placeEvent(765_432)
    await eventually(() => seen().some(([row]) => row === 765_432)).toBe(true)
    const before = seen()
    live.grow(tools(10))
    await caughtUp()
    expect(seen()).toEqual(before)
    store.getState().stepping.end()
    live.grow(tools(10))
    await caughtUp()
    await eventually(lowest).toBe(1_000_019)
  })
})
