import { spread } from './spread.js'

/** Inputs of each kind. */
const inputs = 60

/**
 * Shows the todo lanes of the log that `page` has open, and measures how soon they follow: from an input (`wheel`, `scroll`, key) to the
 * frame that has the canvas drawn anew (1: the next one) and, in ms, until that frame was handed on. `firstMs`: from the click on the
 * tab until all lanes are drawn.
 */
export async function measureLanes(page) {
  await page.getByRole('status').getByText('Indexed').waitFor()
  await page.waitForTimeout(1000)
  await page.evaluate(watchCanvas)
  await page.getByRole('tab', { name: 'Todos' }).click()
  const firstMs = await page.evaluate(() => window.lanesDrawn)
  await page.waitForTimeout(1500)
  const { x, y, width, height } = await page.locator('.lane-plot').boundingBox()
  const middle = [x + width / 2, y + height / 2]
  const grid = page.getByRole('treegrid', { name: 'Todo items over the run' })
  const moves = []
  const measure = async (name, act) => {
    await page.evaluate(() => (window.laneInputs = []))
    await act()
    await page.waitForTimeout(500)
    const seen = await page.evaluate(() => window.laneInputs)
    moves.push({
      name,
      inputs: seen.length,
      frames: spread(seen.map((each) => each.frames)),
      ms: spread(seen.map((each) => each.ms))
    })
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

/** Runs in the page: notes for each input how many frames and ms it took until the page was drawn again. */
function watchCanvas() {
  let drawn = 0

  const { clearRect } = CanvasRenderingContext2D.prototype
  CanvasRenderingContext2D.prototype.clearRect = function (...box) {
    if (this.canvas.className === 'lane-canvas') drawn++
    return clearRect.apply(this, box)
  }
  window.laneInputs = []
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
  const watch = (event) => {
    const before = drawn
    const head = document.querySelector('.lane-head')?.style.transform
    let frames = 0
    const look = () => {
      frames++
      const done = drawn > before || document.querySelector('.lane-head')?.style.transform !== head
      // What cannot move any further is not drawn again.
      if (!done && frames < 30) return requestAnimationFrame(look)
      if (done) setTimeout(() => window.laneInputs.push({ frames, ms: performance.now() - event.timeStamp }))
    }
    requestAnimationFrame(look)
  }
  addEventListener('wheel', watch, { capture: true, passive: true })
  addEventListener('keydown', watch, { capture: true })
}
