// `npm test`: everything, from a bare clone. The last line is "N passed, N failed", with ", N skipped" where something was.
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { install, root } from '../bin/prepare.js'

const total = { passed: 0, failed: 0, skipped: 0 }
const lines = []
/** Why tests were skipped, and which ones failed: a long log is often cut, and its end is what people keep. */
const details = []
const reports = mkdtempSync(join(tmpdir(), 'playhead-test-'))

function count(name, { passed = 0, failed = 0, skipped = 0 }, note = '') {
  total.passed += passed
  total.failed += failed
  total.skipped += skipped
  const figures = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
  lines.push(`  ${failed > 0 ? '✗' : '✓'} ${name.padEnd(18)} ${figures}${note && ` (${note})`}`)
}

/** Runs a tool of node_modules with its output shown; resolves to its exit code, 1 if a signal ended it. */
function tool(script, args, env = {}) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env }
    })
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}

function heading(name) {
  console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 70 - name.length))}`)
}

/** Tools that pass or fail as one and do not read each other's files, all at once. Prints the output of one after the other. */
async function checkAtOnce(...checks) {
  const done = checks.map(async ([name, script, args]) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], { cwd: root })
    const printed = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => printed.push(bytes))
    const code = await new Promise((resolve) => child.on('error', () => resolve(1)).on('close', resolve))
    return { name, code, printed: Buffer.concat(printed).toString() }
  })
  for (const { name, code, printed } of await Promise.all(done)) {
    heading(name)
    console.log(printed.trimEnd())
    count(name, code === 0 ? { passed: 1 } : { failed: 1 })
  }
}

/** A test runner that writes a JSON report. Failing without a failed test (a file that does not load) is a failure too. */
async function suite(name, script, args, env, figuresOf) {
  heading(name)
  const report = join(reports, `${name}.json`)
  const code = await tool(script, args(report), env(report))
  const figures = existsSync(report) ? figuresOf(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0 }
  if (code !== 0 && figures.failed === 0) count(name, { ...figures, failed: 1 }, `exit code ${code}, see above`)
  else count(name, figures)
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

const sharedPart = (part) => [
  `build of a shared ${part}`,
  'vite/bin/vite.js',
  ['build', '-c', 'shared-page.config.ts', '--mode', part]
]
await checkAtOnce(
  ['prettier', 'prettier/bin/prettier.cjs', ['--check', '.']],
  ['tsc', 'typescript/bin/tsc', ['-b']],
  ['oxlint', 'oxlint/bin/oxlint', ['src', 'test', 'bin', 'bench', 'docs', 'resources', 'packaging']],
  ['knip', 'knip/bin/knip.js', []],
  ['build', 'electron-vite/bin/electron-vite.js', ['build']],
  sharedPart('page'),
  sharedPart('thread')
)
await suite(
  'vitest',
  'vitest/vitest.mjs',
  (report) => ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
  () => ({}),
  (json) => {
    details.push(...failuresOfVitest(json))
    return {
      passed: json.numPassedTests,
      failed: json.numFailedTests,
      skipped: json.numPendingTests + json.numTodoTests
    }
  }
)
if (executable) {
  await suite(
    'playwright',
    '@playwright/test/cli.js',
    () => ['test', '--reporter=list,json'],
    (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    ({ stats, suites, errors }) => {
      for (const { message, value = '' } of errors) details.push(failure('before any test', message ?? value))
      for (const [reason, times] of reasonsToSkip(suites)) details.push(`    ${times} skipped: ${reason}`)
      details.push(...failuresOfPlaywright(suites))
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }
    }
  )
} else if (process.env.CI === 'true') count('playwright', { failed: 1 }, 'no Chromium, see above')
else count('playwright', { skipped: 1 }, 'no Chromium, see above')

rmSync(reports, { recursive: true, force: true })
heading(`${Math.round((Date.now() - started) / 1000)} s`)
console.log([...lines, ...details].join('\n'))
console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`)
process.exitCode = total.failed > 0 ? 1 : 0
