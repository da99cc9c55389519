import fc from 'fast-check'
import { type AgentEvent, agentTypes, textCategories } from '#core/events/agent-event.ts'
import { todoStatuses } from '#core/events/todo.ts'
import type { JsonObject } from '#core/json.ts'

/** What JSON can hold and careless code loses. */
const oddities = [
  '{"__proto__":{"a":1},"constructor":null}',
  '{"big":1e999,"small":-1e999,"zero":-0}',
  '{"half":"\\ud83d","separators":"\\u2028\\u2029","nul":"\\u0000"}',
  `{"deep":${'['.repeat(900)}${']'.repeat(900)}}`
].map((text) => JSON.parse(text) as JsonObject)

const anyObject = fc.oneof(
  fc.constantFrom(...oddities),
  fc
    .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
    .map((object) => JSON.parse(JSON.stringify(object)) as JsonObject)
)
const anyText = fc.oneof(fc.string(), fc.constantFrom('é😀', '\ud83d', 'a\r\nb\u2028', '\uFEFF', '\0'))
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true })
const anyCount = fc.nat()
const plain = { noNullPrototype: true }
const maybe = <T>(value: fc.Arbitrary<T>) => ({ value, optional: true as const })

const base = {
  eventId: anyText,
  agentId: anyText,
  agentType: fc.constantFrom(...agentTypes),
  timestamp: anyNumber,
  teamMetadata: fc.record(
    { teamName: anyText, memberName: anyText, memberDisplayName: anyText, memberRole: anyText, themeColor: anyText },
    { requiredKeys: ['teamName', 'memberName', 'memberDisplayName', 'memberRole'], noNullPrototype: true }
  ),
  sessionId: maybe(anyText),
  trackId: maybe(anyText),
  timestampFrom: maybe(fc.constantFrom('record', 'previous', 'observed')),
  source: maybe(
    fc.record(
      { file: anyText, line: fc.integer({ min: 1 }), offset: fc.maxSafeNat(), length: anyCount, ordinal: anyCount },
      { requiredKeys: ['line', 'offset', 'length', 'ordinal'], noNullPrototype: true }
    )
  )
}

const item = fc.record({ text: anyText.map((text) => `do ${text}`), status: fc.constantFrom(...todoStatuses) }, plain)

/** Each event type and its own fields; `maybe` marks those that may be absent. */
const bodies: Record<AgentEvent['type'], Fields> = {
  'session.started': {
    model: maybe(anyText),
    cwd: maybe(anyText),
    tools: maybe(fc.array(anyText)),
    version: maybe(anyText)
  },
  text: {
    text: anyText,
    role: maybe(fc.constantFrom('assistant', 'system', 'user')),
    category: maybe(fc.oneof(fc.constantFrom(...textCategories), anyText))
  },
  'tool.started': { toolName: anyText, toolId: anyText, input: anyObject },
  'tool.completed': { toolId: anyText, output: maybe(anyText), error: maybe(anyText) },
  'turn.completed': {
    finishReason: fc.constantFrom('done', 'error', 'cancelled', 'timeout'),
    model: maybe(anyText),
    usage: maybe(anyObject),
    costUsd: maybe(anyNumber.map(Math.abs)),
    durationMs: maybe(anyNumber.map(Math.abs))
  },
  error: { error: anyText, code: maybe(anyText), stack: maybe(anyText) },
  todo_list: { todoId: anyText, items: fc.array(item, { maxLength: 5 }) }
}

type Field = fc.Arbitrary<unknown> | { value: fc.Arbitrary<unknown>; optional: true }
type Fields = Record<string, Field>

function recordOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  const values: Record<string, fc.Arbitrary<unknown>> = {}
  const requiredKeys: string[] = []
  for (const [key, field] of Object.entries(fields)) {
    if ('optional' in field) values[key] = field.value
    else {
      values[key] = field
      requiredKeys.push(key)
    }
  }
  return fc.record(values, { requiredKeys, noNullPrototype: true })
}

/** Any valid event, of every type, with and without every optional field. */
export const anyEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  ...Object.entries(bodies).map(([type, body]) =>
    recordOf({ type: fc.constant(type), ...base, ...body }).map((event) => event as AgentEvent & typeof event)
  )
)
