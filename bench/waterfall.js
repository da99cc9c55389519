import { spread } from './spread.js'

/** Inputs of each kind. */
const inputs = 90

/**
 * Shows the analysis of the log that `page` has open, and measures what it costs that the waterfall follows the wheel, and the
 * table of its files the scrollbar. Of each frame with a picture: how many calls of the canvas drew it, how long the page's own
 * work took, and when the next frame came. `firstMs`: from the click on the tab until the first spans are drawn.
 */
export async function measureWaterfall(page) {
  await page.getByRole('status').getByText('Indexed').waitFor()
  await page.waitForTimeout(2000)
  await page.evaluate(watchDrawing)
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await page.waitForFunction(() => window.drawing.isDrawn && document.querySelector('.fall-row') !== null)
  const firstMs = await page.evaluate(() => performance.now() - window.drawing.clickedAt)
  const table = page.getByRole('grid', { name: /^Calls by/ })
  const isDone = () => document.querySelector('.figure-grid[aria-busy="false"]') !== null
  await page.waitForFunction(isDone)
  const { x, y, width } = await page.locator('.fall-plot').boundingBox()
  const moves = []
  const measure = async (name, act) => {
    await page.waitForTimeout(500)
    await page.evaluate(() => window.drawing.begin())
    for (let at = 0; at < inputs; at++) await act(at)
    await page.waitForTimeout(200)
    const frames = await page.evaluate(() => window.drawing.end())
    moves.push({
      name,
      drawn: frames.length,
      calls: spread(frames.map(({ calls }) => calls)),
      work: spread(frames.map(({ work }) => work)),
      next: spread(frames.map(({ next }) => next))
    })
  }
  const frame = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(done)))
  const wheel = async (modifier, by) => {
    await page.keyboard.down(modifier)
    await page.mouse.wheel(0, by)
    await page.keyboard.up(modifier)
    await frame()
  }
  await page.mouse.move(x + width / 2, y + 60)
  await measure('zoom', (at) => wheel('Control', at < inputs / 2 ? -40 : 40))
  for (let at = 0; at < 20; at++) await wheel('Control', -40)
  await measure('pan', (at) => wheel('Shift', at < inputs / 2 ? 60 : -60))
  await page.getByRole('group', { name: 'Group by' }).getByRole('button', { name: 'File' }).click()
  await page.waitForFunction(isDone)
  const groups = Number(await table.getAttribute('aria-rowcount')) - 1
  const box = await table.boundingBox()
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await measure('scroll of the table', async (at) => {
    await page.mouse.wheel(0, at % 30 === 29 ? 400_000 : 120)
    await frame()
  })
  return { firstMs, groups, moves }
}

/** Runs in the page: counts what is drawn in each frame, and how long the work before it took. */
function watchDrawing() {
  const drawing = { calls: 0, isDrawn: false, clickedAt: 0, frames: null }
  addEventListener('click', () => (drawing.clickedAt = performance.now()), { capture: true, once: true })
  for (const name of ['fillRect', 'strokeRect', 'fillText', 'stroke', 'fill']) {
    const own = CanvasRenderingContext2D.prototype[name]
    CanvasRenderingContext2D.prototype[name] = function (...args) {
      drawing.calls++
      drawing.isDrawn ||= this.canvas.closest('.fall-plot') !== null
      return own.apply(this, args)
    }
  }
  // What runs between the begin of a frame and the first task after it is the page's own work for it.
  const channel = new MessageChannel()
  let began = 0
  channel.port1.onmessage = () => {
    const frame = drawing.frames?.at(-1)
    if (frame !== undefined && frame.work === null) frame.work = performance.now() - began
  }
  const note = (now) => {
    const frame = drawing.frames?.at(-1)
    if (frame !== undefined) Object.assign(frame, { next: now - frame.at, calls: drawing.calls })
    drawing.calls = 0
    began = performance.now()
    drawing.frames?.push({ at: now, calls: 0, work: null, next: null })
    channel.port2.postMessage(null)
    requestAnimationFrame(note)
  }
  drawing.begin = () => (drawing.frames = [])
  drawing.end = () => {
    const found = drawing.frames.filter(({ next, work }) => next !== null && work !== null)
    drawing.frames = null
    return found
  }
  window.drawing = drawing
  requestAnimationFrame(note)
}
