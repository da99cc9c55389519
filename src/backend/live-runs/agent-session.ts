import { realpath } from 'node:fs/promises'
import { basename } from 'node:path'
import type { AgentId } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import type { StoreSystem } from '#core/formats/log-store.ts'
import { cardOf } from '../library/card-of.ts'
import { findLogs, type FoundLog } from '../library/find-logs.ts'
import { runInSlices } from '../library/run-in-slices.ts'
import { checkFolder } from './start-failure.ts'

/** A session as its agent keeps it. */
export interface AgentSession {
  /** Its main file. */
  readonly path: string
  /** The agent's working folder; null: not stated. */
  readonly cwd: string | null
  readonly title: string | null
}

/** The file names of all agents contain at least these first characters of the session's id. */
const namedCharacters = 8

/** The session in the agent's own folders, the latest of several. Throws 'not-found'. Null: a folder cannot be read. */
export async function agentSession(agent: AgentId, session: string, system: StoreSystem): Promise<AgentSession | null> {
  const { title, sessions } = agentPrograms[agent]
  const { store } = sessions
  const mayBeIt = (path: string): boolean =>
    store.mayBeLog(path) && basename(path).includes(session.slice(0, namedCharacters))
  const logs: FoundLog[] = []
  let isUnread = false
  const roots = store.roots(system)
  for (const path of roots) {
    const found = await runInSlices(findLogs({ path, depth: store.depth, mayBeLog: mayBeIt }), () => false)
    logs.push(...(found?.logs ?? []))
    isUnread ||= found === null || found.unread.length > 0
  }
  for (const { path } of logs.toSorted((a, b) => b.facts.modified - a.facts.modified)) {
    const card = await cardOf(path, null)
    if (card?.sessionId === session && card.parentSession === null)
      return { path, cwd: card.project, title: card.title }
  }
  if (isUnread) return null
  throw new HostError(
    'not-found',
    `${title} no longer has the session ${session}. It was looked for in ${roots.join(' and ')}. Start a new session.`
  )
}

/** Throws if an agent cannot go on with a session of the folder `own` in `cwd`. */
export async function checkSessionFolder(own: string, cwd: string): Promise<void> {
  await checkOwnFolder(own)
  const [wanted, given] = await Promise.all([own, cwd].map(async (path) => await realpath(path).catch(() => path)))
  if (wanted !== given)
    throw new HostError('bad-params', `The session belongs to the folder ${own}. It can only go on there.`, {
      field: 'cwd'
    })
}

/** Throws 'busy' as long as an agent would damage a session by going on with it in a conversation. */
export function checkDamage(agent: AgentId, path: string, now = Date.now()): void {
  const { title, dialogue } = agentPrograms[agent]
  const seconds = Math.ceil(((dialogue.damagesUntil(path) ?? now) - now) / 1000)
  // A time that is far off is none of this clock's.
  if (seconds <= 0 || seconds > 60) return
  throw new HostError('busy', `${title} would lose this session, as it has just begun. Go on in ${seconds} s.`)
}

/** Throws if the folder of a session is gone. */
export async function checkOwnFolder(own: string): Promise<void> {
  await checkFolder(own).catch((error: unknown) => {
    if (!(error instanceof HostError) || error.code !== 'bad-params') throw error
    const message = `The folder of the session, ${own}, does not exist. Restore it there, or start a new session in another folder.`
    throw new HostError('bad-params', message, { field: 'cwd' })
  })
}
