import { _electron, expect, test } from '@playwright/test'
import { hasDisplay } from '../../src/cli/browser.ts'
import { electronBinary } from '../../src/cli/electron-binary.ts'
import { root, sample } from './playhead-server.ts'

const executablePath = electronBinary(root, process.env)
const canShow = hasDisplay({ platform: process.platform, variables: process.env })

test('the real Electron shows the log it was started with', async () => {
  test.skip(executablePath === null, 'no Electron binary here: run npx install-electron, or set ELECTRON_EXEC_PATH')
  test.skip(!canShow, 'no display here')
  const app = await _electron.launch({
    executablePath: executablePath ?? '',
    args: [root, '--no-sandbox', sample],
    env: {
      ...process.env,
      PLAYHEAD_STATE_DIR: test.info().outputPath('state'),
      PLAYHEAD_CACHE_DIR: test.info().outputPath('cache')
    }
  })
  const window = await app.firstWindow()
  await expect(window.getByRole('grid', { name: 'Timeline' })).toBeVisible()
  expect(window.url()).toBe('playhead://app/')
  await expect(window.getByRole('row').first()).toBeVisible()
  expect(await window.evaluate(() => 'require' in window || 'process' in window)).toBe(false)
  await app.close()
})
