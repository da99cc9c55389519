import fc from 'fast-check'
import type { AgentEvent } from '#core/events/agent-event.ts'
import type { JsonObject } from '#core/json.ts'

const kinds = [
  ...['prompt', 'say', 'say', 'think', 'call', 'call', 'call', 'start', 'start', 'ask', 'result', 'result', 'result'],
  ...['result', 'again', 'todos', 'turn', 'status', 'error', 'session']
] as const

const act = fc.record({
  kind: fc.constantFrom(...kinds),
  /** Ms since the time before; clocks go back. Null: the record states no time. */
  gap: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: -20, max: 300 }) }, fc.constant(null), fc.constant(0)),
  /** Chooses the track, the call, the words. */
  pick: fc.nat(1000),
  /** Of a result: what its log says of the length. */
  length: fc.oneof(
    fc.constant(null),
    { weight: 3, arbitrary: fc.constant('by its records' as const) },
    fc.record({ ms: fc.integer({ min: 0, max: 2400 }).map((quarters) => quarters / 4), stated: fc.boolean() })
  )
})
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never

const inputs: readonly JsonObject[] = [
  { command: 'npm test' },
  { command: 'cd web && npm run build' },
  { command: 'A=1 make' },
  { file_path: '/w/a.ts' },
  { file_path: 'b.ts' },
  { edits: [{ path: '/w/a.ts' }, { path: 'c.ts' }] },
  {}
]
const models = ['m-1', 'm-2', undefined] as const
const texts = ['write', 'test', 'ship'] as const

interface Call {
  readonly id: string
  readonly track: string | undefined
  readonly began: number
}

/** Any session with subagents that start subagents: calls overlap, lack results or times, and outlast what they are in. */
export const anySession: fc.Arbitrary<AgentEvent[]> = fc
  .array(act, { minLength: 5, maxLength: 70, size: 'max' })
  .map(eventsOf)

/** A log of these events. */
export function normalizedBytes(events: readonly AgentEvent[]): Uint8Array {
  return new TextEncoder().encode(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
}

function tookOf(length: Act['length'], byRecords: number) {
  if (length === null) return {}
  if (length !== 'by its records')
    return { durationMs: length.ms, durationFrom: length.stated ? ('stated' as const) : ('records' as const) }
  return byRecords > 0 ? { durationMs: byRecords, durationFrom: 'records' as const } : {}
}

function eventsOf(acts: readonly Act[]): AgentEvent[] {
  const tracks: (string | undefined)[] = [undefined]
  const open: Call[] = []
  const done: Call[] = []
  let now = Date.UTC(2026, 0, 1)
  return acts.flatMap(({ kind, gap, pick, length }, number): AgentEvent[] => {
    now += gap ?? 0
    const track = tracks[pick % tracks.length]
    const on = (of: string | undefined) => ({
      ...{ eventId: `e${number}`, agentId: 'a', agentType: 'claude-code' as const, timestamp: now },
      teamMetadata: { teamName: 't', memberName: 'a', memberDisplayName: 'A', memberRole: 'r' },
      ...(gap === null ? { timestampFrom: 'previous' as const } : {}),
      ...(of === undefined ? {} : { trackId: of })
    })
    const base = on(track)
    switch (kind) {
      case 'prompt':
        return [{ ...base, type: 'text', text: 'go on', role: 'user', category: 'user-message' }]
      case 'say':
        return [{ ...base, type: 'text', text: 'well', role: 'assistant', category: 'assistant-message' }]
      case 'think':
        return [{ ...base, type: 'text', text: 'hm', role: 'assistant', category: 'reasoning' }]
      case 'status':
        return [{ ...base, type: 'text', text: 'ready', role: 'system', category: 'status' }]
      case 'session':
        return [{ ...base, type: 'session.started' }]
      case 'error':
        return [{ ...base, type: 'error', error: 'no' }]
      case 'call':
      case 'start':
      case 'ask': {
        const call = { id: `c${number}`, track, began: now }
        open.push(call)
        if (kind === 'start') tracks.push(call.id)
        const [toolName, input] =
          kind === 'ask'
            ? ['AskUserQuestion', {}]
            : kind === 'start'
              ? ['Task', { prompt: 'look', description: 'look' }]
              : [['Bash', 'Read', 'Edit'][pick % 3] ?? '', inputs[pick % inputs.length] ?? {}]
        return [{ ...base, type: 'tool.started', toolName, toolId: call.id, input }]
      }
      case 'result':
      case 'again': {
        const from = kind === 'result' ? open : done
        const at = pick % Math.max(1, from.length)
        const call = from[at]
        if (call === undefined) return []
        if (kind === 'result') {
          open.splice(at, 1)
          done.push(call)
        }
        const took = tookOf(length, now - call.began)
        const outcome = pick % 4 === 0 ? { error: 'failed' } : { output: 'done' }
        return [{ ...on(call.track), type: 'tool.completed', toolId: call.id, ...outcome, ...took }]
      }
      case 'todos': {
        const items = texts.map((text, at) => {
          return {
            text: pick % 5 === 0 ? 'same' : text,
            status: (pick + at) % 3 === 0 ? ('in_progress' as const) : ('pending' as const)
          }
        })
        return [
          {
            ...base,
            type: 'todo_list',
            todoId: `t${number}`,
            items: pick % 5 === 0 ? items.map((item) => ({ ...item, status: 'in_progress' as const })) : items
          } as const
        ]
      }
      case 'turn': {
        const usage = { input_tokens: pick, output_tokens: pick % 7 }
        const model = models[pick % models.length]
        const named = model === undefined ? {} : { model }
        return [
          {
            ...base,
            type: 'turn.completed',
            finishReason: 'done',
            ...named,
            ...(pick % 4 === 0 ? {} : { usage })
          } as const
        ]
      }
    }
  })
}
