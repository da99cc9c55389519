import * as z from 'zod'

/** Who an agent is in a team of agents. A log on its own says nothing of teams; see `soloTeam`. */
export interface TeamContext {
  teamName: string
  memberName: string
  memberDisplayName: string
  memberRole: string
  /** A CSS colour. Ours, optional. */
  themeColor?: string
}

export const TeamContext: z.ZodType<TeamContext> = z.object({
  teamName: z.string(),
  memberName: z.string(),
  memberDisplayName: z.string(),
  memberRole: z.string(),
  themeColor: z.string().exactOptional()
})

/** The team of a log opened on its own: one member, the agent itself. */
export function soloTeam(agentId: string, displayName: string): TeamContext {
  return { teamName: 'solo', memberName: agentId, memberDisplayName: displayName, memberRole: 'agent' }
}
