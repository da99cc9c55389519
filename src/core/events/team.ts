import * as z from 'zod'

/** An agent's place in a team. A single log has no team; see `soloTeam`. */
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

/** The team of a single log: one member, the agent itself. */
export function soloTeam(agentId: string, displayName: string): TeamContext {
  return { teamName: 'solo', memberName: agentId, memberDisplayName: displayName, memberRole: 'agent' }
}
