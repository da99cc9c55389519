import { chromium } from '@playwright/test'
import { spread } from './spread.js'

/** Moves of the mouse from one end of the scrubber to the other. The browser takes one in a frame: a drag of 2.5 s. */
const moves = 150

/**
 * Drags the scrubber of a log of `makeTodoLog` at `url` (as `playhead serve` prints it) from end to end and back in Chromium, and
 * measures how far the todo panel is behind. For each place the slider came to: how many frames later the panel showed the list in force
 * there, or one further along (0: in the same frame), and how many ms after the mouse moved. `frame` is how long a frame took, since a
 * page that hardly draws is never a frame behind. Of each the median, the 95th percentile and the most.
 */
export async function measureDrag(url, { executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' } = {}) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(url)
    const slider = page.getByRole('slider', { name: 'Playhead' })
    const events = () => slider.getAttribute('aria-valuemax')
    for (let before = ''; before !== (await events()) || before === '0'; await page.waitForTimeout(1000))
      before = await events()
    const { x, y, width, height } = await slider.boundingBox()
    await page.evaluate(watchFrames)
    await page.mouse.move(x + 1, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width - 1, y + height / 2, { steps: moves })
    await page.mouse.move(x + 1, y + height / 2, { steps: moves })
    // The panel has not got to the last place yet.
    await page.waitForTimeout(500)
    return lagOf(await page.evaluate(() => window.framesSeen))
  } finally {
    await browser.close()
  }
}

/** Runs in the page: notes for each frame what slider and panel show in it, and since when the mouse had moved. */
function watchFrames() {
  const slider = document.querySelector('[role=slider][aria-label=Playhead]')
  const panel = document.querySelector('[role=region][aria-label=Todos]')
  window.framesSeen = []
  let movedAt = null
  addEventListener('pointermove', (event) => (movedAt ??= event.timeStamp), { capture: true })
  const note = (at) => {
    const place = Number(slider.getAttribute('aria-valuenow'))
    const shown = Number(panel.getAttribute('data-seq') ?? -1)
    window.framesSeen.push({ at, painted: performance.now(), movedAt: movedAt ?? at, place, shown })
    movedAt = null
    requestAnimationFrame(note)
  }
  requestAnimationFrame(note)
}

/** How far behind the panel was at each new place, of what `watchFrames` saw. */
function lagOf(seen) {
  const wantedAt = ({ place }) => (place < 100 ? -1 : Math.floor(place / 100) * 100)
  const frames = []
  const ms = []
  const lengths = []
  for (let at = 1; at < seen.length; at++) {
    const [before, here] = [seen[at - 1], seen[at]]
    if (here.place === before.place) continue
    lengths.push(here.at - before.at)
    const forward = here.place > before.place
    const wanted = wantedAt(here)
    // A turn of the drag ends the search: from there on another direction is further along.
    const there = seen
      .slice(at)
      .findIndex(({ shown }) => (forward ? shown >= wanted : shown <= wanted && shown >= 0 === wanted >= 0))
    const reached = there < 0 ? seen.length - 1 : at + there
    frames.push(reached - at)
    ms.push(seen[reached].painted - here.movedAt)
  }
  return { places: frames.length, frames: spread(frames), ms: spread(ms), frame: spread(lengths) }
}
