import { expect, test } from 'vitest'
import type { EventBody, ToolCompleted } from '#core/events/agent-event.ts'
import type { JsonObject } from '#core/json.ts'
import { type InspectedRow, openRows } from '../../../../test/page/inspected-rows.tsx'

const hostile = [
  '# Title',
  '<script>document.title = "owned"</script><img src=x onerror="document.title = 1">',
  '[click](javascript:alert(1)) ![remote](https://example.com/a.png)',
  `| ${'c | '.repeat(10_000)}`,
  '```js',
  'const never = "closed"'
].join('\n\n')

function called(toolName: string, input: JsonObject): InspectedRow {
  return { body: { type: 'tool.started', toolName, toolId: 't1', input } }
}

function answered(output: string, facts: InspectedRow['facts'] = {}, took: Partial<ToolCompleted> = {}): InspectedRow {
  return { body: { type: 'tool.completed', toolId: 't1', output, ...took }, facts }
}

async function openCall(toolName: string, input: JsonObject, result: InspectedRow, width?: number) {
  return await openRows([called(toolName, input), result], width === undefined ? {} : { width })
}

test('markdown is rendered, and shown as written on demand, never as markup', async () => {
  const text: EventBody = { type: 'text', text: hostile, category: 'assistant-message' }
  const { inspector, container } = await openRows([{ body: text, facts: { model: 'model-1' } }])
  await expect.element(inspector.getByText('Title', { exact: true })).toBeVisible()
  await expect.element(inspector.getByText('model-1')).toBeVisible()
  expect(container.querySelector('img, script, iframe, [href^="javascript:"]')).toBeNull()
  await inspector.getByRole('button', { name: 'As written' }).click()
  await expect.element(inspector.getByRole('group', { name: 'Assistant' })).toHaveTextContent('# Title')
  await inspector.getByRole('button', { name: 'As written' }).click()
})

test('a command has its output in terminal colors, without text of its agent', async () => {
  const output = 'Exit code: 0\nWall time: 1.2 seconds\nOutput:\n\u001b[31mred\u001b[0m and plain'
  const { inspector, container } = await openCall(
    'exec_command',
    { cmd: 'ls -l', workdir: '/tmp' },
    answered(output, { exitCode: 0 }, { durationMs: 1200, durationFrom: 'stated' })
  )
  await expect.element(inspector.getByRole('group', { name: 'Command' })).toHaveTextContent('ls -l')
  const shown = inspector.getByRole('group', { name: 'Output' })
  await expect.element(shown).toHaveTextContent('red and plain')
  await expect.element(shown).not.toHaveTextContent('Wall time')
  expect(container.querySelector('.t-fg')?.textContent).toBe('red')
  await expect.element(inspector).toHaveTextContent('Resultevent 1took 1.2 sexit 0')
  await expect.element(inspector).toHaveTextContent('Folder/tmp')
})

test.each([
  ['system', 'Status', 1],
  ['user', 'Prompt', 0]
] as const)('escape codes in a text of the %s are drawn or removed', async (role, title, colored) => {
  const text: EventBody = { type: 'text', text: '\u001b[1mContext\u001b[22m \u001b[38;5;208m⛁\u001b[39m 31k', role }
  const { inspector, container } = await openRows([{ body: text }])
  await expect.element(inspector.getByRole('region', { name: title })).toHaveTextContent('Context ⛁ 31k')
  expect(container.querySelectorAll('.t-bold')).toHaveLength(colored)
  await inspector.getByText('All fields').click()
  await expect.element(inspector).toHaveTextContent('"Context ⛁ 31k"')
  await expect.element(inspector).not.toHaveTextContent('[1m')
})

test('an edit is a diff, split if there is space', async () => {
  const input = { file_path: '/src/a.ts', old_string: 'const a = 1\n', new_string: 'const a = 2\nconst b = 3\n' }
  const { inspector, container } = await openCall('Edit', input, answered('The file was updated.'), 1000)
  const changes = inspector.getByRole('region', { name: 'Changes of /src/a.ts' })
  await expect.element(changes).toHaveTextContent('+2−1')
  await expect.poll(() => container.querySelectorAll('.diff-split').length).toBeGreaterThan(0)
  await inspector.getByRole('button', { name: 'Unified' }).click()
  await expect.poll(() => container.querySelectorAll('.diff-split').length).toBe(0)
  await inspector.getByRole('button', { name: 'Side by side' }).click()
  await expect.element(inspector.getByText('The file was updated.')).toBeVisible()
  await expect.element(inspector.getByRole('button', { name: 'Copy path' })).toBeVisible()
})

test('an edit recorded by the agent has line numbers', async () => {
  const input = { file_path: '/src/a.ts', old_string: 'b', new_string: 'c' }
  const patch = '@@ -41,3 +41,3 @@\n a\n-b\n+c\n d'
  const facts = { diffs: [{ path: '/src/a.ts', created: false, patch }] }
  const { inspector } = await openCall('Edit', input, answered('ok', facts))
  await expect.element(inspector.getByRole('region', { name: 'Changes of /src/a.ts' })).toHaveTextContent('42')
})

test('a patch shows each of its files: changes as diffs, a new file as code', async () => {
  const patch =
    '*** Begin Patch\n*** Update File: a.ts\n@@\n-old\n+new\n*** Add File: b.ts\n+const b = 1\n*** End Patch'
  const { inspector } = await openCall('apply_patch', { input: patch }, answered('Success.'))
  await expect.element(inspector.getByRole('region', { name: 'Changes of a.ts' })).toHaveTextContent('+1−1')
  await expect.element(inspector.getByRole('region', { name: 'Created b.ts' })).toHaveTextContent('const b = 1')
})

test('files with unknown changes are listed', async () => {
  const changes = [
    { path: '/a.ts', kind: 'update' },
    { path: '/b.ts', kind: 'add' }
  ]
  const { inspector } = await openCall('file_change', { changes }, answered('update /a.ts\nadd /b.ts'))
  const files = inspector.getByRole('region', { name: '2 files' })
  await expect.element(files).toHaveTextContent('the log does not state the change')
  await expect.element(files).toHaveTextContent('updated/a.tscreated/b.ts')
})

test('a read file has its own line numbers, and text of the agent is separate', async () => {
  const output = '    12→const a = 1\n    13→const b = 2\n\n<system-reminder>Careful.</system-reminder>'
  const { inspector, container } = await openCall('Read', { file_path: '/a.ts' }, answered(output))
  const read = inspector.getByRole('region', { name: 'Read /a.ts' })
  await expect.element(read).toHaveTextContent('lines 12 to 13')
  await expect.element(read).not.toHaveTextContent('→')
  expect([...container.querySelectorAll('.line-number')].map((number) => number.textContent)).toEqual(['12', '13'])
  await inspector.getByText('Added for the agent').click()
  await expect.element(inspector.getByText('Careful.', { exact: false })).toBeVisible()
})

test('search results are grouped by file', async () => {
  const output = 'src/a.ts:3:find(x)\nsrc/a.ts-4-near\nsrc/b.ts:9:find(y)'
  const { inspector } = await openCall('Grep', { pattern: 'find' }, answered(output))
  await expect.element(inspector.getByRole('region', { name: 'Found' })).toHaveTextContent('2 lines in 2 files')
  await expect.element(inspector.getByRole('group', { name: 'Found' })).toHaveTextContent('src/a.ts 1')
})

test('results of a web search are links', async () => {
  const output =
    'Links: [{"title":"A page","url":"https://a.example/x"},{"title":"Bad","url":"javascript:alert(1)"}]\n\nText.'
  const { inspector, container } = await openCall('WebSearch', { query: 'x' }, answered(output))
  await expect.element(inspector.getByRole('region', { name: '2 pages' })).toHaveTextContent('A page')
  expect(container.querySelector('[href^="javascript:"]')).toBeNull()
})

test('a subagent has its prompt and its report', async () => {
  const input = { description: 'Look', prompt: 'Look **around**.', subagent_type: 'explorer' }
  const { inspector } = await openCall('Task', input, answered('It is *fine*.', { usage: { output_tokens: 42 } }))
  await expect.element(inspector.getByRole('region', { name: 'Prompt' })).toHaveTextContent('Look around.')
  await expect.element(inspector.getByRole('region', { name: 'Report' })).toHaveTextContent('It is fine.')
  await expect.element(inspector).toHaveTextContent('Agentexplorer')
  await expect.element(inspector).toHaveTextContent('Used by its last message42 out')
})

test('data of an unknown tool is a tree', async () => {
  const { inspector } = await openCall('mcp__s__find', { where: { x: 1 } }, answered('{"found":[1,2]}'))
  await expect.element(inspector.getByRole('tree', { name: 'where' })).toHaveTextContent('x: 1')
  await expect.element(inspector.getByRole('tree', { name: 'Output' })).toHaveTextContent('found')
})

test('images are drawn from their bytes; other data is named', async () => {
  const png = Uint8Array.from(
    atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='),
    (char) => char.charCodeAt(0)
  )
  const image = {
    path: '$.a',
    declared: 'image/png',
    type: 'image/png',
    offset: 0,
    length: png.length,
    problem: null
  } as const
  const svg = {
    path: '$.b',
    declared: 'image/svg+xml',
    type: null,
    offset: 0,
    length: 0,
    problem: 'It is none.'
  } as const
  const shot: InspectedRow = {
    ...answered('[image]', { images: 2 }),
    images: { images: [image, svg], bytes: png.buffer }
  }
  const { inspector } = await openCall('Read', { file_path: '/a.png' }, shot)
  await expect.element(inspector.getByRole('img', { name: 'Image 1 of 2' })).toBeVisible()
  await expect.element(inspector.getByRole('region', { name: 'Image 2 of 2' })).toHaveTextContent('It is none.')
})

test('a turn has its model, tokens, cost and duration', async () => {
  const usage = { input_tokens: 10_800, cached_input_tokens: 4000, output_tokens: 400, service_tier: 'standard' }
  const turn: EventBody = {
    type: 'turn.completed',
    finishReason: 'done',
    model: 'model-1',
    usage,
    costUsd: 0.5,
    durationMs: 900
  }
  const { inspector, container } = await openRows([{ body: turn }])
  await expect.element(inspector.getByText('model-1')).toBeVisible()
  const cells = () => [...container.querySelectorAll('.usage tr')].map((row) => row.textContent)
  await expect.poll(cells).toEqual(['Input10,800', 'from cache4,000', 'Output400'])
  await expect.element(inspector).toHaveTextContent('$0.50 so far')
  await expect.element(inspector.getByText('service_tier')).toBeVisible()
})

test('an error has its stack, and a session its initial facts', async () => {
  const { inspector, select } = await openRows([
    { body: { type: 'error', error: 'It broke.', code: 'E1', stack: 'at a (b.ts:1)' } },
    { body: { type: 'session.started', model: 'm', cwd: '/tmp', tools: ['Bash', 'Read'] } }
  ])
  await expect.element(inspector.getByRole('group', { name: 'Stack' })).toHaveTextContent('at a (b.ts:1)')
  select(1)
  await expect.element(inspector.getByRole('region', { name: '2 tools' })).toHaveTextContent('Bash')
})

test('of a long todo list only visible items are rendered, also by keyboard; a short one is whole', async () => {
  const items = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ text: `Item ${at}`, status: 'pending' }) as const)
  const { select, inspector } = await openRows([
    { body: { type: 'todo_list', todoId: 't', items: items(90) } },
    { body: { type: 'todo_list', todoId: 't', items: items(3000) } }
  ])
  select(0)
  await expect.poll(() => inspector.getByRole('listitem').all().length).toBe(90)
  select(1)
  const list = inspector.getByRole('group', { name: 'Items' })
  await expect.element(list.getByText('Item 0', { exact: true })).toBeVisible()
  await expect.poll(() => inspector.getByRole('listitem').all().length).toBeLessThan(80)
  expect(list.element().getAttribute('tabindex')).toBe('0')
  list.element().scrollTo(0, 1e6)
  await expect.element(list.getByText('Item 2999', { exact: true })).toBeVisible()
  await expect.element(list.getByRole('listitem').last()).toHaveAttribute('aria-posinset', '3000')
})

test('the change of a long todo list is visible at once', async () => {
  const items = Array.from({ length: 1000 }, (_, at) => ({ text: `Item ${at}`, status: 'pending' }) as const)
  const changed = items.map((item, at) => (at === 700 ? { ...item, status: 'completed' as const } : item))
  const { select, inspector } = await openRows([
    { body: { type: 'todo_list', todoId: 't', items }, row: { items } },
    { body: { type: 'todo_list', todoId: 't', items: changed }, row: { items: changed } }
  ])
  select(1)
  await expect.element(inspector.getByText('Item 700', { exact: true })).toBeInViewport()
})

test('an error about a line that is not JSON has the text of the line, and its name', async () => {
  const issue = { code: 'JsonParse', severity: 'malformed', path: null, message: 'column 9: cut off' } as const
  const code = 'JSONL_PARSE_ERROR'
  const damage: InspectedRow = {
    body: { type: 'error', error: `Failed to parse JSONL: ${issue.message}`, code },
    issues: [issue],
    row: { line: 1, badges: [{ text: code, tone: 'bad' }] }
  }
  const line: InspectedRow = { body: { type: 'text', text: '{"type": oops', category: 'unparsed' }, row: { line: 1 } }
  const other: InspectedRow = { body: { type: 'error', error: 'overloaded' } }
  const { inspector, select } = await openRows([damage, line, other])
  await expect.element(inspector.getByRole('heading', { name: 'Not JSON' })).toBeVisible()
  await expect.element(inspector.getByRole('group', { name: 'Error' })).toHaveTextContent('column 9: cut off')
  await expect.element(inspector.getByRole('group', { name: 'Line as read' })).toHaveTextContent('{"type": oops')
  select(2)
  await expect.element(inspector.getByRole('heading', { name: 'Error' })).toBeVisible()
  await expect.element(inspector.getByRole('group', { name: 'Line as read' })).not.toBeInTheDocument()
})
