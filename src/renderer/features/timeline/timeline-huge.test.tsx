import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import { cdp, userEvent } from 'vitest/browser'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Handlers } from '#contract/methods.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { testHost, testStart } from '../../../../test/page/host.ts'
import { Timeline } from './timeline.tsx'

const rowCount = 5_000_000
const rowHeight = 24

/** Columns of a log of calls, generated on demand. */
const endlessLog: Partial<Handlers> = {
  'log.columns': async ({ from, count: asked }) => {
    const count = Math.min(asked, rowCount - from)
    const bytes = () => new Uint8Array(count)
    const upwards = (first: number) => Int32Array.from({ length: count }, (_, at) => first + at).buffer
    return {
      from,
      count,
      kind: bytes().fill(rowKinds.indexOf('tool')).buffer,
      severity: bytes().buffer,
      issues: new Uint16Array(count).buffer,
      time: Float64Array.from({ length: count }, (_, at) => testStart + (from + at)).buffer,
      line: upwards(from + 1),
      seq: upwards(from),
      tool: new Uint16Array(count).fill(1).buffer,
      track: new Uint16Array(count).buffer,
      pair: new Int32Array(count).fill(-1).buffer,
      took: new Float64Array(count).fill(NaN).buffer,
      mark: bytes().buffer,
      file: new Uint16Array(count).buffer
    }
  },
  'log.rows': async ({ rows }) => ({
    rows: rows.map((row) => ({ row, text: `row ${row}`, detail: '', mono: false, badges: [], todo: null, issues: [] }))
  })
}

/** A timeline of 5,000,000 rows in a box of 800 x 600 px, with all columns loaded. */
async function show() {
  const size = { rows: rowCount, events: rowCount, lines: rowCount }
  const settled = { rows: rowCount, events: rowCount, todoSnapshots: 0 }
  const { host, status } = testHost([], { ...size, settled, lastTimestamp: testStart + rowCount }, endlessLog)
  const store = createLogStore(host, status)
  const screen = await render(
    <AppStoreContext value={createAppStore(host, { storage: localStorage })}>
      <LogStoreContext value={store}>
        <div className="box" style={{ display: 'flex', flexDirection: 'column', width: 800, height: 600 }}>
          <Timeline />
        </div>
      </LogStoreContext>
    </AppStoreContext>
  )
  await expect.poll(() => store.getState().columns.rows, { timeout: 60_000 }).toBe(rowCount)
  const grid = screen.getByRole('grid', { name: 'Timeline' }).element() as HTMLElement
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toMatch(/^50\d{5}$/)
  return { store, grid, screen }
}

/** The visible lines and their exact positions. Throws if they are wrong. */
function linesSeen(grid: HTMLElement) {
  const { top, bottom } = grid.getBoundingClientRect()
  const seen = [...grid.querySelectorAll<HTMLElement>('.drawn > [role="row"]')]
    .map((line) => ({ line, box: line.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > top + rowHeight + 0.5 && box.top < bottom - 0.5)
    .sort((a, b) => a.box.top - b.box.top)
  const [first, last] = [seen[0], seen.at(-1)]
  if (first === undefined || last === undefined) throw new Error('no line is in view')
  const view = (line: HTMLElement) => Number(line.getAttribute('aria-rowindex')) - 2
  let row = -1
  for (const [at, { line, box }] of seen.entries()) {
    if (view(line) !== view(first.line) + at)
      throw new Error(`line ${view(line)} stands after ${view(first.line) + at - 1}`)
    if (Math.abs(box.top - first.box.top - at * rowHeight) > 0.01) throw new Error(`line ${view(line)} is out of place`)
    const shown = Number(line.dataset['row'])
    if (row >= 0 && shown !== row + 1) throw new Error(`row ${shown} stands after row ${row}`)
    if (line.dataset['line'] !== String(shown + 1) || line.dataset['seq'] !== String(shown))
      throw new Error(`row ${shown} says it is line ${line.dataset['line']}`)
    row = shown
  }
  if (first.box.top > top + rowHeight + 0.5 || last.box.bottom < bottom - 0.5) throw new Error('the view is not filled')
  return {
    first: Number(first.line.dataset['row']),
    last: row,
    /** Pixels of the list above the view. */
    offset: view(first.line) * rowHeight + (top + rowHeight - first.box.top)
  }
}

/** The visible lines, once nothing moves. */
async function settled(grid: HTMLElement) {
  let before = -1
  await expect
    .poll(() => {
      const was = before
      before = linesSeen(grid).offset
      return was === before
    })
    .toBe(true)
  return linesSeen(grid)
}

/** A real wheel over the grid. The page under test may be scaled in its frame. */
async function wheel(grid: HTMLElement, deltaY: number) {
  const frame = window.frameElement?.getBoundingClientRect()
  const scale = (frame?.width ?? window.innerWidth) / window.innerWidth
  const box = grid.getBoundingClientRect()
  const x = (frame?.left ?? 0) + (box.left + box.width / 2) * scale
  const y = (frame?.top ?? 0) + (box.top + box.height / 2) * scale
  await cdp().send('Input.dispatchMouseEvent', { type: 'mouseWheel', x, y, deltaX: 0, deltaY })
}

it('shows the right rows of 5,000,000, however one moves', async () => {
  const { store, grid, screen } = await show()
  const log = store.getState()
  const end = rowCount - 1

  // By number, by key, and to both ends.
  for (const seq of [end, 2_500_000, 333_333, 4_999_990, 7, 0, 1_400_000]) {
    log.playhead.placeEvent(seq)
    const { first, last } = await settled(grid)
    expect(seq >= first && seq <= last, `row ${seq} is among ${first} to ${last}`).toBe(true)
  }
  grid.focus()
  for (const keys of ['{ArrowDown}', '{PageDown}', '{PageUp}', '{ArrowUp}']) {
    await userEvent.keyboard(keys)
    const { first, last } = await settled(grid)
    const { row } = store.getState()
    expect(row >= first && row <= last, `${keys}: row ${row} is among ${first} to ${last}`).toBe(true)
    expect(Math.abs(row - 1_400_000)).toBeLessThan(60)
  }
  expect(store.getState().row).toBe(1_400_000)
  log.stepping.end()
  expect((await settled(grid)).last).toBe(end)
  log.stepping.home()
  expect((await settled(grid)).first).toBe(0)

  // With the thumb, like a mouse: from top to bottom and back, and to the middle.
  const room = grid.scrollHeight - grid.clientHeight
  grid.dispatchEvent(new PointerEvent('pointerdown', { pointerType: 'mouse', bubbles: true }))
  for (let part = 1; part <= 60; part++) {
    grid.scrollTop = (room * part) / 60
    await expect.poll(() => Math.abs(linesSeen(grid).first / rowCount - part / 60)).toBeLessThan(0.01)
  }
  expect((await settled(grid)).last).toBe(end)
  for (let part = 99; part >= 0; part -= 3) {
    grid.scrollTop = (room * part) / 100
    await new Promise(requestAnimationFrame)
  }
  expect((await settled(grid)).first).toBe(0)
  grid.scrollTop = room / 2
  expect((await settled(grid)).first / rowCount).toBeCloseTo(0.5, 3)

  // With the wheel: a notch has the same distance everywhere, and reaches the end.
  for (const seq of [30, 900, 1_666_667, 2_500_000, 4_999_000, 4_999_930]) {
    log.playhead.placeEvent(seq < 100_000 ? end : 0)
    log.playhead.placeEvent(seq)
    const before = await settled(grid)
    await wheel(grid, 120)
    await expect
      .poll(() => linesSeen(grid).offset, { message: `down from row ${before.first}` })
      .toBe(before.offset + 120)
    await settled(grid)
    await wheel(grid, -120)
    await expect.poll(() => linesSeen(grid).offset, { message: `up to row ${before.first}` }).toBe(before.offset)
  }
  for (let notch = 0; notch < 8; notch++) await wheel(grid, 1000)
  await expect.poll(() => linesSeen(grid).last).toBe(end)

  // After a resize the first line stays the first one.
  const box = document.querySelector<HTMLElement>('.box')
  for (const seq of [2_500_000, 4_000_000, 4_999_900]) {
    log.playhead.placeEvent(seq)
    const { offset } = await settled(grid)
    for (const height of [380, 700, 250, 600]) {
      if (box !== null) box.style.height = `${height}px`
      await new Promise(requestAnimationFrame)
      expect((await settled(grid)).offset, `${height} px at row ${seq}`).toBe(offset)
    }
  }

  // Back to the selected row.
  grid.scrollTop = 0
  await settled(grid)
  await screen.getByRole('button', { name: 'Show the current row' }).click()
  await expect.poll(() => linesSeen(grid).last).toBeGreaterThan(4_999_900)
  expect(grid.querySelectorAll('[role="row"]').length).toBeLessThan(60)
})
