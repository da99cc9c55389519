/** Inputs of each kind. */
const inputs = 120

/**
 * Compares the log that `page` shows with the other open one, and measures what the page's main thread does for each turn of the wheel and
 * each key, all it does meanwhile included. `rowsMs`: from the choice of the other log until the first aligned row has its words. Last, a page
 * of nothing but lines of text is scrolled in the same way, in a box of the same size: what the browser can do here.
 */
export async function measureComparing(page) {
  const moves = []
  const { measure, scroll } = await measuring(page, moves)
  await page.getByRole('contentinfo').getByRole('status').getByText('Indexed').waitFor()
  await scroll('timeline scrolled', page.getByRole('grid', { name: 'Timeline' }))
  await measure('timeline, next failed call', () => page.keyboard.press('e'))
  await page.keyboard.press('C')
  const choice = page.getByRole('dialog').getByRole('list', { name: 'Sessions' }).getByRole('button').first()
  await choice.waitFor()
  const began = performance.now()
  await choice.click()
  const grid = page.getByRole('grid', { name: 'Aligned steps' })
  await grid.locator('.summary').first().waitFor()
  const rowsMs = performance.now() - began
  const rows = Number(await grid.getAttribute('aria-rowcount'))
  await page.waitForTimeout(1000)
  await scroll('aligned steps scrolled', grid)
  await grid.focus()
  await measure('next difference', () => page.keyboard.press('d'))
  await measure('next row', () => page.keyboard.press('ArrowDown'))
  await page.keyboard.press('z')
  await page.waitForTimeout(500)
  await scroll('unfolded steps scrolled', grid)
  const { x, y, width, height } = await page.getByRole('slider', { name: 'Playhead' }).boundingBox()
  await page.mouse.move(x + 1, y + height / 3)
  await page.mouse.down()
  await measure('overview dragged', (at) => page.mouse.move(x + 1 + ((width - 2) * at) / inputs, y + height / 3))
  await page.mouse.up()
  await scrollLines(page, await grid.boundingBox(), moves)
  return { rowsMs, rows, moves }
}

async function scrollLines(page, box, moves) {
  const plain = await page.context().browser().newPage({ viewport: page.viewportSize() })
  await plain.setContent(
    `<style>
      main { position: absolute; overflow-y: scroll; font: 13px sans-serif; white-space: nowrap; contain: strict;
        left: ${box.x}px; top: ${box.y}px; width: ${box.width}px; height: ${box.height}px }
      div { height: 24px; overflow: hidden }
    </style>
    <main>${Array.from({ length: 3000 }, (_, at) => `<div>${at} npm test -- src/part-${at}.test.ts, and what came of it</div>`).join('')}</main>`
  )
  const { scroll } = await measuring(plain, moves)
  await scroll('lines of text alone, scrolled', plain.locator('main'))
  await plain.close()
}

/** What moves in `page`, and what it costs; each is added to `moves`. */
async function measuring(page, moves) {
  const browser = await page.context().newCDPSession(page)
  // Of the thread's own time: what else the machine does is not in it.
  await browser.send('Performance.enable', { timeDomain: 'threadTicks' })
  const busyMs = async () => {
    const { metrics } = await browser.send('Performance.getMetrics')
    return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN)
  }
  const measure = async (name, act) => {
    await page.evaluate(() => {
      window.framesSeen = []
      let before = performance.now()
      const note = (now) => {
        window.framesSeen.push(now - before)
        before = now
        window.nextFrame = requestAnimationFrame(note)
      }
      window.nextFrame = requestAnimationFrame(note)
    })
    const before = await busyMs()
    for (let at = 0; at < inputs; at++) await act(at)
    await page.waitForTimeout(300)
    const busy = (await busyMs()) - before
    const frames = await page.evaluate(() => {
      cancelAnimationFrame(window.nextFrame)
      return window.framesSeen
    })
    moves.push({ name, ms: busy / frames.length, perInput: busy / inputs, frames })
  }
  const scroll = async (name, grid) => {
    const { x, y, width, height } = await grid.boundingBox()
    await page.mouse.move(x + width / 2, y + height / 2)
    await measure(name, (at) => page.mouse.wheel(0, at % 40 < 20 ? 400 : -200))
  }
  return { measure, scroll }
}
