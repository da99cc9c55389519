import type { liveRunMethods } from '#contract/live-runs.ts'
import type { Handlers } from '#contract/methods.ts'
import type { LiveRuns } from './live-runs.ts'

/** The handlers for agents and live runs. */
export function liveRunHandlers(runs: LiveRuns): Pick<Handlers, keyof typeof liveRunMethods> {
  return {
    'agent.list': async () => ({ agents: await runs.agents.list() }),
    'agent.setCommand': async ({ agent, command }) => await runs.agents.setCommand(agent, command),
    'run.start': async ({ request, confirmed, lowDisk = false }) => await runs.start(request, { confirmed, lowDisk }),
    'run.list': async (page) => await runs.page(page),
    'run.stop': async ({ run }) => await runs.stop(run),
    'run.stderr': async ({ run, from, count }) => await runs.stderr(run, from, count),
    'run.removable': async (prune) => await runs.removable(prune),
    'run.remove': async ({ runs: ids, named }) => await runs.remove(ids, named)
  }
}
