import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { grid, inspector, open, slider, violations } from './page-parts.ts'
import { expect, playhead, sample, test } from './playhead-server.ts'

const rows = (page: Page) => page.getByRole('grid', { name: 'Aligned steps' })
const here = (page: Page) => rows(page).locator('[aria-selected="true"]')
/** The event at the playhead of the shown log. */
const isAt = async (page: Page, seq: number | null | undefined) =>
  await expect(inspector(page)).toContainText(new RegExp(`event ${seq}(?!\\d)`))
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Compare with…' })

/** The sample, in which another command was run, and the sample itself. */
function logs(folder: string): { base: string; changed: string } {
  const text = readFileSync(sample, 'utf8')
  const commands = [...text.matchAll(/"command":"([^"\\]+)"/g)].map(([, command = '']) => command)
  const command = commands.find((each) => text.split(`"command":"${each}"`).length === 2) ?? ''
  expect(command).not.toBe('')
  const changed = join(folder, 'changed.jsonl')
  writeFileSync(changed, text.replace(`"command":"${command}"`, `"command":"${command} --again"`))
  const base = join(folder, 'base.jsonl')
  writeFileSync(base, text)
  return { base, changed }
}

/** The sample, and one that wrote another file, which its last answer names. */
function otherLogs(folder: string): { base: string; changed: string } {
  const text = readFileSync(sample, 'utf8')
  const changed = join(folder, 'changed.jsonl')
  expect(text).toContain('page/chart.js')
  writeFileSync(changed, text.replaceAll('page/chart.js', 'page/graph.js'))
  const base = join(folder, 'base.jsonl')
  writeFileSync(base, text)
  return { base, changed }
}

/** The rows as the command line finds them. */
async function differences(a: string, b: string): Promise<{ a: number | null; b: number | null; class: string }[]> {
  const { stdout, code } = await playhead('diff', '--json', a, b)
  expect(code).toBe(1)
  const { sections } = JSON.parse(stdout) as { sections: { rows: { a: number; b: number; class: string }[] }[] }
  return sections.flatMap(({ rows: all }) => all).filter(({ class: found }) => found !== 'same')
}

async function compare(page: Page): Promise<void> {
  await page.keyboard.press('C')
  await dialog(page)
    .getByRole('button', { name: /base\.jsonl/ })
    .click()
  await compared(page)
}

/** The rows are there. A thread starts for them, which a busy machine lets wait. */
async function compared(page: Page): Promise<void> {
  await expect(rows(page)).toBeVisible({ timeout: 60_000 })
}

test('two sessions are compared: first difference, both playheads, keys, reload', async ({ page, serve }, info) => {
  const { base, changed } = logs(info.outputDir)
  const [first] = await differences(base, changed)
  await open(page, await serve(base, changed))
  await compare(page)
  await expect(here(page)).toHaveAttribute('data-class', first?.class ?? '')
  await isAt(page, first?.b)
  await expect(page.getByRole('tabpanel', { name: 'Difference' })).toContainText('--again')
  await expect(here(page).locator('em')).toHaveText(/--again/)
  // The inspector is that of the shown session; the head of the other one shows its own.
  await expect(inspector(page)).toContainText('--again')
  await page.getByRole('button', { name: /base\.jsonl baseline/ }).click()
  await isAt(page, first?.a)
  const row = (await slider(page).getAttribute('aria-valuenow')) ?? ''
  await expect(slider(page)).toHaveAttribute(
    'aria-valuetext',
    new RegExp(`event ${first?.a} of A, event ${first?.b} of B`)
  )
  await expect(inspector(page)).not.toContainText('--again')

  // Equal rows are on one line, which opens.
  const folds = rows(page).getByText(/rows without a difference/)
  const folded = await rows(page).getAttribute('aria-rowcount')
  await folds.first().click()
  await expect(rows(page)).not.toHaveAttribute('aria-rowcount', folded ?? '')

  await rows(page).focus()
  await page.keyboard.press('Home')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '0')
  await page.keyboard.press('d')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', row)
  await isAt(page, first?.a)

  await page.reload()
  await compared(page)
  await expect(here(page)).toHaveAttribute('data-class', first?.class ?? '')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', row)
  await isAt(page, first?.a)

  // Enter opens the step in its own log.
  await rows(page).focus()
  await page.keyboard.press('Enter')
  await expect(grid(page)).toBeVisible()
  await expect(grid(page).locator('.here')).toHaveAttribute('data-seq', String(first?.a))
})

test('playheads, files, answers and lanes of both; swapping changes the sides only', async ({ page, serve }, info) => {
  const { base, changed } = otherLogs(info.outputDir)
  await open(page, await serve(base, changed))
  await compare(page)
  // The overview of both moves both playheads.
  await slider(page).focus()
  await page.keyboard.press('End')
  const last = Number(await slider(page).getAttribute('aria-valuemax'))
  await expect(slider(page)).toHaveAttribute('aria-valuenow', String(last))
  await page.keyboard.press('ArrowLeft')
  await expect(slider(page)).toHaveAttribute('aria-valuenow', String(last - 1))
  // It zooms, and its rows stay those of the steps.
  await page.keyboard.press('+')
  await page.getByRole('button', { name: 'Show all rows' }).click()
  await expect(page.getByRole('button', { name: 'Show all rows' })).toHaveCount(0)
  await expect(slider(page)).toHaveAttribute('aria-valuenow', String(last - 1))
  await page.getByRole('button', { name: 'Next row' }).click()
  await expect(page.getByRole('region', { name: 'Transport' })).toContainText(`${last + 1} / ${last + 1} rows`)

  // Files lead to the events that changed them, answers have a difference of their own.
  await page.getByRole('button', { name: 'Files changed', exact: true }).click()
  const files = page.getByRole('grid', { name: 'Files changed' })
  await expect(files.getByRole('row', { name: /graph\.js not changed/ })).toBeVisible()
  const event = files.getByRole('row', { name: /graph\.js/ }).getByRole('button', { name: /^Event \d+ of B/ })
  const named = /\d+/.exec((await event.getAttribute('aria-label')) ?? '')?.[0]
  await event.click()
  await expect(slider(page)).toHaveAttribute('aria-valuetext', new RegExp(`event ${named} of B`))
  await page.getByRole('button', { name: 'The last answers differ.' }).click()
  const answers = page.getByRole('tabpanel', { name: 'Last answers' })
  await expect(answers).toContainText('`page/chart.js` makes a bar')
  await expect(answers).toContainText('`page/graph.js` makes a bar')
  await expect(page.getByRole('group', { name: 'Todos of A' }).getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('group', { name: 'Todos of B' }).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('tab', { name: 'Todos of both' }).click()
  await page.getByRole('button', { name: 'Rows', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Todos of B, over the aligned rows' })).toBeVisible()

  await rows(page).focus()
  await page.keyboard.press('Home')
  // After the column heads and the head of the section.
  await expect(here(page)).toHaveAttribute('aria-rowindex', '3')
  const text = await rows(page).getByRole('row').nth(1).textContent()
  await page.getByRole('button', { name: 'Swap A and B' }).click()
  const view = page.getByRole('region', { name: 'Compare', exact: true })
  await expect(view.getByRole('button', { name: /changed\.jsonl baseline/ })).toBeVisible()
  await expect(rows(page).getByRole('row').nth(1)).toHaveText(text ?? '')
  await page.getByRole('button', { name: 'Stop comparing' }).click()
  await expect(grid(page)).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Compare' })).toHaveCount(0)
})

test('the same session twice took the same path', async ({ page, serve }, info) => {
  const { base, changed } = logs(info.outputDir)
  writeFileSync(changed, readFileSync(base))
  await open(page, await serve(base, changed))
  await compare(page)
  await expect(page.getByText('Both sessions took the same path.')).toBeVisible()
  await page.getByRole('tab', { name: 'Todos of both' }).click()
  await expect(page.getByRole('region', { name: /Todo evolution of/ })).toHaveCount(2)
})

for (const { colorScheme, size } of [
  { colorScheme: 'light', size: { width: 1440, height: 900 } },
  { colorScheme: 'dark', size: { width: 1024, height: 700 } }
] as const) {
  test(`axe finds nothing in a comparison (${colorScheme})`, async ({ page, serve }, info) => {
    const { base, changed } = otherLogs(info.outputDir)
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    await open(page, await serve(base, changed))
    await page.keyboard.press('C')
    await expect(dialog(page)).toBeVisible()
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await compare(page)
    await expect(page.getByRole('tabpanel', { name: 'Difference' })).toContainText('graph.js')
    expect(await violations(page)).toEqual([])
    await page.getByRole('tab', { name: 'Todos of both' }).click()
    // Without its lanes the view scrolls, and nothing in it can have the focus.
    await expect(page.getByRole('treegrid', { name: 'Todos over time' })).toHaveCount(2)
    expect(await violations(page)).toEqual([])
    await page.getByRole('tab', { name: 'Last answers' }).click()
    await expect(page.getByRole('tabpanel', { name: 'Last answers' })).toContainText('page/graph.js')
    expect(await violations(page)).toEqual([])
    await page.getByRole('tab', { name: 'Files changed' }).click()
    await expect(page.getByRole('grid', { name: 'Files changed' })).toBeVisible()
    expect(await violations(page)).toEqual([])
  })
}
