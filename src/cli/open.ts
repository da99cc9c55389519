import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { LogFile } from '#backend/sources/log-file.ts'
import { HostError } from '#contract/host-error.ts'
import { hasDisplay } from './browser.ts'
import { type Command, exitFine, parseCommandLine, UsageError } from './command.ts'
import { findElectron } from './electron-binary.ts'
import type { Environment } from './environment.ts'
import { print } from './print.ts'
import { OwnLibrary } from './own-library.ts'
import { serveLogs } from './serve.ts'
import { askedSessions } from './session-filter.ts'
import { rootOptions, rootsOf } from './session-roots.ts'
import { fileDetails, latestLogsOf } from './typed-log.ts'

const options = {
  'no-open': { type: 'boolean' },
  format: { type: 'string' },
  last: { type: 'boolean' },
  project: { type: 'string' },
  ...rootOptions
} as const

export const open: Command = {
  usage: '[open] [FILE… | --last [--project DIR]] [--no-open] [--format ID] [--root DIR]…',
  summary: 'open the viewer, in Electron if installed, else in the browser',
  details: [
    '--last          Open the session that was updated last, of any agent.',
    '--project DIR   With --last: only sessions of this folder, or of a folder inside it.',
    '',
    ...fileDetails,
    'If several logs match, the newest one opens.'
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const format = values.format ?? null
    if (format !== null) (await import('#backend/sources/choose-format.ts')).formatNamed(format)
    // Errors appear in this terminal, before any window.
    const files = values.last
      ? [await lastSession(positionals, values, environment)]
      : await filesTyped(positionals, values, environment)
    for (const file of files) await (await LogFile.open(file)).close()
    const host = await hostFor(format, environment)
    if (host.electron === null) {
      const { reason } = host
      const announce = (url: string): string => `Playhead runs in the browser, because ${reason}: ${url}`
      const libraryRoots = await rootsOf(values.root, environment.home)
      await serveLogs({ files, format, port: 0, libraryRoots, opensBrowser: !values['no-open'], announce }, environment)
      return exitFine
    }
    await print([`Playhead runs in Electron: ${host.electron}`], environment)
    return await runElectron(host.electron, files, environment)
  }
}

interface Flags {
  readonly project?: string | undefined
  readonly root?: readonly string[] | undefined
}

async function filesTyped(
  words: readonly string[],
  { project, root }: Flags,
  environment: Environment
): Promise<readonly string[]> {
  if (project !== undefined) throw new UsageError('--project needs --last')
  return await latestLogsOf(words, root, environment)
}

async function lastSession(
  words: readonly string[],
  { root, ...flags }: Flags,
  environment: Environment
): Promise<string> {
  if (words.length > 0) throw new UsageError(`--last takes no FILE; unexpected argument "${words[0]}"`)
  const asked = await askedSessions(null, flags, environment)
  const roots = await rootsOf(root, environment.home)
  return await OwnLibrary.use(environment, { roots }, async (library) => {
    const [last] = await library.sessions(asked, 1)
    if (last !== undefined) return last.card.path
    const where = flags.project === undefined ? '' : ` worked in ${flags.project}`
    throw new HostError('not-found', `no session${where === '' ? ' was found' : where}; "playhead sessions" lists all`)
  })
}

type HostChoice = { electron: string } | { electron: null; reason: string }

/** Reasons that installing Electron would not change are first. */
async function hostFor(format: string | null, environment: Environment): Promise<HostChoice> {
  const browser = (reason: string): HostChoice => ({ electron: null, reason })
  if (environment.variables['PLAYHEAD_HOST'] === 'browser') return browser('PLAYHEAD_HOST is browser')
  if (format !== null) return browser('--format works only in the browser')
  if (!hasDisplay(environment)) return browser('there is no display for Electron')
  if (environment.isRoot) return browser("Electron's sandbox does not run as root")
  const { root, variables, platform } = environment
  const found = await findElectron(root, variables, platform)
  return found.path === null ? browser(found.reason) : { electron: found.path }
}

/** Resolves with the exit code of the app. */
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
