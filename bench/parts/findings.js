import { figure } from '../figures.js'
import { runLog, runLogName } from '../logs.js'
import { jsonOf } from '../processes.js'

/** What the findings of real sessions add to their index. */
export async function run() {
  const { rows, findings, indexMs, share } = await jsonOf('./findings.js', runLog())
  return [
    figure('findings, beside the index', 100 * share, '%', {
      most: 5,
      note: `${findings} findings in ${rows} rows of ${runLogName}; the index takes ${indexMs.toFixed(0)} ms`
    })
  ]
}
