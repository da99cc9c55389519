import { closeSync, openSync, writeSync } from 'node:fs'
import { numbers, textOf } from './random-text.js'

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

/**
 * Writes a Claude stream-json log of `lists` todo lists of `items` items, one event before each: in every list ten items go on to their next
 * status, one is reworded, and one is away for some lists. 60 bytes an item.
 */
export function makeLongListsLog(path, items, lists) {
  const file = openSync(path, 'w')
  const put = (value) => writeSync(file, `${JSON.stringify(value)}\n`)
  const message = (role, id, content, at) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 1000).toISOString()
    put({ type: role, message: { id, role, content }, session_id: 'lists', timestamp })
  }
  put({ type: 'system', subtype: 'init', cwd: '/demo', tools: ['TodoWrite'], model: 'm', session_id: 'lists' })
  const random = numbers(7)
  const titles = Array.from({ length: items }, (_, item) => `${textOf(random, 40)}${item}`)
  const going = new Array(items).fill(0)
  const worded = new Array(items).fill(0)
  for (let list = 0; list < lists; list++) {
    for (let nth = 0; nth < 10; nth++) going[(list * 10 + nth * 97) % items]++
    worded[(list * 31) % items]++
    const away = (list * 17) % items
    const todos = []
    for (let item = 0; item < items; item++) {
      if ((item + items - away) % items < 20) continue
      const content = `${titles[item]} ${'again '.repeat(worded[item])}`
      todos.push({ content, status: statuses[going[item] % 3] })
    }
    message('assistant', `msg_${list}a`, [{ type: 'text', text: `Step ${list} of the run` }], list * 20)
    const call = { type: 'tool_use', id: `t_${list}`, name: 'TodoWrite', input: { todos } }
    message('assistant', `msg_${list}b`, [call], list * 20 + 5)
    message('user', `msg_${list}c`, [{ type: 'tool_result', tool_use_id: call.id, content: 'ok' }], list * 20 + 6)
  }
  closeSync(file)
}
