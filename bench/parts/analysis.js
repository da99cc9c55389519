import { figure } from '../figures.js'
import { rowsLog } from '../logs.js'
import { jsonOf } from '../processes.js'

/** The spans of a million rows beside the index that they come from. */
export async function run() {
  const found = await jsonOf('./analysis.js', rowsLog())
  const { rows, indexMs, spansMs, bytes, spans, splitMs, groups, tableMs } = found
  return [
    figure('spans, beside the index', (100 * spansMs) / indexMs, '%', {
      most: 10,
      note: `${spansMs.toFixed(0)} ms for ${rows} rows, the index takes ${indexMs.toFixed(0)} ms`
    }),
    figure('memory of a span', bytes / spans, 'B', { most: 48, note: `${spans} spans` }),
    figure('time split, beside the index', (100 * splitMs) / indexMs, '%', { note: `${splitMs.toFixed(0)} ms` }),
    figure('calls by tool, beside the index', (100 * tableMs) / indexMs, '%', {
      note: `${tableMs.toFixed(0)} ms, ${groups} groups`
    })
  ]
}
