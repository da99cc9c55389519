import type { SessionCard } from '#core/library/session-card.ts'
import { type TotalsGroup, totalsGroups } from '#core/library/session-totals.ts'
import type { LibraryStatus } from '#contract/library.ts'
import type { SearchedSession } from '#backend/library/search/batches.ts'
import { type Command, exitFine, exitNothing, exitUsage, parseCommandLine, UsageError } from './command.ts'
import { type Environment, say } from './environment.ts'
import { Output } from '#backend/export/output.ts'
import { OwnLibrary } from './own-library.ts'
import { pricesDetails, pricesOf, pricesOptions, pricesPlace } from './prices-option.ts'
import { Progress } from './progress.ts'
import { totalsGroupOf, totalsJson, totalsLines } from './session-totals.ts'
import { askedSessions, filterDetails, filterOptions, limitOf, sessionQueryOf } from './session-filter.ts'
import { rootsOf } from './session-roots.ts'
import { allOf, partsOf } from '#core/query/query-choices.ts'
import type { Query } from '#core/query/query.ts'
import { sessionJson, SessionLines } from './session-lines.ts'
import { columnsOf, isTerminal } from './terminal.ts'

const options = {
  ...filterOptions,
  ...pricesOptions,
  subagents: { type: 'boolean' },
  totals: { type: 'string' }
} as const

export const sessions: Command = {
  usage:
    'sessions [TEXT] [--where QUERY] [--agent A] [--project DIR] [--since T] [--state S] [--limit N] [--subagents] [--totals GROUP] [--prices FILE] [--json] [--root DIR]…',
  summary: 'list all sessions on this machine, newest first',
  details: [
    'TEXT            Only sessions with each of these words in title, project, branch, model, session id or path.',
    '--where QUERY   Only sessions that match a query, such as project:cli failed:>0 (docs/query.md). Its texts are such words.',
    ...filterDetails,
    '--limit N       Print at most N sessions.',
    `--totals GROUP  Print sums instead of sessions, by ${totalsGroups.join(', ')}. Reads sessions that are not counted yet.`,
    pricesDetails,
    '--subagents     Also list the logs of subagents, below their session.',
    '--json          Print one object per session. It has path, agent, format, sessionId, title, project, branch, model.',
    '                It has startedAt, endedAt (ms since the epoch), bytes, state, parent.',
    '                It has turns, calls, failedCalls, findings (by rule), todosDone, todosTotal.',
    '                It has activeMs, inputTokens, outputTokens, outputAtLeast, cost.',
    '                With --totals one object: all, and groups by key.',
    '                The parent of a subagent is the path of its session. Unknown values are null.',
    '',
    'Columns: last update, state, agent, project, todos (done/all), calls (calls/failed), title. Unknown values are left out.',
    'Exit codes: 0 found, 1 none, 2 wrong use, or a file could not be read.'
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const text = positionals.join(' ')
    if (text.length > 1000) throw new UsageError('TEXT is longer than 1,000 characters')
    const words = text.split(/\s+/).filter((word) => word !== '')
    const named = words.map((word): Query => ({ op: 'text', value: { type: 'quoted', text: word } }))
    const query = allOf([...partsOf(await sessionQueryOf(values.where)), ...named])
    const asked = await askedSessions(query, values, environment)
    const limit = limitOf(values.limit)
    const by = values.totals === undefined ? null : totalsGroupOf(values.totals)
    const prices = pricesPlace(values, environment)
    await pricesOf(values, environment)
    const roots = await rootsOf(values.root, environment.home)
    return await OwnLibrary.use(environment, { roots, prices }, async (library, progress, status) => {
      const found = await library.sessions(asked, limit)
      progress.end()
      if (by === null) await print(library, found, values, environment)
      else await printTotals(library, found, by, values, environment)
      const exit = explainEmpty(status, found.length, environment)
      return (await library.isWhole()) ? exit : exitUsage
    })
  }
}

async function printTotals(
  library: OwnLibrary,
  found: readonly SearchedSession[],
  by: TotalsGroup,
  { json = false }: Flags,
  environment: Environment
): Promise<void> {
  const progress = new Progress(environment, 'reading sessions', false)
  const cards: SessionCard[] = []
  try {
    const read = library.read(found, { subagents: false, done: (count) => progress.at(count, found.length) })
    for await (const { card } of read) cards.push(card)
  } finally {
    progress.end()
  }
  const output = new Output(environment.stdout)
  if (json) output.line(totalsJson(cards, by))
  else if (cards.length > 0) for (const line of totalsLines(cards, by, environment.home)) output.line(line)
  await output.flush()
}

interface Flags {
  readonly json?: boolean | undefined
  readonly subagents?: boolean | undefined
}

async function print(
  library: OwnLibrary,
  found: readonly SearchedSession[],
  { json = false, subagents = false }: Flags,
  environment: Environment
): Promise<void> {
  const { stdout } = environment
  const output = new Output(stdout)
  const cards = found.map(({ card }) => card)
  const lines = new SessionLines(cards, columnsOf(stdout), environment)
  const progress = new Progress(environment, 'reading sessions', false)
  if (!json && cards.length > 0 && isTerminal(stdout)) output.line(lines.heading)
  try {
    const read = library.read(found, { subagents, done: (count) => progress.at(count, cards.length) })
    for await (const session of read) {
      const paths = new Map([session.card, ...session.subagents].map(({ id, path }) => [id, path]))
      for (const card of [session.card, ...session.subagents]) {
        const parent = card.parent === null ? null : (paths.get(card.parent) ?? null)
        output.line(json ? sessionJson(card, parent) : lines.line(card, card !== session.card))
      }
      progress.end()
      await output.flush()
    }
  } finally {
    progress.end()
  }
}

/** Explains an empty list. Returns the exit code. */
function explainEmpty({ roots, sessions: all }: LibraryStatus, found: number, environment: Environment): number {
  if (found > 0) return exitFine
  if (all > 0) {
    say(environment, `no match among ${all} sessions`)
    return exitNothing
  }
  say(environment, 'no sessions found in these folders:')
  for (const { path, isMissing } of roots) say(environment, `  ${path}${isMissing ? ' (not found)' : ''}`)
  return exitNothing
}
