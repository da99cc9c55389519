import { useEffect } from 'react'
import type { Agent, LiveRun } from '#contract/live-runs.ts'
import { useLiveRuns } from '../../stores/use-live-runs.ts'

/** What an interactive run of this agent offers; null: not known yet. */
export function useOffers({ agent }: Pick<LiveRun, 'agent'>): Agent['dialogue'] {
  const agents = useLiveRuns((state) => state.agents)
  const lookForAgents = useLiveRuns((state) => state.lookForAgents)
  useEffect(() => {
    if (agents === null) void lookForAgents()
  }, [agents, lookForAgents])
  return agents?.find((known) => known.agent === agent)?.dialogue ?? null
}
