import { agentIds } from '#contract/live-runs.ts'
import { agents, agentTypeOf } from '#core/formats/agents.ts'
import type { AppState } from './app-state.ts'
import { isOngoing } from './live-runs-store.ts'

/** Whether a run may go on with a session of this agent. The host knows whether the session is still there. */
export function canGoOn(agent: string | null, sessionId: string | null): boolean {
  const type = agent === null ? null : agentTypeOf(agent)
  return sessionId !== null && type !== null && agentIds.some((id) => id === agents[type].words[0])
}

/** The log of the session that is shown, or selected in the library, if a run can go on with it; else null. */
export function sessionToGoOn(app: AppState): string | null {
  if (app.capabilities?.runs !== true) return null
  const log = app.logs.find(({ log: id }) => id === app.active)
  if (log === undefined) {
    const card = app.library.getState().cursor?.card
    return card != null && canGoOn(card.agent, card.sessionId) ? card.path : null
  }
  const run = app.liveRuns.getState().runs.find(({ recording }) => recording === log.path)
  if (run !== undefined && isOngoing(run)) return null
  const { agent, sessionId } = run ?? log
  return canGoOn(agent, sessionId) ? log.path : null
}
