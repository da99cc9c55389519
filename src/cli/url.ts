import { stateFolder } from '#backend/state-folder.ts'
import { HostError } from '#contract/host-error.ts'
import { freshAddress } from '#server/ask-server.ts'
import { type LivingServer, ServerFiles } from '#server/server-files.ts'
import { type Command, exitFine, parseCommandLine, portOf, UsageError } from './command.ts'
import { print } from './print.ts'

const options = { port: { type: 'string' }, token: { type: 'boolean' } } as const

export const url: Command = {
  usage: 'url [--port N] [--token]',
  summary: 'print a new address of a running server (playhead serve). It works once, within an hour',
  details: [
    '--port N   The port of the server, if several run.',
    '--token    Print the token, for programs. Send it as "Authorization: Bearer TOKEN" (docs/run-stream.md).',
    '',
    'Exit codes: 0 printed, 2 no server runs, or several run and --port is missing.'
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    if (positionals.length > 0)
      throw new UsageError(`unexpected argument "${positionals[0]}"; use --port N to select a server`)
    const running = await new ServerFiles(stateFolder(environment.variables, environment.platform)).running()
    const server = chosen(running, values.port === undefined ? null : portOf(values.port))
    // Also before printing the token, so that it never belongs to another server.
    const address = await freshAddress(server)
    await print([values.token ? server.token : address], environment)
    return exitFine
  }
}

/** Throws a `HostError` for no match and for several. */
function chosen(running: readonly LivingServer[], port: number | null): LivingServer {
  const [first, ...more] = port === null ? running : running.filter((server) => server.port === port)
  if (first !== undefined && more.length === 0) return first
  const list = running.map((server) => `--port ${server.port} (${since(server)})`).join(', ')
  if (first !== undefined) throw new HostError('unavailable', `several servers are running; select one: ${list}`)
  const what =
    port === null ? 'you have no running server on this machine' : `you have no running server on port ${port}`
  const next = running.length > 0 ? `running: ${list}` : 'start one with "playhead serve"'
  throw new HostError('not-found', `${what}; ${next}`)
}

function since({ startedAt, owner }: LivingServer): string {
  return `since ${new Date(startedAt).toISOString().replace('T', ' ').slice(0, 16)} UTC, process ${owner.pid}`
}
