import type { LibraryOptions } from '#backend/library/library.ts'
import type { HostLibrary } from '#backend/library/library.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { Notice, NoticeName } from '#contract/methods.ts'
import { bytesText } from '#core/measure-text.ts'
import { type Command, exitFine, exitUsage, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { mcpTools } from './mcp-tools.ts'
import { rootOptions, rootsOf } from './session-roots.ts'

/** Answers that are worked on at once; others wait. */
const maxParallel = 2
/** A longer message of a client is no question. */
const maxMessageBytes = 4 << 20

export const mcp: Command = {
  usage: 'mcp [--root DIR]… [--no-redact]',
  summary: 'answer the questions of an agent about sessions (MCP, on standard input and output)',
  details: [
    '--root DIR     Sessions in DIR instead of the folders of the agents. Can be repeated.',
    '--no-redact    Keep secrets in the answers.',
    'It only reads: no file is written, and only sessions that "playhead sessions" lists are opened.',
    'docs/mcp.md has the lines for the configuration of agents.',
    'Exit codes: 0 the input has ended, 2 a message is longer than 4.2 MB.'
  ],
  async run(args, environment) {
    const options = { ...rootOptions, 'no-redact': { type: 'boolean' } } as const
    const { values } = parseCommandLine({ args, options })
    const roots = await rootsOf(values.root, environment.home)
    // Loaded here, since no other command needs it.
    const { run } = await import('./run.ts')
    const { McpServer } = await import('@modelcontextprotocol/sdk/server/mcp.js')
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
    const shared = new SharedLibrary(environment)
    const inner = { ...environment, createLibrary: shared.create }
    const server = new McpServer(
      { name: 'playhead', version: environment.version },
      {
        instructions:
          'Sessions of coding agents on this machine. Begin with list_sessions or search_sessions. seq is the number of an event.'
      }
    )
    const queue = new Queue(maxParallel)
    const redacts = values['no-redact'] !== true
    for (const tool of mcpTools({ environment: inner, roots, redacts, run })) {
      const { name, title, description, input, answer } = tool
      const annotations = { readOnlyHint: true, openWorldHint: false }
      server.registerTool(name, { title, description, inputSchema: input, annotations }, async (given: unknown) => {
        try {
          return textOf(JSON.stringify(await queue.run(async () => await answer(given as never))), false)
        } catch (error) {
          if (error instanceof HostError) return textOf(error.message, true)
          if (error instanceof UsageError) return textOf([error.message, ...error.lines].join('\n'), true)
          say(environment, `failed: ${messageOf(error)}`)
          return textOf('The question failed inside Playhead.', true)
        }
      })
    }
    const { stdin, stdout } = environment
    const ended = new Promise<number>((resolve) => {
      stdin.once('end', () => resolve(exitFine))
      stdin.once('close', () => resolve(exitFine))
      // Before it is told to, the transport closes only for a message that is too long.
      server.server.onclose = () => resolve(exitUsage)
    })
    await server.connect(new StdioServerTransport(stdin, stdout, { maxBufferSize: maxMessageBytes }))
    try {
      const code = await Promise.race([ended, environment.untilStopped().then(() => exitFine)])
      if (code !== exitFine)
        say(environment, `ended, as a message on standard input is longer than ${bytesText(maxMessageBytes)}`)
      // The last questions are passed on, and their answers written, after the input has ended.
      await new Promise((resolve) => setImmediate(resolve))
      await queue.idle()
      await new Promise((resolve) => setImmediate(resolve))
      return code
    } finally {
      await server.close()
      await shared.close()
    }
  }
}

function textOf(text: string, isError: boolean) {
  return { content: [{ type: 'text' as const, text }], isError }
}

/** Runs some at once, the others in order. */
class Queue {
  readonly #most: number
  #running = 0
  readonly #waiting: (() => void)[] = []
  #idle: (() => void)[] = []

  constructor(most: number) {
    this.#most = most
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#waiting.shift()?.()
      if (this.#running === 0 && this.#waiting.length === 0) for (const resolve of this.#idle.splice(0)) resolve()
    }
  }

  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve))
  }
}

/** One library for all answers, which stores nothing. */
class SharedLibrary {
  readonly #environment: Environment
  readonly #listeners = new Set<LibraryOptions['notify']>()
  #library: Promise<HostLibrary> | null = null

  constructor(environment: Environment) {
    this.#environment = environment
  }

  readonly create = async (options: LibraryOptions): Promise<HostLibrary> => {
    this.#library ??= this.#environment.createLibrary({
      ...options,
      cache: null,
      notify: <N extends NoticeName>(name: N, payload: Notice<N>) => {
        for (const notify of this.#listeners) notify(name, payload)
      }
    })
    const library = await this.#library
    this.#listeners.add(options.notify)
    return { ...library, close: async () => void this.#listeners.delete(options.notify) }
  }

  async close(): Promise<void> {
    await (await this.#library)?.close()
  }
}
