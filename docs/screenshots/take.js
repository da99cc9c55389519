// Takes the pictures in this folder: `npm run build && npm run shots`. The sample run, both themes, both sizes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'

const root = fileURLToPath(new URL('../..', import.meta.url))
const file = process.argv[2] ?? join(root, 'resources/sample-run.jsonl')
const out = process.argv[3] ?? fileURLToPath(new URL('.', import.meta.url))

const state = mkdtempSync(join(tmpdir(), 'playhead-shots-'))
const server = spawn(process.execPath, [join(root, 'bin/playhead.js'), 'serve', '--no-open', file], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, PLAYHEAD_STATE_DIR: state }
})
const [url] = await once(createInterface({ input: server.stdout }), 'line')

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--no-first-run']
})
for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of [
    [1440, 900],
    [1024, 700]
  ]) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme, timezoneId: 'UTC', locale: 'en-GB' })
    await page.goto(url)
    await page.getByRole('status').getByText('Indexed').waitFor()
    await page.getByRole('grid', { name: 'Timeline' }).focus()
    // The failed test run: a call with an error, an issue near it, and a list in progress.
    await page.keyboard.press('g')
    await page.getByRole('dialog').getByRole('textbox').fill('56')
    await page.keyboard.press('Enter')
    await page.waitForTimeout(600)
    await page.screenshot({ path: join(out, `replay-${width}x${height}-${colorScheme}.png`) })
    await page.close()
  }
}
await browser.close()
server.kill('SIGTERM')
await once(server, 'exit')
rmSync(state, { recursive: true, force: true })
