import { durationText } from '#core/index/row-summary.ts'
import type { LiveRun } from '#contract/live-runs.ts'
import { agentPrograms } from '#backend/live-runs/agent-programs.ts'
import { type Environment, say } from './environment.ts'

/** Says how a run ended, why, and where its recording is. */
export function sayEnd(run: LiveRun, events: number, environment: Pick<Environment, 'stderr'>): void {
  const { todo, tokens, startedAt, endedAt } = run
  const facts = [
    durationText((endedAt ?? startedAt) - startedAt),
    events === 1 ? '1 event' : `${events} events`,
    ...(tokens === null ? [] : [`${tokens.sent} tokens sent, ${tokens.received} received`]),
    ...(todo === null || todo.total === 0 ? [] : [`todos ${todo.completed}/${todo.total}`])
  ]
  if (run.message !== null) say(environment, run.message)
  say(
    environment,
    `${agentPrograms[run.agent].title} ${howItEnded(run)}: ${facts.join(', ')}; recorded in ${run.recording}`
  )
}

function howItEnded({ finishReason, exitCode }: LiveRun): string {
  switch (finishReason) {
    case 'done':
      return 'is done'
    case 'cancelled':
      return 'was stopped'
    case 'timeout':
      return 'ran out of time'
    default:
      return exitCode === 0 ? 'reported an error' : 'ended with an error'
  }
}
