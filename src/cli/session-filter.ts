import { realpath, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { withHome } from '#core/library/home-path.ts'
import { sessionStates, type SessionState } from '#core/library/session-card.ts'
import type { SessionFilter } from '#core/library/session-query.ts'
import { agentTypeOf, agentWords } from '#core/formats/agents.ts'
import { UsageError } from './command.ts'
import type { Environment } from './environment.ts'
import { sinceTime } from '#core/library/since-time.ts'

/** The folders to search. */
export const rootOptions = { root: { type: 'string', multiple: true } } as const

export const filterOptions = {
  agent: { type: 'string', multiple: true },
  project: { type: 'string' },
  since: { type: 'string' },
  state: { type: 'string', multiple: true },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  ...rootOptions
} as const

export const filterDetails = [
  `--agent A       Only this agent: ${agentWords.join(', ')}. Can be repeated.`,
  '--project DIR   Only sessions of this folder, or of a folder inside it.',
  '--since T       Only sessions updated since T: 24h, 7d, today, yesterday, 2026-11-22, 2026-11-22T14:30.',
  `--state S       Only ${sessionStates.join(', ')}. Can be repeated.`,
  '--root DIR      Search DIR instead of the folders of the agents. Can be repeated.'
]

interface Flags {
  readonly agent?: readonly string[] | undefined
  readonly project?: string | undefined
  readonly since?: string | undefined
  readonly state?: readonly string[] | undefined
}

export function filterOf(
  { agent = [], project, since, state = [] }: Flags,
  { now, home }: Pick<Environment, 'now' | 'home'>
): SessionFilter {
  const from = since === undefined ? undefined : sinceTime(since, now())
  if (from === null)
    throw new UsageError(`--since ${since}: write it like 24h, 7d, today, yesterday, 2026-11-22 or 2026-11-22T14:30`)
  if (project === '') throw new UsageError('--project needs a folder')
  return {
    ...(agent.length === 0 ? {} : { agents: agent.map(agentNamed) }),
    ...(project === undefined ? {} : { project: folderOf(project, home) }),
    ...(from === undefined ? {} : { since: from }),
    ...(state.length === 0 ? {} : { states: state.map(stateNamed) })
  }
}

/** Agents record real paths, a person may name a link. Null: no link. */
export async function withoutLinks({ project, ...filter }: SessionFilter): Promise<SessionFilter | null> {
  if (project === undefined) return null
  const real = await realpath(project).catch(() => project)
  return real === project ? null : { ...filter, project: real }
}

/** Null: no limit. */
export function limitOf(limit: string | undefined): number | null {
  if (limit === undefined) return null
  if (!/^\d{1,9}$/.test(limit) || Number(limit) === 0)
    throw new UsageError(`--limit ${limit}: give a number, at least 1`)
  return Number(limit)
}

/**
 * Null: the folders of the agents. Throws a `HostError` for a missing folder: no sessions would be found there without
 * a reason.
 */
export async function rootsOf(roots: readonly string[] | undefined, home: string): Promise<readonly string[] | null> {
  if (roots === undefined || roots.length === 0) return null
  const folders = roots.map((root) => folderOf(root, home))
  for (const [i, folder] of folders.entries()) {
    const stats = await stat(folder).catch(() => null)
    if (stats?.isDirectory() !== true)
      throw new HostError(
        'not-found',
        `--root ${roots[i]}: ${stats === null ? 'this folder does not exist' : 'this is not a folder'}`
      )
  }
  return folders
}

/** Shells do not expand `~` in `--project=~/code`. */
function folderOf(path: string, home: string): string {
  return resolve(withHome(path, home))
}

function agentNamed(word: string): NonNullable<SessionFilter['agents']>[number] {
  const agent = agentTypeOf(word)
  if (agent === null) throw new UsageError(`--agent ${word}: unknown agent; use one of ${agentWords.join(', ')}`)
  return agent
}

function stateNamed(word: string): SessionState {
  const state = sessionStates.find((known) => known === word)
  if (state === undefined)
    throw new UsageError(`--state ${word}: unknown state; use one of ${sessionStates.join(', ')}`)
  return state
}
