import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { grid, inspector, open, seriousViolations, todoPanel } from './page-parts.ts'
import { expect, root, sample, test } from './playhead-server.ts'

const mine = (page: Page) =>
  page.getByRole('region', { name: 'Todos', exact: true }).getByRole('region', { name: 'My tasks' })
const titles = (page: Page) =>
  mine(page)
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')?.replace('Done: ', '')))

async function add(page: Page, ...tasks: string[]) {
  const button = mine(page).getByRole('button', { name: 'Add a task' })
  if (await button.isVisible()) await button.click()
  for (const task of tasks) {
    await mine(page).getByRole('textbox', { name: 'Add a task' }).fill(task)
    await page.keyboard.press('Enter')
    await expect.poll(() => titles(page)).toContain(task)
  }
}

/** The id of the only one. */
const session = 'the-session'

function line(record: object): string {
  return `${JSON.stringify({ session_id: session, ...record })}\n`
}
const init = line({ type: 'system', subtype: 'init', cwd: '/w', tools: [], model: 'm', uuid: 'u' })
const message = (id: string, content: object) =>
  line({ type: 'assistant', message: { id, role: 'assistant', content: [content] }, parent_tool_use_id: null })
const called = message('m1', { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'npm test' } })
const answered = line({
  type: 'user',
  message: {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Of the log: 12 passed' }]
  },
  parent_tool_use_id: null
})

/** As an agent tells its hook what a tool came to. */
async function report(event: object): Promise<void> {
  const child = spawn(process.execPath, [`${root}bin/playhead.js`, 'hook'], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { ...process.env, PLAYHEAD_STATE_DIR: test.info().outputPath('state') }
  })
  child.stdin.end(JSON.stringify(event))
  await once(child, 'close')
}

test('tasks of a person are kept for the session, beside the list of the log and apart from it', async ({
  page,
  serve,
  another,
  context
}) => {
  const url = await serve(sample)
  await open(page, url)
  await page.keyboard.press('End')
  await expect.poll(async () => (await todoPanel(page)).length).toBeGreaterThan(0)
  const ofTheLog = await todoPanel(page)
  await add(page, 'Ask why', 'Look at the cost', 'Report it')
  await mine(page).getByRole('checkbox', { name: 'Done: Look at the cost' }).click()
  await mine(page).getByRole('button', { name: 'Edit Report it' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+ArrowUp')
  await expect.poll(() => titles(page)).toEqual(['Report it', 'Ask why', 'Look at the cost'])
  // Another window has them, and hears of what is done here.
  const other = await context.newPage()
  await open(other, await another(url))
  await expect.poll(() => titles(other)).toEqual(['Report it', 'Ask why', 'Look at the cost'])
  await expect(mine(other).getByRole('checkbox', { checked: true })).toHaveAccessibleName('Done: Look at the cost')
  await mine(page).getByRole('button', { name: 'Edit Ask why' }).click()
  await page.keyboard.type(' it failed')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Delete')
  await expect.poll(() => titles(other)).toEqual(['Ask why it failed', 'Look at the cost'])
  await mine(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => titles(other)).toEqual(['Report it', 'Ask why it failed', 'Look at the cost'])
  // Wherever the playhead is, and whatever the list of the log is there.
  await page.keyboard.press('Escape')
  await grid(page).focus()
  await page.keyboard.press('Home')
  await expect.poll(() => titles(page)).toEqual(['Report it', 'Ask why it failed', 'Look at the cost'])
  await page.keyboard.press('End')
  await expect.poll(() => todoPanel(page)).toEqual(ofTheLog)
})

test('a key leads to the field, wherever the focus is, and out of it again', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await grid(page).focus()
  await page.keyboard.press('a')
  await expect(mine(page).getByRole('textbox', { name: 'Add a task' })).toBeFocused()
  await page.keyboard.type('a b')
  await page.keyboard.press('Enter')
  await expect.poll(() => titles(page)).toEqual(['a b'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('v')
  await expect(page.getByRole('tab', { name: 'Todos' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('a')
  await expect(mine(page).getByRole('textbox', { name: 'Add a task' })).toBeFocused()
})

test('another host of the same person has them too', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await add(page, 'Ask why')
  await open(page, await serve(sample))
  await expect.poll(() => titles(page)).toEqual(['Ask why'])
})

for (const [theme, width, height] of [
  ['light', 1440, 900],
  ['dark', 1024, 700]
] as const) {
  test(`axe finds nothing serious in them, ${theme}`, async ({ page, serve }) => {
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: theme })
    await open(page, await serve(sample))
    await add(page, 'Ask why', 'Look at the cost', 'Report it')
    await mine(page).getByRole('checkbox', { name: 'Done: Ask why' }).click()
    await mine(page).getByRole('button', { name: 'Start Look at the cost' }).click({ force: true })
    await mine(page).getByRole('button', { name: 'Edit Report it' }).focus()
    await page.keyboard.press('Delete')
    await expect(mine(page)).toContainText('Undo')
    expect(await seriousViolations(page, '.todos')).toEqual([])
    await mine(page).getByRole('button', { name: 'Edit Ask why' }).click()
    expect(await seriousViolations(page, '.todos')).toEqual([])
  })
}

test('in a small window, as at 200 % zoom, each of them can be reached', async ({ page, serve }) => {
  await page.setViewportSize({ width: 720, height: 450 })
  await open(page, await serve(sample))
  await page.keyboard.press('End')
  await add(page, 'Ask why', 'Look at the cost', 'Report it')
  for (const name of ['Ask why', 'Report it']) {
    const box = mine(page).getByRole('checkbox', { name: `Done: ${name}` })
    await box.click()
    await expect(box).toHaveAttribute('aria-checked', 'true')
  }
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(450)
})

test('what a hook reports of a call is shown at once, and only the log’s own result once it is there', async ({
  page,
  serve
}) => {
  const file = test.info().outputPath('live.jsonl')
  writeFileSync(file, init)
  await open(page, await serve(file))
  appendFileSync(file, called)
  await expect(grid(page).getByRole('row')).toHaveCount(3)
  await page.keyboard.press('End')
  await expect(inspector(page)).toContainText('No result yet')
  const hook = {
    session_id: session,
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'toolu_1',
    tool_input: { command: 'npm test' },
    tool_response: { stdout: 'Of the hook: 12 passed', stderr: '', interrupted: false, isImage: false }
  }
  await report(hook)
  await expect(inspector(page)).toContainText('reported by the hook')
  await expect(inspector(page).getByRole('group', { name: 'Output' })).toContainText('Of the hook: 12 passed')
  appendFileSync(file, answered)
  await expect(inspector(page).getByRole('group', { name: 'Output' })).toContainText('Of the log: 12 passed')
  await expect(inspector(page).getByRole('group', { name: 'Output' })).toHaveCount(1)
  await expect(inspector(page)).not.toContainText('the hook')
})
