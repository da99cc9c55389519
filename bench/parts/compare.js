import { measureComparing } from '../compare-screen.js'
import { figure } from '../figures.js'
import { changedLog, runLog } from '../logs.js'
import { jsonOf } from '../processes.js'
import { withPage } from '../screen.js'
import { forget, openAsPage, withServer } from '../server.js'
import { spread } from '../spread.js'

/** A frame of a screen that shows 60 a second. */
const frameMs = 1000 / 60
const MB = 1e6

/** Of all frames, those that took more than one and a half. */
function lateShare(frames) {
  return Math.round((100 * frames.filter((ms) => ms > 1.5 * frameMs).length) / frames.length)
}

/** Two long lists of steps, aligned; and two logs compared in Chromium: until the rows are there, and what moving among them costs. */
export async function run() {
  const aligned = []
  for (const repeated of [0.05, 0.5, 0.9]) {
    const { lengths, ms, bytes } = await jsonOf('./align.js', '50000', String(repeated))
    const name = `${lengths.join(' × ')} steps, ${100 * repeated} % repeated`
    aligned.push(figure(`${name}: processor time`, ms, 'ms', { most: 500 }))
    aligned.push(figure(`${name}: memory`, bytes / MB, 'MB', { most: 50 }))
  }
  const million = await jsonOf('./align.js', '1000000', '0.3')
  aligned.push(figure(`${million.lengths.join(' × ')} steps: processor time`, million.ms, 'ms'))
  forget()
  const { readMs, rowsMs, rows, moves } = await withServer(async ({ url, connect }) => {
    const page = await connect()
    const first = await openAsPage(page, changedLog())
    const second = await openAsPage(page, runLog())
    return { ...(await withPage(url, measureComparing)), readMs: first.ms + second.ms }
  })
  return [
    ...aligned,
    figure('from the choice to aligned rows', rowsMs, 'ms', {
      note: `both logs alone are read in ${Math.round(readMs)} ms; ${rows} lines`
    }),
    ...moves.map(({ name, ms, perInput, frames }) =>
      figure(`${name}: of the main thread, a frame`, ms, 'ms', {
        // Those of the timeline are for comparison. A key that goes far shows other rows, another event and other lists.
        most: name.includes('steps scrolled') ? frameMs : null,
        note: `an input ${perInput.toFixed(1)} ms; from frame to frame p50 ${spread(frames).p50}, p95 ${spread(frames).p95} ms, ${lateShare(frames)} % late`
      })
    )
  ]
}
