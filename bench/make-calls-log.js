import { closeSync, openSync, writeSync } from 'node:fs'

/** Files that the calls of the log name. */
export const callFiles = 100_000

/**
 * Writes a Claude stream-json log of `events` events in calls and their results, a prompt before every thousandth call: what the
 * waterfall draws. Calls take 20 ms to 2 s, some overlap, one in fifty fails, each names one of 100,000 files. The same bytes each time.
 */
export function makeCallsLog(path, events) {
  const file = openSync(path, 'w')
  let batch = ''
  const put = (ms, type, content) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
    batch += `${JSON.stringify({ type, message: { role: type, content }, parent_tool_use_id: null, session_id: 's', timestamp })}\n`
    if (batch.length < 1 << 20) return
    writeSync(file, batch)
    batch = ''
  }
  batch = `${JSON.stringify({ type: 'system', subtype: 'init', cwd: '/demo', tools: ['Read'], model: 'm', session_id: 's' })}\n`
  let ms = 0
  for (let call = 0; call * 2 < events; call += 2) {
    if (call % 1000 === 0) put((ms += 90_000), 'user', [{ type: 'text', text: `Part ${call / 1000}` }])
    const took = 20 + ((call * 7919) % 1980)
    // Two calls at once, each with its result.
    for (const at of [call, call + 1]) {
      const input = { file_path: `/demo/src/file-${at % callFiles}.ts` }
      put(ms, 'assistant', [{ type: 'tool_use', id: `t${at}`, name: at % 3 === 0 ? 'Grep' : 'Read', input }])
    }
    for (const at of [call, call + 1]) {
      const result = { type: 'tool_result', tool_use_id: `t${at}`, content: 'ok', is_error: at % 50 === 0 }
      put((ms += took / 2), 'user', [result])
    }
    ms += 30
  }
  writeSync(file, batch)
  closeSync(file)
}
