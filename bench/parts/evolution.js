import { figure } from '../figures.js'
import { longListsLog } from '../logs.js'
import { measureLanes } from '../lanes.js'
import { withPage } from '../screen.js'
import { forget, openAsPage, withServer } from '../server.js'

/** A frame of a screen that shows 60 a second. */
const frameMs = 1000 / 60

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
      figure(`${name}: of the main thread, each time`, ms, 'ms', {
        // A change further the todo panel shows a list of a thousand items as well.
        most: name === 'a change further' ? null : frameMs,
        note: `drawn ${frames.p50} frames later, p95 ${frames.p95}`
      })
    )
  ]
}
