import type { AgentEvent, EventBody } from '#core/events/agent-event.ts'
import type { Finding } from '#core/findings/finding.ts'
import { normalized } from '#core/formats/normalized.ts'
import { soloIdentity } from '#core/formats/solo-identity.ts'
import { RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import type { JsonObject } from '#core/json.ts'

/** An event with what of its base matters to findings. `at`: in ms; absent: the record states no time. */
export type Step = EventBody & { readonly at?: number; readonly trackId?: string }

const start = Date.UTC(2026, 0, 1)

export function eventsOf(steps: readonly Step[]): AgentEvent[] {
  return steps.map(({ at, trackId, ...body }, seq) => ({
    eventId: `e${seq}`,
    ...soloIdentity('claude-code'),
    agentType: 'claude-code',
    timestamp: at === undefined ? 0 : start + at,
    ...(trackId === undefined ? {} : { trackId }),
    ...body
  }))
}

/** Rows of a log of these events. */
export function indexOf(events: readonly AgentEvent[]): RunIndex {
  const index = new RunIndex(normalized)
  const reader = new RunReader(normalized, index)
  reader.push(0, new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n`).join('')))
  reader.end()
  return index
}

/** The findings of a session with these events. */
export function findingsOf(steps: readonly Step[]): readonly Finding[] {
  return indexOf(eventsOf(steps)).findings.list
}

let calls = 0

/** A call and its result. `error`: null for a result without one. */
export function call(
  toolName: string,
  input: JsonObject,
  error: string | null = null,
  output = 'ok',
  trackId?: string
): Step[] {
  const toolId = `call-${calls++}`
  const track = trackId === undefined ? {} : { trackId }
  return [
    { type: 'tool.started', toolName, toolId, input, ...track },
    { type: 'tool.completed', toolId, ...(error === null ? { output } : { error }), ...track }
  ]
}

export const bash = (command: string, error: string | null = null, output?: string): Step[] =>
  call('Bash', { command }, error, output)
export const edit = (path: string, error: string | null = null): Step[] =>
  call('Edit', { file_path: path, old_string: 'a', new_string: 'b' }, error)
export const prompt: Step = { type: 'text', text: 'go on', role: 'user', category: 'user-message' }
export const answer: Step = { type: 'text', text: 'done', role: 'assistant', category: 'assistant-message' }
export const turnDone: Step = { type: 'turn.completed', finishReason: 'done' }
