import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { Environment } from './environment.ts'

/** Everything went well. */
export const exitFine = 0
/** The log has malformed lines or violations (`check`), or the agent failed (`run`). */
export const exitIssues = 1
/** Nothing was found (`sessions`, `search`). */
export const exitNothing = 1
/** Called the wrong way, a file that cannot be read or written, or one that is no log Playhead knows. */
export const exitUsage = 2

/** One word of the command line. */
export interface Command {
  /** After `playhead`, e.g. `check FILE [--json]`. */
  readonly usage: string
  /** One line for the list of commands. */
  readonly summary: string
  /** What `COMMAND --help` says beside that. */
  readonly details?: readonly string[]
  /** Returns the exit code. Throws a `UsageError` or a `HostError` for what ends with `exitUsage`. */
  run(args: readonly string[], environment: Environment): Promise<number>
}

/** The command was called the wrong way. The message says what to do instead. */
export class UsageError extends Error {}

/** `parseArgs`, with errors in words of ours. */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const [, ambiguous] = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument is ambiguous/.exec(message) ?? []
    if (ambiguous !== undefined)
      throw new UsageError(`${ambiguous}: write ${ambiguous}=VALUE if VALUE begins with a dash`)
    // Node's first sentence names the option; the rest is about `--`.
    const [what = ''] = message.split(/\. |\n/)
    throw new UsageError(what.replace(/\.$/, ''))
  }
}

/** The value of `--port`. */
export function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`--port ${text}: give a number from 0 (any free port) to 65535`)
}
