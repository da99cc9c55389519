import { closeSync, openSync, writeSync } from 'node:fs'
import { numbers, textOf } from './random-text.js'

/**
 * Writes a Claude stream-json log of about `bytes` bytes: what a long run looks like. Lines of 182 bytes to 14 kB, 1.4 kB on
 * average; text, tools and their results, TodoWrite, subagents; one line in a thousand breaks the contract or is not JSON.
 */
export function makeLog(path, bytes) {
  const random = numbers(20261121)
  const file = openSync(path, 'w')
  let written = 0
  let line = 0
  let batch = ''

  const text = (length) => textOf(random, length)
  const put = (value) => {
    batch += typeof value === 'string' ? value : JSON.stringify(value)
    batch += '\n'
    line++
    if (batch.length < 1 << 20) return
    written += writeSync(file, batch)
    batch = ''
  }
  const uuid = () => `00000000-0000-4000-8000-${String(line).padStart(12, '0')}`
  const session = () => ({ session_id: 'b4b0c2a4-0000-4000-8000-00000000bench', uuid: uuid() })
  const timestamp = () => new Date(1_795_295_000_000 + line * 37).toISOString()
  const message = (role, content, parent = null) => ({
    type: role,
    message: { id: `msg_${line}`, type: 'message', role, model: 'claude-sonnet-4-5', content, stop_reason: null },
    parent_tool_use_id: parent,
    timestamp: timestamp(),
    ...session()
  })
  const call = (name, input, parent) => {
    const id = `toolu_${line}`
    put(message('assistant', [{ type: 'tool_use', id, name, input }], parent))
    return id
  }
  const result = (id, length, parent) =>
    put(message('user', [{ type: 'tool_result', tool_use_id: id, content: text(length) }], parent))

  put({
    ...{ type: 'system', subtype: 'init', cwd: '/demo', tools: ['Bash', 'Read', 'Edit', 'TodoWrite', 'Agent'] },
    ...{ model: 'claude-sonnet-4-5', permissionMode: 'default', claude_code_version: '2.1.330', ...session() }
  })
  const todos = Array.from({ length: 12 }, (_, i) => ({ content: `Step ${i + 1}: ${text(30)}`, status: 'pending' }))
  for (let round = 0; written + batch.length < bytes; round++) {
    put(message('assistant', [{ type: 'thinking', thinking: text(200 + random() * 900), signature: 's'.repeat(200) }]))
    for (let i = 0; i < 3; i++) {
      put({
        type: 'system',
        subtype: 'thinking_tokens',
        estimated_tokens: 40 + i,
        estimated_tokens_delta: 40,
        ...session()
      })
    }
    put(message('assistant', [{ type: 'text', text: text(100 + random() * 900) }]))
    result(
      call('Bash', { command: `npm test -- ${round}`, description: 'Run the tests' }),
      300 + random() ** 3 * 12_000
    )
    result(call('Read', { file_path: `/demo/src/file-${round % 97}.ts` }), 1500 + random() ** 2 * 10_000)
    const edit = { file_path: `/demo/src/file-${round % 97}.ts`, old_string: text(200), new_string: text(300) }
    result(call('Edit', edit), 120)
    const step = todos[round % todos.length]
    if (step)
      step.status = step.status === 'pending' ? 'in_progress' : step.status === 'in_progress' ? 'completed' : 'pending'
    result(call('TodoWrite', { todos }), 60)
    if (round % 25 === 0) {
      const agent = call('Agent', { description: 'Look around', prompt: text(300), subagent_type: 'general-purpose' })
      put(message('user', [{ type: 'text', text: text(300) }], agent))
      result(call('Bash', { command: 'ls' }, agent), 400, agent)
      result(agent, 500)
    }
    if (round % 100 === 50)
      put({ type: 'result', subtype: 'error_max_turns', is_error: true, num_turns: 9, ...session() })
    if (round % 100 === 99) put('{"type":"assistant","message":{"id":"cut in the mid')
  }
  writeSync(file, batch)
  closeSync(file)
}
