import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../json.ts'
import { oneLine } from './one-line.ts'
import type { Summary } from './summary.ts'

const maxMembers = 8

/** A line without events: its type and first sentence or values, else raw text. `value` absent: not JSON, or long. */
export function recordSummary(raw: string, value?: JsonValue): Summary {
  const title = isJsonObject(value) ? typeOf(value) : ''
  if (!isJsonObject(value) || title === '') return summary(raw, '', true)
  const words = wordsIn(value, 8)
  return words === undefined ? summary(title, membersIn(value, 3).join(', '), true) : summary(title, words, false)
}

function summary(text: string, detail: string, mono: boolean): Summary {
  return { text: oneLine(text), detail: oneLine(detail), mono, badges: [], todo: null }
}

/** `system/status`, `event_msg/token_count`: the type and the inner type; empty if there is none. */
function typeOf(record: JsonObject): string {
  const type = stringAt(record, 'type')
  if (type === undefined) return operationOf(record)
  const inner = Object.values(record).find((member) => isJsonObject(member) && typeof member['type'] === 'string')
  const subtype = stringAt(record, 'subtype') ?? (isJsonObject(inner) ? stringAt(inner, 'type') : undefined)
  return subtype === undefined || subtype === type ? type : `${type}/${subtype}`
}

/** The name of a record's only member if that is an object: `$set`. */
function operationOf(record: JsonObject): string {
  const [only, ...more] = Object.entries(record)
  return only !== undefined && more.length === 0 && isJsonObject(only[1]) ? only[0] : ''
}

/** The first string of at least three words, down to `depth` levels: not an id, path or time. */
function wordsIn(value: JsonValue | undefined, depth: number): string | undefined {
  if (typeof value === 'string') return /\p{L}\s+\p{L}+\s+\p{L}/u.test(value.slice(0, 400)) ? value : undefined
  if (typeof value !== 'object' || value === null || depth === 0) return undefined
  for (const part of Object.values(value).slice(0, 50)) {
    const words = wordsIn(part, depth - 1)
    if (words !== undefined) return words
  }
  return undefined
}

/** `total_tokens 405`, down to `depth` levels: numbers, flags and short strings that are neither ids nor times. */
function membersIn(object: JsonObject, depth: number): string[] {
  const members: string[] = []
  for (const [key, value] of Object.entries(object).slice(0, 50)) {
    if (members.length >= maxMembers) break
    if (key === 'type' || key === 'subtype') continue
    if (isJsonObject(value) && depth > 0) members.push(...membersIn(value, depth - 1))
    else if (typeof value === 'number' || typeof value === 'boolean') members.push(`${key} ${value}`)
    else if (typeof value === 'string' && isReadable(value)) members.push(`${key} ${value.slice(0, 80)}`)
  }
  return members.slice(0, maxMembers)
}

function isReadable(text: string): boolean {
  return text !== '' && !/^(?:[0-9a-f-]{16,}|\d{4}-\d\d-\d\dT[\d:.]+Z?)$/i.test(text.slice(0, 80))
}
