import { closeSync, openSync, writeSync } from 'node:fs'

const statuses = ['pending', 'in_progress', 'completed']

/**
 * Writes a Claude stream-json log of `events` short events, a whole todo list of 12 items after every hundredth: what one
 * drags the scrubber through. 150 bytes a line; the same bytes each time.
 */
export function makeTodoLog(path, events) {
  const file = openSync(path, 'w')
  let batch = ''
  const put = (value) => {
    batch += `${JSON.stringify(value)}\n`
    if (batch.length < 1 << 20) return
    writeSync(file, batch)
    batch = ''
  }
  const message = (role, id, content) =>
    put({ type: role, message: { id, role, content }, parent_tool_use_id: null, session_id: 'drag' })

  put({ type: 'system', subtype: 'init', cwd: '/demo', tools: ['TodoWrite'], model: 'm', session_id: 'drag' })
  for (let event = 1; event < events; event++) {
    if (event % 100 !== 0) {
      message('assistant', `msg_${event}`, [{ type: 'text', text: `Step ${event} of the run` }])
      continue
    }
    const todos = Array.from({ length: 12 }, (_, at) => ({
      content: `Item ${at + 1} of list ${Math.floor(event / 3600)}`,
      status: statuses[Math.max(0, Math.min(2, Math.floor((event % 3600) / 100) - at * 2))]
    }))
    message('assistant', `msg_${event}`, [{ type: 'tool_use', id: `t_${event}`, name: 'TodoWrite', input: { todos } }])
    message('user', `msg_${event}`, [{ type: 'tool_result', tool_use_id: `t_${event}`, content: 'ok' }])
  }
  writeSync(file, batch)
  closeSync(file)
}
