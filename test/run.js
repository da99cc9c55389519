// `npm test`: everything, from a bare clone. The last line is "N passed, N failed", with ", N skipped" where something was.
//
// The argument `corpus` instead runs the tests that read real logs and seeds beside the checkout, `../shared`. `own corpus` runs both: all
// that the checkout itself has, as a stranger runs it, then those. The last line counts both.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { install, root } from '../bin/prepare.js'
import { corpusTests } from './corpus-tests.js'
import { Tally } from './tally.js'

const parts = process.argv.length > 2 ? process.argv.slice(2) : ['own']
if (!parts.every((part) => part === 'own' || part === 'corpus')) {
  console.log('Usage: node test/run.js [own] [corpus]')
  process.exit(2)
}

const tally = new Tally()
/** Why tests were skipped, and which ones failed: a long log is often cut, and its end is what people keep. */
const details = []
const reports = mkdtempSync(join(tmpdir(), 'playhead-test-'))

function heading(name) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`)
}

/**
 * Runs tools of node_modules at once: they do not write each other's files. Shows the output of one after the other, the first while it
 * comes. `figures` gives what a tool counted after it ended; a tool without it passes or fails as one.
 */
async function atOnce(...tools) {
  const running = tools.map((one) => ({ ...one, ...start(one) }))
  for (const { name, show, ended, figures } of running) {
    heading(name)
    show()
    const code = await ended
    const counted = figures?.() ?? (code === 0 ? { passed: 1 } : { failed: 1 })
    // Failing without a failed test (a file that does not load) is a failure too.
    if (code !== 0 && !counted.failed) tally.count(name, { ...counted, failed: 1 }, `exit code ${code}, see above`)
    else tally.count(name, counted)
  }
}

/** `show` prints what was held back, and from then on what comes. `ended` resolves to the exit code, 1 if a signal ended it. */
function start({ script, args, env = {} }) {
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...color, ...env }
  })
  const held = []
  let print = (bytes) => held.push(bytes)
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => print(bytes))
  const ended = new Promise((resolve) => {
    child.on('error', (error) => {
      print(`${error.message}\n`)
      resolve(1)
    })
    child.on('close', (code) => resolve(code ?? 1))
  })
  return {
    ended,
    show() {
      print = (bytes) => process.stdout.write(bytes)
      for (const bytes of held) print(bytes)
    }
  }
}

/** What a test runner wrote to its report; nothing counted where it wrote none. */
function reported(report, figuresOf) {
  return existsSync(report) ? figuresOf(JSON.parse(readFileSync(report, 'utf8'))) : {}
}

/** The first of these that is a program; a name without a folder is looked for in PATH. */
function program(...names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', args, { stdio: 'inherit', env }).status === 0
}

/** Chromium's path, installed where that is one plain command; undefined, and the reason printed, where there is none. */
function browser() {
  const { CHROMIUM_PATH: chosen } = process.env
  const find = () =>
    program(
      ...['/usr/bin/chromium', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
    )
  const found = chosen ? program(chosen) : find()
  if (found) return found
  if (chosen) {
    console.log(`CHROMIUM_PATH is ${chosen}, and no program is there.`)
    return undefined
  }
  if (canInstall) {
    heading('installing chromium')
    if (apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium')) return find()
  }
  console.log('No Chromium was found. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to one.')
  return undefined
}

/** Chromium without its windows, which takes less time for the same pages: installed where CI may; undefined where there is none. */
function headlessShell() {
  const find = () => program('chromium-headless-shell')
  if (find() || process.env.CI !== 'true' || !canInstall) return find()
  heading('installing chromium-headless-shell')
  const install = ['install', '-y', '--no-install-recommends', 'chromium-headless-shell']
  if (!apt(...install) && !(apt('update') && apt(...install)))
    console.log('There is none here: Chromium itself does it.')
  return find()
}

/** Why tests of Playwright's report were skipped, each reason with how many. */
function reasonsToSkip(suites, found = new Map()) {
  for (const { suites: inner = [], specs = [] } of suites) {
    const skips = specs.flatMap(({ tests }) => tests.flatMap(({ annotations }) => annotations))
    for (const { type, description } of skips)
      if (type === 'skip' && description) found.set(description, (found.get(description) ?? 0) + 1)
    reasonsToSkip(inner, found)
  }
  return found
}

/** The name of a failed test and the first lines of its message. */
function failure(name, message) {
  const first = stripVTControlCharacters(message).trim().split('\n').slice(0, 12)
  return [`    ✗ ${name}`, ...first.map((line) => `      ${line}`)].join('\n')
}

/** The failed tests of Vitest's report, and the files that did not load. */
function failuresOfVitest({ testResults }) {
  return testResults.flatMap(({ name: path, status, message, assertionResults }) => {
    const file = relative(root, path)
    const tests = assertionResults.filter((test) => test.status === 'failed')
    if (tests.length === 0) return status === 'failed' ? [failure(file, message)] : []
    return tests.map((test) => failure(`${file} › ${test.fullName}`, test.failureMessages.join('\n')))
  })
}

/** The failed tests of Playwright's report. */
function failuresOfPlaywright(suites) {
  return suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...specs
      .filter(({ ok }) => !ok)
      .map(({ file, line, title, tests }) => {
        const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors ?? []))
        return failure(
          `${file}:${line} › ${title}`,
          errors.map(({ message, value = '' }) => message ?? value).join('\n')
        )
      }),
    ...failuresOfPlaywright(inner)
  ])
}

const started = Date.now()
try {
  await install()
} catch (error) {
  console.log(error.message)
  console.log('0 passed, 1 failed')
  process.exit(1)
}
const executable = browser()
// Who names a browser has all tests in that one.
if (executable && !process.env.CHROMIUM_PATH) process.env.CHROMIUM_SHELL_PATH = headlessShell() ?? executable
if (executable) process.env.CHROMIUM_PATH = executable

const sharedPart = (part) => ({
  name: `build of a shared ${part}`,
  script: 'vite/bin/vite.js',
  args: ['build', '-c', 'shared-page.config.ts', '--mode', part]
})
const checks = [
  { name: 'prettier', script: 'prettier/bin/prettier.cjs', args: ['--check', '.'] },
  {
    name: 'oxlint',
    script: 'oxlint/bin/oxlint',
    args: ['src', 'test', 'bin', 'bench', 'docs', 'resources', 'packaging']
  },
  { name: 'knip', script: 'knip/bin/knip.js', args: [] }
]
await atOnce(
  ...(parts.includes('own') ? checks : []),
  // Each checker derives the types of what its files import: one takes half the processor time of four.
  { name: 'tsc', script: 'typescript/bin/tsc', args: ['-b', '--checkers', '1'] },
  { name: 'build', script: 'electron-vite/bin/electron-vite.js', args: ['build'] },
  sharedPart('page'),
  sharedPart('thread')
)

const cores = availableParallelism()

/** Runs these test files of both runners, or all where none is named. `corpus`: whether they see what lies beside the checkout. */
async function runTests(corpus, files = []) {
  const named = (name) => (corpus === 'on' ? `${name}, corpus` : name)
  const chosen = (isEndToEnd) => files.filter((file) => file.startsWith('test/e2e/') === isEndToEnd)
  const vitestReport = join(reports, `vitest-${corpus}.json`)
  const playwrightReport = join(reports, `playwright-${corpus}.json`)
  const vitest = {
    name: named('vitest'),
    script: 'vitest/vitest.mjs',
    args: [
      'run',
      ...chosen(false),
      `--maxWorkers=${cores + 1}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${vitestReport}`
    ],
    env: { PLAYHEAD_CORPUS: corpus },
    figures: () =>
      reported(vitestReport, (json) => {
        details.push(...failuresOfVitest(json))
        return {
          passed: json.numPassedTests,
          failed: json.numFailedTests,
          skipped: json.numPendingTests + json.numTodoTests
        }
      })
  }
  const playwright = {
    name: named('playwright'),
    script: '@playwright/test/cli.js',
    args: ['test', ...chosen(true), `--workers=${cores}`, '--reporter=list,json'],
    env: { PLAYHEAD_CORPUS: corpus, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightReport },
    figures: () =>
      reported(playwrightReport, ({ stats, suites, errors }) => {
        for (const { message, value = '' } of errors) details.push(failure('before any test', message ?? value))
        for (const [reason, times] of reasonsToSkip(suites)) details.push(`    ${times} skipped: ${reason}`)
        details.push(...failuresOfPlaywright(suites))
        return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
      })
  }
  // Each waits for processes and pages half of its time, in which the other computes: fewer workers than either has alone.
  await atOnce(...(executable ? [playwright, vitest] : [vitest]))
  if (!executable && process.env.CI === 'true')
    tally.count(named('playwright'), { failed: 1 }, 'no Chromium, see above')
  else if (!executable) tally.count(named('playwright'), { skipped: 1 }, 'no Chromium, see above')
}

if (parts.includes('own')) await runTests('off')
if (parts.includes('corpus')) {
  const files = corpusTests(root)
  if (existsSync(join(root, '..', 'shared'))) await runTests('on', files)
  else tally.count('corpus', { skipped: files.length }, 'there is no ../shared beside the checkout')
}

rmSync(reports, { recursive: true, force: true })
heading(`${Math.round((Date.now() - started) / 1000)} s`)
console.log(tally.text(details))
process.exitCode = tally.hasFailed ? 1 : 0
