import type { AgentEvent } from '../events/agent-event.ts'
import { terminalSafeText } from '../terminal-safe-text.ts'

type KeyOf<T> = T extends unknown ? keyof T : never

/** All keys of events in output order, so equal events give equal bytes. */
const keys: Record<KeyOf<AgentEvent>, true> = {
  type: true,
  eventId: true,
  sessionId: true,
  trackId: true,
  agentId: true,
  agentType: true,
  timestamp: true,
  timestampFrom: true,
  model: true,
  cwd: true,
  tools: true,
  version: true,
  text: true,
  role: true,
  category: true,
  toolName: true,
  toolId: true,
  input: true,
  output: true,
  error: true,
  code: true,
  stack: true,
  finishReason: true,
  usage: true,
  costUsd: true,
  durationMs: true,
  durationFrom: true,
  todoId: true,
  items: true,
  teamMetadata: true,
  source: true
}
const longString = 100

/** Receives JSON, part by part. */
export interface JsonSink {
  /** JSON that is safe for terminals. */
  json(text: string): void
  /** A string of any length, to be written as by `safeJson`. */
  string(text: string): void
}

/**
 * `event` as one line of normalized JSONL, without a line end and safe for terminals. `raw`: the exact source line.
 * Opened again as format `normalized`, it gives an equal event.
 */
export function normalizedLine(event: AgentEvent, raw?: string): string {
  const line = new TextSink()
  new NormalizedLines(line).write(event, raw)
  return line.text.slice(0, -1)
}

class TextSink implements JsonSink {
  text = ''

  json(text: string): void {
    this.text += text
  }

  string(text: string): void {
    this.text += safeJson(text)
  }
}

/** JSON that is safe for terminals. */
export function safeJson(value: unknown): string {
  return terminalSafeText(JSON.stringify(value))
}

/** A key and the last value without long strings; the next event mostly has the same one. */
interface Field {
  readonly key: keyof AgentEvent
  readonly start: string
  value: unknown
  json: string
}

/** Writes lines as `normalizedLine`, but passes long strings separately. Events must not be mutated. */
export class NormalizedLines {
  private readonly out: JsonSink
  private readonly fields = Object.keys(keys).map((key): Field => ({
    key: key as keyof AgentEvent,
    start: `${JSON.stringify(key)}:`,
    value: undefined,
    json: ''
  }))
  /** JSON not yet passed to the sink or made safe for terminals: one test of all of it is faster. */
  private text = ''

  constructor(out: JsonSink) {
    this.out = out
  }

  /** Includes the line end. `note`: of the event's bookmark; may be empty. */
  write(event: AgentEvent, raw?: string, note?: string): void {
    let separator = '{'
    for (const field of this.fields) {
      const value = event[field.key]
      if (value === undefined) continue
      this.text += separator + field.start
      separator = ','
      if (value === field.value) this.text += field.json
      else if (typeof value === 'number') this.text += numberText(value)
      else if (isPlain(value)) {
        field.value = value
        field.json = JSON.stringify(value)
        this.text += field.json
      } else this.exactly(value)
    }
    if (raw !== undefined) {
      this.text += ',"raw":'
      this.string(raw)
    }
    if (note !== undefined) this.text += `,"bookmark":${JSON.stringify({ note })}`
    this.text += '}\n'
    this.flush()
  }

  private string(value: string): void {
    this.flush()
    this.out.string(value)
  }

  private flush(): void {
    this.out.json(terminalSafeText(this.text))
    this.text = ''
  }

  /** As `JSON.stringify`, but keeps 1e999 (infinite, once read) and -0. Recursive: values have 1000 levels at most. */
  private exactly(value: unknown): void {
    if (typeof value === 'string' && value.length >= longString) this.string(value)
    else if (typeof value === 'number') this.text += numberText(value)
    else if (typeof value !== 'object' || value === null) this.text += JSON.stringify(value)
    else if (Array.isArray(value)) this.list(value)
    else this.object(value as Readonly<Record<string, unknown>>)
  }

  private list(list: readonly unknown[]): void {
    let separator = '['
    for (const value of list) {
      this.text += separator
      separator = ','
      this.exactly(value)
    }
    this.text += list.length === 0 ? '[]' : ']'
  }

  private object(object: Readonly<Record<string, unknown>>): void {
    let separator = '{'
    for (const key in object) {
      const value = object[key]
      if (value === undefined) continue
      this.text += `${separator}${JSON.stringify(key)}:`
      separator = ','
      this.exactly(value)
    }
    this.text += separator === '{' ? '{}' : '}'
  }
}

/** Whether the value has no number that `JSON.stringify` changes and no long string. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return value.length < longString
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isPlain)
  for (const key in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[key])) return false
  return true
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '1e999' : '-1e999'
}
