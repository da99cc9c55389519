import type { IssueDraft } from '../src/core/formats/issue.ts'
import type { EventDraft, FoldedEvent, Framing } from '../src/core/formats/log-format.ts'
import { geminiChat } from '../src/core/formats/gemini/chat.ts'
import { LogReader } from '../src/core/formats/log-reader.ts'
import { LinesMarked, type PlacedMark } from './placed-marks.ts'

// The records of invented chats of Gemini CLI, and what is read of them.

export interface Seen {
  readonly events: FoldedEvent[]
  readonly issues: IssueDraft[]
  readonly marks: readonly PlacedMark[]
  readonly rows: number
}

export const at = (second: number): string => new Date(Date.UTC(2026, 2, 2, 9, 0, second)).toISOString()

export const header = (more: object = {}): object => ({
  sessionId: 's1',
  projectHash: 'f00',
  startTime: at(0),
  ...more
})
export const user = (id: string, content: unknown, more: object = {}): object => ({
  id,
  timestamp: at(1),
  type: 'user',
  content,
  ...more
})
export const gemini = (id: string, more: object = {}): object => ({
  id,
  timestamp: at(2),
  type: 'gemini',
  content: '',
  ...more
})
export const call = (id: string, more: object = {}): object => ({
  id,
  name: 'read_file',
  args: { path: 'a' },
  status: 'success',
  timestamp: at(3),
  result: [answer(id, { output: `of ${id}` })],
  ...more
})
export const answer = (id: string, response: object): object => ({
  functionResponse: { id, name: 'read_file', response }
})
export const context = {
  $set: { messages: [user('c', [{ text: '<session_context>\nToday is Monday' }])], lastUpdated: at(0) }
}

/** What is read of a chat: its events, issues and marks, and how many rows it has. */
export function read(records: readonly unknown[], framing: Framing = 'lines'): Seen {
  const text =
    framing === 'lines'
      ? records.map((record) => `${JSON.stringify(record)}\n`).join('')
      : JSON.stringify(records, null, 2)
  return readText(text, framing)
}

/** As `read`, of a text that need not be made of records. */
export function readText(text: string, framing: Framing = 'lines'): Seen {
  const marked = new LinesMarked()
  const seen = { events: [] as FoldedEvent[], issues: [] as IssueDraft[], marks: marked.marks, rows: 0 }
  const reader = new LogReader(
    geminiChat,
    {
      line({ at, events, issues, marks, blank }) {
        seen.events.push(...events)
        seen.issues.push(...issues)
        marked.add(at, marks)
        if (!blank) seen.rows += 1
      },
      end: (events) => seen.events.push(...events)
    },
    { framing }
  )
  reader.push(new TextEncoder().encode(text))
  reader.end()
  return seen
}

export const drafts = ({ events }: Seen): EventDraft[] => events.map(({ draft }) => draft)

/** What was said, shortly: the type of an event, or its text, tool or list; before it the line. */
export function told(seen: Seen): string[] {
  return seen.events.map(({ at: { line }, draft }) => `${line} ${shortly(draft)}`)
}

/** An event in a few words. */
export function shortly(draft: EventDraft): string {
  switch (draft.type) {
    case 'text':
      return `${draft.category}: ${draft.text}`
    case 'tool.started':
      return `start ${draft.toolId}`
    case 'tool.completed':
      return draft.error === undefined
        ? `done ${draft.toolId}: ${draft.output}`
        : `failed ${draft.toolId}: ${draft.error}`
    case 'todo_list':
      return `todos ${draft.items.map(({ text, status }) => `${text} ${status}`).join(', ')}`
    case 'turn.completed':
      return `turn ${draft.finishReason}`
    case 'error':
      return `error: ${draft.error}`
    case 'session.started':
      return 'session'
  }
}
