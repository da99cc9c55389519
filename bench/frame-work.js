import { spread } from './spread.js'

/**
 * What the main thread of `page` works for each frame while `act` runs, in ms of the thread's own time: what else the machine does is not in
 * it. Without changes there would be no frames, so one is asked for after the other.
 */
export async function frameWork(page, act) {
  const browser = page.context().browser()
  await page.evaluate(() => {
    const next = () => (window.frameWanted = requestAnimationFrame(next))
    next()
  })
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', '__metadata'] })
  await act()
  await page.waitForTimeout(300)
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString())
  await page.evaluate(() => cancelAnimationFrame(window.frameWanted))
  const work = framesOf(traceEvents)
  return { count: work.length, ...spread(work) }
}

function framesOf(events) {
  const frames = events.filter(({ name }) => name === 'FireAnimationFrame')
  const [{ pid, tid }] = frames
  const own = events.filter((event) => event.pid === pid && event.tid === tid).sort((a, b) => a.ts - b.ts)
  const starts = own.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts)
  const work = starts.map(() => 0)
  let frame = 0
  let until = 0
  for (const { name, ts, dur, tdur } of own) {
    // One within another.
    if (name !== 'ThreadControllerImpl::RunTask' || tdur === undefined || ts < until) continue
    until = ts + dur
    // The task that begins a frame is all of that frame.
    while (frame + 1 < starts.length && until > starts[frame + 1]) frame++
    work[frame] += tdur / 1000
  }
  return work
}
