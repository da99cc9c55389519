import type { AgentEvent } from '../events/agent-event.ts'

type KeyOf<T> = T extends unknown ? keyof T : never

/** Every key an event can have, in the order of the line: the same event always gives the same bytes. */
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
  todoId: true,
  items: true,
  teamMetadata: true,
  source: true
}
const members = Object.keys(keys).map((key) => ({ key: key as keyof AgentEvent, start: `${JSON.stringify(key)}:` }))

/**
 * `event` as one line of normalized JSONL, without a line end. With `raw`, the exact line the event came from.
 * Opened again as format `normalized` it is an equal event.
 */
export function normalizedLine(event: AgentEvent, raw?: string): string {
  let line = ''
  for (const { key, start } of members) {
    const value = event[key]
    if (value !== undefined) line += `${line === '' ? '{' : ','}${start}${jsonText(value)}`
  }
  return raw === undefined ? `${line}}` : `${line},"raw":${JSON.stringify(raw)}}`
}

/** A part of a line: text, or JSON that was written before, in UTF-8. */
export type LinePart = string | Uint8Array

/**
 * As `normalizedLine`, in parts: a field that was written before is taken as it is, whatever the event has instead. One written as
 * nothing is not there.
 */
export function normalizedParts(event: AgentEvent, written: ReadonlyMap<string, Uint8Array>): LinePart[] {
  const parts: LinePart[] = []
  let text = ''
  for (const { key, start } of members) {
    const value = event[key]
    const bytes = written.get(key)
    if (bytes === undefined ? value === undefined : bytes.length === 0) continue
    text += `${text === '' && parts.length === 0 ? '{' : ','}${start}`
    if (bytes === undefined) text += jsonText(value)
    else {
      parts.push(text, bytes)
      text = ''
    }
  }
  parts.push(`${text}}`)
  return parts
}

/** A value as it stands in a line. */
export function jsonText(value: unknown): string {
  return isWrittenExactly(value) ? JSON.stringify(value) : exactText(value)
}

/** Whether `JSON.stringify`, which is far faster than anything written here, changes no number of the value. */
function isWrittenExactly(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value)) return value.every(isWrittenExactly)
  for (const key in value) if (!isWrittenExactly((value as Readonly<Record<string, unknown>>)[key])) return false
  return true
}

/**
 * As `JSON.stringify`, which writes 1e999 (infinite, once read) as null and -0 as 0. Lone surrogates are escaped.
 * Recurses: readers keep no value deeper than 1000 levels.
 */
function exactText(value: unknown): string {
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(exactText).join(',')}]`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${exactText(field)}`).join(',')}}`
}

function numberText(value: number): string {
  if (Object.is(value, -0)) return '-0'
  if (Number.isFinite(value)) return String(value)
  return value > 0 ? '1e999' : '-1e999'
}
