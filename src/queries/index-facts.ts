import type { RunIndex } from '#core/index/run-index.ts'
import type { LogStatus } from '#contract/methods.ts'

/** The part of a log's status that comes from its index. */
export type IndexFacts = Pick<
  LogStatus,
  | 'rows'
  | 'events'
  | 'todoSnapshots'
  | 'issues'
  | 'failedCalls'
  | 'firstTimestamp'
  | 'lastTimestamp'
  | 'model'
  | 'sessionId'
  | 'agent'
  | 'tools'
  | 'tracks'
>

export function indexFacts({ rows: index, todos, agentType }: RunIndex): IndexFacts {
  return {
    rows: index.rows,
    events: index.events,
    todoSnapshots: todos.length,
    issues: { ...index.issues.counts },
    failedCalls: index.failedCalls,
    firstTimestamp: index.firstTimestamp,
    lastTimestamp: index.lastTimestamp,
    model: index.model,
    sessionId: index.sessionId,
    agent: index.agentType ?? agentType,
    tools: [...index.tools],
    tracks: [...index.tracks]
  }
}
