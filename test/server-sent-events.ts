import { type StreamEvent, streamEventData, type StreamEventType } from '../src/core/bridge/stream-events.ts'

/** An event as a browser hands it over. */
export interface ReceivedEvent {
  readonly id: string
  readonly event: StreamEvent
}

/** Reads server-sent events as browsers do, from text in any pieces. Throws where an event breaks the schema of its type. */
export class EventReader {
  readonly events: ReceivedEvent[] = []
  /** Of the last event that was whole. */
  lastId = ''
  #rest = ''
  #type = ''
  #data: string[] = []
  #id = ''

  push(text: string): void {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#line(line)
  }

  /** The connection is lost: what had begun is forgotten. */
  lose(): void {
    this.#rest = ''
    this.#type = ''
    this.#data = []
    this.#id = this.lastId
  }

  #line(line: string): void {
    if (line === '') return this.#dispatch()
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? []
    if (field === 'event') this.#type = value
    else if (field === 'data') this.#data.push(value)
    else if (field === 'id') this.#id = value
  }

  #dispatch(): void {
    this.lastId = this.#id
    if (this.#data.length > 0) {
      const type = this.#type as StreamEventType
      const data = streamEventData[type].parse(JSON.parse(this.#data.join('\n')))
      this.events.push({ id: this.#id, event: { type, data } as StreamEvent })
    }
    this.#type = ''
    this.#data = []
  }
}

/** The events of a whole stream. */
export function readEvents(text: string): readonly ReceivedEvent[] {
  const reader = new EventReader()
  reader.push(text)
  return reader.events
}
