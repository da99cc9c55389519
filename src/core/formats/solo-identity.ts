import { agents, type AgentType } from './agents.ts'
import { soloTeam } from '../events/team.ts'
import type { AgentIdentity } from './log-format.ts'

/** Whose events those of a log opened on its own are: nobody said, so the agent is called after its program. */
export function soloIdentity(agentType: AgentType): AgentIdentity {
  return { agentId: agentType, teamMetadata: soloTeam(agentType, agents[agentType].name) }
}
