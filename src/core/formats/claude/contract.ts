import { type JsonObject, type JsonValue, isJsonObject, jsonTypeName } from '../../json.ts'
import { isBlank } from '../../lines/blank.ts'
import { parseJson } from '../json-text.ts'

/** A record that keeps the contract. `raw` is the record. */
export type ClaudeStreamJsonEvent =
  | {
      kind: 'SystemInit' | 'UserMessage' | 'AssistantMessage' | 'ResultSuccess' | 'ResultError'
      sessionId: string
      raw: JsonObject
    }
  | { kind: 'SystemOther'; sessionId: string; subtype: string; raw: JsonObject }
  | { kind: 'StreamEvent'; sessionId: string; stream: { eventType: string; raw: JsonObject }; raw: JsonObject }
  | { kind: 'Unknown'; sessionId: string | null; raw: JsonObject }

/** `Unknown` is reserved; version 1 never returns it. */
export type ClaudeStreamJsonErrorCode = 'JsonParse' | 'TypedParse' | 'Normalize' | 'Unknown'

export interface ClaudeStreamJsonParseError {
  code: ClaudeStreamJsonErrorCode
  /** What was expected and found, without text of the line. */
  message: string
  /** JSON path of the fault; absent if the line is not JSON. */
  path?: string
}

/** `event` is null for a blank line. */
export type ClaudeStreamJsonResult =
  { ok: true; event: ClaudeStreamJsonEvent | null } | { ok: false; error: ClaudeStreamJsonParseError }

/**
 * The strict contract of Claude Code's `--output-format stream-json`, version 1:
 * docs/seeds.md#claude-stream-json-contract. Checks each line on its own. The format `claude-stream-json` reads the
 * meaning, also of lines that break the contract.
 */
export class ClaudeStreamJsonParser {
  /** Resets state. Version 1 has none, as no rule spans lines. */
  reset(): void {}

  /** Parses a line without its `\n`; a trailing `\r` is ignored. */
  parseLine(line: string): ClaudeStreamJsonResult {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line
    if (isBlank(text)) return { ok: true, event: null }
    const parsed = parseJson(text)
    if (parsed.ok) return this.parseJson(parsed.value)
    return { ok: false, error: { code: 'JsonParse', message: `column ${parsed.column}: ${parsed.what}` } }
  }

  /** Parses a line's JSON value, as `parseLine` does. Never `JsonParse`, never a null event. */
  parseJson(value: unknown): ClaudeStreamJsonResult {
    if (!isJsonObject(value)) return missing('$', 'an object', value)
    const { type } = value
    if (typeof type !== 'string') return missing('$.type', 'a string', type)
    switch (type) {
      case 'system':
      case 'user':
      case 'assistant':
      case 'result':
      case 'stream_event':
        return parseKnown(type, value)
      default:
        return accepted({ kind: 'Unknown', sessionId: sessionIdOf(value) ?? null, raw: value })
    }
  }
}

function parseKnown(
  type: 'system' | 'user' | 'assistant' | 'result' | 'stream_event',
  raw: JsonObject
): ClaudeStreamJsonResult {
  const sessionId = sessionIdOf(raw)
  if (sessionId === undefined) {
    const found = raw['session_id'] === undefined ? raw['sessionId'] : raw['session_id']
    return missing('$.session_id', 'a string', found)
  }
  switch (type) {
    case 'user':
      return accepted({ kind: 'UserMessage', sessionId, raw })
    case 'assistant':
      return accepted({ kind: 'AssistantMessage', sessionId, raw })
    case 'system':
      return parseSystem(sessionId, raw)
    case 'stream_event':
      return parseStreamEvent(sessionId, raw)
    case 'result':
      return parseResult(sessionId, raw)
  }
}

function parseSystem(sessionId: string, raw: JsonObject): ClaudeStreamJsonResult {
  const { subtype } = raw
  if (typeof subtype !== 'string') return missing('$.subtype', 'a string', subtype)
  if (subtype === 'init') return accepted({ kind: 'SystemInit', sessionId, raw })
  return accepted({ kind: 'SystemOther', sessionId, subtype, raw })
}

function parseStreamEvent(sessionId: string, raw: JsonObject): ClaudeStreamJsonResult {
  const { event } = raw
  if (!isJsonObject(event)) return missing('$.event', 'an object', event)
  const { type } = event
  if (typeof type !== 'string') return missing('$.event.type', 'a string', type)
  return accepted({ kind: 'StreamEvent', sessionId, stream: { eventType: type, raw: event }, raw })
}

function parseResult(sessionId: string, raw: JsonObject): ClaudeStreamJsonResult {
  const { subtype, is_error: isError } = raw
  if (typeof subtype !== 'string') return missing('$.subtype', 'a string', subtype)
  if (subtype !== 'success' && subtype !== 'error') {
    return refused('TypedParse', '$.subtype', 'expected "success" or "error", found another string')
  }
  if (isError !== undefined && typeof isError !== 'boolean') return missing('$.is_error', 'a boolean', isError)
  if (isError !== undefined && isError !== (subtype === 'error')) {
    const found = isError ? 'true with success' : 'false with error'
    return refused('Normalize', '$.is_error', `expected a value that matches the subtype, found ${found}`)
  }
  return accepted({ kind: subtype === 'error' ? 'ResultError' : 'ResultSuccess', sessionId, raw })
}

function sessionIdOf({ session_id: id, sessionId: alias }: JsonObject): string | undefined {
  if (typeof id === 'string') return id
  return typeof alias === 'string' ? alias : undefined
}

function accepted(event: ClaudeStreamJsonEvent): ClaudeStreamJsonResult {
  return { ok: true, event }
}

function missing(path: string, expected: string, found: unknown): ClaudeStreamJsonResult {
  return refused('TypedParse', path, `expected ${expected}, found ${jsonTypeName(found as JsonValue | undefined)}`)
}

function refused(code: 'TypedParse' | 'Normalize', path: string, message: string): ClaudeStreamJsonResult {
  return { ok: false, error: { code, message, path } }
}
