import { join, resolve } from 'node:path'
import { hookCommand } from '#backend/live-runs/hook-command.ts'
import { RecentLogs } from '#backend/recent-logs.ts'
import { Reviews } from '#backend/reviews.ts'
import { cacheFolder } from '#backend/saved/cache-folder.ts'
import { stateFolder } from '#backend/state-folder.ts'
import { type RunningServer, startServer } from '#server/server.ts'
import { hasDisplay, openBrowser } from './browser.ts'
import { type Command, exitFine, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { print } from './output.ts'

const options = { port: { type: 'string' }, 'no-open': { type: 'boolean' }, format: { type: 'string' } } as const

export const serve: Command = {
  usage: 'serve [FILE…] [--port N] [--no-open] [--format ID]',
  summary: 'serves the viewer on 127.0.0.1 and prints its address; ends with Ctrl-C',
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    await serveLogs(
      {
        files: positionals,
        format: values.format ?? null,
        port: portOf(values.port ?? '0'),
        opensBrowser: !values['no-open'],
        announce: (url) => url
      },
      environment
    )
    return exitFine
  }
}

export interface Serving {
  readonly files: readonly string[]
  readonly format: string | null
  /** 0: any free port. */
  readonly port: number
  readonly opensBrowser: boolean
  /** The one line on stdout, once the address is known. */
  announce(url: string): string
}

/** Serves until the process is asked to end. Prints one line on stdout, and nothing else. */
export async function serveLogs(
  { files, format, port, opensBrowser, announce }: Serving,
  environment: Environment
): Promise<void> {
  const { root, variables, version, platform } = environment
  const state = stateFolder(variables, platform)
  const server: RunningServer = await startServer({
    port,
    logs: files.map((file) => ({ path: resolve(file), ...(format === null ? {} : { format }) })),
    createWorker: environment.createWorker,
    facts: {
      version,
      sample: join(root, 'resources', 'sample-run.jsonl'),
      hook: hookCommand(process.execPath, join(root, 'bin', 'playhead.js'))
    },
    recent: new RecentLogs(state),
    reviews: new Reviews(state),
    state,
    cache: cacheFolder(variables, platform),
    root: join(root, 'out', 'renderer'),
    onFault: (what, fault) =>
      say(environment, ...`${what} failed: ${fault instanceof Error ? fault.stack : String(fault)}`.split('\n'))
  })
  const visit = opensBrowser && hasDisplay(environment) ? await openBrowser(server.url, platform) : null
  try {
    // Asked for before the address is known, so that who reads it may end us at once.
    const stopped = environment.untilStopped()
    await print([announce(server.url)], environment)
    if (visit?.started === false) say(environment, 'no browser was found; open the address yourself')
    await stopped
  } finally {
    await visit?.end()
    const { agentsAtWork } = server
    if (agentsAtWork > 0)
      say(
        environment,
        `stopping ${agentsAtWork === 1 ? 'an agent' : `${agentsAtWork} agents`}; Ctrl-C again ends it at once`
      )
    await server.close()
  }
}

function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`--port ${text}: give a number from 0 (any free port) to 65535`)
}
