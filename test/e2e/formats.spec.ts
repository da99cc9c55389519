import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from '@playwright/test'
import {
  grid,
  inspector,
  open,
  seqOf,
  seriousInBothThemes,
  slider,
  statusBar,
  type TodoState,
  todoPanel
} from './page-parts.ts'
import { expect, playhead, root, test } from './playhead-server.ts'

/** Writes a file under the test's own folder and gives its path. */
function written(name: string, text: string): string {
  const path = test.info().outputPath(name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

const jsonLines = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

const at = (second: number) => new Date(Date.UTC(2026, 6, 1, 9, 0, second)).toISOString()

const codexExec = jsonLines([
  { type: 'thread.started', thread_id: '019a1fff-9d9b-7730-a19c-72621d66a12c' },
  { type: 'turn.started' },
  {
    type: 'item.started',
    item: { id: 'item_0', type: 'todo_list', items: [{ text: 'Look at the tides', completed: false }] }
  },
  {
    type: 'item.started',
    item: {
      id: 'item_1',
      type: 'command_execution',
      command: "/bin/bash -lc 'ls charts'",
      aggregated_output: '',
      status: 'in_progress'
    }
  },
  {
    type: 'item.completed',
    item: {
      id: 'item_1',
      type: 'command_execution',
      command: "/bin/bash -lc 'ls charts'",
      aggregated_output: 'east.csv\nwest.csv\n',
      exit_code: 0,
      status: 'completed'
    }
  },
  {
    type: 'item.updated',
    item: { id: 'item_0', type: 'todo_list', items: [{ text: 'Look at the tides', completed: true }] }
  },
  { type: 'item.completed', item: { id: 'item_2', type: 'agent_message', text: 'Both charts are there.' } },
  { type: 'turn.completed', usage: { input_tokens: 10_800, cached_input_tokens: 4000, output_tokens: 400 } }
])

const call = (name: string, id: string, input: unknown) => ({
  type: 'response_item',
  payload: { type: 'function_call', name, arguments: JSON.stringify(input), call_id: id }
})
const answer = (id: string, output: string) => ({
  type: 'response_item',
  payload: { type: 'function_call_output', call_id: id, output }
})
const codexRollout = jsonLines(
  [
    {
      type: 'session_meta',
      payload: {
        id: '019a1fff-0000-7730-a19c-72621d66a12c',
        timestamp: at(0),
        cwd: '/home/ada/tide',
        originator: 'codex_cli_rs',
        cli_version: '0.105.0',
        source: 'cli'
      }
    },
    { type: 'event_msg', payload: { type: 'user_message', message: 'Draw the chart of the firth' } },
    call('update_plan', 'c1', { plan: [{ step: 'Read the tides', status: 'in_progress' }] }),
    answer('c1', 'Plan updated'),
    call('exec_command', 'c2', { cmd: 'cat east.csv' }),
    answer(
      'c2',
      'Chunk ID: 8f030c\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\n5.4\n'
    ),
    call('update_plan', 'c3', {
      plan: [
        { step: 'Read the tides', status: 'completed' },
        { step: 'Draw', status: 'in_progress' }
      ]
    }),
    answer('c3', 'Plan updated')
  ].map((record, second) => ({ timestamp: at(second), ...record }))
)

const geminiStream = jsonLines(
  [
    { type: 'init', session_id: 's-1', model: 'gemini-2.5-flash' },
    { type: 'message', role: 'user', content: 'Draw the chart' },
    { type: 'message', role: 'assistant', content: 'I look at ', delta: true },
    { type: 'message', role: 'assistant', content: 'the tides.', delta: true },
    {
      type: 'tool_use',
      tool_name: 'write_todos',
      tool_id: 'w1',
      parameters: { todos: [{ description: 'Read the tides', status: 'in_progress' }] }
    },
    { type: 'tool_result', tool_id: 'w1', status: 'success' },
    {
      type: 'tool_use',
      tool_name: 'run_shell_command',
      tool_id: 'r1',
      parameters: { command: 'cat east.csv', description: 'read the chart' }
    },
    { type: 'tool_result', tool_id: 'r1', status: 'success', output: '5.4' },
    {
      type: 'tool_use',
      tool_name: 'write_todos',
      tool_id: 'w2',
      parameters: { todos: [{ description: 'Read the tides', status: 'completed' }] }
    },
    { type: 'tool_result', tool_id: 'w2', status: 'success' },
    {
      type: 'result',
      status: 'success',
      stats: { total_tokens: 405, input_tokens: 360, output_tokens: 45, cached: 36 }
    }
  ].map((record, second) => ({ timestamp: at(second), ...record }))
)

const chatHead = { sessionId: '7204a4e3', projectHash: 'def0', startTime: at(0), lastUpdated: at(9), kind: 'main' }
const chatMessages = [
  { id: 'm1', timestamp: at(1), type: 'user', content: 'Draw the chart' },
  {
    id: 'm2',
    timestamp: at(2),
    type: 'gemini',
    content: 'I look at the tides.',
    model: 'gemini-2.5-flash',
    tokens: { input: 120, output: 15, cached: 12, thoughts: 0, tool: 0, total: 135 },
    toolCalls: [
      {
        id: 'w1',
        name: 'write_todos',
        args: { todos: [{ description: 'Read the tides', status: 'in_progress' }] },
        result: [{ functionResponse: { id: 'w1', name: 'write_todos', response: { output: 'Done.' } } }],
        status: 'success',
        timestamp: at(3)
      },
      {
        id: 'r1',
        name: 'read_file',
        args: { file_path: 'charts/east.csv' },
        result: [{ functionResponse: { id: 'r1', name: 'read_file', response: { output: '5.4' } } }],
        status: 'success',
        timestamp: at(3)
      }
    ]
  },
  {
    id: 'm3',
    timestamp: at(4),
    type: 'gemini',
    content: 'It is read.',
    toolCalls: [
      {
        id: 'w2',
        name: 'write_todos',
        args: { todos: [{ description: 'Read the tides', status: 'completed' }] },
        result: [{ functionResponse: { id: 'w2', name: 'write_todos', response: { output: 'Done.' } } }],
        status: 'success',
        timestamp: at(5)
      }
    ]
  },
  { id: 'm4', timestamp: at(6), type: 'user', content: 'Thank you' }
]
const geminiDocument = JSON.stringify({ ...chatHead, messages: chatMessages }, null, 2)
const geminiChanges = jsonLines([chatHead, ...chatMessages, { $rewindTo: 'm3' }])

/** Format, log, and what its rows say. */
const logs: [format: string, name: string, text: string, says: string[]][] = [
  ['codex-exec-json', 'a.jsonl', codexExec, ['ls charts', 'Both charts are there.', '10.8k in']],
  ['codex-rollout', 'a.jsonl', codexRollout, ['Draw the chart of the firth', 'cat east.csv', '5.4']],
  ['gemini-stream-json', 'a.jsonl', geminiStream, ['Draw the chart', 'I look at the tides.', 'cat east.csv', '360 in']],
  ['gemini-chat', 'a.json', geminiDocument, ['Draw the chart', 'I look at the tides.', 'east.csv', 'Thank you']],
  ['gemini-chat', 'a.jsonl', geminiChanges, ['Draw the chart', 'I look at the tides.', 'east.csv', 'Thank you']]
]

for (const [format, name, text, says] of logs) {
  test(`${format} (${name}): its rows, and at each todo list the panel is what \`todos --at\` prints`, async ({
    page,
    serve
  }) => {
    const file = written(name, text)
    await open(page, await serve(file))
    await expect(page.getByRole('banner')).toContainText(format)
    for (const said of says) await expect(grid(page)).toContainText(said)
    await expect(grid(page).locator('[data-severity]')).toHaveCount(0)
    await page.keyboard.press('End')
    for (const before of [1, 2]) {
      await page.keyboard.press('[')
      const seq = await seqOf(page)
      const { stdout } = await playhead('todos', file, '--at', String(seq), '--json')
      const state = JSON.parse(stdout) as TodoState
      expect(state.seq, `list ${before} from the end`).toBe(seq)
      await expect.poll(() => todoPanel(page)).toEqual(state.items)
    }
    expect(await seqOf(page)).toBeLessThan(Number(await slider(page).getAttribute('aria-valuemax')))
  })
}

test('a log that states one time does not say how far its events are in', async ({ page, serve }) => {
  await open(page, await serve(written('a.jsonl', codexExec)))
  await page.keyboard.press('End')
  await expect.poll(() => seqOf(page)).toBeGreaterThan(5)
  await expect(page.locator('.deck-clock')).toHaveText(/^\d\d:\d\d:\d\d\.\d{3}$/)
  await open(page, await serve(written('b.json', geminiDocument)))
  await page.keyboard.press('End')
  await expect(page.locator('.deck-clock')).toHaveText(/ in$/)
})

test('a record of a document stands with the lines it is written on', async ({ page, serve }) => {
  await open(page, await serve(written('a.json', geminiDocument)))
  const line = geminiDocument.split('\n').findIndex((text) => text.includes('"m4"')) // the line after its brace
  await grid(page).locator('[data-kind=prompt]', { hasText: 'Thank you' }).click()
  await expect(inspector(page)).toContainText(`line ${line}`)
  await inspector(page).getByRole('tab', { name: 'Raw', exact: true }).click()
  await expect(inspector(page)).toContainText(`lines ${line} to ${line + 5}`)
  await expect(inspector(page)).toContainText('"content": "Thank you"')
})

test('what was gone back from stays, dimmed, with the word that says so', async ({ page, serve }) => {
  await open(page, await serve(written('a.jsonl', geminiChanges)))
  const abandoned = grid(page).locator('[data-mark=abandoned]')
  await expect(abandoned.filter({ hasText: 'Thank you' })).toContainText('abandoned')
  await expect(grid(page).locator('[data-kind=prompt]', { hasText: 'Draw the chart' })).not.toHaveAttribute('data-mark')
  await abandoned.filter({ hasText: 'Thank you' }).click()
  await expect(inspector(page)).toContainText('The user rewound to an earlier point.')
})

const claude = { isSidechain: false, userType: 'external', cwd: '/home/ada/tide', version: '2.1.330' }
const session = 'c0000000-1111-4222-8333-444455556666'

/** A session and the file of the subagent it started, as they lie on disk. */
function writtenRun(): string {
  const uuid = (n: number) => `0000000${n}-c000-4000-8000-0000000000aa`
  const message = (role: string, content: unknown) => ({
    type: role,
    message: { role, content, id: 'msg_1', model: 'm' }
  })
  const lines = (sidechain: boolean, records: [second: number, record: object][]) =>
    jsonLines(
      records.map(([second, record], n) => ({
        ...claude,
        ...(sidechain ? { isSidechain: true, agentId: 'a1' } : undefined),
        parentUuid: n === 0 ? null : uuid(sidechain ? n + 4 : n),
        uuid: uuid(sidechain ? n + 5 : n + 1),
        sessionId: session,
        timestamp: at(second),
        ...record
      }))
    )
  const task = { description: 'Read the east', prompt: 'Read east.csv', subagent_type: 'Explore' }
  const result = [{ type: 'tool_result', tool_use_id: 'toolu_task', content: '5.4' }]
  const main = written(
    `project/${session}.jsonl`,
    lines(false, [
      [1, message('user', 'Draw the chart of the firth')],
      [2, message('assistant', [{ type: 'tool_use', id: 'toolu_task', name: 'Agent', input: task }])],
      [8, { ...message('user', result), toolUseResult: { status: 'completed', agentId: 'a1' } }]
    ])
  )
  const folder = `project/${session}/subagents`
  written(
    `${folder}/agent-a1.jsonl`,
    lines(true, [
      [3, message('user', 'Read east.csv')],
      [4, message('assistant', [{ type: 'text', text: 'The east stands at 5.4.' }])]
    ])
  )
  const meta = { agentType: 'Explore', description: 'Read the east', toolUseId: 'toolu_task' }
  written(`${folder}/agent-a1.meta.json`, JSON.stringify(meta))
  return main
}

test('the files of a run are one: the subagent stands between its call and its result', async ({ page, serve }) => {
  await open(page, await serve(writtenRun()))
  const said = grid(page).locator('[data-kind=assistant]', { hasText: 'The east stands at 5.4.' })
  const seqs = async () => {
    const rows = [grid(page).locator('[data-kind=tool]'), said, grid(page).locator('[data-kind=tool-result]')]
    return await Promise.all(rows.map(async (row) => Number(await row.getAttribute('data-seq'))))
  }
  const order = await seqs()
  expect(order).toEqual([...order].sort((a, b) => a - b))
  await said.click()
  await expect(inspector(page)).toContainText('line 2 of agent-a1.jsonl')
  await expect(inspector(page)).toContainText('Read the east')
  await inspector(page).getByRole('tab', { name: 'Raw', exact: true }).click()
  await expect(inspector(page)).toContainText(`${session}/subagents/agent-a1.jsonl`)
  const runs = page.getByRole('navigation', { name: 'Logs' })
  await runs.getByText('2 files').click()
  await expect(runs.getByRole('list', { name: 'Files of this session' })).toContainText('agent-a1.jsonl')
  await expect(runs.getByRole('list', { name: 'Tracks' })).toContainText('Read the east')
  await expect(statusBar(page)).toContainText('2 files')
})

test('a log of an agent that is not read is named, and shown as raw rows', async ({ page, serve }) => {
  const step = { source: 'MODEL', type: 'RESPONSE', status: 'DONE', created_at: '2026-11-25T10:00:00Z' }
  const antigravity = jsonLines([
    { ...step, step_index: 0, content: 'Hello' },
    { ...step, step_index: 1, content: 'Done' }
  ])
  await open(page, await serve(written('a.jsonl', antigravity)))
  await expect(page.getByRole('note')).toContainText('Antigravity')
  await expect(grid(page).locator('[data-kind=record]')).toHaveCount(2)
})

async function checkAll(page: Page): Promise<void> {
  expect(await seriousInBothThemes(page)).toEqual([])
  await inspector(page).getByRole('tab', { name: 'Raw', exact: true }).click()
  await expect(inspector(page)).toContainText('offset')
  expect(await seriousInBothThemes(page, '[aria-label=Inspector]')).toEqual([])
}

test('axe finds no serious violation in marked rows and in runs', async ({ page, serve }) => {
  test.slow()
  const rewind = readFileSync(`${root}test/fixtures/formats/claude-transcript/rewind-2.1.232/input.jsonl`, 'utf8')
  await open(page, await serve(written('rewind.jsonl', rewind)))
  await grid(page).locator('[data-mark=abandoned][data-seq]').first().click()
  await checkAll(page)
  await open(page, await serve(writtenRun()))
  const runs = page.getByRole('navigation', { name: 'Logs' })
  await runs.getByText('2 files').click()
  await grid(page).locator('[data-kind=assistant]', { hasText: 'The east' }).click()
  await checkAll(page)
})
