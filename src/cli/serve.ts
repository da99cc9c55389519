import { join, resolve } from 'node:path'
import { hookCommand } from '#backend/live-runs/hook-command.ts'
import { shippedPrices } from '#backend/prices.ts'
import { cacheFolder } from '#backend/saved/cache-folder.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { type RunningServer, startServer } from '#server/server.ts'
import { hasDisplay, openBrowser } from './browser.ts'
import { type Command, exitFine, parseCommandLine, portOf, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { print } from './print.ts'
import { rootOptions, rootsOf } from './session-roots.ts'
import { fileDetails, latestLogsOf } from './typed-log.ts'

const options = {
  port: { type: 'string' },
  'new-token': { type: 'boolean' },
  'no-runs': { type: 'boolean' },
  'no-open': { type: 'boolean' },
  format: { type: 'string' },
  ...rootOptions
} as const

const noRuns = 'This server was started with --no-runs and cannot start agents. Restart it without --no-runs.'

export const serve: Command = {
  usage: 'serve [FILE…] [--port N] [--new-token] [--no-runs] [--no-open] [--format ID] [--root DIR]…',
  summary: 'serve the viewer on 127.0.0.1 until Ctrl-C. Prints an address that works once',
  details: [
    '--port N      Always use this port. The token stays the same, so open tabs reconnect after a restart.',
    '--new-token   Lock out everybody who has access now. They need a new address (playhead url).',
    '--no-runs     Start no agents, and no other programs.',
    '--no-open     Do not open a browser.',
    '',
    '"playhead url" prints another address, for another tab.',
    '',
    ...fileDetails,
    'If several logs match, the newest one opens.'
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const port = portOf(values.port ?? '0')
    if (values['new-token'] && port === 0)
      throw new UsageError('--new-token needs --port N; without a fixed port every start has a new token')
    await serveLogs(
      {
        files: await latestLogsOf(positionals, values.root, environment),
        format: values.format ?? null,
        port,
        newToken: values['new-token'] ?? false,
        ...(values['no-runs'] ? { noRuns } : {}),
        libraryRoots: await rootsOf(values.root, environment.home),
        opensBrowser: !values['no-open'],
        announce: (url) => url
      },
      environment
    )
    return exitFine
  }
}

interface ServeOptions {
  readonly files: readonly string[]
  readonly format: string | null
  /** 0: any free port. */
  readonly port: number
  readonly newToken?: boolean
  /** Why no programs may start, a sentence. */
  readonly noRuns?: string
  /** Folders of the library; null: those of the agents. */
  readonly libraryRoots: readonly string[] | null
  readonly opensBrowser: boolean
  /** Returns the one line for stdout. */
  announce(url: string): string
}

/** Serves until a signal. Prints one line on stdout. */
export async function serveLogs(
  { files, format, opensBrowser, announce, ...access }: ServeOptions,
  environment: Environment
): Promise<void> {
  const { root, variables, version, platform } = environment
  const state = stateFolder(variables, platform)
  const server: RunningServer = await startServer({
    ...access,
    logs: files.map((file) => ({ path: resolve(file), ...(format === null ? {} : { format }) })),
    createWorker: environment.createWorker,
    facts: {
      version,
      sample: join(root, 'resources', 'sample-run.jsonl'),
      prices: shippedPrices(root),
      pageParts: join(root, 'out', 'shared'),
      hook: hookCommand(process.execPath, join(root, 'bin', 'playhead.js'))
    },
    state,
    cache: cacheFolder(variables, platform),
    root: join(root, 'out', 'renderer'),
    onProblem: (message) => say(environment, message),
    onFault: (what, fault) =>
      say(environment, ...`${what} failed: ${fault instanceof Error ? fault.stack : String(fault)}`.split('\n'))
  })
  // An address works once: the printed one stays usable in another browser.
  const browser = opensBrowser && hasDisplay(environment) ? await openBrowser(server.address(), platform) : null
  try {
    // Before the address is printed: its reader may end us at once.
    const stopped = environment.untilStopped()
    await print([announce(server.address())], environment)
    if (browser?.started === false) say(environment, 'no browser was found; open the address yourself')
    await stopped
  } finally {
    await browser?.end()
    const { agentsAtWork } = server
    if (agentsAtWork > 0)
      say(
        environment,
        `stopping ${agentsAtWork === 1 ? 'an agent' : `${agentsAtWork} agents`}; press Ctrl-C again to end it now`
      )
    await server.close()
  }
}
