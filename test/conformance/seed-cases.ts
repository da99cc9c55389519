/** Small logs for what the corpus has not: empty and missing fields, values of wrong types, ends and beginnings of files. */

const lines = (...records: unknown[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const session = { session_id: 's', parent_tool_use_id: null }
const assistant = (...content: unknown[]): object => ({ type: 'assistant', message: { content }, ...session })
const user = (...content: unknown[]): object => ({ type: 'user', message: { content }, ...session })
const init = { type: 'system', subtype: 'init', ...session }
const todos = [
  { content: 'One', status: 'completed', activeForm: 'Doing one' },
  { content: ' ', status: 'pending' },
  { content: 'Two', status: 'later' },
  { content: 'Three', status: 'cancelled' }
]
const write = (id: string, input: unknown): object => ({ type: 'tool_use', id, name: 'TodoWrite', input })
const answer = (id: string, content: unknown, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content,
  ...more
})

/** Logs of Claude Code. */
export const claudeCases: Readonly<Record<string, string>> = {
  'todo calls': lines(
    init,
    assistant(write('w1', { todos })),
    user(answer('w1', 'ok')),
    { ...write('w2', { todos: [] }) },
    answer('w2', 'no', { is_error: true }),
    assistant(write('w3', { todos: 'x' }), write('w4', {}), write('w5', null)),
    user(answer('w3', 'no', { is_error: true }), answer('w4', 'no', { is_error: true })),
    assistant({ type: 'text', text: 'a' }, write('w6', { todos }), { type: 'tool_use', id: 'b', name: 'Bash' }),
    assistant(write('w7', { todos: JSON.stringify(todos) }))
  ),
  'results of every kind': lines(
    user(answer('a', ''), answer('b', null), answer('c', undefined), answer('d', undefined, { is_error: true })),
    user(answer('e', [{ type: 'text', text: 'x' }]), answer('f', [{ type: 'text', text: 'x' }], { is_error: true })),
    user(answer('g', 'x', { is_error: 'yes' }), { type: 'tool_result', content: 'x' }),
    answer('h', [{ type: 'text', text: 'x' }]),
    answer('i', 'x', { is_error: true }),
    answer('j', undefined)
  ),
  'calls without what they need': lines(
    assistant({ type: 'tool_use', name: 'Bash' }, { type: 'tool_use', id: 'x', name: 'Bash', input: 'ls' }),
    assistant(write('', { todos })),
    assistant({ type: 'tool_use', id: 'y' }),
    { type: 'tool_use', name: 'Bash' },
    { type: 'tool_use', id: '', name: 'Bash', input: null }
  ),
  'texts of every kind': lines(
    assistant({ type: 'text', text: '' }, { type: 'text' }, { type: 'text', text: 7 }, { type: 'text', text: ' ' }),
    { type: 'content_block_delta', delta: { type: 'text_delta', text: 'a' } },
    { type: 'content_block_delta', delta: { type: 'text_delta' } },
    { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{' } },
    { type: 'content_block_delta' },
    { type: 'message_stop' },
    { type: 'invented' },
    { ...init, subtype: 'status' }
  ),
  'ends of turns': lines(
    { type: 'result', ...session },
    { type: 'result', result: '', ...session },
    { type: 'result', result: ['x'], ...session },
    { type: 'result', subtype: 'success', is_error: false, result: 'Bye', ...session },
    { type: 'result', subtype: 'success', is_error: true, result: 'Failed', ...session },
    { type: 'result', subtype: 'error_max_turns', is_error: false, ...session }
  ),
  'odd records': `null\n5\n"x"\n[]\n[{"type":"message_stop"}]\n${lines(assistant(null), { type: 'assistant', message: { content: 5 } })}`,
  'a last record without events, without a line feed': '{"type":"message_stop"}',
  'a last record cut, after a carriage return': '{"type":\r',
  'a byte order mark': `\uFEFF${lines(init)}\uFEFF${lines(init)}`,
  'blank lines': ` \n\r\n\t\n\n${lines(init)}\n \u00A0\u2028`,
  'no JSON': 'hello {"a":\n{"a":1}{"b":2}\n{a:1}\r\n',
  'the same record twice': lines({ ...assistant({ type: 'text', text: 'a' }), uuid: 'u' }).repeat(2),
  'sessions again': lines(init, init, { ...init, session_id: 't' }, init, { type: 'system', subtype: 'init' })
}

const gemini = (type: string, more: object = {}): object => ({ type, timestamp: '2026-11-21T21:03:02.973Z', ...more })
const items = [
  { description: 'One', status: 'completed' },
  { description: '', status: 'pending' },
  { description: 'Two', status: 'later' },
  { description: 'Three', status: 'cancelled' }
]
const call = (more: object): object => gemini('tool_use', { tool_name: 'glob', tool_id: 'c', parameters: {}, ...more })
const result = (more: object): object => gemini('tool_result', { tool_id: 'c', status: 'success', ...more })

/** Logs of Gemini CLI. */
export const geminiCases: Readonly<Record<string, string>> = {
  'todo calls': lines(
    call({ tool_name: 'write_todos', parameters: { todos: items } }),
    result({ output: 'ok' }),
    call({ tool_name: 'write_todos', parameters: { todos: [] }, tool_id: 'd' }),
    result({ tool_id: 'd', status: 'error', error: { type: 'x', message: 'no' } }),
    call({ tool_name: 'write_todos', parameters: { todos: 'x' }, tool_id: 'e' }),
    call({ tool_name: 'write_todos', parameters: {}, tool_id: 'f' }),
    { type: 'tool_use', name: 'write_todos', id: 'g', input: { todos: items } },
    call({ tool_name: 'write_todos', parameters: { todos: [{ description: 'Wait', status: 'blocked' }] } }),
    call({ tool_name: 'write_todos_list', parameters: { todos: items } }),
    { type: 'tool_use', name: 'write_todos', input: { todos: items } }
  ),
  'calls by other names, and without what they need': lines(
    { type: 'tool_use', name: 'glob', id: 'a', input: { x: 1 } },
    call({ parameters: undefined }),
    call({ parameters: null, input: { x: 1 } }),
    call({ tool_id: undefined }),
    call({ tool_name: undefined })
  ),
  'results of every kind': lines(
    result({}),
    result({ output: '' }),
    result({ output: 'x' }),
    result({ output: { text: 'x' } }),
    result({ output: { other: 'x' } }),
    result({ output: null, status: undefined }),
    result({ status: 'error' }),
    result({ status: 'error', output: 'short', error: { type: 't', message: 'long' } }),
    result({ status: 'cancelled', output: 'x' }),
    { type: 'tool_result', tool_use_id: 'u', status: 'success', output: 'x' },
    { type: 'tool_result', status: 'success', output: 'x' }
  ),
  'texts of every kind': lines(
    gemini('message', { role: 'assistant', content: 'a' }),
    gemini('message', { role: 'assistant', content: 'a', delta: true }),
    gemini('message', { role: 'assistant', content: 'b', delta: true }),
    gemini('message', { role: 'assistant', content: '' }),
    gemini('message', { role: 'assistant' }),
    gemini('message', { role: 'user', content: 'hi' }),
    gemini('message', { role: 'system', content: 'note' }),
    gemini('message', { role: 'tool', content: 'x' }),
    gemini('message', { content: 'x' }),
    gemini('invented')
  ),
  'ends of turns': lines(
    gemini('init', { session_id: 's', model: 'm' }),
    gemini('init'),
    gemini('result', { status: 'success' }),
    gemini('result', { status: 'error' }),
    gemini('result', { status: 'error', error: { type: 'FatalTurnLimitedError', message: 'no' } }),
    gemini('result'),
    gemini('error', { severity: 'warning', message: 'slow' }),
    gemini('error', { severity: 'error', message: 'broken' })
  ),
  'odd records': `null\n5\n"x"\n[]\n${lines(call({ tool_name: 'write_todos', parameters: { todos: [null] } }))}`,
  'a last record without events, without a line feed': '{"type":"invented"}',
  'a last record cut, after a carriage return': '{"type":\r',
  'a byte order mark': `\uFEFF${lines(gemini('init'))}`,
  'blank lines': ` \n\r\n\t\n\n${lines(gemini('init'))}\n \u00A0\u2028`,
  'no JSON': 'Loaded cached credentials.\n{"a":1}{"b":2}\r\n'
}
