import type { AgentEvent, AgentType } from '../events/agent-event.ts'
import type { AgentIdentity, FoldedEvent } from './log-format.ts'

/** The event of a folded draft: whose it is, its id and its place in the source. Base fields the draft states itself win. */
export function stamp(folded: FoldedEvent, agentType: AgentType, identity: AgentIdentity): AgentEvent {
  const { at, ordinal, sessionId, trackId, timestampFrom, draft } = folded
  const event = {
    type: draft.type,
    eventId: `${sessionId ?? 'log'}:${at.line}:${ordinal}`,
    agentId: identity.agentId,
    agentType,
    timestamp: folded.timestamp,
    ...(timestampFrom === undefined ? undefined : { timestampFrom }),
    ...(sessionId === undefined ? undefined : { sessionId }),
    ...(trackId === undefined ? undefined : { trackId }),
    teamMetadata: identity.teamMetadata,
    ...draft,
    source: draft.source ?? { line: at.line, offset: at.offset, length: at.length, ordinal }
  }
  // A normalized record states its own base fields, and states them by leaving them out.
  return (draft.eventId === undefined ? event : draft) as AgentEvent
}
