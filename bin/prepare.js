import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const inputs = [
  'src',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'shared-page.config.ts',
  'webassembly-text.js',
  'zod-without-locales.ts',
  'tsconfig.json',
  'tsconfig.base.json'
]
const outputs = [
  'out/main/cli.js',
  'out/main/hook.js',
  'out/main/index.js',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'out/shared/page.js',
  'out/shared/thread.js'
]

/**
 * Makes a git checkout runnable: dependencies if they are missing or older than the lock file, a build if it is missing or
 * older than the sources. An installed package has no sources and needs nothing. Everything it prints goes to stderr.
 */
export async function prepare() {
  requireNode()
  if (!existsSync(join(root, 'src')) || !needsWork()) return
  const unlock = await lock().catch(readOnly)
  if (!unlock) return
  try {
    // Each asks anew: who held the lock may have done it.
    await install()
    if (needsBuild()) await build()
  } finally {
    unlock()
  }
}

/** `npm ci`, if node_modules is missing or older than package-lock.json. */
export async function install() {
  requireNode()
  if (!needsInstall()) return
  say('installing what package-lock.json lists (npm ci) …')
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  if (npm && /\.[cm]?js$/.test(npm)) await run('npm ci', process.execPath, [npm, ...args])
  else await run('npm ci', 'npm', args, { shell: process.platform === 'win32' })
}

/** Throws where Node is too old for what follows, which would fail on something that says nothing to a person. */
export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Error(`Playhead needs Node 20.19 or newer, this is ${version}. Get one at https://nodejs.org.`)
}

/** The part of `npm run build` that the app needs; the types of the public API are not among it. */
async function build() {
  say('building …')
  await run('electron-vite', process.execPath, [join(root, 'node_modules/electron-vite/bin/electron-vite.js'), 'build'])
  for (const mode of ['page', 'thread']) {
    const args = ['build', '-c', 'shared-page.config.ts', '--mode', mode]
    await run('vite', process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), ...args])
  }
}

function needsWork() {
  return needsInstall() || needsBuild()
}

function needsInstall() {
  return changedAt('node_modules/.package-lock.json') < changedAt('package-lock.json')
}

function needsBuild() {
  return Math.min(...outputs.map(changedAt)) < Math.max(...inputs.map(newestIn))
}

/** Milliseconds, 0 if there is nothing. */
function changedAt(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** The newest change in a folder. The folders count too: they change when a file is removed. Tests are not built. */
function newestIn(path) {
  const own = changedAt(path)
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return own
  const files = readdirSync(join(root, path)).filter((name) => !/\.test\.tsx?$/.test(name))
  return Math.max(own, ...files.map((name) => newestIn(join(path, name))))
}

/** One at a time: two commands started together on a fresh clone must not build into each other. */
async function lock() {
  const path = join(root, 'out', 'prepare.lock')
  mkdirSync(dirname(path), { recursive: true })
  let waited = false
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      return () => rmSync(path, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const owner = lockOwner(path)
      if (!isRunning(owner)) {
        rmSync(path, { force: true })
        continue
      }
      if (!waited) say(`waiting for process ${owner}, which installs and builds here (else remove ${path}) …`)
      waited = true
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
}

/** A checkout that this user may not write still runs, if somebody has built it. */
function readOnly(error) {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code) || !outputs.every(changedAt)) throw error
  say(`${root} cannot be written, so the build that is there is used; it may be older than the sources`)
}

function lockOwner(path) {
  try {
    // Empty for the moment between creating and writing it.
    return Number(readFileSync(path, 'utf8')) || process.pid
  } catch {
    return 0
  }
}

function isRunning(pid) {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function run(name, command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options })
    child.on('error', (error) => reject(new Error(`${name} cannot be started: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (code === 0) resolve()
      else reject(new Error(`${name} failed (${signal ?? `exit code ${code}`}). What it said stands above.`))
    })
  })
}

function say(text) {
  process.stderr.write(`playhead: ${text}\n`)
}
