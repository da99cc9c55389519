// Takes the pictures in this folder: `npm run build && npm run pictures`. Every view and state, of the sample log; README.md says which.
// Into another folder: `npm run pictures -- FOLDER`. Only some of them: `npm run pictures -- docs/pictures NAME…`.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from '@playwright/test'
import { smallPng } from './small-png.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sample = join(root, 'resources/sample-run.jsonl')
const [out = fileURLToPath(new URL('.', import.meta.url)), ...only] = process.argv.slice(2)
const lines = readFileSync(sample, 'utf8').split('\n')

const large = { width: 1440, height: 900 }
const small = { width: 1024, height: 700 }
/** Those of the project's README. */
const medium = { width: 1200, height: 750 }
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

async function findings(page) {
  await page.getByRole('region', { name: 'Findings', exact: true }).waitFor()
}

async function calls(page) {
  await page.locator('.figure-grid[aria-busy="false"]').waitFor()
}

async function context(page) {
  await page.getByRole('tab', { name: 'Context' }).click()
  await page.getByRole('slider', { name: 'Request' }).waitFor()
}

/** The dialog with a form for another tool. */
async function exportTo(page) {
  await page.keyboard.press('d')
  await page.getByRole('dialog').getByText('OpenTelemetry', { exact: true }).click()
  await page.getByRole('dialog').getByText('Looking for secrets').waitFor({ state: 'detached' })
}

const files = (page) => page.getByRole('region', { name: 'Files', exact: true })

async function file(page) {
  await files(page)
    .getByRole('treeitem', { name: /^wordcount\.js/ })
    .click()
  await files(page)
    .getByRole('grid', { name: /^wordcount\.js at event/ })
    .waitFor()
}

async function fileChanges(page) {
  await file(page)
  await files(page).getByRole('button', { name: 'Since start', exact: true }).click()
}

async function wrongPath(page) {
  await page.keyboard.press('Control+o')
  await page.getByRole('textbox', { name: 'Path' }).fill('/no/such/run.jsonl')
  await page.keyboard.press('Enter')
}

const wide = { sizes: [large, small, medium], schemes: ['light', 'dark'] }
const bothSizes = { sizes: [large, small], schemes: ['light', 'dark'] }
const forReadme = { sizes: [medium] }

/** A picture of the sample run, or of the start screen: its name, how a person comes there, what of the page it shows. */
const views = [
  ['timeline', failedTest, whole, wide],
  ['turns-collapsed', each(failedTest, press('Z')), whole],
  ['scrubber-hover', hover, whole],
  [
    'scrubber-over-events',
    each(failedTest, (page) => page.getByRole('button', { name: /^Axis: time/ }).click()),
    whole
  ],
  ['todos-over-time', each(failedTest, press('v')), whole, wide],
  ['analysis', each(failedTest, press('A'), calls), whole, bothSizes],
  ['analysis-context', each(failedTest, press('A'), context), whole, bothSizes],
  ['files', each(fix, press('Y'), file), whole, bothSizes],
  ['files-changes', each(at('Make the counter pass'), press('End', 'Y'), fileChanges), whole, bothSizes],
  ['findings', each(press('End', 'D'), findings), whole, bothSizes],
  ['export', each(failedTest, exportTo), whole, bothSizes],
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
  await page.keyboard.press('r')
  await page.locator('.agent-command > code').waitFor()
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
let isFirst = true
async function liveRun(page) {
  if (isFirst) {
    isFirst = false
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

/** An agent that is talked to: it prints the sample up to a call, and asks for two permissions. */
function placeTalkingAgent(folder) {
  for (const path of [demo, join(state, folder, 'seen')]) mkdirSync(path, { recursive: true })
  const response = { subtype: 'success', request_id: 'ph-1', response: {} }
  const some = lines.findIndex((line) => line.includes('"tool_use"') && line.includes('npx eslint'))
  const edit = {
    file_path: '/home/me/demo-project/src/wordcount.js',
    old_string: 'export function countWords(text) {\n  return text.split(" ").length\n}\n',
    new_string:
      'export function countWords(text) {\n  const words = text.match(/[\\p{L}\\p{N}]+/gu)\n  return words?.length ?? 0\n}\n'
  }
  const asks = [
    {
      tool_name: 'Edit',
      input: edit,
      tool_use_id: 'toolu_e',
      decision_reason: 'Outside the folders that this run may write.'
    },
    { tool_name: 'Bash', input: { command: 'npm test -- --watch=false' }, tool_use_id: 'toolu_b' }
  ]
  const suggestions = [{ type: 'addRules', rules: [{ toolName: 'Edit' }], behavior: 'allow', destination: 'session' }]
  const requests = asks.map((ask, at) => ({
    type: 'control_request',
    request_id: `r${at}`,
    request: { subtype: 'can_use_tool', permission_suggestions: suggestions, ...ask }
  }))
  const steps = [
    { in: '' },
    { out: JSON.stringify({ type: 'control_response', response }) },
    { in: '' },
    ...lines.slice(0, some).map((out) => ({ out })),
    ...requests.map((request) => ({ out: JSON.stringify(request) })),
    { in: null }
  ]
  writeFileSync(join(state, folder, 'play.json'), JSON.stringify({ steps, exitCode: 0, fault: null }))
  const words = ['test/stand-in/dialogue-agent.js'].map((path) => join(root, path))
  const started = [process.execPath, ...words, join(state, folder, 'play.json'), join(state, folder, 'seen')]
  const claude = join(state, folder, 'claude')
  const script = `if [ "$*" = --version ]; then echo 2.1.330; exit; fi\nexec ${started.map((word) => `'${word}'`).join(' ')}`
  writeFileSync(claude, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  writeFileSync(join(state, folder, 'agents.json'), JSON.stringify({ version: 1, commands: { claude } }))
}

let isFirstTalk = true
async function talk(page) {
  if (isFirstTalk) {
    isFirstTalk = false
    await fillForm(page)
    await form(page).getByText('Conversation', { exact: true }).click()
    await form(page).getByRole('textbox', { name: 'Folder' }).fill(demo)
    await page.keyboard.press('Control+Enter')
    const box = page.getByRole('textbox', { name: 'Write to Claude Code' })
    for (const prompt of ['Then run the whole suite, and show me what is slow.', 'Write the changelog entry.']) {
      await box.fill(prompt)
      await page.keyboard.press('Enter')
      await page.getByRole('list', { name: 'Queued prompts' }).getByText(prompt).waitFor()
    }
  }
  await page.getByRole('group', { name: 'Edit needs your permission' }).waitFor()
}

const formViews = [
  ['new-run', fillForm, whole, { schemes: ['light', 'dark'] }],
  ['new-run-dangerous', dangerous, form]
]
const liveViews = [['live-run', liveRun, whole, wide]]
const talkViews = [['live-run-asks', talk, whole, bothSizes]]

/** Sessions of the library beside the sample: project, prompt, answer, hours ago, calls and failed ones, todos and done ones. */
const inventedSessions = [
  [
    'wordcount',
    'Why does the counter skip emoji?',
    'The pattern has no u flag, so it splits surrogate pairs.',
    3,
    6,
    0,
    0,
    0
  ],
  ['tide-tables', 'Draw the tide as a curve', 'The curve is drawn, with the day in the title.', 5, 24, 1, 4, 4],
  ['tide-tables', 'Fix the time zone of the harbour', 'Times are now those of the harbour.', 26, 41, 5, 5, 3],
  ['tide-tables', 'Add a test for leap seconds', 'Two tests cover 2016-12-31.', 29, 12, 0, 3, 3],
  ['orchard', 'Move the invoices to the new database', 'All 412 invoices are moved.', 31, 63, 8, 7, 6],
  ['orchard', 'Count the apples by month', 'The report is in reports/apples.md.', 52, 18, 0, 2, 2],
  ['orchard', 'Upgrade to Node 22', 'All tests pass on Node 22.', 75, 35, 2, 6, 6]
]

const steps = [
  ...['Read the code and its tests', 'Write a test that fails', 'Change the code', 'Run all tests'],
  ...['Update the documentation', 'Check the report', 'Commit the change']
]

/** A home folder in which Claude Code worked: the sample's lines, and these sessions. */
function fillHome() {
  const home = join(state, 'home')
  const place = (project, name) => {
    const folder = join(home, '.claude/projects', `-home-ada-${project}`)
    mkdirSync(folder, { recursive: true })
    return join(folder, `${name}.jsonl`)
  }
  for (const [number, given] of inventedSessions.entries()) {
    const [project, prompt, answer, hoursAgo, calls, failed, todos, done] = given
    const path = place(project, `4000000${number}-aaaa-4bbb-8ccc-dddddddddddd`)
    const begun = Date.now() - hoursAgo * 3_600_000
    const records = []
    const add = (type, message) => {
      const timestamp = new Date(begun + records.length * 9000).toISOString()
      const uuid = `${number}0000000-aaaa-4bbb-8ccc-${String(records.length).padStart(12, '0')}`
      const parentUuid = records.at(-1)?.uuid ?? null
      const of = { sessionId: `4000000${number}-aaaa-4bbb-8ccc-dddddddddddd`, cwd: `/home/ada/${project}` }
      records.push({
        parentUuid,
        isSidechain: false,
        ...of,
        version: '2.1.330',
        gitBranch: 'main',
        type,
        message,
        uuid,
        timestamp
      })
    }
    const says = (content, stop) =>
      add('assistant', {
        ...{ id: `msg_${records.length}`, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content },
        ...{ stop_reason: stop, stop_sequence: null, usage: { input_tokens: 5200, output_tokens: 180 } }
      })
    const call = (name, input, result, isError) => {
      const id = `toolu_${records.length}`
      says([{ type: 'tool_use', id, name, input }], 'tool_use')
      add('user', {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: result, is_error: isError }]
      })
    }
    add('user', { role: 'user', content: prompt })
    for (let n = 0; n < calls; n++)
      call(
        'Bash',
        { command: 'npm test' },
        n < failed ? `Exit code 1: ${failed - n} of 48 tests failed` : 'ok',
        n < failed
      )
    if (todos > 0) {
      const items = Array.from({ length: todos }, (_, n) => ({
        ...{ content: steps[n], activeForm: steps[n], status: n < done ? 'completed' : 'pending' }
      }))
      call('TodoWrite', { todos: items }, 'Todos have been modified successfully.', false)
    }
    says([{ type: 'text', text: answer }], 'end_turn')
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    const ended = new Date(begun + records.length * 9000)
    utimesSync(path, ended, ended)
  }
  return home
}

/** Another execution of the sample's work, in which other commands ran and another file was written. */
function secondTry() {
  const folder = join(state, 'wordcount')
  mkdirSync(folder)
  const path = join(folder, 'second-try.jsonl')
  const text = lines
    .join('\n')
    .replaceAll('page/chart.js', 'page/graph.js')
    .replaceAll('npx eslint', 'npx eslint --max-warnings 0')
    .replaceAll('ls -la && node --version', 'ls -la src test && node --version')
  writeFileSync(path, text)
  return path
}

async function compared(page) {
  await page.keyboard.press('C')
  await page.getByRole('dialog').getByRole('list', { name: 'Sessions' }).getByRole('button').first().click()
  await page.getByRole('grid', { name: 'Aligned steps' }).locator('.summary').first().waitFor()
}
const todosOfBoth = each(compared, (page) => page.getByRole('tab', { name: 'Todos of both' }).click(), press('d', 'd'))
const compareViews = [
  ['compare', each(compared, press('d')), whole, bothSizes],
  ['compare-todos', todosOfBoth, whole, bothSizes]
]

async function selected(page) {
  await page.locator('[data-session]').filter({ hasText: 'Fix the time zone' }).click()
  await page.getByRole('region', { name: 'Preview' }).getByText('Times are now those').first().waitFor()
}

const libraryViews = [['library', selected, whole, forReadme]]
/** The page that `export --to html` writes, beside the others. */
const shared = join(state, 'session.html')
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-background-networking', '--no-first-run']
})
await takeAll('start', [], startViews, noSessions)
placeAgent('form')
await takeAll('form', [], formViews, noSessions)
placeAgent('live')
await takeAll('live', [], liveViews, async (page) => {
  if (isFirst) await noSessions(page)
})
placeTalkingAgent('talk')
await takeAll('talk', [], talkViews, async (page) => {
  if (isFirstTalk) await noSessions(page)
})
await takeAll('run', [sample], views, async (page) => {
  await page.getByRole('status').getByText('Indexed').waitFor()
  await page.getByRole('grid', { name: 'Timeline' }).focus()
})
await takeAll('compare', [sample, secondTry()], compareViews, async (page) => {
  await page.getByRole('status').getByText('Indexed').waitFor()
})
await takeAll('library', [], libraryViews, (page) => page.locator('[data-session]').first().waitFor(), {
  HOME: fillHome()
})
await takeShared()
await browser.close()
rmSync(state, { recursive: true, force: true })

async function noSessions(page) {
  await page.getByText('No sessions found on this machine').waitFor()
}

async function takeShared() {
  if (!isWanted('shared-page')) return
  execFileSync(process.execPath, [join(root, 'bin/playhead.js'), 'export', sample, '--to', 'html', '-o', shared])
  const page = await newPage(medium, 'light')
  await page.goto(pathToFileURL(shared).href)
  await page.getByRole('status').getByText('Indexed').waitFor()
  await page.getByRole('grid', { name: 'Timeline' }).focus()
  await failedTest(page)
  await keep(page, page, `shared-page-${medium.width}x${medium.height}`)
}

function isWanted(name) {
  return only.length === 0 || only.includes(name)
}

async function newPage(viewport, colorScheme) {
  const place = { timezoneId: 'UTC', locale: 'en-GB' }
  return await browser.newPage({ viewport, colorScheme, ...place, reducedMotion: 'reduce' })
}

async function keep(page, part, name) {
  // What is read and drawn after the last step.
  await page.waitForTimeout(600)
  writeFileSync(join(out, `${name}.png`), smallPng(await part.screenshot()))
  await page.close()
}

async function takeAll(folder, files, pictures, ready, variables = {}) {
  if (!pictures.some(([name]) => isWanted(name))) return
  const kept = { PLAYHEAD_STATE_DIR: join(state, folder), PLAYHEAD_CACHE_DIR: join(state, folder, 'cache') }
  const env = { ...process.env, HOME: join(state, 'nobody'), ...kept, ...variables }
  const command = join(root, 'bin/playhead.js')
  const server = spawn(process.execPath, [command, 'serve', '--no-open', ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env
  })
  await once(createInterface({ input: server.stdout }), 'line')
  for (const [name, reach, part, { sizes = [part === whole ? large : high], schemes = ['light'] } = {}] of pictures) {
    if (!isWanted(name)) continue
    for (const viewport of sizes) for (const colorScheme of schemes) await take(name, viewport, colorScheme)
    async function take(name, viewport, colorScheme) {
      // Those of the README are light.
      if (viewport === medium && colorScheme === 'dark') return
      const page = await newPage(viewport, colorScheme)
      // An address works once.
      await page.goto(execFileSync(process.execPath, [command, 'url'], { encoding: 'utf8', env }).trim())
      await ready(page)
      await reach(page)
      const size = [small, medium].includes(viewport) ? `-${viewport.width}x${viewport.height}` : ''
      await keep(page, part(page), `${name}${size}${colorScheme === 'light' ? '' : '-dark'}`)
    }
  }
  server.kill('SIGTERM')
  await once(server, 'exit')
}
