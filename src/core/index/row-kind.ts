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

/** The place of each in `rowKinds`, without a search. */
export const numberOfKind = Object.fromEntries(rowKinds.map((kind, number) => [kind, number])) as Record<
  RowKind,
  number
>

/** The type of the event of each kind of row; null for a record without one. */
export const typeOfKind: Readonly<Record<RowKind, EventBody['type'] | null>> = {
  record: null,
  session: 'session.started',
  prompt: 'text',
  assistant: 'text',
  reasoning: 'text',
  status: 'text',
  'result-text': 'text',
  tool: 'tool.started',
  'tool-result': 'tool.completed',
  'tool-error': 'tool.completed',
  turn: 'turn.completed',
  error: 'error',
  todo: 'todo_list',
  unparsed: 'text'
}

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
