// `node packaging/smoke.js`, after `npm run package -- --dir`: starts the packed app as a person would, and looks whether it shows a log and
// whether its fuses hold. Talks to the page by Chromium's own debugging, since Node's is what a fuse takes away.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from '@playwright/test'

const root = dirname(import.meta.dirname)
const sample = join(root, 'resources', 'sample-run.jsonl')
const folder = mkdtempSync(join(tmpdir(), 'playhead-smoke-'))
const patience = 60_000

/** The program in the folder that electron-builder made for this system; its name tells the architecture. */
function packedProgram(packages = join(root, 'out', 'packages')) {
  const names = { darwin: 'Playhead.app/Contents/MacOS/Playhead', win32: 'Playhead.exe', linux: 'playhead' }
  const found = readdirSync(packages)
    .map((name) => join(packages, name, names[process.platform]))
    .filter((path) => existsSync(path))
  if (found.length !== 1) throw new Error(`expected one packed app in ${packages}, there are ${found.length}`)
  return found[0]
}

function start(program, args, variables = {}) {
  const own = { PLAYHEAD_STATE_DIR: join(folder, 'state'), PLAYHEAD_CACHE_DIR: join(folder, 'cache') }
  const child = spawn(program, [`--user-data-dir=${join(folder, 'user')}`, ...args], {
    env: { ...process.env, ...own, ...variables },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said.text += text
      process.stderr.write(text)
    })
  return { child, said, ended: once(child, 'close') }
}

/** Starts the app, waits for its page, and ends it once `look` has looked at it. */
async function withPage(program, args, variables, look) {
  rmSync(join(folder, 'user'), { recursive: true, force: true, maxRetries: 10 })
  const app = start(program, ['--remote-debugging-port=0', ...args], variables)
  try {
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${await debuggingPort(app)}`)
    const page = await ownPage(browser)
    await look(page, app.said)
    await browser.close()
  } finally {
    app.child.kill()
    await app.ended
  }
}

/** Chromium writes the port it has chosen into the folder of its user. */
async function debuggingPort({ child }) {
  const file = join(folder, 'user', 'DevToolsActivePort')
  for (const end = Date.now() + patience; Date.now() < end; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`the app ended with code ${child.exitCode} before it had a page`)
    const port = existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : ''
    if (port) return port
  }
  throw new Error('the app did not open its debugging port')
}

async function ownPage(browser) {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(100)) {
    const pages = browser.contexts().flatMap((context) => context.pages())
    const own = pages.find((page) => page.url().startsWith('playhead://app/'))
    if (own) return own
  }
  throw new Error('no window shows playhead://app')
}

/** The rows of a log are there. */
async function showsLog(page) {
  await page.getByRole('grid', { name: 'Timeline' }).getByRole('row').first().waitFor({ timeout: patience })
}

function check(what, holds) {
  if (!holds) throw new Error(`does not hold: ${what}`)
  console.log(`holds: ${what}`)
}

const program = packedProgram()
try {
  await withPage(program, [], {}, async (page) => {
    await page.getByRole('button', { name: 'Open the sample run' }).click({ timeout: patience })
    await showsLog(page)
    check('the packed app opens the sample run that it brings', true)
    const bare = await page.evaluate(() => !('require' in window || 'process' in window))
    check('the page has neither Node nor Electron', bare)
  })
  await withPage(program, [sample], {}, async (page) => {
    await showsLog(page)
    check('it shows the log that it was started with', true)
  })

  // As Node it would end at once, since it knows no such options.
  await withPage(program, [sample], { ELECTRON_RUN_AS_NODE: '1' }, async (page) => {
    await showsLog(page)
    check('fuse runAsNode: ELECTRON_RUN_AS_NODE does not make it Node', true)
  })
  await withPage(program, ['--inspect=0', sample], {}, async (page, said) => {
    await showsLog(page)
    check('fuse enableNodeCliInspectArguments: --inspect opens nothing', !/Debugger listening/.test(said.text))
  })
  await withPage(program, [sample], { NODE_OPTIONS: '--require=/no/such/module.js' }, async (page) => {
    await showsLog(page)
    check('fuse enableNodeOptionsEnvironmentVariable: NODE_OPTIONS is not heard', true)
  })
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
