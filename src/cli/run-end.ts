import { durationText } from '#core/measure-text.ts'
import { deniedTextWithTools } from '#core/bridge/denied-calls.ts'
import { type LiveRun, runTook } from '#contract/live-runs.ts'
import { agentPrograms } from '#backend/live-runs/agent-programs.ts'
import { type Environment, say } from './environment.ts'

/** Says how a run ended, why, and where its recording is. */
export function sayEnd(run: LiveRun, events: number, environment: Pick<Environment, 'stderr'>): void {
  const { todo, tokens, denied } = run
  const facts = [
    durationText(runTook(run) ?? 0),
    events === 1 ? '1 event' : `${events} events`,
    ...tokenWords(tokens),
    ...(todo === null || todo.total === 0 ? [] : [`todos ${todo.completed}/${todo.total}`])
  ]
  const refused = denied === null ? '' : ` · ${deniedTextWithTools(denied)}`
  if (run.message !== null) say(environment, run.message)
  say(
    environment,
    `${agentPrograms[run.agent].title} ${howItEnded(run)}${refused}: ${facts.join(', ')}; recorded in ${run.recording}`
  )
}

function tokenWords(tokens: LiveRun['tokens']): string[] {
  if (tokens === null) return []
  const { sent, received, atLeast } = tokens
  return [
    ...(sent === null ? [] : [`${sent} tokens sent`]),
    ...(received === null ? [] : [`${atLeast ? 'at least ' : ''}${received} received`])
  ]
}

function howItEnded({ finishReason, exitCode, unfinished }: LiveRun): string {
  if (unfinished) return 'ended without a final turn'
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
