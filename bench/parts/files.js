import { figure } from '../figures.js'
import { filesLog } from '../logs.js'
import { jsonOf } from '../processes.js'

/** The index of the files of a million events, and contents at places all over it. */
export async function run() {
  const found = await jsonOf('./files.js', filesLog())
  const { rows, files, steps, indexMs, filesMs, bytes, countsMs, contentP50Ms, contentP95Ms, contentMaxMs, keptBytes } =
    found
  const mb = (count) => count / 1e6
  return [
    figure('index of files', mb(bytes), 'MB', { most: 4, note: `${rows} rows, ${files} files, ${steps} steps` }),
    figure('made, beside the index', (100 * filesMs) / indexMs, '%', { note: `${filesMs.toFixed(0)} ms, when asked` }),
    figure('content at a place, 95 of 100', contentP95Ms, 'ms', {
      most: 60,
      note: `half under ${contentP50Ms.toFixed(1)} ms, longest ${contentMaxMs.toFixed(1)} ms`
    }),
    figure('list of all files', countsMs, 'ms'),
    figure('kept contents', mb(keptBytes), 'MB', { most: 64 })
  ]
}
