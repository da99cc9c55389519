import { appendFileSync, writeFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { grid, open, seqOf, seriousInBothThemes } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'

const field = (page: Page) => page.getByRole('searchbox', { name: 'Find', exact: true })
const count = (page: Page) => page.getByRole('banner')
const filterButton = (page: Page) => page.getByRole('button', { name: 'Filter', exact: true })
const bar = (page: Page) => page.getByRole('region', { name: 'Filter rows' })

const session = { session_id: '11111111-2222-4333-8444-555555555555', parent_tool_use_id: null }

/** Line `at` of a run, one row each: an answer, or a call and its result; every 7th says "Needle". */
function line(at: number): string {
  const id = `toolu_${at - (at % 3) + 1}`
  const word = at % 7 === 0 ? 'Needle' : 'hay'
  const content =
    at % 3 === 0
      ? { type: 'text', text: `${word} ${at}` }
      : at % 3 === 1
        ? { type: 'tool_use', id, name: at % 2 === 0 ? 'Bash' : 'Read', input: { command: `${word} ${at}` } }
        : { type: 'tool_result', tool_use_id: id, content: `${word} ${at}` }
  const role = at % 3 === 2 ? 'user' : 'assistant'
  const message =
    role === 'user'
      ? { role, content: [content] }
      : { id: `msg_${at}`, type: 'message', role, model: 'claude-sonnet-4-5', content: [content] }
  return JSON.stringify({
    type: role,
    message,
    ...session,
    uuid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  })
}

const init = JSON.stringify({
  type: 'system',
  subtype: 'init',
  cwd: '/home/dev',
  tools: [],
  model: 'claude',
  ...session
})
const lines = 3000
const needles = Math.ceil(lines / 7)

/** A log of that many lines after its first. */
function writeRun(path: string): string {
  writeFileSync(path, [init, ...Array.from({ length: lines }, (_, at) => line(at))].join('\n') + '\n')
  return path
}

/** The lines of the log that the timeline shows, from the first one in view on. */
function linesShown(page: Page): Promise<number[]> {
  return grid(page)
    .locator('.row')
    .evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('data-line'))))
}

test('a search counts its hits, minds case and expressions when asked to, and goes on in what is added', async ({
  page,
  serve
}, info) => {
  const path = writeRun(info.outputPath('run.jsonl'))
  await open(page, await serve(path))
  await page.keyboard.press('/')
  await page.keyboard.type('needle')
  await expect(count(page)).toContainText(`${needles} matches`)
  await page.keyboard.press('Alt+c')
  await expect(count(page)).toContainText('no matches')
  await field(page).fill('Needle')
  await expect(count(page)).toContainText(`${needles} matches`)

  await page.keyboard.press('Alt+r')
  await field(page).fill('Needle (7|14|2100)"')
  await expect(count(page)).toContainText('3 matches')
  await page.keyboard.press('Enter')
  await expect(count(page)).toContainText('1 of 3')
  await page.keyboard.press('n')
  await expect(count(page)).toContainText('2 of 3')
  await page.keyboard.press('n')
  await expect(count(page)).toContainText('3 of 3')
  await expect(grid(page).locator('[aria-selected="true"]')).toHaveAttribute('data-line', '2102')

  await page.keyboard.press('/')
  await field(page).fill('Needle (')
  await expect(page.getByRole('alert')).toContainText('Invalid regular expression: Unterminated group.')
  await field(page).fill('Needle 30\\d\\d"')
  await expect(count(page)).toContainText('no matches')
  appendFileSync(path, Array.from({ length: 30 }, (_, at) => line(lines + at) + '\n').join(''))
  await expect(count(page)).toContainText('4 matches')
})

test('filters combine, also with hits; keys move among what is shown, and clearing shows all again', async ({
  page,
  serve
}, info) => {
  await open(page, await serve(writeRun(info.outputPath('run.jsonl'))))
  await filterButton(page).click()
  const panel = page.getByRole('dialog', { name: 'Filter' })
  await panel.getByRole('checkbox', { name: /^Call, 1,000/ }).click()
  await panel.getByRole('checkbox', { name: /^Bash, / }).click()
  // Every call of Bash: at % 3 is 1 and at % 2 is 0.
  await expect(bar(page)).toContainText('500 of 3,001 rows')
  await expect(grid(page)).toHaveAttribute('aria-rowcount', '502')
  await expect.poll(async () => (await linesShown(page)).slice(0, 3)).toEqual([6, 12, 18])
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)

  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowRight')
  const here = grid(page).locator('[aria-selected="true"]')
  await expect(here).toHaveAttribute('data-line', '12')
  await page.keyboard.press('End')
  await expect(here).toHaveAttribute('data-line', String(2998 + 2))
  const last = await seqOf(page)

  await page.keyboard.press('/')
  await page.keyboard.type('needle')
  await expect(count(page)).toContainText(`${needles} matches`)
  await page.getByRole('button', { name: 'Filter, 2 active' }).click()
  await panel.getByRole('checkbox', { name: /^Only matches/ }).click()
  const both = Array.from({ length: lines }, (_, at) => at).filter((at) => at % 6 === 4 && at % 7 === 0)
  await expect(bar(page)).toContainText(`${both.length} of 3,001 rows`)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Home')
  await expect(here).toHaveAttribute('data-line', String(both[0]! + 2))
  await expect(grid(page).locator('mark').first()).toHaveText('Needle')
  await page.keyboard.press('n')
  await expect(here).toHaveAttribute('data-line', String(both[1]! + 2))

  await bar(page).getByRole('button', { name: 'Clear the query' }).click()
  await expect(bar(page)).toContainText('all 3,001 rows')
  await grid(page).focus()
  await expect(here).toHaveAttribute('data-line', String(both[1]! + 2))
  await page.keyboard.press('End')
  await expect.poll(() => seqOf(page)).toBeGreaterThan(last)
})

test('axe finds no serious violation in the filter and under an error of Find', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await page.keyboard.press('/')
  await page.keyboard.press('Alt+r')
  await page.keyboard.type('(')
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await seriousInBothThemes(page)).toEqual([])
  await field(page).fill('')
  await page.keyboard.press('Escape')
  await filterButton(page).click()
  const panel = page.getByRole('dialog', { name: 'Filter' })
  await panel.getByRole('checkbox', { name: /^Call, / }).click()
  await panel.getByRole('checkbox', { name: /^Notice, / }).click()
  await expect(bar(page)).toBeVisible()
  expect(await seriousInBothThemes(page)).toEqual([])
})
