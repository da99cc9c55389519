import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { LogFile } from '#backend/sources/log-file.ts'
import { hasDisplay } from './browser.ts'
import { type Command, exitFine, parseCommandLine } from './command.ts'
import { findElectron } from './electron-binary.ts'
import type { Environment } from './environment.ts'
import { print } from './output.ts'
import { serveLogs } from './serve.ts'

const options = { 'no-open': { type: 'boolean' }, format: { type: 'string' } } as const

export const open: Command = {
  usage: '[open] [FILE…] [--no-open] [--format ID]',
  summary: 'opens the viewer: as an app where Electron is installed, else in the browser',
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const format = values.format ?? null
    if (format !== null) (await import('#backend/sources/choose-format.ts')).formatNamed(format)
    // Said here, in this terminal, before any window.
    for (const file of positionals) await (await LogFile.open(file)).close()
    const host = await hostFor(format, environment)
    if (host.electron === null) {
      const { reason } = host
      const announce = (url: string): string => `Playhead in the browser, since ${reason}: ${url}`
      await serveLogs({ files: positionals, format, port: 0, opensBrowser: !values['no-open'], announce }, environment)
      return exitFine
    }
    await print([`Playhead in Electron, since its program is here: ${host.electron}`], environment)
    return await runElectron(host.electron, positionals, environment)
  }
}

type HostChoice = { electron: string } | { electron: null; reason: string }

/** What installing Electron would not change comes first: it is the reason that helps. */
async function hostFor(format: string | null, environment: Environment): Promise<HostChoice> {
  const browser = (reason: string): HostChoice => ({ electron: null, reason })
  if (environment.variables['PLAYHEAD_HOST'] === 'browser') return browser('PLAYHEAD_HOST is browser')
  if (format !== null) return browser('the app decides the format itself, --format needs the browser')
  if (!hasDisplay(environment)) return browser('there is no display for Electron')
  if (environment.isRoot) return browser("Electron's sandbox does not run as root")
  const { root, variables, platform } = environment
  const found = await findElectron(root, variables, platform)
  return found.path === null ? browser(found.reason) : { electron: found.path }
}

/** The exit code of the app, which ends when this process is asked to. */
function runElectron(
  binary: string,
  files: readonly string[],
  { root, untilStopped }: Pick<Environment, 'root' | 'untilStopped'>
): Promise<number> {
  return new Promise((done, reject) => {
    const child = spawn(binary, [root, ...files.map((file) => resolve(file))], {
      stdio: ['ignore', 'ignore', 'inherit']
    })
    void untilStopped().then(() => child.kill())
    child.once('error', reject)
    child.once('exit', (code) => done(code ?? exitFine))
  })
}
