import { type AgentId, agentIds, type LiveRun, Resumed } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Result } from '#contract/methods.ts'
import type { ProgramMode } from '#core/formats/agent-program.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { agentOf, agents, agentTypeOf } from '#core/formats/agents.ts'
import type { StoreSystem } from '#core/formats/log-store.ts'
import type { ReadCard } from '#core/library/read-card.ts'
import { cardOf } from '../library/card-of.ts'
import { agentSession, checkOwnFolder } from './agent-session.ts'
import { lostLines, type LostLines } from './lost-lines.ts'

/** Handles `run.resumable`. `runs`: latest first. */
export async function resumable(
  path: string,
  runs: readonly LiveRun[],
  system: StoreSystem
): Promise<Result<'run.resumable'>> {
  const own = runs.find(({ recording }) => recording === path)
  const card = own === undefined ? await cardOf(path, null) : null
  if (own === undefined && card === null)
    throw new HostError('not-found', `${path} is no log that can be read. Open another one.`)
  const agent = own?.agent ?? startableAgent(card)
  // The log of a subagent leads to its session.
  const named = Resumed.shape.session.safeParse(own?.sessionId ?? card?.parentSession ?? card?.sessionId)
  if (!named.success) throw new HostError('unavailable', 'This log names no session, so nothing can go on with it.')
  const session = named.data
  const before = own ?? runs.find((run) => run.agent === agent && run.sessionId === session)
  const kept = await agentSession(agent, session, system)
  const cwd = kept?.cwd ?? before?.cwd ?? card?.project ?? ''
  const { sessions } = agentPrograms[agent]
  const mode = before === undefined ? undefined : lastMode(before)
  const warnings: string[] = []
  if (mode?.dangerous === true)
    warnings.push(`The run before had the mode "${mode.title}". Choose it again if it is needed.`)
  if (cwd !== '') {
    await checkOwnFolder(cwd).catch((error: unknown) => {
      if (!(error instanceof HostError)) throw error
      warnings.push(error.message)
    })
  }
  warnings.push(...(await lossWarnings(agent, kept?.path ?? null, before?.recording ?? null)))
  return {
    request: {
      ...{ agent, cwd, model: before?.model ?? null, mode: mode?.dangerous === false ? mode.id : null },
      ...{ extraArguments: before?.extraArguments ?? [], timeLimitMs: before?.timeLimitMs ?? null },
      ...(before?.keepsChanges === true ? { keepsChanges: true } : {}),
      ...(before?.interactive === true ? { interactive: true, ...(before.limits && { limits: before.limits }) } : {}),
      resumes: { session, run: before?.run ?? null }
    },
    title: kept?.title ?? card?.title ?? null,
    note: sessions.note,
    warnings
  }
}

/** The mode that was in force last: a person may have taken permissions back since the start. */
function lastMode({ agent, interactive, mode, dialogue }: LiveRun): ProgramMode | undefined {
  const program = agentPrograms[agent]
  const { modes } = interactive === true ? program.dialogue : program
  return modes.find(({ id }) => id === (dialogue?.mode ?? mode))
}

function startableAgent(card: ReadCard | null): AgentId {
  const type = agentTypeOf(card?.agent ?? '')
  const agent = type === null ? undefined : agentIds.find((id) => id === agents[type].words[0])
  if (agent !== undefined) return agent
  const can = agentIds.map((id) => agentPrograms[id].title)
  const { label } = agentOf(card?.agent ?? 'unknown')
  throw new HostError(
    'unavailable',
    `Playhead cannot go on with a session of ${label}, only with those of ${can.slice(0, -1).join(', ')} and ${can.at(-1)}.`
  )
}

/** What the session's file has lost, in sentences. The agent may say so in the file, or in the output of the run before. */
async function lossWarnings(agent: AgentId, file: string | null, recording: string | null): Promise<string[]> {
  const { title, sessions } = agentPrograms[agent]
  const lossOf = async (path: string | null): Promise<LostLines> =>
    path === null || !isLines(path) ? nothingLost : await lostLines(path, sessions.lossMarker).catch(() => nothingLost)
  const own = await lossOf(file)
  const printed = sessions.lossMarker === null ? nothingLost : await lossOf(recording)
  const { damaged } = own
  const count = damaged === 1 ? '1 line of its file is damaged' : `${damaged} lines of its file are damaged`
  return [
    ...(own.isTold || printed.isTold
      ? [`${title} could not save all of the session. It does not know what was lost.`]
      : []),
    ...(damaged > 0 ? [`Part of the session is lost: ${count}. ${title} does not know that part.`] : [])
  ]
}

/** An older form is one document, which is read whole or not at all. */
function isLines(path: string): boolean {
  return /\.jsonl(?:\.zst)?$/.test(path)
}

const nothingLost: LostLines = { damaged: 0, isTold: false }
