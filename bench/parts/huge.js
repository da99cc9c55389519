import { blockFigure, figure, memoryFigure } from '../figures.js'
import { hugeLog, runLog, sizes } from '../logs.js'
import { emptyProcessBytes, jsonOf } from '../processes.js'
import { firstRowsOnScreen } from '../screen.js'
import { forget, openAsPage, scroll, whenSaved, withServer } from '../server.js'

/** The largest log, and the same of a small one where both should take as long. */
export async function run() {
  const [huge, small] = [hugeLog(), runLog(1)]
  const floor = await jsonOf('./floor.js', huge)
  const name = `${(sizes.hugeMb / 1024).toFixed(1)} GB`
  const opened = await openedOnce(huge)
  const empty = await emptyProcessBytes()
  const again = await reopened(huge)
  const tiny = await openedOnce(small)
  const saved = again.savedRows === again.rows ? 'all rows' : `only ${again.savedRows} of ${again.rows} rows`
  const figures = [
    figure(`floor (${name})`, floor.ms, 'ms'),
    figure(`index, ${name}`, opened.ms / floor.ms, 'x floor', { note: `${opened.ms.toFixed(0)} ms` }),
    memoryFigure('memory above an empty process, at most', opened.peakBytes, empty, opened.rows),
    figure('slowest answer to a scroll, indexed', opened.slowestMs, 'ms'),
    blockFigure("longest block of the host's main thread", opened, 50),
    figure(`first rows, ${name}`, opened.firstRowsMs, 'ms', { most: 300 }),
    figure('first rows, 1 MB', tiny.firstRowsMs, 'ms', { most: 300 }),
    figure(`reopened, ${name}: complete`, again.ms, 'ms', { most: 500, note: `${saved} from the saved index` }),
    figure('  with all columns at the page', again.columnsMs, 'ms'),
    memoryFigure('memory of the reopened log', again.peakBytes, empty, again.rows)
  ]
  for (const [label, path] of [
    [name, huge],
    ['1 MB', small]
  ]) {
    const { rowMs, textMs } = await firstRowsOnScreen(path)
    figures.push(
      figure(`first row on screen in Chromium, ${label}`, rowMs, 'ms', {
        most: 300,
        note: `with its words after ${textMs.toFixed(0)} ms`
      })
    )
  }
  return figures
}

async function openedOnce(path) {
  forget()
  return await withServer(async ({ connect }) => {
    const page = await connect()
    const opened = await openAsPage(page, path)
    const slowestMs = await scroll(page, opened.log, opened.rows)
    await whenSaved()
    return { ...opened, slowestMs }
  })
}

/** In a process of its own, with what the one before left. */
async function reopened(path) {
  return await withServer(async ({ connect }) => await openAsPage(await connect(), path))
}
