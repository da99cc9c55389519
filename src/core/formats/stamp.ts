import type { AgentEvent, AgentType } from '../events/agent-event.ts'
import { type AgentIdentity, type EventDraft, type FoldedEvent, scopedId } from './log-format.ts'

/** The event of a folded draft: whose it is, its id and its place in the source. A draft that states them itself is the event. */
export function stamp(folded: FoldedEvent, agentType: AgentType, identity: AgentIdentity): AgentEvent {
  const { at, ordinal, sessionId, trackId, timestampFrom, draft } = folded
  // A normalized record states its own base fields, and states them by leaving them out.
  if (draft.eventId !== undefined) return draft as AgentEvent
  const base = {
    eventId: `${sessionId ?? 'log'}${at.file === undefined ? '' : `:${at.file}`}:${at.line}:${ordinal}`,
    agentId: identity.agentId,
    agentType,
    timestamp: folded.timestamp,
    ...(timestampFrom === undefined ? undefined : { timestampFrom }),
    ...(sessionId === undefined ? undefined : { sessionId }),
    ...(trackId === undefined ? undefined : { trackId }),
    teamMetadata: identity.teamMetadata,
    source: {
      ...(at.file === undefined ? undefined : { file: at.file }),
      line: at.line,
      offset: at.offset,
      length: at.length,
      ordinal
    }
  }
  return { ...base, ...scoped(draft, folded.idScope) }
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
