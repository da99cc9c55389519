import { chromium } from '@playwright/test'
import { forget, withServer } from './server.js'

const launch = {
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking']
}

/** A page of the server at `url` in Chromium, closed afterwards. */
export async function withPage(url, work) {
  const browser = await chromium.launch(launch)
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.setDefaultTimeout(120_000)
    await page.goto(url)
    return await work(page)
  } finally {
    await browser.close()
  }
}

/** From the key that opens a log, over the library, to the frame that has its first row, and to the one that has its words. */
export async function firstRowsOnScreen(path) {
  forget()
  return await withServer(async ({ url }) => ({
    ...(await withPage(url, async (page) => {
      await page.getByRole('banner').getByRole('button', { name: 'Open log' }).click()
      const field = page.getByLabel('Path of a log')
      await field.fill(path)
      await page.evaluate(watchFirstRow)
      await field.press('Enter')
      await page.waitForFunction(() => window.firstRow?.textMs !== undefined)
      return await page.evaluate(() => window.firstRow)
    }))
  }))
}

/** Runs in the page. A frame is on screen when the next one begins. */
function watchFirstRow() {
  let pressed = null
  addEventListener('keydown', (event) => (pressed ??= event.timeStamp), { capture: true, once: true })
  const seen = {}
  const look = (now) => {
    const row = document.querySelector('[role=grid] [role=row][data-row]')
    if (pressed !== null && row !== null) {
      if (seen.row !== undefined)
        window.firstRow = { ...window.firstRow, rowMs: window.firstRow?.rowMs ?? now - pressed }
      if (seen.text !== undefined) {
        window.firstRow.textMs = now - pressed
        return
      }
      seen.row = true
      if (row.querySelector('.summary') !== null) seen.text = true
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
