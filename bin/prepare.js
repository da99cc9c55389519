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

/** In a checkout: installs dependencies older than the lock file, builds older outputs. Prints to stderr only. */
export async function prepare() {
  requireNode()
  if (!existsSync(join(root, 'src')) || !needsWork()) return
  const unlock = await lock().catch(readOnly)
  if (!unlock) return
  try {
    // The owner of the lock before may have done both.
    await install()
    if (needsBuild()) await build()
  } finally {
    unlock()
  }
}

export async function install() {
  requireNode()
  if (!needsInstall()) return
  say('installing what package-lock.json lists (npm ci) …')
  const npm = process.env.npm_execpath
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund']
  if (npm && /\.[cm]?js$/.test(npm)) await run('npm ci', process.execPath, [npm, ...args])
  else await run('npm ci', 'npm', args, { shell: process.platform === 'win32' })
}

/** Throws a clear error where Node is too old. */
export function requireNode(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  throw new Error(`Playhead needs Node 20.19 or newer, this is ${version}. Get one at https://nodejs.org.`)
}

/** `npm run build` without the types of the public API. */
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

/** Modification time in ms; 0 if missing. */
function changedAt(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** The newest modification time in a folder, without tests. Folders count too: they change when a file is removed. */
function newestIn(path) {
  const own = changedAt(path)
  if (!statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return own
  const files = readdirSync(join(root, path)).filter((name) => !/\.test\.tsx?$/.test(name))
  return Math.max(own, ...files.map((name) => newestIn(join(path, name))))
}

/** Two commands started together must not build at the same time. */
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

/** A read-only checkout still runs if it was built. */
function readOnly(error) {
  if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code) || !outputs.every(changedAt)) throw error
  say(`${root} cannot be written, so the build that is there is used; it may be older than the sources`)
}

function lockOwner(path) {
  try {
    // Empty between creation and write.
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
