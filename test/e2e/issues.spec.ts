import { readFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { grid, inspector, open, seriousInBothThemes } from './page-parts.ts'
import { expect, playhead, sample, test } from './playhead-server.ts'

/** The sample run with lines that are cut, of a wrong type, and of a type that nobody knows. */
function brokenLog(path: string): string {
  const lines = readFileSync(sample, 'utf8').trimEnd().split('\n')
  const broken = lines.flatMap((line, at) => [
    line,
    ...(at % 20 === 3 ? [line.slice(0, line.length / 2)] : []),
    ...(at % 15 === 4 ? ['{"type":"never_seen","session_id":"x"}'] : [])
  ])
  writeFileSync(path, `${broken.join('\n')}\n`)
  return path
}

const panel = (page: Page) => page.getByRole('region', { name: 'Issues', exact: true })
const issues = (page: Page) => panel(page).getByRole('treeitem')
const active = (page: Page) => panel(page).getByRole('treeitem', { selected: true })

/** The issues as `playhead check` prints them. */
async function checked(path: string): Promise<string[]> {
  return (await playhead('check', path)).stdout.trimEnd().split('\n')
}

test('the drawer holds what check prints, by code, and a click leads to the row', async ({ page, serve }, info) => {
  const path = brokenLog(info.outputPath('broken.jsonl'))
  const lines = await checked(path)
  await open(page, await serve(path))
  await page.getByRole('button', { name: /^Log issues/ }).click()
  await expect(panel(page).getByRole('treeitem', { level: 1 })).toHaveCount(
    new Set(lines.map((line) => line.split(' ')[1])).size
  )
  const malformed = lines.filter((line) => line.includes(' JsonParse '))
  await expect(panel(page).getByRole('button', { name: `${malformed.length} malformed lines` })).toBeVisible()

  const second = issues(page).nth(2)
  await second.click()
  const line = (await second.locator('.line').textContent())?.replaceAll(',', '')
  expect(malformed[1]).toContain(`:${line}: `)
  await expect(grid(page).locator('[aria-selected="true"]')).toHaveAttribute('data-line', line ?? '')
  await expect(inspector(page).getByRole('tab', { name: 'Log issues' })).toHaveAttribute('aria-selected', 'true')
  await expect(inspector(page).getByRole('list', { name: 'Issues of this line' })).toContainText('JsonParse')
})

test('a line that is not JSON is one row, which a step enters and Enter divides', async ({ page, serve }, info) => {
  const path = info.outputPath('damaged.jsonl')
  const said = (id: string, text: string) =>
    JSON.stringify({
      ...{ type: 'assistant', session_id: 's' },
      message: { id, role: 'assistant', model: 'm', content: [{ type: 'text', text }] }
    })
  const lines = ['{"type":"system","subtype":"init","session_id":"s"}', said('m1', 'before'), 'npm warn deprecated']
  writeFileSync(path, `${[...lines, `${said('m2', 'glued')}${said('m3', 'twice')}`].join('\n')}\n`)
  await open(page, await serve(path))
  const rows = grid(page).locator('[role="row"][data-line="3"]')
  await expect(rows).toHaveCount(1)
  await expect(rows).toHaveText(/Not JSONcolumn 1: not a JSON valuenpm warn deprecated$/)
  // Both records keep their rows, and the issue of their line has one below them.
  await expect(grid(page).locator('[data-line="4"]')).toHaveText([/glued/, /twice/, /JsonParse/])
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(await grid(page).getByRole('row').count()))

  await rows.locator('.label').click()
  await expect(inspector(page).getByRole('heading', { name: 'Not JSON' })).toBeVisible()
  await expect(inspector(page).getByRole('group', { name: 'Line as read' })).toHaveText('npm warn deprecated')
  await grid(page).focus()
  await page.keyboard.press('ArrowRight')
  await expect(grid(page).locator('[aria-selected="true"]')).toHaveAttribute('data-kind', 'unparsed')
  await page.keyboard.press('Enter')
  await expect(rows).toHaveText([/Not JSON/, /Unparsed/])
  await page.keyboard.press('Enter')
  await expect(rows).toHaveCount(1)
})

test('without a mouse: to the next issue, into the list, to another row, and out of it again', async ({
  page,
  serve
}, info) => {
  await open(page, await serve(brokenLog(info.outputPath('broken.jsonl'))))
  const toggle = page.getByRole('button', { name: /^Log issues/ })
  await toggle.focus()
  await page.keyboard.press('Enter')
  await expect(issues(page).nth(1)).toBeVisible()
  await page.keyboard.press('.')
  await expect(active(page)).toHaveAttribute('aria-level', '2')
  const first = await active(page).textContent()
  await page.keyboard.press('.')
  await expect(active(page)).not.toHaveText(first ?? '')
  await page.keyboard.press(',')
  await expect(active(page)).toHaveText(first ?? '')

  await panel(page).getByRole('tree').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const line = (await active(page).locator('.line').textContent())?.replaceAll(',', '')
  await expect(grid(page).locator('[aria-selected="true"]')).toHaveAttribute('data-line', line ?? '')
  await page.keyboard.press('Escape')
  await expect(panel(page)).toHaveCount(0)
})

test('copied as text it is what check prints', async ({ page, serve, context }, info) => {
  const path = brokenLog(info.outputPath('broken.jsonl'))
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await open(page, await serve(path))
  await page.getByRole('button', { name: /^Log issues/ }).click()
  await panel(page).getByRole('button', { name: 'Copy all' }).click()
  await expect(panel(page).getByRole('button', { name: 'Copied' })).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.trimEnd().split('\n')).toEqual(await checked(path))
})

test('a log without issues says so', async ({ page, serve }, info) => {
  const path = info.outputPath('whole.jsonl')
  writeFileSync(path, '{"type":"system","subtype":"init","session_id":"s"}\n')
  await open(page, await serve(path))
  await page.getByRole('button', { name: /^Log issues/ }).click()
  await expect(panel(page)).toContainText('No issues. Every line follows the contract of Claude Code stream-json.')
})

test('axe finds nothing serious in the drawer', async ({ page, serve }, info) => {
  await open(page, await serve(brokenLog(info.outputPath('broken.jsonl'))))
  await page.getByRole('button', { name: /^Log issues/ }).click()
  await issues(page).nth(1).click()
  expect(await seriousInBothThemes(page)).toEqual([])
})
