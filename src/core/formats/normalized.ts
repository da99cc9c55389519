import type { z } from 'zod'
import { AgentEvent, agentEventTypes } from '../events/agent-event.ts'
import { jsonTypeName, type JsonObject, type JsonValue } from '../json.ts'
import { memberPath } from '../json-path.ts'
import type { IssueDraft } from './issue.ts'
import { isTooDeep, maxDepth } from './json-depth.ts'
import type { Decoded, Fold, FoldContext, FoldResult, LinePosition, LogFormat } from './log-format.ts'
import { signatureOf } from './signature.ts'

/**
 * Playhead's own export, one `AgentEvent` a line (`normalizedLine`). A record is the event: it states its id, its time
 * and its place in the log it came from, and opens as exactly that event. A key `raw` is for other readers.
 */
export const normalized: LogFormat = {
  id: 'normalized',
  title: 'Playhead normalized events',
  // Only for the errors that stand for lines which are no events; an event states its own.
  agentType: 'claude-code',
  framing: 'lines',
  sniff: (head) => signatureOf(head)?.id === 'normalized',
  decode,
  decodeMalformed: (_text, issue) => ({
    drafts: [{ type: 'error', error: issue.message, code: 'JSONL_PARSE_ERROR' }],
    issues: [issue]
  }),
  createFold: (context) => new NormalizedFold(context)
}

function decode(value: JsonValue): Decoded {
  const parsed = AgentEvent.safeParse(value)
  if (!parsed.success) return { drafts: [], issues: parsed.error.issues.slice(0, 1).map((at) => issueOf(at, value)) }
  const deep = deepPath(value as JsonObject)
  if (deep === undefined) return { drafts: [parsed.data], issues: [] }
  const message = `nested deeper than ${maxDepth} levels; the event is not read`
  return { drafts: [], issues: [{ code: 'TooDeep', path: deep, message }] }
}

/** The only fields of an event that may hold any JSON. */
function deepPath({ input, usage }: JsonObject): string | undefined {
  if (isTooDeep(input)) return '$.input'
  return isTooDeep(usage) ? '$.usage' : undefined
}

const typeNames: Record<string, string> = {
  string: 'a string',
  number: 'a finite number',
  int: 'a whole number',
  object: 'an object',
  array: 'an array'
}

function issueOf(issue: z.core.$ZodIssue, record: JsonValue): IssueDraft {
  let path = '$'
  let found: unknown = record
  for (const key of issue.path) {
    path = memberPath(path, typeof key === 'symbol' ? String(key) : key)
    found = (found as Record<PropertyKey, unknown>)[key]
  }
  return { code: 'TypedParse', path, message: `${demandOf(issue)}, found ${jsonTypeName(found as JsonValue)}` }
}

/** What the schema asked for, in words that quote nothing of the record. */
function demandOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeNames[issue.expected] ?? issue.expected}`
    case 'invalid_union':
      return `expected one of the ${agentEventTypes.length} event types`
    case 'invalid_value':
      return `expected one of the ${issue.values.length} known words`
    default:
      return issue.message
  }
}

/** Nothing to put in order: an event says when it happened and whose it is, only a malformed line does not. */
class NormalizedFold implements Fold {
  readonly #context: FoldContext
  #timestamp = 0

  constructor(context: FoldContext) {
    this.#context = context
  }

  add(at: LinePosition, { drafts: [draft] }: Decoded): FoldResult {
    if (draft === undefined) return { events: [], issues: [] }
    const { timestamp, timestampFrom, sessionId, trackId } = draft
    if (timestamp === undefined) {
      const now = this.#context.now?.()
      const time =
        now === undefined
          ? { timestamp: this.#timestamp, timestampFrom: 'previous' as const }
          : { timestamp: now, timestampFrom: 'observed' as const }
      return { events: [{ at, ordinal: 0, draft, body: 0, ...time }], issues: [] }
    }
    this.#timestamp = timestamp
    const event = {
      at,
      ordinal: 0,
      draft,
      body: 0,
      timestamp,
      ...(timestampFrom === undefined || timestampFrom === 'record' ? undefined : { timestampFrom }),
      ...(sessionId === undefined ? undefined : { sessionId }),
      ...(trackId === undefined ? undefined : { trackId })
    }
    return { events: [event], issues: [] }
  }

  end(): FoldResult {
    return { events: [], issues: [] }
  }
}
