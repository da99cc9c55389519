import { agentOf, type AgentType, agentTypes } from './agents.ts'
import { soloTeam } from '../events/team.ts'
import type { AgentIdentity } from './log-format.ts'

const known = new Map<AgentType, AgentIdentity>(agentTypes.map((type) => [type, identityOf(type)]))

/** Whose events those of a log opened on its own are: nobody said, so the agent is called after its program. */
export function soloIdentity(agentType: AgentType): AgentIdentity {
  return known.get(agentType) ?? identityOf(agentType)
}

function identityOf(agentType: AgentType): AgentIdentity {
  return { agentId: agentType, teamMetadata: soloTeam(agentType, agentOf(agentType).name) }
}
