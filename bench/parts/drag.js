import { measureDrag } from '../drag.js'
import { figure } from '../figures.js'
import { shortLog } from '../logs.js'
import { forget, openAsPage, withServer } from '../server.js'

/** The scrubber dragged from end to end in Chromium: how far the todo panel is behind it. */
export async function run() {
  forget()
  const { places, frames, ms, frame } = await withServer(async ({ url, connect }) => {
    await openAsPage(await connect(), shortLog())
    return await measureDrag(url)
  })
  return [
    figure('todo panel behind the scrubber, p95', frames.p95, 'frames', {
      most: 1,
      note: `at ${places} places; p50 ${frames.p50}, most ${frames.max}`
    }),
    figure('from the mouse to the panel, p95', ms.p95, 'ms', { note: `p50 ${ms.p50}, most ${ms.max}` }),
    figure('a frame, p95', frame.p95, 'ms', { note: `p50 ${frame.p50}, most ${frame.max}` })
  ]
}
