import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../ui/controls.css'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { HostError } from '#contract/host-error.ts'
import type { Handlers, LogStatus } from '#contract/methods.ts'
import type { TodoItem } from '#core/events/todo.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost, testStart } from '../../../../test/page/host.ts'
import { EvolutionView } from './evolution-view.tsx'

const item = (text: string, status: TodoItem['status'] = 'pending'): TodoItem => ({ text, status })

/** 100 events, one a second: lists at events 10, 30, 50 and 80 of the main agent, and one of a subagent at 60. */
const lists: Record<number, Pick<CannedRow, 'items' | 'track'>> = {
  10: { items: [item('Read', 'in_progress'), item('Write it')] },
  30: { items: [item('Read', 'completed'), item('Write it', 'in_progress'), item('Ask')] },
  50: { items: [item('Write it down', 'in_progress'), item('Ask', 'cancelled')] },
  60: { items: [item('Check')], track: 1 },
  80: { items: [item('Read', 'completed'), item('Write it down', 'completed'), item('Ask', 'cancelled')] }
}
const rows: CannedRow[] = Array.from({ length: 100 }, (_, at) => ({
  ...(lists[at] === undefined ? { kind: 'tool' as const } : { kind: 'todo' as const, ...lists[at] }),
  time: testStart + at * 1000
}))

async function show(
  canned: readonly CannedRow[] = rows,
  changes: Partial<LogStatus> = {},
  handlers: Partial<Handlers> = {}
) {
  await page.viewport(1000, 700)
  const { host, status } = testHost(canned, changes, handlers)
  const store = createLogStore(host, status)
  const storage = { getItem: () => null, setItem: () => {} }
  const app = createAppStore(host, { storage })
  const screen = await render(
    <AppStoreContext value={app}>
      <LogStoreContext value={store}>
        <main
          style={{ display: 'flex', flexDirection: 'column', width: 900, height: 600, container: 'main / inline-size' }}
        >
          <EvolutionView />
        </main>
      </LogStoreContext>
    </AppStoreContext>
  )
  const grid = screen.getByRole('treegrid', { name: 'Todos over time' })
  const table = screen.getByRole('grid', { name: 'Todo snapshots' })
  const plot = () => screen.container.querySelector<HTMLElement>('.lane-plot') ?? document.body
  /** The position of event `seq` in row `row` of the plot. */
  const pointAt = (seq: number, row: number) => ({
    x: (seq * 1000 * plot().clientWidth) / 99_020,
    y: 36 + row * 26 + 13
  })
  /** The color there: red, green, blue, alpha. */
  const pixel = (seq: number, row: number) => {
    const canvas = screen.container.querySelector<HTMLCanvasElement>('.lane-canvas')
    const { x, y } = pointAt(seq, row)
    const ratio = window.devicePixelRatio
    return [...(canvas?.getContext('2d')?.getImageData(x * ratio, (y - 36) * ratio, 1, 1).data ?? [])]
  }
  const names = () =>
    grid
      .getByRole('row')
      .all()
      .slice(1)
      .map((row) => row.element().textContent)
  return { store: store.getState(), now: () => store.getState(), app, screen, grid, table, plot, pointAt, pixel, names }
}

test('lanes are below their tracks, in list order, with their state at the playhead', async () => {
  const { store, grid, names } = await show()
  await expect
    .poll(names)
    .toEqual(['mainnot started', '·Read', '·Write it', '·Ask', 'Look aroundnot started', '·Check'])
  store.playhead.placeEvent(55)
  await expect
    .poll(names)
    .toEqual([...['main0/2', '·Read', 'Write it downWrite itedited', 'Ask→', 'Look aroundnot started', '·Check']])
  await expect.element(grid.getByRole('row').nth(2).getByRole('img', { name: 'no longer in a list' })).toBeVisible()
  await expect.element(grid.getByRole('row').nth(4).getByRole('img', { name: 'cancelled', exact: true })).toBeVisible()
})

test('spans are drawn from change to change, and nothing where an item is absent', async () => {
  const { pixel } = await show()
  await expect.poll(() => pixel(20, 1)[3]).toBe(255)
  const inProgress = pixel(20, 1)
  expect(pixel(5, 1)[3]).toBe(0)
  expect(pixel(40, 1)).not.toEqual(inProgress)
  expect(pixel(40, 1)[3]).toBe(255)
  // "Read" is in no list from 50 to 80.
  expect(pixel(65, 1)[3]).toBe(0)
  expect(pixel(90, 1)[3]).toBe(255)
  // Its text was edited, and its status stays.
  expect(pixel(40, 2)).toEqual(inProgress)
  expect(pixel(70, 2)).toEqual(inProgress)
})

test('a dropped item ends with an icon; a returned one continues', async () => {
  const { store, screen, grid, table, pixel, plot, pointAt, names } = await show(
    Array.from({ length: 100 }, (_, at) => {
      const items = {
        10: [item('Read', 'in_progress'), item('Write'), item('Ask')],
        50: [item('Read', 'completed')],
        80: [item('Ask', 'in_progress')]
      }[at]
      const time = testStart + at * 1000
      return items === undefined ? { kind: 'tool', time } : { kind: 'todo', items, time }
    })
  )
  // The cross at its end is drawn, and nothing after it.
  await expect.poll(() => pixel(50, 2)[3]).toBe(255)
  expect(pixel(50, 2)).not.toEqual(pixel(40, 2))
  expect(pixel(65, 2)[3]).toBe(0)
  store.playhead.placeEvent(60)
  await expect.poll(names).toEqual(['main1/1', 'Read→', 'Write', 'Ask'])
  for (const row of [3, 4]) {
    await expect.element(grid.getByRole('row').nth(row).getByRole('img', { name: 'dropped' })).toBeVisible()
  }
  await expect.element(table.getByRole('row').nth(2)).toHaveTextContent(/done: Read · dropped: Write, Ask$/)
  const bubble = () => screen.container.querySelector('.lane-bubble')?.textContent
  await userEvent.hover(plot(), { position: pointAt(70, 2) })
  await expect.poll(bubble).toContain('droppedfor 49.0 s, until the end')
  expect(bubble()).toContain('never in progress, 0 status changes, dropped once')
  await userEvent.hover(plot(), { position: pointAt(90, 3) })
  await expect.poll(bubble).toContain('in progress once, 0 status changes, dropped once')
  store.playhead.placeEvent(80)
  await expect.element(grid.getByRole('row').nth(4)).toHaveTextContent('came back')
})

test('dense changes do not hide later ones', async () => {
  const states = ['pending', 'in_progress', 'pending', 'in_progress', 'completed'] as const
  const { pixel } = await show(
    Array.from({ length: 100 }, (_, at) => {
      const status = at < 1 ? undefined : states[at - 1]
      const time = testStart + (at < 10 ? at * 10 : at * 1000)
      return status === undefined ? { kind: 'tool', time } : { kind: 'todo', items: [item('Read', status)], time }
    })
  )
  await expect.poll(() => pixel(50, 1)[3]).toBe(255)
  expect(pixel(3, 1)[3]).toBe(255)
  expect(pixel(95, 1)).toEqual(pixel(50, 1))
})

test('a click moves the playhead, to a change if one is near', async () => {
  const { now, plot, pointAt } = await show()
  await expect.poll(() => now().isComplete && plot().clientWidth > 0).toBe(true)
  await userEvent.click(plot(), { position: pointAt(40.4, 1) })
  await expect.poll(() => now().seq).toBe(40)
  await userEvent.click(plot(), { position: pointAt(50.4, 1) })
  await expect.poll(() => now().seq).toBe(50)
})

test('the bubble states the status, its duration and the fate of an item', async () => {
  const { screen, plot, pointAt } = await show()
  await expect.poll(() => plot().clientWidth).toBeGreaterThan(0)
  await userEvent.hover(plot(), { position: pointAt(40, 2) })
  const bubble = () => screen.container.querySelector('.lane-bubble')?.textContent
  await expect.poll(bubble).toContain('in progressfor 50.0 s')
  expect(bubble()).toContain('event 30→')
  expect(bubble()).toContain('in progress once, 2 status changes, edited once')
  await userEvent.hover(plot(), { position: pointAt(90, 1) })
  await expect.poll(bubble).toContain('completed againfor 19.0 s, until the end')
  await userEvent.hover(plot(), { position: pointAt(5, 1) })
  await expect.poll(bubble).toBeUndefined()
})

test('by keyboard: arrows choose an item, Enter goes to its next change and back', async () => {
  const { store, now, screen, grid } = await show()
  store.playhead.placeEvent(0)
  grid.element().focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
  await expect.element(grid.getByRole('row', { name: /Write it/ })).toHaveAttribute('aria-selected', 'true')
  for (const seq of [10, 30, 50, 80, 80]) {
    await userEvent.keyboard('{Enter}')
    await expect.poll(() => now().seq).toBe(seq)
  }
  await expect.poll(() => screen.container.querySelector('.lane-bubble')?.textContent).toContain('completed')
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}')
  await expect.poll(() => now().seq).toBe(50)
})

test('a track is collapsed and expanded', async () => {
  const { grid, names } = await show()
  await expect.poll(() => names().length).toBe(6)
  grid.element().focus()
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.poll(names).toEqual(['mainnot started3 items', 'Look aroundnot started', '·Check'])
  await grid.getByText('main').click()
  await expect.poll(() => names().length).toBe(6)
})

test('zooms with keys and the wheel, and shows the whole again', async () => {
  const { store, grid, screen, plot, pointAt, pixel } = await show()
  const whole = screen.getByRole('button', { name: 'Show the whole session' })
  store.playhead.placeEvent(20)
  grid.element().focus()
  await expect.element(whole).toBeDisabled()
  await userEvent.keyboard('++')
  await expect.element(whole).toBeEnabled()
  await userEvent.keyboard('0')
  await expect.element(whole).toBeDisabled()
  const { left, top } = plot().getBoundingClientRect()
  const { x, y } = pointAt(45, 1)
  const at = { clientX: left + x, clientY: top + y, bubbles: true, cancelable: true }
  plot().dispatchEvent(new WheelEvent('wheel', { ...at, deltaY: -1000 }))
  await expect.element(whole).toBeEnabled()
  // Its completion around event 45 is visible, its earlier statuses are not.
  await expect.poll(() => pixel(5, 1)[3]).toBe(255)
  expect(pixel(5, 1)).toEqual(pixel(40, 1))
})

test('is drawn over events, and over time with idle gaps', async () => {
  const idle = rows.map((row, at) => (at < 50 ? row : { ...row, time: (row.time ?? 0) + 3_600_000 }))
  const { screen, pixel } = await show(idle)
  const button = (name: string) => screen.getByRole('button', { name })
  await expect.element(button('Gaps compressed')).toHaveAttribute('aria-pressed', 'true')
  const ofWidth = (share: number) => pixel(share * 99.02, 1)
  // The hour is shortened: "Read" is absent from half of the width to four fifths.
  await expect.poll(() => ofWidth(0.95)[3]).toBe(255)
  expect(ofWidth(0.7)[3]).toBe(0)
  await button('Gaps compressed').click()
  await expect.element(button('Gaps compressed')).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(() => ofWidth(0.8)[3]).toBe(255)
  await button('Over events').click()
  await expect.element(button('Gaps compressed')).toBeDisabled()
  await expect.poll(() => ofWidth(0.65)[3]).toBe(0)
})

test('a click or an arrow key in the table moves the playhead', async () => {
  const { store, now, table } = await show()
  store.playhead.placeEvent(0)
  await expect
    .element(table.getByRole('row').nth(2))
    .toHaveTextContent(/^30.*1\/3 \+1done: Read · started: Write it · added: Ask$/)
  await expect.element(table.getByRole('row').nth(3)).toHaveTextContent('edited: Write it down')
  await expect.element(table.getByRole('row').nth(4)).toHaveTextContent('Look around')
  await table.getByRole('row').nth(2).click()
  await expect.poll(() => now().seq).toBe(30)
  await expect.element(table.getByRole('row').nth(2)).toHaveAttribute('aria-selected', 'true')
  table.element().focus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(() => now().seq).toBe(50)
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expect.poll(() => now().seq).toBe(10)
})

test('the selected list stays visible when the table shrinks', async () => {
  const { store, screen, table } = await show(
    Array.from({ length: 100 }, (_, at) => ({ kind: 'todo', items: [item(`Read ${at}`)] }))
  )
  const main = screen.container.querySelector('main')!
  store.playhead.placeEvent(40)
  const selected = () => table.element().querySelector('[aria-selected="true"]')!.getBoundingClientRect()
  const isInView = () => {
    const { top, bottom } = table.element().getBoundingClientRect()
    return selected().top >= top + 24 && selected().top < bottom && bottom <= main.getBoundingClientRect().bottom
  }
  await expect.poll(isInView).toBe(true)
  for (const height of [300, 160, 120, 600]) {
    main.style.height = `${height}px`
    await expect.poll(isInView).toBe(true)
  }
})

test('the height of the table can be set', async () => {
  const { app, screen } = await show()
  const splitter = screen.getByRole('separator', { name: 'Height of the snapshots' })
  splitter.element().focus()
  const height = (): number => Number(splitter.element().getAttribute('aria-valuenow'))
  // Measured after the layout of the table.
  await expect.poll(height).toBeGreaterThan(80)
  const before = height()
  await userEvent.keyboard('{ArrowUp}')
  expect(app.getState().layout.getState().sizes).toEqual({ snapshots: before + 16 })
  await userEvent.keyboard('{Enter}')
  expect(app.getState().layout.getState().sizes).toEqual({})
})

test('a session without lists says so', async () => {
  const { screen } = await show([{ kind: 'prompt' }, { kind: 'assistant' }])
  await expect
    .element(screen.getByRole('region', { name: 'Todo evolution' }))
    .toHaveTextContent('This session has no todo list.')
})

test('a read error is shown with a retry', async () => {
  let failing = true
  const canned = testHost(rows)
  const { screen, grid } = await show(
    rows,
    {},
    {
      'log.todoLanes': async (params) => {
        if (failing) throw new HostError('unavailable', 'The file is gone.')
        return await canned.host.call('log.todoLanes', params)
      }
    }
  )
  await expect.element(screen.getByText(/could not be read: The file is gone/)).toBeVisible()
  failing = false
  await screen.getByRole('button', { name: 'Try again' }).click()
  await expect.element(grid).toBeVisible()
})
