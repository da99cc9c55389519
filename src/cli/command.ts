import { parseArgs, type ParseArgsConfig } from 'node:util'
import { messageOf } from '#contract/host-error.ts'
import type { Environment } from './environment.ts'

export const exitFine = 0
/** `check`: malformed lines or violations. `run`: the agent failed. */
export const exitIssues = 1
/** `sessions`, `search`: no match. */
export const exitNothing = 1
/** Wrong use, a file that cannot be read or written, or no known log. */
export const exitUsage = 2

export interface Command {
  /** What follows `playhead`: `check FILE [--json]`. */
  readonly usage: string
  readonly summary: string
  /** Further lines of `COMMAND --help`. */
  readonly details?: readonly string[]
  /** Returns the exit code. A `UsageError` or a `HostError` ends with `exitUsage`. */
  run(args: readonly string[], environment: Environment): Promise<number>
}

/** Wrong use. The message says what to do instead. */
export class UsageError extends Error {
  /** Printed below the message. */
  readonly lines: readonly string[]

  constructor(message: string, lines: readonly string[] = []) {
    super(message)
    this.lines = lines
  }
}

/** `parseArgs` with our own error messages. */
export function parseCommandLine<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    const message = messageOf(error)
    const [, ambiguous] = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument is ambiguous/.exec(message) ?? []
    if (ambiguous !== undefined)
      throw new UsageError(`${ambiguous}: write ${ambiguous}=VALUE if VALUE begins with a dash`)
    // Node's first sentence names the option; the rest is about `--`.
    const [what = ''] = message.split(/\. |\n/)
    throw new UsageError(what.replace(/\.$/, ''))
  }
}

export function portOf(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new UsageError(`--port ${text}: give a number from 0 (any free port) to 65535`)
}
