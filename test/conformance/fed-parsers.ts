import type { AgentEvent } from '../../src/core/events/agent-event.ts'
import { ClaudeCodeParser, CodexParser, GeminiParser } from '../../src/core/formats/stream-parser.ts'

/** What takes bytes and gives events: one of our parsers, or a seed's. */
export interface Fed<Event> {
  parseChunk(chunk: Buffer): Event[]
  flush(): Event[]
}

export const team = { teamName: 'tide', memberName: 'ada', memberDisplayName: 'Ada', memberRole: 'developer' }
export const claudeParser = (): ClaudeCodeParser => new ClaudeCodeParser('agent-1', team)
export const geminiParser = (): GeminiParser => new GeminiParser('agent-1', team)
export const codexParser = (): CodexParser => new CodexParser('agent-1', team)

/** The events of bytes that come in chunks which end at `cuts`. */
export function fed<Event>(parser: Fed<Event>, bytes: Uint8Array, cuts: readonly number[] = []): Event[] {
  const events: Event[] = []
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    events.push(...parser.parseChunk(Buffer.from(bytes.subarray(from, to))))
    from = to
  }
  return [...events, ...parser.flush()]
}

/** The events of records, one a line. */
export function eventsOf(parser: Fed<AgentEvent>, ...records: readonly unknown[]): AgentEvent[] {
  return fed(parser, Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join('')))
}

/** The events of a text as it is. */
export function eventsOfText(parser: Fed<AgentEvent>, text: string): AgentEvent[] {
  return fed(parser, Buffer.from(text))
}

/** An event without whose it is, its id, its time and its place. */
export function bodyOf(event: AgentEvent): Record<string, unknown> {
  const { eventId: _id, agentId: _agent, agentType: _type, teamMetadata: _team, source: _source, ...rest } = event
  const { timestamp: _time, timestampFrom: _from, sessionId: _session, ...body } = rest
  return body
}

export const bodiesOf = (events: readonly AgentEvent[]): Record<string, unknown>[] => events.map(bodyOf)

/** The items of the todo lists among events. */
export const listsOf = (events: readonly AgentEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'todo_list' ? [event.items] : []))
