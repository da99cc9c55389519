import { writeFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { grid, inspector, open, seqOf, seriousViolations, statusBar } from './page-parts.ts'
import { expect, test } from './playhead-server.ts'

const main = { parent_tool_use_id: null, session_id: 's' }
const say = (role: string, content: object) => ({
  type: role,
  message: { id: `m${content.toString()}`, role, model: 'm', content: [content] },
  ...main
})
const call = (id: string, command: string) =>
  say('assistant', { type: 'tool_use', id, name: 'Bash', input: { command } })
const answer = (id: string, content: string, failed = true) =>
  say('user', { type: 'tool_result', tool_use_id: id, content, is_error: failed })

/** What a test runner says: the failure far from its beginning, and far from its end. */
const output = [
  'Exit code 1',
  ...Array.from({ length: 80 }, (_, at) => `tests/test_${at}.py::test_it PASSED`),
  'tests/test_80.py::test_it FAILED',
  ...Array.from({ length: 80 }, (_, at) => `    frame ${at}`),
  '1 failed, 80 passed in 1.2s'
].join('\n')

/** Two turns; two calls at once, of which the second fails, then one that is refused; and one in the second turn. */
const lines: readonly object[] = [
  { type: 'system', subtype: 'init', cwd: '/w', session_id: 's', tools: ['Bash'], model: 'm', uuid: 'u' },
  say('user', { type: 'text', text: 'Fix the test' }),
  call('t1', 'ls'),
  call('t2', 'pytest'),
  answer('t1', 'a b', false),
  answer('t2', output),
  call('t3', 'rm -rf build'),
  answer('t3', 'This command requires approval'),
  { type: 'result', subtype: 'success', is_error: false, result: 'Done', session_id: 's', duration_ms: 1 },
  say('user', { type: 'text', text: 'Again' }),
  call('t4', 'rm -rf build'),
  answer('t4', 'This command requires approval')
]

function logFile(): string {
  const file = test.info().outputPath('failed.jsonl')
  writeFileSync(file, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  return file
}

/** What a person does: each key and each click counts. */
function countedActions(page: Page) {
  let count = 0
  return {
    get count() {
      return count
    },
    press: (key: string) => (count++, page.keyboard.press(key)),
    click: (on: Locator) => (count++, on.click())
  }
}

const lineOf = async (page: Page) =>
  Number(await grid(page).locator('[aria-selected=true][data-row]').getAttribute('data-line'))

test('the first failed call and its error line: two actions at most', async ({ page, serve }) => {
  await open(page, await serve(logFile()))
  const person = countedActions(page)
  await person.press('e')
  const shown = inspector(page).getByRole('group', { name: 'Error output' }).locator('.shown')
  await expect(shown).toHaveText('tests/test_80.py::test_it FAILED')
  // In view, without scrolling.
  await expect(shown).toBeInViewport({ ratio: 1 })
  expect(person.count).toBeLessThanOrEqual(2)

  // The last line is one click away, and the way back.
  await inspector(page).getByRole('button', { name: '1 failed, 80 passed in 1.2s' }).click()
  await expect(shown).toHaveText('1 failed, 80 passed in 1.2s')
  await expect(shown).toBeInViewport({ ratio: 0.7 })
  expect(await seriousViolations(page, '.inspector')).toEqual([])
})

test('in a small window the error line is in view, too, also from the row of the call', async ({ page, serve }) => {
  await page.setViewportSize({ width: 1024, height: 700 })
  await open(page, await serve(logFile()))
  const error = inspector(page).getByRole('button', { name: 'tests/test_80.py::test_it FAILED' })
  await page.keyboard.press('e')
  await expect(error).toBeInViewport({ ratio: 1 })
  await page.keyboard.press('Home')
  await expect(error).toHaveCount(0)
  await grid(page).locator('[data-row][data-line="4"]').click()
  await expect(error).toBeInViewport({ ratio: 1 })
})

test('failed calls are counted, marked, stepped through and filtered', async ({ page, serve }) => {
  await open(page, await serve(logFile()))
  await expect(statusBar(page)).toContainText('3 failed calls')
  await expect(page.getByRole('navigation', { name: 'Logs' }).getByTitle('3 failed calls')).toBeVisible()
  await expect(grid(page).locator('[data-turn]').first()).toContainText('2 failed')
  await expect(grid(page).locator('[data-turn]').last()).toContainText('1 failed')
  // The row of the call says it, whatever stands between it and its result.
  await expect(grid(page).locator('[data-line="4"][data-row]')).toContainText('failed')
  await expect(grid(page).locator('[data-line="3"][data-row]')).not.toContainText('failed')

  for (const [key, line] of [
    ['e', 6],
    ['e', 8],
    ['e', 12],
    ['E', 8]
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(() => lineOf(page), key).toBe(line)
  }
  await page.getByRole('contentinfo').getByRole('button', { name: '3 failed calls' }).click()
  await expect.poll(() => lineOf(page)).toBe(12)

  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('checkbox', { name: /^Failed \(with results\), 3/ }).check()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('region', { name: 'Filter rows' })).toContainText('6 of 13 rows')
  const linesShown = () =>
    grid(page)
      .locator('[data-row]')
      .evaluateAll((all) => [...new Set(all.map((row) => row.getAttribute('data-line')))])
  await expect.poll(linesShown).toEqual(['4', '6', '7', '8', '11', '12'])
})

test('a bookmark with a note: two actions and typing, of which no letter is a command', async ({ page, serve }) => {
  await open(page, await serve(logFile()))
  await page.keyboard.press('e')
  const before = await seqOf(page)
  const person = countedActions(page)
  await person.press('b')
  const field = inspector(page).getByRole('textbox', { name: /^Note for/ })
  await expect(field).toBeFocused()
  // Each of these letters is a command elsewhere.
  const note = 'b B e x m v z n / ? [ ] here'
  await page.keyboard.type(note)
  await person.press('Enter')
  expect(person.count).toBe(2)
  await expect(field).toHaveCount(0)
  await expect(inspector(page).locator('.bookmark-note')).toContainText(note)
  const bookmarks = page.getByRole('navigation', { name: 'Logs' }).getByRole('region', { name: 'Bookmarks' })
  await expect(bookmarks.getByRole('listitem')).toHaveText([new RegExp('here')])
  expect(await seqOf(page)).toBe(before)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // Escape leaves a bookmark without a note, and keys are commands again.
  await page.keyboard.press('e')
  await page.keyboard.press('b')
  await expect(field).toBeFocused()
  await page.keyboard.type('not this')
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
  await expect(bookmarks.getByRole('listitem')).toHaveCount(2)
  await expect(bookmarks).not.toContainText('not this')
  await page.keyboard.press('m')
  await page.keyboard.press('M')
  await expect.poll(() => seqOf(page)).toBe(before)
})

test('counters count: at the last event, as many as there are', async ({ page, serve }) => {
  await open(page, await serve(logFile()))
  await page.keyboard.press('End')
  const deck = page.getByRole('region', { name: 'Transport' })
  await expect(deck.locator('.deck-position')).toHaveText('13 / 13 events')
  await expect(page.getByRole('slider', { name: 'Playhead' })).toHaveAttribute('aria-valuetext', /^event 13 of 13/)
})
