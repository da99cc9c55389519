import type { EventBody } from '../events/agent-event.ts'
import { isFailedCall } from './failed-call.ts'

/** Kinds of rows, stored as an index, so only append. `prompt` to `result-text` are kinds of `text` events. */
export const rowKinds = [
  'record',
  'session',
  'prompt',
  'assistant',
  'reasoning',
  'status',
  'result-text',
  'tool',
  'tool-result',
  'tool-error',
  'turn',
  'error',
  'todo',
  'unparsed'
] as const
export type RowKind = (typeof rowKinds)[number]

export function rowKindOf(event: EventBody): RowKind {
  switch (event.type) {
    case 'session.started':
      return 'session'
    case 'tool.started':
      return 'tool'
    case 'tool.completed':
      return isFailedCall(event) ? 'tool-error' : 'tool-result'
    case 'turn.completed':
      return 'turn'
    case 'error':
      return 'error'
    case 'todo_list':
      return 'todo'
    case 'text':
      if (event.category === 'unparsed') return 'unparsed'
      if (event.category === 'reasoning') return 'reasoning'
      if (event.category === 'result') return 'result-text'
      if (event.category === 'status' || event.role === 'system') return 'status'
      return event.role === 'user' || event.category === 'user-message' ? 'prompt' : 'assistant'
  }
}
