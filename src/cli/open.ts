import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { formatNamed } from '#backend/sources/choose-format.ts'
import { LogFile } from '#backend/sources/log-file.ts'
import { hasDisplay } from './browser.ts'
import { type Command, exitFine, parseCommandLine } from './command.ts'
import { electronBinary } from './electron-binary.ts'
import type { Environment } from './environment.ts'
import { serveLogs } from './serve.ts'

const options = { 'no-open': { type: 'boolean' }, format: { type: 'string' } } as const

export const open: Command = {
  usage: '[open] [FILE…] [--no-open] [--format ID]',
  summary: 'opens the viewer: as an app where Electron is installed, else in the browser',
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const format = values.format ?? null
    if (format !== null) formatNamed(format)
    // Said here, in this terminal, before any window.
    for (const file of positionals) await (await LogFile.open(file)).close()
    const host = hostFor(format, environment)
    if (host.electron === null) {
      const { reason } = host
      const announce = (url: string): string => `Playhead in the browser, since ${reason}: ${url}`
      await serveLogs({ files: positionals, format, port: 0, opensBrowser: !values['no-open'], announce }, environment)
      return exitFine
    }
    environment.stdout.write(`Playhead in Electron, since its program is here: ${host.electron}\n`)
    return await runElectron(host.electron, environment.root, positionals)
  }
}

type HostChoice = { electron: string } | { electron: null; reason: string }

function hostFor(format: string | null, environment: Environment): HostChoice {
  const electron = electronBinary(environment.root, environment.variables)
  if (electron === null) return { electron: null, reason: "Electron's program is not installed" }
  if (!hasDisplay(environment)) return { electron: null, reason: 'there is no display for Electron' }
  if (environment.isRoot) return { electron: null, reason: "Electron's sandbox does not run as root" }
  if (format !== null)
    return { electron: null, reason: 'the app decides the format itself, --format needs the browser' }
  return { electron }
}

/** The exit code of the app. */
function runElectron(binary: string, root: string, files: readonly string[]): Promise<number> {
  return new Promise((done, reject) => {
    const child = spawn(binary, [root, ...files.map((file) => resolve(file))], {
      stdio: ['ignore', 'ignore', 'inherit']
    })
    child.once('error', reject)
    child.once('exit', (code) => done(code ?? exitFine))
  })
}
