import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { commands } from '../../src/contract/commands.ts'
import { grid, open, seqOf, todoPanel, type TodoState } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Filter' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Completions' }).getByRole('option')
const bar = (page: Page) => page.getByRole('region', { name: 'Filter rows' })
const lines = (page: Page) => grid(page).locator('[data-row]')
const deck = (page: Page) => page.getByRole('region', { name: 'Transport' })
const runs = (page: Page) => page.getByRole('navigation', { name: 'Logs' })
const root = join(import.meta.dirname, '..', '..')

/** What the command prints. */
function printed(...args: string[]): string {
  return execFileSync(process.execPath, [join(root, 'bin', 'playhead.js'), ...args], { encoding: 'utf8' })
}

test('a query is typed, completed with the keys, kept over a reload and shared by its address', async ({
  page,
  serve,
  context
}) => {
  const address = await serve(sample)
  await open(page, address)
  await page.keyboard.press('F')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('sta')
  // A key that is begun is no text: the rows stay.
  await expect(options(page).filter({ hasText: 'status:ok' })).toBeVisible()
  await expect(bar(page)).toContainText('all ')
  await page.keyboard.press('ArrowDown')
  const chosen = options(page).and(page.locator('[aria-selected="true"]'))
  const first = await chosen.getAttribute('id')
  await expect(field(page)).toHaveAttribute('aria-activedescendant', first ?? '')
  // Nor is a key without its value wrong, while its values are offered.
  await field(page).fill('status:')
  await expect(options(page).filter({ hasText: 'status:error' })).toBeVisible()
  await expect(bar(page)).toContainText('all ')
  await expect(page.getByRole('alert')).toBeHidden()
  await field(page).fill('status:er')
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(field(page)).toHaveValue('status:error ')
  await page.keyboard.type('kind:tool')
  await page.keyboard.press('Enter')
  await expect(grid(page)).toBeFocused()
  const count = Number(printed('query', sample, 'status:error kind:tool', '--count'))
  expect(count).toBeGreaterThan(0)
  await expect(lines(page)).toHaveCount(count)

  await page.reload()
  await expect(field(page)).toHaveValue('status:error kind:tool')
  await expect(lines(page)).toHaveCount(count)
  // The link to an event carries the filter. A window that the page opens is let in, as a link that is followed is.
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await grid(page).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('y')
  await expect(page.getByText('Link copied.')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(new URLSearchParams(new URL(link).hash.slice(1)).get('where')).toBe('status:error kind:tool')
  const opening = context.waitForEvent('page')
  await page.evaluate((link) => void window.open(link), link)
  const other = await opening
  await expect.poll(() => seqOf(other)).toBe(await seqOf(page))
  await expect(field(other)).toHaveValue('status:error kind:tool')
  await expect(lines(other)).toHaveCount(count)
  // Each page has its own filter.
  await field(other).fill('kind:prompt')
  await other.keyboard.press('Enter')
  await expect(lines(other).first()).toHaveAttribute('data-kind', 'prompt')
  await expect(lines(page)).toHaveCount(count)
})

test('an error shows its place, and the rows stay as they were', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await field(page).fill('kind:tool')
  await expect(lines(page).first()).toHaveAttribute('data-kind', 'tool')
  const before = await lines(page).count()
  await field(page).fill('kind:tool dur:>10sec')
  await expect(page.getByRole('alert')).toContainText('^^^^^')
  await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
  await expect(bar(page)).toContainText('rows as before')
  await expect(lines(page)).toHaveCount(before)
  await field(page).fill('project:x')
  await expect(page.getByRole('alert')).toContainText('project: is a key for sessions')
})

test('a breakpoint stops where a todo is done, as the command line says', async ({ page, serve }) => {
  const text = 'Let a helper check the README'
  const lists = printed('todos', sample, '--json')
    .split('\n')
    .flatMap((line) =>
      line === '' ? [] : [JSON.parse(line) as TodoState & { changes: { text: string; to: string }[] }]
    )
  const wanted = lists.filter(({ changes }) => changes.some((one) => one.text === text && one.to === 'completed'))
  expect(wanted).toHaveLength(1)
  await open(page, await serve(sample))
  await runs(page).getByRole('button', { name: 'New breakpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'New breakpoint' })
  await dialog.getByRole('combobox', { name: 'Stop where' }).fill(`todo:"${text}"=done`)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await grid(page).focus()
  await page.keyboard.press('Home')
  await page.getByRole('combobox', { name: 'Speed' }).selectOption('60×')
  await grid(page).focus()
  await page.keyboard.press(' ')
  await expect(deck(page)).toContainText('Stopped: todo:"Let a')
  await expect.poll(() => seqOf(page)).toBe(wanted[0]?.seq)
  expect(await todoPanel(page)).toEqual(wanted[0]?.items)
})

test('a view is saved, kept over a reload, found by the palette, exported, removed and brought back', async ({
  page,
  serve
}) => {
  await open(page, await serve(sample))
  await page.keyboard.press('F')
  await page.keyboard.type('status:error kind:tool')
  await page.keyboard.press('Enter')
  const count = Number(printed('query', sample, 'status:error kind:tool', '--count'))
  await expect(lines(page)).toHaveCount(count)
  await page.keyboard.press('V')
  const panel = page.getByRole('dialog', { name: 'Views' })
  await expect(panel.getByRole('textbox', { name: 'Save this filter as a view' })).toBeFocused()
  await page.keyboard.type('Failed calls of mine')
  await page.keyboard.press('Enter')
  const view = panel.getByRole('button', { name: 'Failed calls of mine' }).first()
  await expect(view).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await page.getByRole('button', { name: 'Clear the query' }).click()
  await expect(bar(page)).toContainText('all ')

  await page.reload()
  await expect(bar(page)).toContainText('all ')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await page.keyboard.type('calls of mine')
  await expect(palette.getByRole('option')).toHaveText(/^Failed calls of mine/)
  await page.keyboard.press('Enter')
  await expect(field(page)).toHaveValue('status:error kind:tool')
  await expect(lines(page)).toHaveCount(count)

  // What was asked before is offered in an empty field, below the views.
  await field(page).fill('kind:prompt')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Clear the query' }).click()
  await page.keyboard.press('ArrowDown')
  await expect(options(page).nth(0)).toContainText('Failed calls of mine')
  await expect(options(page).nth(1)).toHaveText('kind:prompt')
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Views', exact: true }).click()
  const downloading = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Export views' }).click()
  const exported = await (await downloading).path()
  await panel.getByRole('button', { name: 'Remove Failed calls of mine' }).click()
  await expect(view).toBeHidden()
  await panel.getByRole('button', { name: 'Undo' }).click()
  await expect(view).toBeVisible()
  await panel.getByRole('button', { name: 'Remove Failed calls of mine' }).click()
  await expect(view).toBeHidden()
  await panel.getByLabel('File with views').setInputFiles(exported)
  await expect(panel.getByRole('status')).toHaveText('1 view imported.')
  await expect(view).toBeVisible()
})

test('the palette finds every command, the last one first, and places of the log', async ({ page, serve }) => {
  await open(page, await serve(sample))
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  const search = palette.getByRole('combobox', { name: 'Search commands' })
  await page.keyboard.press('Control+k')
  for (const { id, name, key } of commands) {
    await search.fill(name)
    const option = palette
      .getByRole('option', { name, exact: false })
      .filter({ has: page.getByText(name, { exact: true }) })
    await expect(option).toHaveCount(1)
    // Nobody asks.
    await expect(option).toHaveAttribute('aria-disabled', id === 'oldest-ask' ? 'true' : 'false')
    if (key.startsWith('Mod+'))
      await expect(option.locator('kbd').last()).toHaveText(`Ctrl ${key.slice(4).toUpperCase()}`)
    else await expect(option.locator('kbd')).not.toHaveCount(0)
  }
  await search.fill('last event')
  await page.keyboard.press('Enter')
  await expect(palette).toBeHidden()
  await page.reload()
  await expect(grid(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('option').first()).toHaveText(/^Last event/)
  await search.fill('#3')
  await expect(palette.getByRole('option').first()).toHaveText(/^Go to event #3/)
  await page.keyboard.press('Enter')
  await expect.poll(() => seqOf(page)).toBe(3)
})

test('Alt-click on a part of a row filters by it, Alt-Shift-click excludes it', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await grid(page).focus()
  await page.keyboard.press('e')
  const failed = grid(page).getByText('failed', { exact: true }).first()
  await failed.click({ modifiers: ['Alt'] })
  await expect(field(page)).toHaveValue('status:error')
  const count = Number(printed('query', sample, 'status:error kind:tool', '--count'))
  await expect(grid(page).locator('[data-kind="tool"]')).toHaveCount(count)
  const tool = grid(page).locator('[data-term^="tool:"]').first()
  const term = (await tool.getAttribute('data-term')) ?? ''
  await tool.click({ modifiers: ['Alt', 'Shift'] })
  await expect(field(page)).toHaveValue(`status:error -${term}`)
  await expect(grid(page).locator(`[data-term="${term}"]`)).toHaveCount(0)
  // Elsewhere in a row, the row is selected as ever.
  await field(page).fill('')
  await grid(page)
    .locator('[data-kind="prompt"] .line')
    .first()
    .click({ modifiers: ['Alt'] })
  await expect(field(page)).toHaveValue('')
})

test('the menu of a row filters with keys, and runs to the row up to a breakpoint', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await grid(page).focus()
  await page.keyboard.press('Home')
  const start = await seqOf(page)
  await page.keyboard.press('c')
  const menu = page.getByRole('menu')
  // The playhead is here already. The menu goes to the next row, and back.
  const run = menu.getByRole('menuitem', { name: 'Run to here' })
  await expect(run).toBeDisabled()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(run).toBeFocused()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(run).toBeDisabled()
  const first = menu.getByRole('menuitem', { name: /^Filter by / }).first()
  await expect(first).toBeFocused()
  const term = (await first.textContent()) ?? ''
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(menu).toBeHidden()
  await expect(field(page)).toHaveValue(`-${term}`)
  await expect(grid(page)).toBeFocused()
  await field(page).fill('')
  // A key before that goes to the first row that the filter left.
  await expect(lines(page).first()).toHaveAttribute('data-seq', String(start))
  await grid(page).focus()
  await page.keyboard.press('Home')
  const from = await seqOf(page)
  expect(from).toBe(start)

  await page.getByRole('combobox', { name: 'Speed' }).selectOption('60×')
  const to = grid(page)
    .locator(`[data-seq="${from + 6}"]`)
    .first()
  await to.click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Run to here' }).click()
  await expect(deck(page)).toContainText('Stopped: run to here')
  await expect.poll(() => seqOf(page)).toBe(from + 6)
  // An earlier row is moved to without playing.
  await grid(page).locator(`[data-seq="${from}"]`).first().click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Run to here' }).click()
  await expect.poll(() => seqOf(page)).toBe(from)

  await runs(page).getByRole('button', { name: 'New breakpoint' }).click()
  const dialog = page.getByRole('dialog', { name: 'New breakpoint' })
  await dialog.getByRole('combobox', { name: 'Stop where' }).fill(`seq:${from + 3}`)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await to.click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Run to here' }).click()
  await expect(deck(page)).toContainText('Stopped: seq:')
  await expect.poll(() => seqOf(page)).toBe(from + 3)

  // A result offers the terms of its call too.
  await field(page).fill('kind:tool-error')
  await expect(lines(page).first()).toHaveAttribute('data-kind', 'tool-error')
  await lines(page).first().click({ button: 'right' })
  await expect(menu.getByRole('menuitem', { name: 'Filter by status:error' })).toBeVisible()
  await expect(menu.getByRole('menuitem', { name: /^Filter by tool:/ })).toBeVisible()
})

const asHtml = '<img src="x" onerror="document.title = 1"> OR </span><b>bold</b>'
const hostile: readonly [name: string, text: string, error: RegExp | null][] = [
  ['HTML', asHtml, null],
  ['control and bidirectional characters', '"\u0001\u001b[31m\u202e\u2028\ufeff"', null],
  ['a deep one', `${'('.repeat(5000)}a${')'.repeat(4000)}`, /Brackets and NOT can be nested 100 deep/],
  ['a long one', 'a '.repeat(10_000), /A query has at most 10,000 characters/],
  ['many terms', 'seq:1 OR '.repeat(1000) + 'a', null],
  ['an expression that finds no end', '/(a+)+\\1$/', /^The search was stopped: the expression takes too long/]
]

test('hostile queries in the bar, in an address and in a stored view are text, or an error that says so', async ({
  page,
  serve,
  state
}) => {
  const log = join(state, 'hostile.jsonl')
  const views = hostile
    .filter(([, text]) => text.length <= 10_000)
    .map(([name, query]) => ({ name: `<i>${name}</i>`, query }))
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'settings.json'), JSON.stringify({ views }))
  const said = (text: string) => ({ type: 'user', message: { role: 'user', content: text }, session_id: 's' })
  const rows = [said(`${'a'.repeat(5000)}!`), said(asHtml), said('the last')]
  writeFileSync(log, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const failures: string[] = []
  page.on('pageerror', ({ message }) => failures.push(message))
  const isAnswered = async (shown: Page, text: string, error: RegExp | null) => {
    await expect(field(shown)).toHaveValue(text)
    const alert = shown.getByRole('alert')
    if (error === null) await expect(alert).toHaveCount(0)
    else await expect(alert).toContainText(error)
    await expect(shown.locator('.find-progress')).toHaveCount(0)
    await expect(bar(shown).locator('img, b:not(.completion b)')).toHaveCount(0)
    expect(await shown.title()).not.toBe('1')
  }
  await open(page, await serve(log))
  const addressOf = (where: string): string => {
    const { hash, href } = new URL(page.url())
    const fields = new URLSearchParams(hash.slice(1))
    fields.set('where', where)
    return `${href.slice(0, href.length - hash.length)}#${String(fields)}`
  }
  for (const [, text, error] of hostile) {
    await field(page).fill(text)
    await page.keyboard.press('Enter')
    await isAnswered(page, text.slice(0, 10_001), error)
    await page.getByRole('button', { name: 'Clear the query' }).click()
    await expect(lines(page)).toHaveCount(rows.length)
  }
  for (const [, text, error] of hostile) {
    // An address is followed in a window that the page opens, which is let in.
    const opening = page.context().waitForEvent('page')
    await page.evaluate((link) => void window.open(link), addressOf(text))
    const other = await opening
    other.on('pageerror', ({ message }) => failures.push(message))
    await isAnswered(other, text.slice(0, 10_001), error)
    await other.close()
  }
  for (const [name, text, error] of hostile.filter(([, text]) => text.length <= 10_000)) {
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page
      .getByRole('button', { name: `<i>${name}</i>` })
      .first()
      .click()
    await isAnswered(page, text, error)
  }
  expect(failures).toEqual([])
})
