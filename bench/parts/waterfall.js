import { figure } from '../figures.js'
import { callsLog } from '../logs.js'
import { withPage } from '../screen.js'
import { forget, withServer } from '../server.js'
import { measureWaterfall } from '../waterfall.js'

/** A frame of a screen that shows 60 a second. */
const frameMs = 1000 / 60

/** The waterfall and the table of a million events in Chromium, zoomed, moved and scrolled. */
export async function run() {
  forget()
  const { firstMs, groups, moves } = await withServer(async ({ url }) => await withPage(url, measureWaterfall), {
    files: [callsLog()]
  })
  return [
    figure('from the tab to the first spans drawn', firstMs, 'ms'),
    ...moves.flatMap(({ name, drawn, calls, work, next }) => [
      figure(`${name}: work of the page in a frame, p95`, work.p95, 'ms', {
        most: frameMs,
        note: `median ${work.p50}, most ${work.max}; ${drawn} frames, the next one after ${next.p50} ms, p95 ${next.p95}`
      }),
      ...(calls.max > 0 ? [figure(`${name}: calls of the canvas in a frame, most`, calls.max, '')] : [])
    ]),
    figure('groups in the table', groups, '')
  ]
}
