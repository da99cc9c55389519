import { realpath } from 'node:fs/promises'
import { needsCounts } from '#core/library/needs-counts.ts'
import { sessionStateOf, sessionStates } from '#core/library/session-card.ts'
import { agentTypeOf, agentTypes } from '#core/formats/agents.ts'
import { printQuery } from '#core/query/print-query.ts'
import type { Query } from '#core/query/query.ts'
import { allOf, partsOf, projectTerm, termOf } from '#core/query/query-choices.ts'
import { sinceTime } from '#core/query/since-time.ts'
import { UsageError } from './command.ts'
import type { Environment } from './environment.ts'
import { folderOf, rootOptions } from './session-roots.ts'

export const filterOptions = {
  where: { type: 'string' },
  agent: { type: 'string', multiple: true },
  project: { type: 'string' },
  since: { type: 'string' },
  state: { type: 'string', multiple: true },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  ...rootOptions
} as const

export const filterDetails = [
  `--agent A       Only this agent: ${agentTypes.join(', ')}. Can be repeated.`,
  '--project DIR   Only sessions of this folder, or of a folder inside it.',
  '--since T       Only sessions updated since T: 24h, 7d, today, yesterday, 2026-11-22, 2026-11-22T14:30.',
  `--state S       Only ${sessionStates.join(', ')}. Can be repeated.`,
  '--root DIR      Search DIR instead of the folders of the agents. Can be repeated.'
]

interface Flags {
  readonly where?: string | undefined
  readonly agent?: readonly string[] | undefined
  readonly project?: string | undefined
  readonly since?: string | undefined
  readonly state?: readonly string[] | undefined
}

/** The sessions that are asked for, as texts of queries. */
export interface AskedSessions {
  readonly where: string
  /** The sessions whose whole logs must have been read to answer it; null: none. */
  readonly read: string | null
  /** Asked instead if there are none: agents record real paths, a person may name a link. Null: no link. */
  readonly orElse: AskedSessions | null
}

/** Reads a query about sessions. Throws a `UsageError` that shows the place of what is wrong. */
export async function sessionQueryOf(text: string | undefined): Promise<Query | null> {
  if (text === undefined) return null
  // As in `whereOf`, only a query needs its code.
  const { queryOf } = await import('./where.ts')
  return queryOf(text, 'sessions')
}

/** The sessions that meet a query and the flags. */
export async function askedSessions(
  query: Query | null,
  { agent = [], project, since, state = [] }: Flags,
  { now, home }: Pick<Environment, 'now' | 'home'>
): Promise<AskedSessions> {
  if (since !== undefined && sinceTime(since, now()) === null)
    throw new UsageError(`--since ${since}: write it like 24h, 7d, today, yesterday, 2026-11-22 or 2026-11-22T14:30`)
  if (project === '') throw new UsageError('--project needs a folder')
  const parts = [
    ...partsOf(query),
    ...(agent.length === 0 ? [] : [termOf('agent', agent.map(agentNamed))]),
    ...(since === undefined ? [] : [termOf('since', [since.replace(' ', 'T')])]),
    ...(state.length === 0 ? [] : [termOf('state', state.map(stateNamed))])
  ]
  const asked = (all: readonly Query[], orElse: AskedSessions | null): AskedSessions => {
    const cheap = all.filter((part) => !needsCounts(part))
    const read = cheap.length === all.length ? null : printQuery(allOf(cheap))
    return { where: printQuery(allOf(all)), read, orElse }
  }
  if (project === undefined) return asked(parts, null)
  const folder = folderOf(project, home)
  const real = await realpath(folder).catch(() => folder)
  const inReal = real === folder ? null : asked([...parts, projectTerm(real)], null)
  return asked([...parts, projectTerm(folder)], inReal)
}

/** Null: no limit. */
export function limitOf(limit: string | undefined): number | null {
  if (limit === undefined) return null
  if (!/^\d{1,9}$/.test(limit) || Number(limit) === 0)
    throw new UsageError(`--limit ${limit}: give a number, at least 1`)
  return Number(limit)
}

function agentNamed(word: string): string {
  const agent = agentTypeOf(word)
  if (agent === null) throw new UsageError(`--agent ${word}: unknown agent; use one of ${agentTypes.join(', ')}`)
  return agent
}

function stateNamed(word: string): string {
  const state = sessionStateOf(word)
  if (state === null) throw new UsageError(`--state ${word}: unknown state; use one of ${sessionStates.join(', ')}`)
  return state
}
