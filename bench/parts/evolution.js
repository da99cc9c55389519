import { figure } from '../figures.js'
import { longListsLog } from '../logs.js'
import { measureLanes } from '../lanes.js'
import { withPage } from '../screen.js'
import { forget, openAsPage, withServer } from '../server.js'

/** The lanes of many todo items in Chromium, zoomed, moved, scrolled and played through. */
export async function run() {
  forget()
  const found = await withServer(async ({ url, connect }) => {
    const { ms } = await openAsPage(await connect(), longListsLog())
    return { ...(await withPage(url, measureLanes)), readMs: ms }
  })
  const { firstMs, moves, readMs } = found
  return [
    figure('from the tab to all lanes drawn', firstMs, 'ms', {
      note: `the log itself was read in ${Math.round(readMs)} ms`
    }),
    ...moves.map(({ name, frames, ms }) =>
      figure(`${name}: frames until it is drawn, p95`, frames.p95, 'frames', {
        most: 1,
        note: `p50 ${frames.p50}, most ${frames.max}; ${ms.p50} ms from input to paint, p95 ${ms.p95}`
      })
    )
  ]
}
