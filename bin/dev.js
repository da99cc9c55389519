// `npm run dev [-- FILE…]`: the loopback server with hot reload of its page, restarted after changes of its own code.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { install, root } from './prepare.js'

await install()
const { resolveConfig } = await import('electron-vite')
const { build, createServer } = await import('vite')
// A fixed port keeps its token, so open pages reconnect after a restart. Vite's server proxies calls to it.
const port = '4800'
const folder = process.env.INIT_CWD ?? process.cwd()
const files = process.argv.slice(2).map((word) => (word.startsWith('-') ? word : resolve(folder, word)))

const { config } = await resolveConfig({ root, logLevel: 'warn' }, 'serve', 'development')
const page = await createServer(config.renderer)
await page.listen()
const pageUrl = new URL(page.resolvedUrls.local[0])

let host = null
let serves = false
/** Starts the server after the last one has ended. Prints its first address, with the port of Vite's server. */
async function restart() {
  const last = host
  if (last !== null && last.exitCode === null && last.signalCode === null) {
    last.kill()
    await once(last, 'exit')
  }
  const args = ['serve', '--no-open', '--port', port, ...files]
  host = spawn(process.execPath, [join(root, 'out/main/cli.js'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  host.stdout.setEncoding('utf8').once('data', (line) => {
    const url = new URL(line.trim())
    url.host = pageUrl.host
    process.stdout.write(serves ? 'playhead: restarted\n' : `${url.href}\n`)
    serves = true
  })
  // The server has printed the reason, for example a port in use.
  host.once('exit', (code) => serves || process.exit(code ?? 1))
}

let restarts = Promise.resolve()
const watcher = await build({ ...config.main, build: { ...config.main.build, watch: {} } })
watcher.on('event', (event) => {
  if (event.code === 'BUNDLE_END') event.result?.close()
  if (event.code === 'ERROR') process.stderr.write(`playhead: ${event.error.message}\n`)
  if (event.code === 'END') restarts = restarts.then(restart)
})

for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    host?.kill()
    process.exit(0)
  })
