// Takes the pictures in this folder: `npm run build && npm run shots`. Every view and state, of the sample run; README.md says which.
// Another folder than this one: `node docs/screenshots/take.js FOLDER`; only some of them: `… FOLDER NAME…`.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sample = join(root, 'resources/sample-run.jsonl')
const [out = fileURLToPath(new URL('.', import.meta.url)), ...only] = process.argv.slice(2)
const lines = readFileSync(sample, 'utf8').split('\n')

const large = { width: 1440, height: 900 }
const small = { width: 1024, height: 700 }
/** Where only the inspector is shown, more of it. */
const high = { width: 1440, height: 1120 }
const inspector = (page) => page.getByRole('region', { name: 'Inspector' })
const whole = (page) => page

/** Selects the row of the first line that holds all of these. */
const at =
  (...words) =>
  async (page) => {
    const line = 1 + lines.findIndex((text) => words.every((word) => text.includes(word)))
    if (line === 0) throw new Error(`no line of the sample run holds ${words.join(' and ')}`)
    await page.keyboard.press('g')
    await page.getByRole('dialog').getByRole('textbox').fill(`line ${line}`)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await inspector(page).getByText(`line ${line}`, { exact: true }).waitFor()
  }
const press =
  (...keys) =>
  async (page) => {
    for (const key of keys) await page.keyboard.press(key)
  }
const tab = (name) => (page) => inspector(page).getByRole('tab', { name }).click()
const each =
  (...steps) =>
  async (page) => {
    for (const step of steps) await step(page)
  }

const failedTest = at('"tool_use"', '"Bash"', 'Run the tests"')
const fix = at('"tool_use"', '"Edit"', 'src/wordcount.js')

async function hover(page) {
  await failedTest(page)
  const box = await page.getByRole('slider', { name: 'Playhead' }).boundingBox()
  await page.mouse.move(box.x + 0.42 * box.width, box.y + box.height / 2)
}

async function marks(page) {
  await at('"tool_use"', '"Write"', 'src/wordcount.js')(page)
  await page.keyboard.press('b')
  await at('"tool_use"', '"Edit"', 'src/wordcount.js')(page)
  await page.keyboard.press('b')
  await failedTest(page)
  await page.keyboard.press('B')
}

async function find(page) {
  await page.keyboard.press('/')
  await page.keyboard.type('countWords')
  await page.keyboard.press('Enter')
  await page.getByRole('banner').getByText(/^1 of/).waitFor()
  await page.keyboard.press('n')
}

async function wrongPath(page) {
  await page.getByRole('textbox', { name: 'Path' }).fill('/no/such/run.jsonl')
  await page.keyboard.press('Enter')
}

const wide = { sizes: [large, small], schemes: ['light', 'dark'] }

/** A picture of the sample run, or of the start screen: its name, how a person comes there, what of the page it shows. */
const views = [
  ['timeline', failedTest, whole, wide],
  ['turns-folded', each(failedTest, press('Z')), whole],
  ['scrubber-hover', hover, whole],
  [
    'scrubber-over-events',
    each(failedTest, (page) => page.getByRole('button', { name: /^Drawn over/ }).click()),
    whole
  ],
  ['todos-over-time', each(failedTest, press('v')), whole, wide],
  ['issues', each(failedTest, press('I', '.')), whole, wide],
  ['breakpoint', each(failedTest, (page) => page.getByRole('button', { name: 'New breakpoint' }).click()), whole],
  ['find', find, whole],
  ['filter', each(failedTest, press('F')), whole],
  ['go-to', press('g'), whole],
  ['keys', press('?'), whole],
  ['wide-diff', each(fix, press('w')), whole, { schemes: ['light', 'dark'] }],
  ['inspector-session', at('"init"'), inspector],
  ['inspector-prompt', at('Make the counter pass'), inspector],
  ['inspector-text', at('All three tests pass'), inspector],
  ['inspector-command', at('"tool_use"', 'npx eslint'), inspector, { schemes: ['light', 'dark'] }],
  ['inspector-error', failedTest, inspector],
  ['inspector-read', at('"tool_use"', '"Read"', 'wordcount.test.js'), inspector],
  ['inspector-write', at('"tool_use"', '"Write"', 'page/chart.js'), inspector],
  ['inspector-edit', fix, inspector, { schemes: ['light', 'dark'] }],
  ['inspector-edit-failed', at('"tool_use"', '"Edit"', 'package.json'), inspector],
  ['inspector-search', at('"tool_use"', '"Grep"'), inspector],
  ['inspector-web', at('"tool_use"', '"WebFetch"'), inspector],
  ['inspector-server-tool', at('"tool_use"', '"mcp__tracker__search"', 'open'), inspector],
  ['inspector-image', at('"tool_use"', '"mcp__browser__screenshot"', 'localhost'), inspector],
  ['inspector-subagent', at('"tool_use"', '"Task"', 'general-purpose'), inspector],
  ['inspector-todos', at('"tool_use"', 'Handle empty text'), inspector],
  ['inspector-turn-end', each(at('"result"', 'All three tests pass'), press('ArrowRight')), inspector],
  ['inspector-record', at('thinking_tokens'), inspector],
  ['raw', each(press('.'), tab('Raw')), inspector, { schemes: ['light', 'dark'] }],
  [
    'raw-bytes',
    each(press('.', '.'), tab('Raw'), (page) => page.getByText('Bytes', { exact: true }).click()),
    inspector
  ],
  ['issues-of-a-line', each(press('.'), tab(/^Log issues/)), inspector],
  // The last one: marks are kept for each log.
  ['marks', marks, whole]
]
const startViews = [
  ['start', async () => {}, whole, { schemes: ['light', 'dark'] }],
  ['start-error', wrongPath, whole]
]

const state = mkdtempSync(join(tmpdir(), 'playhead-shots-'))

/** What the stand-in of an agent prints is written here. */
const told = join(state, 'told')
const demo = join(state, 'demo-project')

/** A server in `folder` starts the stand-in as Claude Code. */
function placeAgent(folder) {
  for (const path of [told, demo, join(state, folder)]) mkdirSync(path, { recursive: true })
  const claude = join(state, 'claude')
  const agent = join(root, 'test/e2e/told-agent.js')
  const script = `if [ "$*" = --version ]; then echo 2.1.330; exit; fi\nexec '${process.execPath}' '${agent}' '${told}' "$@"`
  writeFileSync(claude, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  writeFileSync(join(state, folder, 'agents.json'), JSON.stringify({ version: 1, commands: { claude } }))
}

const form = (page) => page.getByRole('form', { name: 'New run' })
async function fillForm(page) {
  const field = (name) => form(page).getByRole('textbox', { name })
  await field('Folder').fill('/home/me/demo-project')
  await field('Prompt').fill('Make the counter pass the Unicode tests, then report what changed.')
  await field('Time limit').fill('30')
  await field('Arguments').fill('--add-dir "../shared files"')
  // The stand-in lies in a folder of its own: nobody's agent does.
  await page.locator('.agent-command > code').evaluate((code) => (code.textContent = '/home/me/.local/bin/claude'))
}

async function dangerous(page) {
  await fillForm(page)
  await form(page).getByRole('combobox', { name: 'Permissions' }).selectOption('bypassPermissions')
  await page.keyboard.press('Control+Enter')
  await form(page).getByRole('button', { name: 'Back' }).waitFor()
}

/** The first page starts the run, the others find it. */
async function liveRun(page) {
  if (await form(page).isVisible()) {
    await fillForm(page)
    await form(page).getByRole('textbox', { name: 'Folder' }).fill(demo)
    await page.keyboard.press('Control+Enter')
    await page.getByText('Waiting for the first line').waitFor()
    const some = lines.findIndex((line) => line.includes('"tool_use"') && line.includes('npx eslint'))
    appendFileSync(join(told, 'stdout'), `${lines.slice(0, some + 1).join('\n')}\n`)
    appendFileSync(join(told, 'stderr'), '\u001b[33mwarning\u001b[0m: the cache is cold\nlistening on 127.0.0.1\n')
  }
  await page.getByRole('grid', { name: 'Timeline' }).getByText('npx eslint').first().waitFor()
  await page
    .getByRole('region', { name: 'Live run', exact: true })
    .getByRole('button', { name: /^stderr/ })
    .click()
}

const formViews = [
  ['new-run', fillForm, whole, { schemes: ['light', 'dark'] }],
  ['new-run-dangerous', dangerous, form]
]
const liveViews = [['live-run', liveRun, whole, wide]]
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--no-first-run']
})
await takeAll('start', [], startViews, (page) => page.getByRole('textbox', { name: 'Path' }).waitFor())
placeAgent('form')
await takeAll('form', [], formViews, (page) => page.locator('.agent-command > code').waitFor())
placeAgent('live')
await takeAll('live', [], liveViews, (page) => page.locator('.agent-command > code, [aria-label="Live run"]').waitFor())
await takeAll('run', [sample], views, async (page) => {
  await page.getByRole('status').getByText('Indexed').waitFor()
  await page.getByRole('grid', { name: 'Timeline' }).focus()
})
await browser.close()
rmSync(state, { recursive: true, force: true })

async function takeAll(folder, files, pictures, ready) {
  const env = { ...process.env, PLAYHEAD_STATE_DIR: join(state, folder), PLAYHEAD_CACHE_DIR: join(state, 'cache') }
  const command = join(root, 'bin/playhead.js')
  const server = spawn(process.execPath, [command, 'serve', '--no-open', ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env
  })
  await once(createInterface({ input: server.stdout }), 'line')
  for (const [name, reach, part, { sizes = [part === whole ? large : high], schemes = ['light'] } = {}] of pictures) {
    if (only.length > 0 && !only.includes(name)) continue
    for (const viewport of sizes) for (const colorScheme of schemes) await take(name, viewport, colorScheme)
    async function take(name, viewport, colorScheme) {
      const page = await browser.newPage({
        ...{ viewport, colorScheme, timezoneId: 'UTC', locale: 'en-GB' },
        reducedMotion: 'reduce'
      })
      // An address works once.
      await page.goto(execFileSync(process.execPath, [command, 'url'], { encoding: 'utf8', env }).trim())
      await ready(page)
      await reach(page)
      // What is read and drawn after the last step.
      await page.waitForTimeout(600)
      const size = viewport !== small ? '' : `-${viewport.width}x${viewport.height}`
      const scheme = colorScheme === 'light' ? '' : '-dark'
      await part(page).screenshot({ path: join(out, `${name}${size}${scheme}.png`) })
      await page.close()
    }
  }
  server.kill('SIGTERM')
  await once(server, 'exit')
}
