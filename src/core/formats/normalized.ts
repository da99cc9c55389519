import { EventSequence } from './event-sequence.ts'
import { AgentEvent, agentEventTypes } from '../events/agent-event.ts'
import { isJsonObject, type JsonObject, type JsonValue, stated } from '../json.ts'
import { tokensOf } from '../requests/tokens.ts'
import type { IssueDraft } from './issue.ts'
import { isTooDeep, maxDepth } from './json-depth.ts'
import type { Decoded, Fold, FoldContext, FoldResult, LinePosition, LogFormat } from './log-format.ts'
import { schemaIssues } from './required.ts'
import { list, members, ms, usage, usd } from './stated-values.ts'

/** Playhead's own export, one `AgentEvent` a line (`normalizedLine`): docs/formats/normalized.md. */
export const normalized: LogFormat = {
  id: 'normalized',
  title: 'Playhead normalized events',
  agentType: null,
  detectors: [{ strength: 'conclusive', holds: isEvent }],
  // The export has a fixed key order, and later members may quote other formats.
  textDetectors: [
    {
      strength: 'conclusive',
      holds: (text) => {
        const type = /^\{"type":"([a-z._]+)","eventId":"/.exec(text)?.[1]
        return agentEventTypes.some((known) => known === type)
      }
    }
  ],
  decode,
  values: members({ durationMs: ms, costUsd: usd, usage, items: list }),
  decodeMalformed: (_text, issue) => ({
    drafts: [{ type: 'error', error: issue.message, code: 'JSONL_PARSE_ERROR' }],
    issues: [issue]
  }),
  createFold: (context) => new NormalizedFold(context),
  session: { facts: () => null },
  stateClasses: () => [NormalizedFold, EventSequence]
}

function isEvent({ eventId, agentType, type }: JsonObject): boolean {
  return typeof eventId === 'string' && typeof agentType === 'string' && agentEventTypes.some((known) => known === type)
}

function decode(value: JsonValue): Decoded {
  const parsed = AgentEvent.safeParse(value)
  if (!parsed.success) return { drafts: [], issues: unknownEvent(value) ?? schemaIssues(AgentEvent, value) }
  const deep = deepPath(value as JsonObject)
  if (deep === undefined) return { drafts: [parsed.data], issues: [] }
  const message = `nested deeper than ${maxDepth} levels; the event is not read`
  return { drafts: [], issues: [{ code: 'TooDeep', path: deep, message }] }
}

/** Event types of later versions are notices. */
function unknownEvent(value: JsonValue): readonly IssueDraft[] | undefined {
  const type = isJsonObject(value) ? value['type'] : undefined
  if (typeof type !== 'string' || agentEventTypes.some((known) => known === type)) return undefined
  return [{ code: 'UnknownType', path: '$.type', message: 'unknown event type' }]
}

/** The only fields with arbitrary JSON. */
function deepPath({ input, usage }: JsonObject): string | undefined {
  if (isTooDeep(input)) return '$.input'
  return isTooDeep(usage) ? '$.usage' : undefined
}

/** Events state time and identity; only malformed lines lack them. */
class NormalizedFold implements Fold {
  private readonly context: FoldContext
  private timestamp = 0
  private line = 0
  private ordinal = 0

  constructor(context: FoldContext) {
    this.context = context
  }

  add(at: LinePosition, { drafts: [draft] }: Decoded): FoldResult {
    if (draft === undefined) return { events: [], issues: [] }
    const ordinal = this.next(at.line)
    const { timestamp, timestampFrom, sessionId, trackId } = draft
    if (timestamp === undefined) {
      const now = this.context.now?.()
      const time =
        now === undefined
          ? { timestamp: this.timestamp, timestampFrom: 'previous' as const }
          : { timestamp: now, timestampFrom: 'observed' as const }
      return { events: [{ at, ordinal, draft, body: 0, ...time }], issues: [] }
    }
    this.timestamp = timestamp
    const from = timestampFrom === 'record' ? undefined : timestampFrom
    const event = { at, ordinal, draft, body: 0, timestamp, ...stated({ timestampFrom: from, sessionId, trackId }) }
    if (draft.type !== 'turn.completed' || draft.usage === undefined) return { events: [event], issues: [] }
    const tokens = tokensOf(draft.usage)
    return { events: [event], issues: [], tokens: [{ about: 'turn', trackId, model: draft.model, tokens }] }
  }

  end(): FoldResult {
    return { events: [], issues: [] }
  }

  /** In a document several events may share a line. */
  private next(line: number): number {
    this.ordinal = line === this.line ? this.ordinal + 1 : 0
    this.line = line
    return this.ordinal
  }
}
