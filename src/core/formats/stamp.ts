import type { AgentEvent, AgentEventBase, ToolCompleted } from '../events/agent-event.ts'
import { unknownAgent } from './agents.ts'
import { type AgentIdentity, type EventDraft, type FoldedEvent, type LogFormat, scopedId } from './log-format.ts'
import { soloIdentity } from './solo-identity.ts'

/** Adds identity, id and source to a draft. One with an `agentId` is an event. `own`: the identity, if known. */
export function stamp(folded: FoldedEvent, format: Pick<LogFormat, 'agentType'>, own?: AgentIdentity): AgentEvent {
  const { at, ordinal, sessionId, trackId, timestampFrom, draft } = folded
  // A normalized record has its own base fields; absent ones stay absent.
  if (draft.agentId !== undefined) return draft as AgentEvent
  const agentType = folded.agentType ?? format.agentType ?? unknownAgent
  const identity = own ?? soloIdentity(agentType)
  // No spread: ten times as slow to create, and slow to read.
  const event: Partial<AgentEvent> = {
    eventId: `${sessionId ?? 'log'}${at.file === undefined ? '' : `:${at.file}`}:${at.line}:${ordinal}`,
    agentId: identity.agentId,
    agentType,
    timestamp: folded.timestamp
  }
  if (timestampFrom !== undefined) event.timestampFrom = timestampFrom
  if (sessionId !== undefined) event.sessionId = sessionId
  if (trackId !== undefined) event.trackId = trackId
  event.teamMetadata = identity.teamMetadata
  const { file, line, offset, length } = at
  event.source = file === undefined ? { line, offset, length, ordinal } : { file, line, offset, length, ordinal }
  Object.assign(event, scoped(draft, folded.idScope))
  return (
    draft.type === 'tool.completed' ? withCall(event as ToolCompleted & AgentEventBase, folded) : event
  ) as AgentEvent
}

/** Adds facts about the call. */
function withCall(event: ToolCompleted & AgentEventBase, { toolName, tookMs }: FoldedEvent): AgentEvent {
  if (toolName !== undefined) event.toolName = toolName
  if (tookMs !== undefined) {
    event.durationMs = tookMs
    event.durationFrom = 'records'
  }
  return event
}

function scoped(draft: EventDraft, idScope: string | undefined): EventDraft {
  if (idScope === undefined) return draft
  switch (draft.type) {
    case 'tool.started':
    case 'tool.completed':
      return { ...draft, toolId: scopedId(idScope, draft.toolId) }
    case 'todo_list':
      return { ...draft, todoId: scopedId(idScope, draft.todoId) }
    default:
      return draft
  }
}
