import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { test as base } from '@playwright/test'
import { unsourcedNumbers } from '../page/unsourced-numbers.ts'
import { grid, inspector, open, seriousInBothThemes } from './page-parts.ts'
import { expect, playhead, sample, type Serving } from './playhead-server.ts'
import { reviewARun } from './review-steps.ts'

/** A run exported as one page, opened from the disk without a network. */
const test = base.extend<Serving & { quiet: void }>({
  serve: async ({ browserName: _browserName }, use, info) => {
    let pages = 0
    await use(async (...files) => {
      const out = info.outputPath(`shared ${++pages}.html`)
      const { code, stderr } = await playhead('export', ...files, '--to', 'html', '-o', out)
      expect(stderr).toContain('written to')
      expect(code).toBe(0)
      return pathToFileURL(out).href
    })
  },
  // Of every test here: the page says nothing in the console, and asks for nothing but itself.
  quiet: [
    async ({ context, page }, use) => {
      await context.setOffline(true)
      const said: string[] = []
      page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`))
      page.on('pageerror', (error) => said.push(`error: ${error.message}`))
      context.on('request', (request) => {
        const url = request.url()
        const isItself = request.isNavigationRequest() && url.startsWith('file:')
        if (!isItself && !/^(data|blob):/.test(url)) said.push(`request: ${url}`)
      })
      await use()
      expect(said).toEqual([])
    },
    { auto: true }
  ]
})

reviewARun(test)

const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0bC3dE6'}`
const secretLog = [
  '{"type":"system","subtype":"init","cwd":"/w","session_id":"s","tools":[],"model":"m","uuid":"u"}',
  `{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"use ${token} or </script><img src=x onerror=alert(1)>"}]},"parent_tool_use_id":null,"session_id":"s"}`
].join('\n')

test('secrets are gone from the page, which says so', async ({ page, serve }) => {
  const file = test.info().outputPath('secret.jsonl')
  writeFileSync(file, secretLog)
  await open(page, await serve(file))
  await expect(page.getByRole('note')).toContainText('1 secret was redacted: GitHub token.')
  await grid(page).locator('[data-line="2"]').first().click()
  await expect(inspector(page)).toContainText('use [redacted: GitHub token] or </script><img')
  expect(await page.content()).not.toContain(token)
  expect(await page.locator('img').count()).toBe(0)
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('note')).toHaveCount(0)
})

test('what needs files is not offered', async ({ page, serve }) => {
  const file = test.info().outputPath('plain.jsonl')
  writeFileSync(file, secretLog)
  await open(page, await serve(file))
  await expect(page.getByRole('button', { name: /open|close|follow/i })).toHaveCount(0)
  await page.keyboard.press('Control+o')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).not.toContainText('Ctrl O')
})

test('an expression that finds no end is stopped, and the page goes on', async ({ page, serve }) => {
  test.slow()
  const file = test.info().outputPath('slow.jsonl')
  writeFileSync(file, `${secretLog}\n{"type":"x","text":"${'a'.repeat(60)}!"}\n`)
  await open(page, await serve(file))
  await page.keyboard.press('/')
  await page.getByRole('button', { name: /regular expression/i }).click()
  await page.getByRole('searchbox', { name: 'Find', exact: true }).fill('(a+)+$')
  await expect(page.getByText(/takes too long/)).toBeVisible()
  await page.getByRole('searchbox', { name: 'Find', exact: true }).fill('redacted')
  await expect(page.getByRole('banner')).toContainText(/\D1 match\D/)
})

test('the analysis is there, with its range and its query', async ({ page, serve }) => {
  await open(page, await serve(sample))
  await page.keyboard.press('A')
  const table = page.getByRole('grid', { name: /^Calls by/ })
  await expect(page.getByRole('grid', { name: 'Waterfall' }).getByRole('row', { name: /^main/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Time split.*Tools about/ })).toBeVisible()
  const calls = table.getByRole('row', { name: /^Bash/ })
  await expect(calls.getByRole('gridcell').nth(1)).toHaveText('7')
  // Its first events alone.
  await page.keyboard.press('F')
  await page.getByRole('combobox', { name: 'Filter' }).fill('seq:0..20')
  await page.getByRole('tab', { name: 'Analysis' }).click()
  await expect(page.getByRole('navigation', { name: 'Range' }).getByRole('listitem')).toHaveCount(2)
  await expect(calls.getByRole('gridcell').nth(1)).not.toHaveText('7')
  await page.getByRole('tab', { name: 'Context' }).click()
  await expect(page.getByRole('slider', { name: 'Request' })).toBeVisible()
  expect(await page.evaluate(unsourcedNumbers)).toEqual([])
})

test('bookmarks are there again when the page is', async ({ page, serve }) => {
  const file = test.info().outputPath('marked.jsonl')
  writeFileSync(file, secretLog)
  await open(page, await serve(file))
  await page.keyboard.press('End')
  await page.keyboard.press('b')
  const bookmarks = page.getByRole('region', { name: 'Bookmarks' }).getByRole('listitem')
  await expect(bookmarks).toHaveCount(1)
  await page.reload()
  await expect(bookmarks).toHaveCount(1)
})

test('a page that was cut says so', async ({ page, serve }) => {
  const file = test.info().outputPath('cut.jsonl')
  writeFileSync(file, secretLog)
  const url = await serve(file)
  const html = readFileSync(new URL(url), 'utf8')
  writeFileSync(new URL(url), html.replace(/<script type="application\/gzip"[^>]*>[^<]*<\/script>/, ''))
  await page.goto(url)
  await expect(page.getByRole('alert')).toContainText('This page is incomplete.')
})

test('axe finds no serious violation in it', async ({ page, serve }) => {
  // Axe measures the contrast of a thousand elements.
  test.slow()
  await open(page, await serve(sample))
  await page.keyboard.press('.')
  expect(await seriousInBothThemes(page)).toEqual([])
})
