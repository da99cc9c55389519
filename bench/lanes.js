import { spread } from './spread.js'

/** Inputs of each kind. */
const inputs = 60

/**
 * Shows the todo lanes of the log that `page` has open, and measures what it costs that they follow: of each input (`wheel`, key), or of each
 * frame where one is drawn in several, the ms
 * of the page's main thread, all it does meanwhile included, and how many frames later the canvas is drawn anew (2: the frame after the
 * one in which the input came). `firstMs`: from the click on the tab until all lanes are drawn.
 */
export async function measureLanes(page) {
  await page.getByRole('status').getByText('Indexed').waitFor()
  await page.waitForTimeout(1000)
  await page.evaluate(watchCanvas)
  await page.getByRole('tab', { name: 'Todos' }).click()
  const firstMs = await page.evaluate(() => window.lanesDrawn)
  // Todo lists are read ahead meanwhile.
  await page.waitForTimeout(8000)
  const { x, y, width, height } = await page.locator('.lane-plot').boundingBox()
  const middle = [x + width / 2, y + height / 2]
  const grid = page.getByRole('treegrid', { name: 'Todos over time' })
  const moves = []
  const browser = await page.context().newCDPSession(page)
  // Of the thread's own time: what else the machine does is not in it.
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busyMs = async () => {
    const { metrics } = await browser.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
  }
  const measure = async (name, act) => {
    const draws = await page.evaluate(() => {
      window.laneInputs = []
      return window.laneDraws
    })
    const before = await busyMs()
    await act()
    await page.waitForTimeout(500)
    const busy = (await busyMs()) - before
    const frames = (await page.evaluate(() => window.laneDraws)) - draws
    // A turn of the wheel scrolls over several frames.
    const ms = busy / Math.max(inputs, frames)
    const seen = await page.evaluate(() => window.laneInputs)
    moves.push({ name, ms, frames: spread(seen.map((each) => each.frames)) })
  }
  const wheel = async (dx, dy) => {
    await page.mouse.wheel(dx, dy)
    await page.waitForTimeout(40)
  }
  await page.mouse.move(...middle)
  await measure('zoomed', async () => {
    for (let at = 0; at < inputs; at++) await wheel(0, at < inputs / 2 ? -100 : 100)
  })
  for (let at = 0; at < 6; at++) await wheel(0, -100)
  await measure('moved sideways', async () => {
    for (let at = 0; at < inputs; at++) await wheel(at < inputs / 2 ? 60 : -60, 0)
  })
  await page.keyboard.press('0')
  await page.mouse.move(x - 60, y + height / 2)
  await measure('scrolled', async () => {
    for (let at = 0; at < inputs; at++) await wheel(0, at < inputs / 2 ? 300 : -300)
  })
  await grid.focus()
  await measure('a change further', async () => {
    for (let at = 0; at < inputs; at++) {
      await page.keyboard.press(']')
      await page.waitForTimeout(40)
    }
  })
  return { firstMs, moves }
}

/** Runs in the page: notes for each input how many frames it took until the page was drawn again. */
function watchCanvas() {
  let drawn = 0
  const { clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    if (this.canvas.className === 'lane-canvas') window.laneDraws = ++drawn
    return clearRect.apply(this, box)
  }
  window.laneInputs = []
  window.laneDraws = 0
  window.lanesDrawn = new Promise((resolve) => {
    addEventListener(
      'click',
      ({ timeStamp }) => {
        const look = () => {
          const rows = Number(document.querySelector('.lane-grid')?.getAttribute('aria-rowcount') ?? 0)
          if (drawn > 0 && rows > 1000) setTimeout(() => resolve(performance.now() - timeStamp))
          else requestAnimationFrame(look)
        }
        look()
      },
      { capture: true, once: true }
    )
  })
  const watch = () => {
    const before = drawn
    const head = document.querySelector('.lane-head')?.style.transform
    let frames = 0
    const look = () => {
      frames++
      const done = drawn > before || document.querySelector('.lane-head')?.style.transform !== head
      // What cannot move any further is not drawn again.
      if (!done && frames < 30) return requestAnimationFrame(look)
      if (done) window.laneInputs.push({ frames })
    }
    requestAnimationFrame(look)
  }
  addEventListener('wheel', watch, { capture: true, passive: true })
  addEventListener('keydown', watch, { capture: true })
}
