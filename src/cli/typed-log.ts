import { resolve } from 'node:path'
import { resolveTyped } from '#backend/library/resolve-typed.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import type { TypedLog } from '#contract/library.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import { oneLine } from '#core/index/one-line.ts'
import { UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { OwnLibrary } from './own-library.ts'
import { rootOptions, rootsOf } from './session-roots.ts'
import { timeText } from './session-lines.ts'

export const logOptions = { format: { type: 'string' }, single: { type: 'boolean' }, ...rootOptions } as const

/** For `--help`. */
export const fileDetails = [
  'FILE is the path of a log. It can also be:',
  '  a session id, or its first characters (see "playhead sessions --json")',
  '  the folder of a project, or a folder that holds logs',
  '  a file:// URL, a path with ~, or a pattern such as logs/*.jsonl',
  '--root DIR looks for sessions in DIR.'
]

interface Flags {
  readonly format?: string | undefined
  readonly single?: boolean | undefined
  readonly root?: readonly string[] | undefined
}

/** The log that FILE names. Throws if it matches several: results for one are wrong for another. */
export async function logOf(
  positionals: readonly string[],
  { format, single, root }: Flags,
  environment: Environment
): Promise<RunOptions> {
  const file = oneFile(positionals)
  const logs = await logsTyped(file, root, environment)
  const [log] = logs
  if (log === undefined || logs.length > 1) throw new UsageError(severalText(file, logs))
  return { path: log.path, format: format ?? null, single: single ?? false }
}

/** For each FILE the newest match; further matches are reported. */
export async function latestLogsOf(
  files: readonly string[],
  root: readonly string[] | undefined,
  environment: Environment
): Promise<readonly string[]> {
  const latest: string[] = []
  for (const file of files) latest.push(await latestLogOf(file, root, environment))
  return latest
}

async function latestLogOf(
  file: string,
  root: readonly string[] | undefined,
  environment: Environment
): Promise<string> {
  const logs = await logsTyped(file, root, environment)
  const [log] = logs
  // `resolveTyped` returns at least one.
  if (log === undefined) return file
  if (logs.length > 1)
    say(environment, `"${file}" matches ${countText(logs)} logs; opening the latest: ${logText(log)}`)
  return log.path
}

/** All matches, newest first. A plain path keeps the spelling of the user. */
async function logsTyped(
  file: string,
  root: readonly string[] | undefined,
  environment: Environment
): Promise<readonly TypedLog[]> {
  const { home, platform } = environment
  const roots = await rootsOf(root, home)
  const sessions = async (): Promise<readonly SessionCard[]> =>
    await OwnLibrary.use(environment, { roots }, async (library) => await library.all())
  const logs = await resolveTyped(file, {
    ...{ home, folder: resolve('.'), platform, sessions },
    async sessionsIn(path) {
      const { sessionsIn } = await import('#backend/library/sessions-in.ts')
      return (await sessionsIn([path], (note) => say(environment, note))).logs
    }
  })
  return logs.map((log) => (log.path === resolve(file) ? { ...log, path: file } : log))
}

function oneFile(positionals: readonly string[]): string {
  const [file, ...more] = positionals
  if (file === undefined || file === '') throw new UsageError('no FILE given; give the path of a log')
  if (more.length > 0) throw new UsageError(`unexpected argument "${more[0]}"; give one FILE`)
  return file
}

/** Further logs are counted. */
const maxReported = 10
/** The limit of `resolveTyped`. */
const maxKnown = 50

function severalText(file: string, logs: readonly TypedLog[]): string {
  const lines = logs.slice(0, maxReported).map(logText)
  const rest = logs.length > maxReported ? [`and ${countText(logs, maxReported)} more`] : []
  return `"${file}" matches ${countText(logs)} logs; give the path of one: ${[...lines, ...rest].join(', ')}`
}

function countText({ length }: readonly TypedLog[], less = 0): string {
  return `${length - less}${length >= maxKnown ? ' or more' : ''}`
}

function logText({ path, title, at }: TypedLog): string {
  const facts = [title === null ? '' : oneLine(title, 60), at === null ? '' : timeText(at)].filter(
    (fact) => fact !== ''
  )
  return facts.length === 0 ? path : `${path} (${facts.join(', ')})`
}
