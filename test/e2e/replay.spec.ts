import { seriousInBothThemes, statusBar } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'
import { reviewARun } from './review-steps.ts'

reviewARun(test)

test('opening: a path that is not there says what to do; one that is opens', async ({ page, serve }) => {
  await page.goto(await serve())
  await page.getByRole('button', { name: 'Open log' }).click()
  const path = page.getByRole('textbox', { name: /path/i })
  await path.fill('/no/such/log.jsonl')
  await path.press('Enter')
  await expect(page.getByText('/no/such/log.jsonl')).toBeVisible()
  await expect(page.getByText('not-found')).toBeVisible()
  await path.fill(sample)
  await path.press('Enter')
  await expect(statusBar(page)).toContainText('Indexed')
})

test('axe finds no serious violation before a log is open', async ({ page, serve }) => {
  await page.goto(await serve(sample))
  await page.getByRole('button', { name: 'Close sample-run.jsonl' }).click()
  await expect(page.getByRole('navigation', { name: 'Library' })).toBeVisible()
  expect(await seriousInBothThemes(page)).toEqual([])
})
