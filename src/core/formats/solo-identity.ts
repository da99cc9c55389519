import { agentOf, type AgentType, agentTypes } from './agents.ts'
import { soloTeam } from '../events/team.ts'
import type { AgentIdentity } from './log-format.ts'

const known = new Map<AgentType, AgentIdentity>(agentTypes.map((type) => [type, identityOf(type)]))

/** The identity of a log opened on its own: the agent is named after its program. */
export function soloIdentity(agentType: AgentType): AgentIdentity {
  return known.get(agentType) ?? identityOf(agentType)
}

function identityOf(agentType: AgentType): AgentIdentity {
  return { agentId: agentType, teamMetadata: soloTeam(agentType, agentOf(agentType).name) }
}
