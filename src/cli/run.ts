import { existsSync } from 'node:fs'
import { systemPath } from '#backend/sources/system-path.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import { type Command, exitFine, exitUsage, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { PipeClosed } from '#backend/export/output.ts'
import { print } from './print.ts'

/** Commands are imported on demand: a server would keep the code of every export in memory. */
const open = async (): Promise<Command> => (await import('./open.ts')).open
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  open,
  serve: async () => (await import('./serve.ts')).serve,
  url: async () => (await import('./url.ts')).url,
  run: async () => (await import('./run-agent.ts')).runAgent,
  runs: async () => (await import('./kept-runs.ts')).runs,
  check: async () => (await import('./check.ts')).check,
  export: async () => (await import('./export.ts')).exportLog,
  sessions: async () => (await import('./sessions.ts')).sessions,
  search: async () => (await import('./search.ts')).search,
  query: async () => (await import('./query.ts')).query,
  findings: async () => (await import('./findings.ts')).findings,
  files: async () => (await import('./files.ts')).files,
  patch: async () => (await import('./patch.ts')).patch,
  sql: async () => (await import('./sql.ts')).sql,
  todos: async () => (await import('./todos.ts')).todos,
  stats: async () => (await import('./stats.ts')).stats,
  diff: async () => (await import('./diff.ts')).diff,
  mcp: async () => (await import('./mcp.ts')).mcp,
  hook: async () => (await import('./hook.ts')).hook
}

/** `argv`: without program and script. Returns the exit code and never rejects. */
export async function run(argv: readonly string[], environment: Environment): Promise<number> {
  let usage = 'COMMAND --help'
  try {
    const [command, args] = await commandOf(argv, environment.version)
    if (command === null) {
      await print(args, environment)
      return exitFine
    }
    usage = command.usage
    if (asksFor(args, '--help', '-h')) {
      const details = command.details === undefined ? [] : ['', ...command.details]
      await print([`usage: playhead ${usage}`, '', sentence(command.summary), ...details], environment)
      return exitFine
    }
    return await command.run(args, environment)
  } catch (error) {
    if (error instanceof PipeClosed) return exitFine
    if (error instanceof UsageError) say(environment, error.message, ...error.lines, `usage: playhead ${usage}`)
    else if (error instanceof HostError) say(environment, error.message)
    else say(environment, `failed: ${messageOf(error)}`)
    return exitUsage
  }
}

/** The command and its arguments, or null and lines to print. */
async function commandOf(
  argv: readonly string[],
  version: string
): Promise<[Command, readonly string[]] | [null, readonly string[]]> {
  const [word, ...rest] = argv
  if (word === undefined) return [await open(), []]
  if (word === '--version' || word === '-v') return [null, [version]]
  if (word === '--help' || word === '-h' || word === 'help') return [null, await help()]
  const load = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (load) return [await load(), rest]
  // A path or options of the default command.
  if (word.startsWith('-') || existsSync(await systemPath(word)) || /^(?:~|file:)|[*/\\#]/i.test(word))
    return [await open(), argv]
  throw new UsageError(`"${word}" is neither a command (${Object.keys(commands).join(', ')}) nor a file that exists`)
}

function asksFor(args: readonly string[], ...names: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).some((arg) => names.includes(arg))
}

async function help(): Promise<string[]> {
  const { logFormats } = await import('#core/formats/registry.ts')
  const { fileDetails } = await import('./typed-log.ts')
  const all = await Promise.all(Object.values(commands).map(async (load) => await load()))
  return [
    'Playhead shows the sessions of coding agents, and the todo list at any point.',
    '',
    ...all.flatMap(({ usage, summary }) => [`  playhead ${usage}`, `      ${sentence(summary)}`]),
    '',
    'The log format is detected unless --format is given:',
    ...inLines(logFormats.map(({ id }) => id ?? '')),
    'A session includes the files of its subagents. --single reads FILE alone.',
    ...fileDetails,
    'Data goes to stdout, everything else to stderr.',
    'Exit codes:',
    '  0 success',
    '  1 malformed lines or violations (check), no match (sessions, search, query, sql), different paths (diff), unknown content (files, patch), or the agent failed (run)',
    '  2 wrong use, no server (url), or a file that is empty, unreadable or not a log of a known agent'
  ]
}

/** The words in lines that a terminal shows whole. */
function inLines(words: readonly string[]): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < 78) lines[lines.length - 1] = `${last}, ${word}`
    else lines.push(`  ${word}`)
  }
  return lines
}

function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`
}
