import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { grid, inspector, open, seqOf, seriousViolations, slider } from './page-parts.ts'
import { expect, sample, test } from './playhead-server.ts'
import { freePort, stopServer } from './server-port.ts'

// Servers end here, and others come after them.
test.use({ ownProcess: true })

const at = (page: Page, seq: number) => expect(slider(page)).toHaveAttribute('aria-valuenow', String(seq))
const selected = (page: Page) => grid(page).locator('[aria-selected=true]')

/** Goes somewhere in the sample: an event, a tab of the inspector, a filter and a search. */
async function goSomewhere(page: Page): Promise<number> {
  await page.getByRole('searchbox', { name: 'Find' }).fill('parse')
  await grid(page).focus()
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const panel = page.getByRole('dialog', { name: 'Filter' })
  await panel.getByRole('checkbox', { name: /^Call, / }).click()
  await page.keyboard.press('Escape')
  // The host finds the rows; a key before that moves to a row that is then hidden. The first row is no call.
  await expect(selected(page)).toHaveCount(0)
  await inspector(page).getByRole('tab', { name: 'Raw' }).click()
  await grid(page).focus()
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  return await seqOf(page)
}

async function isBack(page: Page, seq: number): Promise<void> {
  await at(page, seq)
  await expect(selected(page)).toBeInViewport()
  await expect(inspector(page).getByRole('tab', { name: 'Raw' })).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('button', { name: /^Filter, 1 active/ })).toBeVisible()
  await expect(page.getByRole('searchbox', { name: 'Find' })).toHaveValue('parse')
}

test('reload and be at the same event: one action', async ({ page, serve }) => {
  await open(page, await serve(sample))
  const seq = await goSomewhere(page)
  expect(seq).toBeGreaterThan(0)
  let actions = 0
  const act = async (action: () => Promise<unknown>) => {
    actions++
    await action()
  }
  // At once: the last key may have come too late for the address.
  await act(() => page.reload())
  await isBack(page, seq)
  expect(actions).toBe(1)
})

test('after the server was started again on its port, a reload is at the same event: one action', async ({
  page,
  serve,
  state
}) => {
  const port = await freePort()
  await open(page, await serve('--port', String(port), sample))
  const seq = await goSomewhere(page)
  await expect(page).toHaveURL(new RegExp(`seq=${seq}`))
  await stopServer(state, port)
  await serve('--port', String(port))
  let actions = 0
  await page.reload()
  actions++
  await isBack(page, seq)
  expect(actions).toBe(1)
  // The library stays the library.
  await page.getByRole('button', { name: 'Library', exact: true }).click()
  await expect(page).toHaveURL(/#library$/)
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Search all sessions' })).toBeVisible()
  await expect(grid(page)).toHaveCount(0)
})

test('windows keep places of their own, and an address leads another one there', async ({
  page,
  context,
  serve,
  another
}) => {
  const url = await serve(sample)
  await open(page, url)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/seq=2$/)
  const address = page.url()
  const [copy] = await Promise.all([context.waitForEvent('page'), page.evaluate(() => void window.open(location.href))])
  await at(copy, 2)
  await copy.keyboard.press('End')
  await expect(copy).not.toHaveURL(/seq=2$/)
  await page.reload()
  await at(page, 2)
  // Put into the address bar of a page that is open.
  await copy.goto(address)
  await at(copy, 2)
  await copy.close()
  // A tab without access keeps the place until it has some.
  const other = await context.newPage()
  await other.goto(address)
  await expect(other.getByRole('heading', { name: 'This tab has no access to Playhead' })).toBeVisible()
  await other.goto(await another(url))
  await at(other, 2)
  await expect(other).toHaveURL(address)
})

test('an address of a file that was never open here asks before it opens', async ({ page, serve }, info) => {
  const file = join(info.outputPath(), 'strange.jsonl')
  writeFileSync(file, readFileSync(sample))
  const url = await serve(sample)
  await open(page, url)
  await page.goto(`${new URL(url).origin}/#path=${file}&seq=3`)
  const dialog = page.getByRole('dialog', { name: 'Open a log' })
  await expect(dialog.getByRole('button', { name: file })).toBeVisible()
  await at(page, 0)
  expect(await seriousViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: file }).click()
  await at(page, 3)
  await expect(page).toHaveURL(/strange\.jsonl&seq=3$/)
})

test('a lost connection says so with the time of the next try, and is back where it was at once when asked', async ({
  page,
  serve,
  state
}) => {
  const port = await freePort()
  await open(page, await serve('--port', String(port), sample))
  for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight']) await page.keyboard.press(key)
  await stopServer(state, port)
  const alert = page.getByRole('alert')
  await expect(alert).toContainText(
    'Connection lost. If Playhead was stopped, start it and open the address it prints.'
  )
  await expect(page.getByText(/^Trying again in \d s$/)).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('Connection lost')
  await expect(page.getByRole('contentinfo')).not.toContainText('Indexed')
  expect(await seriousViolations(page)).toEqual([])
  await serve('--port', String(port))
  // It may have tried again by itself meanwhile.
  await page
    .getByRole('button', { name: 'Reconnect now' })
    .click({ timeout: 1000 })
    .catch(() => {})
  await expect(alert).toHaveCount(0)
  await at(page, 3)
  await expect(selected(page)).toBeInViewport()
})
