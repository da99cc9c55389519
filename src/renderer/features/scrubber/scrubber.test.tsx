import '../../styles/tokens.css'
import '../../styles/base.css'
import '../../app.css'
import { expect, it } from 'vitest'
import { render } from 'vitest-browser-react'
import { AppStoreContext, createAppStore } from '../../stores/app-store.ts'
import { createLogStore, LogStoreContext } from '../../stores/log-store.ts'
import { type CannedRow, testHost, testStart } from '../../../../test/page/host.ts'
import { Deck } from '../deck/deck.tsx'
import { Scrubber } from './scrubber.tsx'

const item = { text: 'Write it', status: 'pending' as const }

/** Transport and scrubber of 100 events, with todo lists at events 20 and 60. `timeOf`: their times. */
async function show(timeOf?: (seq: number) => number) {
  const lists: Record<number, CannedRow> = {
    20: { kind: 'todo', items: [item] },
    60: { kind: 'todo', items: [{ ...item, status: 'completed' }], severity: 'violation' }
  }
  const { host, status } = testHost(
    Array.from({ length: 100 }, (_, at) => ({
      ...(lists[at] ?? { kind: 'tool' }),
      ...(timeOf !== undefined && { time: timeOf(at) })
    }))
  )
  const store = createLogStore(host, status)
  const app = createAppStore(host, { storage: localStorage })
  const screen = await render(
    <AppStoreContext value={app}>
      <LogStoreContext value={store}>
        <div className="app">
          <section className="area-deck">
            <Deck />
            <Scrubber />
          </section>
        </div>
      </LogStoreContext>
    </AppStoreContext>
  )
  const slider = screen.getByRole('slider', { name: 'Playhead' })
  await expect.element(slider).toHaveAttribute('aria-valuemax', '99')
  await expect.poll(() => store.getState().todos.count).toBe(2)
  const strip = slider.element()
  // After the layout, which sets its width.
  const drawnWidth = () => strip.querySelector('canvas')?.width
  await expect.poll(drawnWidth).toBe(Math.round(strip.clientWidth * window.devicePixelRatio))
  // The browser captures only its own pointers.
  strip.setPointerCapture = () => {}
  /** A pointer event in the middle of event `seq`. */
  const point = (type: string, seq: number, keys: PointerEventInit = {}) => {
    const { left, top, width } = strip.getBoundingClientRect()
    const at = { clientX: left + ((seq + 0.5) / 100) * width, clientY: top + 20 }
    strip.dispatchEvent(new PointerEvent(type, { ...at, bubbles: true, button: 0, pointerId: 1, ...keys }))
  }
  return { screen, store, slider, strip, point }
}

it('is a slider with event, time and todo progress', async () => {
  const { store, slider } = await show()
  await expect.element(slider).toHaveAttribute('aria-valuenow', '0')
  store.getState().playhead.placeEvent(60)
  await expect.element(slider).toHaveAttribute('aria-valuenow', '60')
  await expect
    .poll(() => slider.element().getAttribute('aria-valuetext'))
    .toMatch(/^event 61 of 100, \d\d:\d\d:\d\d, todos 1\/1$/)
})

it('moves the playhead while dragged, and describes the event under the pointer', async () => {
  const { screen, store, point } = await show()
  point('pointermove', 50)
  await expect.element(screen.getByText('event 50')).toBeVisible()
  expect(store.getState().seq).toBe(0)
  point('pointerdown', 30)
  expect(store.getState().seq).toBe(30)
  for (const seq of [31, 59, 60]) {
    point('pointermove', seq)
    expect(store.getState().seq).toBe(seq)
  }
  await expect.element(screen.getByText('1/1')).toBeVisible()
})

it('restores the playhead when a drag is cancelled', async () => {
  const { store, strip, point } = await show()
  store.getState().playhead.placeEvent(7)
  point('pointerdown', 30)
  point('pointermove', 60)
  strip.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  expect(store.getState().seq).toBe(7)
  point('pointermove', 80)
  expect(store.getState().seq).toBe(7)
})

it('ends a drag with the pointer', async () => {
  const { store, strip, point } = await show()
  point('pointerdown', 30)
  strip.dispatchEvent(new PointerEvent('lostpointercapture', { bubbles: true, pointerId: 1 }))
  point('pointermove', 80)
  expect(store.getState().seq).toBe(30)
})

it('zooms at the pointer with the wheel, and by keys; the playhead stays visible', async () => {
  const { store, strip, screen, point } = await show()
  const { left, width } = strip.getBoundingClientRect()
  const whole = () => screen.getByRole('button', { name: 'Show the whole session' })
  const wheel = (seq: number, deltaY: number, deltaX = 0) =>
    strip.dispatchEvent(
      new WheelEvent('wheel', { clientX: left + ((seq + 0.5) / 100) * width, deltaY, deltaX, cancelable: true })
    )
  /** The event in the bubble at event `seq` of the whole session. */
  const eventUnder = (seq: number) => {
    point('pointermove', seq)
    return Number(/event (\d+)/.exec(strip.querySelector('.bubble')?.textContent ?? '')?.[1] ?? NaN)
  }
  await expect.element(whole()).not.toBeInTheDocument()
  for (let notch = 0; notch < 4; notch++) wheel(60, -100)
  await expect.element(whole()).toBeVisible()
  await expect.poll(() => eventUnder(60)).toBe(60)
  await expect.poll(() => eventUnder(99)).toBeLessThan(80)
  // The playhead, at 0, is not visible: the view follows its next move.
  store.getState().stepping.step(1)
  await expect.poll(() => eventUnder(0)).toBeLessThan(2)
  wheel(50, 0, width)
  await expect.poll(() => eventUnder(0)).toBeGreaterThan(10)
  await whole().click()
  await expect.poll(() => eventUnder(99)).toBe(99)
  const press = (key: string) => strip.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  press('+')
  await expect.element(whole()).toBeVisible()
  press('-')
  await expect.element(whole()).not.toBeInTheDocument()
})

it('zooms around the playhead by keys, also near both ends', async () => {
  const { store, strip, slider } = await show()
  const part = () => document.querySelector<HTMLElement>('.range > i')?.style
  const press = (key: string) => strip.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  for (const seq of [1, 98]) {
    store.getState().playhead.placeEvent(seq)
    await expect.element(slider).toHaveAttribute('aria-valuenow', String(seq))
    press('0')
    await expect.poll(part).toBeUndefined()
    for (const width of [50, 25, 24]) {
      press('+')
      await expect.poll(() => parseFloat(part()?.width ?? '')).toBeCloseTo(width, 1)
      const from = parseFloat(part()?.left ?? '')
      expect(from).toBeLessThanOrEqual(seq + 0.5)
      expect(from + width).toBeGreaterThanOrEqual(seq + 0.5)
    }
  }
})

it('fits the transport buttons and the speed, also in a narrow window', async () => {
  await show()
  const deck = document.querySelector('.deck')
  for (const width of ['232px', '200px']) {
    document.querySelector<HTMLElement>('.area-deck')?.style.setProperty('grid-template-columns', `${width} 1fr`)
    expect(deck?.getBoundingClientRect().width).toBe(parseFloat(width))
    expect(deck?.scrollWidth).toBeLessThanOrEqual(deck?.clientWidth ?? 0)
    const last = deck?.querySelector('.deck-rate')?.getBoundingClientRect().right ?? Infinity
    expect(last).toBeLessThanOrEqual((deck?.getBoundingClientRect().right ?? 0) - 4)
  }
})

it('pans with Shift and a drag; a double click shows the whole session', async () => {
  const { store, strip, screen, slider, point } = await show()
  const range = () => document.querySelector<HTMLElement>('.range > i')
  const press = (key: string) => strip.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
  store.getState().playhead.placeEvent(50)
  await expect.element(slider).toHaveAttribute('aria-valuenow', '50')
  press('+')
  await expect.poll(() => parseFloat(range()?.style.left ?? '')).toBeCloseTo(25, 0)
  point('pointerdown', 50, { shiftKey: true })
  // After the strip has captured the pointer.
  await expect.poll(() => strip.className).toContain('grabbed')
  point('pointermove', 70)
  await expect.poll(() => parseFloat(range()?.style.left ?? '')).toBeCloseTo(15, 0)
  expect(parseFloat(range()?.style.width ?? '')).toBeCloseTo(50)
  strip.dispatchEvent(new PointerEvent('lostpointercapture', { bubbles: true, pointerId: 1 }))
  await expect.poll(() => strip.className).not.toContain('grabbed')
  expect(store.getState().seq).toBe(50)
  strip.dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))
  await expect.element(screen.getByRole('button', { name: 'Show the whole session' })).not.toBeInTheDocument()
})

it('draws the session over time, with shortened idle time', async () => {
  // 50 events in 50 s, an idle hour, 50 events in 50 s.
  const { store, strip, screen, point } = await show((seq) => testStart + seq * 1000 + (seq < 50 ? 0 : 3_600_000))
  await screen.getByRole('button', { name: 'Axis: events. Switch to time.' }).click()
  await expect.element(screen.getByRole('button', { name: 'Axis: time. Switch to events.' })).toBeVisible()
  const eventAt = (share: number) => {
    point('pointerdown', share * 100 - 0.5)
    strip.dispatchEvent(new PointerEvent('lostpointercapture', { bubbles: true, pointerId: 1 }))
    return store.getState().seq
  }
  // The hour takes a minute of the 158 s drawn.
  await expect.poll(() => eventAt(0.5)).toBe(49)
  expect(eventAt(20 / 158)).toBe(20)
  expect(eventAt((49 + 60 + 20) / 158)).toBe(70)
  const head = strip.querySelector<HTMLElement>('.head')
  const x = () => new DOMMatrix(head?.style.transform).e / strip.clientWidth
  store.getState().playhead.placeEvent(50)
  await expect.poll(x).toBeCloseTo(109 / 158, 2)
  await screen.getByRole('button', { name: 'Axis: time. Switch to events.' }).click()
  await expect.poll(x).toBeCloseTo(0.505, 3)
})

it('draws the session', async () => {
  const { strip } = await show()
  const canvas = strip.querySelector('canvas')
  const inked = () => {
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
    return pixels.filter((value, at) => at % 4 === 3 && value > 0).length
  }
  await expect.poll(inked).toBeGreaterThan(1000)
})

it('draws bookmarks', async () => {
  const { store, strip } = await show()
  const canvas = strip.querySelector('canvas')
  /** Whether the middle of a ribbon is drawn at event `seq`; nothing else is as high and wide there. */
  const isMarked = (seq: number) => {
    const scale = window.devicePixelRatio
    const x = Math.round((((seq + 0.5) / 100) * strip.clientWidth - 3) * scale)
    const pixel = canvas?.getContext('2d')?.getImageData(x, Math.round(4 * scale), 1, 1).data
    return (pixel?.[3] ?? 0) > 0
  }
  await expect.poll(() => store.getState().review.phase).toBe('ready')
  expect(isMarked(42)).toBe(false)
  store.getState().reviewing.toggleBookmark(42)
  await expect.poll(() => isMarked(42)).toBe(true)
  expect(isMarked(60)).toBe(false)
  store.getState().reviewing.toggleBookmark(42)
  await expect.poll(() => isMarked(42)).toBe(false)
})

it('steps and plays with the transport', async () => {
  const { screen, store } = await show()
  await screen.getByRole('button', { name: 'Next event' }).click()
  expect(store.getState().seq).toBe(1)
  await screen.getByRole('button', { name: 'Last event' }).click()
  expect(store.getState().seq).toBe(99)
  await screen.getByRole('combobox', { name: 'Speed' }).selectOptions('8×')
  await screen.getByRole('button', { name: 'Play' }).click()
  // Far from the end, where play pauses: a late click would start it again.
  await expect.poll(() => store.getState().seq).toBeLessThan(50)
  await expect.poll(() => store.getState().seq).toBeGreaterThan(1)
  await screen.getByRole('button', { name: 'Pause', exact: true }).click()
  expect(store.getState().player.playing).toBe(false)
})
