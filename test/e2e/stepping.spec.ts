import { readdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Page } from '@playwright/test'
import { grid, open, seqOf, seriousViolations, slider } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

const session = 's'
const main = { parent_tool_use_id: null, session_id: session }

let messages = 0

/** A Claude stream-json log: a prompt, a call that fails, a broken line, a subagent with a call of its own, and a second turn. */
const lines: readonly object[] = [
  { type: 'system', subtype: 'init', cwd: '/w', session_id: session, tools: ['Bash'], model: 'm', uuid: 'u' },
  user({ type: 'text', text: 'Fix the test' }),
  assistant(call('t1', 'Edit', { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' })),
  user({ type: 'tool_result', tool_use_id: 't1', content: 'ok' }),
  assistant(call('t2', 'Bash', { command: 'npm test' })),
  user({ type: 'tool_result', tool_use_id: 't2', content: 'no', is_error: true }),
  { type: 'system', subtype: 7, session_id: session },
  assistant(call('t3', 'Task', { description: 'Look', prompt: 'Look around', subagent_type: 'general' })),
  { ...user({ type: 'text', text: 'Look around' }), parent_tool_use_id: 't3' },
  { ...assistant(call('t4', 'Read', { file_path: '/w/a.ts' })), parent_tool_use_id: 't3' },
  { ...user({ type: 'tool_result', tool_use_id: 't4', content: 'y' }), parent_tool_use_id: 't3' },
  user({ type: 'tool_result', tool_use_id: 't3', content: 'looked' }),
  { type: 'result', subtype: 'success', is_error: false, result: 'Done', session_id: session, duration_ms: 1 },
  user({ type: 'text', text: 'Again' }),
  assistant(call('t5', 'Bash', { command: 'npm test' })),
  user({ type: 'tool_result', tool_use_id: 't5', content: 'yes' })
]

function user(content: object) {
  return { type: 'user', message: { role: 'user', content: [content] }, ...main }
}
function assistant(content: object) {
  return {
    type: 'assistant',
    message: { id: `m${++messages}`, role: 'assistant', model: 'm', content: [content] },
    ...main
  }
}
function call(id: string, name: string, input: object) {
  return { type: 'tool_use', id, name, input }
}

function logFile(): string {
  const file = test.info().outputPath('stepped.jsonl')
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  return file
}

/** The line of the row that is selected. */
const lineOf = async (page: Page) =>
  Number(await grid(page).locator('[aria-selected=true][data-row]').getAttribute('data-line'))
const deck = (page: Page) => page.getByRole('region', { name: 'Transport' })
const runs = (page: Page) => page.getByRole('navigation', { name: 'Logs' })

test('each key steps where it says, and back', async ({ page, serve }) => {
  await open(page, await serve(logFile()))
  const step = async (key: string, line: number) => {
    await page.keyboard.press(key)
    await expect.poll(() => lineOf(page), key).toBe(line)
  }
  await step('Home', 1)
  await step('p', 2)
  await step('e', 6)
  await step('.', 7)
  await step('E', 6)
  await page.keyboard.press('e')
  await expect(deck(page)).toContainText('No later failed call.')
  await step('Shift+ArrowRight', 14)
  await step('Shift+ArrowLeft', 1)
  await step('p', 2)
  await step('ArrowRight', 3)
  await step('s', 10)
  await step('S', 3)
  await step('ArrowRight', 4)
  await step('ArrowRight', 5)
  await step('t', 15)
  await step('T', 5)
  await step('e', 6)
  await step('ArrowRight', 8)
  await step('i', 9)
  await step('u', 12)
  await page.keyboard.press('u')
  await expect(deck(page)).toContainText('This is the main agent.')
  await step('ArrowLeft', 11)
  await step('p', 14)
  await step('P', 9)
  await step('P', 2)
  await step('ArrowLeft', 1)
  await step('End', 16)
  await step(',', 7)
})

test('play stops at issues if asked, at breakpoints always, and says which', async ({ page, serve }) => {
  await open(page, await serve(logFile()))
  const play = async () => {
    await grid(page).focus()
    await page.keyboard.press(' ')
  }
  await page.keyboard.press('Home')
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('60×')
  await page.getByRole('button', { name: 'Pause at issues' }).click()
  await play()
  await expect(deck(page)).toContainText('Stopped: violation')
  await expect.poll(() => lineOf(page)).toBe(7)
  await page.keyboard.press('!')

  await runs(page).getByRole('button', { name: 'New breakpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'New breakpoint' })
  await dialog.getByRole('button', { name: 'Add breakpoint' }).click()
  await expect(dialog).toContainText('Enter a query.')
  await dialog.getByRole('combobox', { name: 'Stop where' }).fill('again')
  expect(await seriousViolations(page, 'dialog')).toEqual([])
  await dialog.getByRole('button', { name: 'Add breakpoint' }).click()
  const breakpoints = runs(page).getByRole('region', { name: 'Breakpoints' })
  await expect(breakpoints.locator('.review-count')).toHaveText('1')
  await play()
  await expect(deck(page)).toContainText('Stopped: again')
  await expect.poll(() => lineOf(page)).toBe(14)

  await page.keyboard.press('Home')
  await breakpoints.getByRole('switch').click()
  await expect(breakpoints.getByRole('switch')).toHaveAttribute('aria-checked', 'false')
  await play()
  await expect.poll(() => lineOf(page)).toBe(16)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()

  await breakpoints.getByRole('button', { name: 'Remove again' }).click()
  await expect(breakpoints).toContainText('No breakpoints.')
  await runs(page).getByRole('button', { name: 'Undo' }).click()
  await expect(breakpoints.getByRole('switch')).toHaveAttribute('aria-checked', 'false')
})

test('bookmarks and breakpoints are there again when the server was started anew, and nothing lies beside the log', async ({
  page,
  serve,
  another,
  context
}) => {
  const file = logFile()
  const beside = readdirSync(dirname(file))
  await open(page, await serve(file))
  await page.keyboard.press('p')
  await page.keyboard.press('b')
  const bookmarks = runs(page).getByRole('region', { name: 'Bookmarks' })
  await page.keyboard.type('where it began')
  await page.keyboard.press('Enter')
  await expect(bookmarks).toContainText('where it began')
  await page.keyboard.press('e')
  await page.keyboard.press('B')
  await expect(grid(page).locator('[data-line="2"]')).toContainText('Bookmark: where it began')
  await expect(grid(page).locator('[data-line="6"]')).toContainText('Breakpoint')
  // Another window of the same log is told.
  const other = await context.newPage()
  await open(other, await another(page.url()))
  await expect(runs(other).getByRole('region', { name: 'Bookmarks' })).toContainText('where it began')
  await page.keyboard.press('b')
  await page.keyboard.press('Escape')
  await expect(runs(other).getByRole('region', { name: 'Bookmarks' }).getByRole('listitem')).toHaveCount(2)
  await other.close()

  await open(page, await serve(file))
  await expect(bookmarks.getByRole('listitem')).toHaveCount(2)
  await page.keyboard.press('End')
  await bookmarks.getByRole('button', { name: 'where it began', exact: true }).click()
  await expect.poll(() => lineOf(page)).toBe(2)
  await grid(page).focus()
  await page.keyboard.press('x')
  await expect.poll(() => lineOf(page)).toBe(6)
  expect(readdirSync(dirname(file)).filter((name) => !beside.includes(name))).toEqual(['state'])
})

test('no part of it is out of reach: axe, the rail of a narrow window, the keys', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await page.keyboard.press('p')
  await page.keyboard.press('b')
  // The field for its note has the focus.
  expect(await seriousViolations(page, '.inspector')).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('B')
  expect(await seriousViolations(page, '.review-panel')).toEqual([])
  expect(await seriousViolations(page, '.timeline')).toEqual([])
  await page.setViewportSize({ width: 1024, height: 700 })
  await page.getByRole('button', { name: 'Show bookmarks' }).click()
  await expect(runs(page).getByRole('region', { name: 'Bookmarks' })).toBeVisible()
  await page.keyboard.press('Escape')
  await grid(page).focus()
  await page.keyboard.press('?')
  const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const what of ['Previous, next turn', 'Step into', 'Add or remove a bookmark', 'Slower, faster']) {
    await expect(keys).toContainText(what)
  }
  expect(await seriousViolations(page, 'dialog')).toEqual([])
})

test('seeking back shows what was there on the way forth', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await page.keyboard.press('Home')
  const seen: number[] = []
  for (let at = 0; at < 12; at++) {
    seen.push(await seqOf(page))
    await page.keyboard.press(']')
  }
  for (const seq of seen.toReversed().slice(0, 6)) {
    await page.keyboard.press('[')
    await expect(slider(page)).toHaveAttribute('aria-valuenow', String(seq))
  }
})
