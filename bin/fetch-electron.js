import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { root } from './prepare.js'

const electron = join(root, 'node_modules/electron')
const connectMs = 1500
const downloadMs = 90_000

/** Runs the installer of the electron package, if a window can be opened and the host answers. Gives up after 90 s. */
export async function fetchElectron(env = process.env) {
  const installer = join(electron, 'install.js')
  if (existsSync(join(electron, 'path.txt')) || !existsSync(installer) || reasonAgainst(env) !== null) return
  if (!(await answers(downloadHost(env)))) return
  process.stderr.write('playhead: getting the Electron binary …\n')
  const done = await runFor(downloadMs, installer)
  if (!done) process.stderr.write('playhead: the Electron binary could not be had quickly; going on without it.\n')
}

/** Why Electron cannot or should not open a window here; null: it can. */
export function reasonAgainst(env, platform = process.platform, uid = process.getuid?.()) {
  if (env.PLAYHEAD_HOST === 'browser') return 'PLAYHEAD_HOST is browser'
  if (env.CI) return 'this is a CI run'
  if (env.ELECTRON_SKIP_BINARY_DOWNLOAD) return 'ELECTRON_SKIP_BINARY_DOWNLOAD is set'
  if (uid === 0) return 'Electron does not run as root'
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return 'there is no display'
  return null
}

/** The host of the installer, which mirror variables can change. */
export function downloadHost(env) {
  const mirror = env.npm_config_electron_mirror || env.ELECTRON_MIRROR
  return mirror && URL.canParse(mirror) ? new URL(mirror) : new URL('https://github.com')
}

/** True if a connection opens within 1.5 seconds. */
export function answers(url) {
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443)
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: connectMs })
    const settle = (open) => () => {
      socket.destroy()
      resolve(open)
    }
    socket.once('connect', settle(true)).once('error', settle(false)).once('timeout', settle(false))
    // The timeout of a socket does not cover the name lookup.
    setTimeout(settle(false), connectMs).unref()
  })
}

function runFor(ms, script) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 2, 2], timeout: ms })
    child.on('error', () => resolve(false))
    child.on('close', (code) => resolve(code === 0))
  })
}
