import { appendFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { answered, asked, called, task, writeSession } from './claude-session.ts'
import { grid, inspector, open, press, seriousViolations } from './page-parts.ts'
import { expect, playhead, test } from './playhead-server.ts'

const edit = { file_path: '/w/sheep.txt', old_string: 'one\ntwo', new_string: 'one\n2\n3' }

/** The main file of the run, and those of its subagents beside it. */
function session(more: readonly object[] = []): string {
  const main = [
    asked(0, 'Count the sheep'),
    called(1, 'call-a', 'Task', task('Count the white sheep'), 1000),
    called(2, 'call-b', 'Task', task('Count the black sheep'), 1100),
    { ...answered(20, 'call-a', 'done'), toolUseResult: { status: 'completed', agentId: 'aaa', content: [] } },
    { ...answered(30, 'call-b', 'done'), toolUseResult: { status: 'completed', agentId: 'bbb', content: [] } },
    called(31, 'call-c', 'Bash', { command: 'make count' }, 1200),
    answered(95, 'call-c', 'Error: no sheep', undefined, true),
    called(96, 'call-d', 'Edit', edit, 1300),
    answered(97, 'call-d', 'The file has been updated.'),
    called(98, 'call-e', 'Bash', { command: 'make again' }, 1300),
    answered(99, 'call-e', 'nine'),
    ...more
  ]
  const white = [asked(3, 'Count the white sheep', 'aaa'), called(5, 'w1', 'Grep', { pattern: 'white' }, 7000, 'aaa')]
  const black = [asked(3, 'Count the black sheep', 'bbb'), called(6, 'b1', 'Grep', { pattern: 'black' }, 52_000, 'bbb')]
  writeSession('agent-aaa.jsonl', white)
  writeSession('agent-bbb.jsonl', black)
  return writeSession('session-1.jsonl', main)
}

const tab = (page: Page, name: string) => inspector(page).getByRole('tab', { name, exact: true })
const table = (page: Page, name: string) => inspector(page).getByRole('table', { name, exact: true })
/** The cells of a table's rows, once it has any: the summary comes from the host. */
const rowsOf = async (page: Page, name: string) => {
  const rows = table(page, name).getByRole('row')
  await rows.nth(1).waitFor()
  return await rows.evaluateAll((all) =>
    all.slice(1).map((row) => [...row.children].map((cell) => cell.textContent ?? ''))
  )
}

/** What a person does: each click is one action. */
function person() {
  let actions = 0
  return {
    get actions() {
      return actions
    },
    async click(target: ReturnType<typeof table>) {
      actions++
      await target.click()
    }
  }
}

test('what took longest: 2 actions from any row', async ({ page, serve }) => {
  await open(page, await serve(session()))
  await grid(page).locator('[data-kind="prompt"]').first().click()
  await expect(tab(page, 'Event')).toHaveAttribute('aria-selected', 'true')
  const user = person()
  await user.click(tab(page, 'Summary'))
  // The texts of the calls come after their names.
  await expect.poll(async () => (await rowsOf(page, 'Longest calls'))[0]).toEqual(['Bashmake count', '1m 04s'])
  await user.click(table(page, 'Longest calls').getByRole('button', { name: /make count/ }))
  await expect(tab(page, 'Event')).toHaveAttribute('aria-selected', 'true')
  await expect(grid(page).locator('[aria-selected="true"]')).toContainText('make count')
  expect(user.actions).toBe(2)
})

test('which subagent used most tokens: 2 actions from any row', async ({ page, serve }) => {
  await open(page, await serve(session()))
  await grid(page).locator('[data-kind="prompt"]').first().click()
  await expect(tab(page, 'Event')).toHaveAttribute('aria-selected', 'true')
  const user = person()
  await user.click(tab(page, 'Summary'))
  await expect(table(page, 'Subagents').getByRole('columnheader', { name: 'Tokens in' })).toHaveAttribute(
    'aria-sort',
    'descending'
  )
  const [first, second] = await rowsOf(page, 'Subagents')
  expect(first?.slice(0, 3)).toEqual(['Count the black sheep', '1', '52.0k'])
  expect(second?.slice(0, 3)).toEqual(['Count the white sheep', '1', '7.0k'])
  await user.click(table(page, 'Subagents').getByRole('button', { name: 'Count the black sheep', exact: true }))
  // Only its events are shown.
  await expect(grid(page).locator('[data-kind="prompt"]')).toHaveCount(1)
  await expect(grid(page)).toContainText('black')
  await expect(grid(page)).not.toContainText('white')
  expect(user.actions).toBe(2)
})

test('nothing is selected: the session in numbers, those that `stats` prints, and each leads to its rows', async ({
  page,
  serve
}) => {
  const log = session()
  await open(page, await serve(log))
  await expect(tab(page, 'Summary')).toHaveAttribute('aria-selected', 'true')
  const { stdout } = await playhead('stats', log, '--json')
  const stats = JSON.parse(stdout) as {
    calls: { total: number; failed: number; byTool: { tool: string; total: number; failed: number }[] }
  }
  const total = (name: string) => inspector(page).locator('.fact', { has: page.getByText(name, { exact: true }) })
  await expect(total('Tool calls')).toContainText(`${stats.calls.total} · ${stats.calls.failed} failed`)
  await expect(total('Turns')).toContainText('1')
  await expect(total('Duration')).toContainText('1m 39s')
  await expect(total('Cost')).toContainText('– unknown. No price: model-1, model-2 (65.5k tokens, 7 requests).')
  const tools = stats.calls.byTool.map(({ tool, total, failed }) => [tool, String(total), String(failed)])
  await expect.poll(async () => (await rowsOf(page, 'Calls by tool')).map((cells) => cells.slice(0, 3))).toEqual(tools)
  await expect.poll(() => rowsOf(page, 'Files changed')).toEqual([['/w/sheep.txt', '1', '+2', '−1']])
  await expect
    .poll(() => rowsOf(page, 'Tokens by model'))
    .toEqual([
      ['model-2', '59.0k', '180', '– unknown. No price: model-2 (59.2k tokens, 2 requests).'],
      ['model-1', '5.9k', '450', '– unknown. No price: model-1 (6.3k tokens, 5 requests).']
    ])
  expect(await seriousViolations(page, '.inspector')).toEqual([])

  // Two of the three tools were called twice: by name they stand in another order.
  await table(page, 'Calls by tool').getByRole('button', { name: 'Tool' }).click()
  await expect(table(page, 'Calls by tool').getByRole('columnheader', { name: 'Tool' })).toHaveAttribute(
    'aria-sort',
    'ascending'
  )
  await expect
    .poll(async () => (await rowsOf(page, 'Calls by tool')).map(([tool]) => tool))
    .toEqual(['Bash', 'Edit', 'Grep', 'Task'])

  await table(page, 'Calls by tool').getByRole('button', { name: '1: show failed calls of Bash' }).click()
  await expect(grid(page)).toContainText('make count')
  await expect(grid(page)).not.toContainText('make again')
  await expect(tab(page, 'Summary')).toHaveAttribute('aria-selected', 'true')
})

test('calls that failed alike are one line of the summary, which leads to the first of them, also while the log grows', async ({
  page,
  serve
}) => {
  const denied = (s: number, id: string) => [
    called(s, id, 'Bash', { command: `rm ${id}` }, 1400),
    answered(s + 1, id, 'This command requires approval', undefined, true)
  ]
  const log = session([...denied(100, 'one'), ...denied(102, 'two')])
  await open(page, await serve(log))
  await expect
    .poll(() => rowsOf(page, 'Failures'))
    .toEqual([
      ['BashThis command requires approval', '2'],
      ['BashError: no sheep', '1']
    ])
  appendFileSync(
    log,
    denied(104, 'three')
      .map((each) => `${JSON.stringify(each)}\n`)
      .join('')
  )
  await expect(table(page, 'Failures').getByRole('row').nth(1)).toContainText('approval3')

  await table(page, 'Failures').getByRole('button', { name: 'Bash This command requires approval' }).click()
  await expect(tab(page, 'Event')).toHaveAttribute('aria-selected', 'true')
  const selected = grid(page).locator('.row.here')
  await expect(selected).toContainText('rm one')
  await expect(grid(page)).not.toContainText('make again')
  await expect(grid(page)).toContainText('make count')
  await press(page, 'e')
  await expect(selected).toContainText('rm two')
})
