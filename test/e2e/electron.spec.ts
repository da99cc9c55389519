import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { _electron, expect, test } from '@playwright/test'
import { root, sample } from './playhead-server.ts'

/** Never `require('electron')`: without a binary its index.js starts a download. */
function electronBinary(): string | null {
  const given = process.env['ELECTRON_EXEC_PATH']
  if (given !== undefined) return given
  const folder = join(root, 'node_modules/electron')
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) return null
  const binary = join(folder, 'dist', readFileSync(pathFile, 'utf8'))
  return existsSync(binary) ? binary : null
}

const executablePath = electronBinary()

test('the real Electron shows the log it was started with', async () => {
  test.skip(executablePath === null, 'no Electron binary here: run npx install-electron, or set ELECTRON_EXEC_PATH')
  const app = await _electron.launch({
    executablePath: executablePath ?? '',
    args: [root, '--no-sandbox', sample],
    env: { ...process.env, PLAYHEAD_STATE_DIR: test.info().outputPath('state') }
  })
  const window = await app.firstWindow()
  await expect(window.getByRole('grid', { name: 'Timeline' })).toBeVisible()
  expect(window.url()).toBe('playhead://app/')
  await expect(window.getByRole('row').first()).toBeVisible()
  expect(await window.evaluate(() => 'require' in window || 'process' in window)).toBe(false)
  await app.close()
})
