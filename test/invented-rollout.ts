/** The text that `test/fixtures/compressed/rollout.jsonl.zst` holds: a Codex rollout of about 380 KB that nobody ever ran. */
export function inventedRollout(): string {
  let time = Date.UTC(2026, 0, 5, 9, 0, 0)
  const line = (type: string, payload: object) => {
    time += 1000
    return `${JSON.stringify({ timestamp: new Date(time).toISOString(), type, payload })}\n`
  }
  const parts = [
    line('session_meta', { id: 'thread-1', timestamp: '2026-01-05T09:00:00.000Z', cwd: '/w', cli_version: '0.1.0' }),
    line('event_msg', { type: 'user_message', message: 'Count the größte sheep ☕' })
  ]
  let state = 1
  for (let call = 0; call < 800; call++) {
    const arguments_ = JSON.stringify({ command: ['wc', '-l', `flock-${call}.txt`] })
    parts.push(
      line('response_item', { type: 'function_call', name: 'shell', arguments: arguments_, call_id: `c${call}` })
    )
    const words: string[] = []
    for (let i = 0; i < 12; i++) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      words.push((state >>> 8).toString(36))
    }
    const output = JSON.stringify({ output: words.join(' '), metadata: { exit_code: 0, duration_seconds: 0.1 } })
    parts.push(line('response_item', { type: 'function_call_output', call_id: `c${call}`, output }))
  }
  return parts.join('')
}
