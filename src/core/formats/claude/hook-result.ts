import { contentText, mediaPlaceholder } from './content-text.ts'
import { statedTodos } from './todo-tools.ts'
import { jsonText } from '../json-depth.ts'
import {
  arrayAt,
  isFiniteNumber,
  isJsonObject,
  objectAt,
  stringAt,
  type JsonObject,
  type JsonValue
} from '../../json.ts'

/** A hook's report of one completed tool call. */
export interface HookResult {
  readonly session: string
  /** Null: the hook names no call (seen: Claude Code 1.0.128), so its result has no key. */
  readonly result: {
    /** `tool_use_id` */
    readonly tool: string
    readonly content: string
    readonly isError: boolean
  } | null
  /** The list that a TodoWrite of the main agent set, as in the call; null: no list. */
  readonly todos: readonly JsonValue[] | null
}

/**
 * Reads the standard input of a PostToolUse hook of Claude Code (or PostToolUseFailure, for failed calls). Null: other
 * input, or without a session.
 *
 * `tool_response` is the later `tool_use_result` of the `user` line: the tool's own value, not the text for the model.
 * It is converted to the nearest text. A subagent's todo list is not the session's: its hooks have an `agent_id`, and
 * give no todos.
 */
export function hookResult(hook: JsonValue): HookResult | null {
  if (!isJsonObject(hook)) return null
  const session = stringAt(hook, 'session_id')
  const event = stringAt(hook, 'hook_event_name')
  if (session === undefined || session === '') return null
  if (event !== 'PostToolUse' && event !== 'PostToolUseFailure') return null
  const failed = event === 'PostToolUseFailure'
  const tool = stringAt(hook, 'tool_use_id')
  const response = failed ? (hook['error'] ?? hook['tool_response']) : hook['tool_response']
  const isError = failed || saysFailed(response)
  const isOwnList = stringAt(hook, 'tool_name') === 'TodoWrite' && !isError && hook['agent_id'] === undefined
  return {
    session,
    result: tool === undefined || tool === '' ? null : { tool, content: responseText(response), isError },
    todos: isOwnList ? statedTodos(objectAt(hook, 'tool_input')?.['todos']) : null
  }
}

/** A hook's content, from the later `user` line with the same value. Null: no result, or several. */
export function printedResult(record: JsonValue): { readonly tool: string; readonly content: string } | null {
  if (!isJsonObject(record) || record['tool_use_result'] === undefined) return null
  const results = (arrayAt(objectAt(record, 'message') ?? {}, 'content') ?? []).filter(isJsonObject)
  const [tool, ...others] = results.map((result) => stringAt(result, 'tool_use_id')).filter((id) => id !== undefined)
  if (tool === undefined || others.length > 0) return null
  return { tool, content: responseText(record['tool_use_result']) }
}

function saysFailed(response: JsonValue | undefined): boolean {
  return isJsonObject(response) && (response['is_error'] === true || response['success'] === false)
}

/** A tool's value as text: its output, the file read, the changes, or its content; else its JSON. */
function responseText(response: JsonValue | undefined): string {
  if (!isJsonObject(response)) return contentText(response)
  return printed(response) ?? fileRead(response) ?? fileChanged(response) ?? said(response) ?? jsonText(response)
}

/** Of a command. */
function printed(response: JsonObject): string | null {
  const [out, err] = [stringAt(response, 'stdout'), stringAt(response, 'stderr')]
  if (out === undefined && err === undefined) return null
  return [out, err].filter((text) => text !== undefined && text !== '').join('\n')
}

/** With line numbers, as the model receives it. */
function fileRead(response: JsonObject): string | null {
  const file = objectAt(response, 'file')
  if (file === undefined) return null
  const base64 = stringAt(file, 'base64')
  if (base64 !== undefined) {
    const source = { type: 'base64', media_type: stringAt(file, 'type') ?? 'file', data: base64 }
    return mediaPlaceholder({ type: 'image', source })
  }
  const content = stringAt(file, 'content')
  if (content === undefined) return null
  const first = isFiniteNumber(file['startLine']) ? file['startLine'] : 1
  return content
    .split('\n')
    .map((line, index) => `${first + index}\t${line}`)
    .join('\n')
}

/** The file and its changes, without its former content. */
function fileChanged(response: JsonObject): string | null {
  const path = stringAt(response, 'filePath')
  const hunks = arrayAt(response, 'structuredPatch')
  if (path === undefined || hunks === undefined) return null
  return [path, ...hunks.filter(isJsonObject).map(hunkText)].join('\n')
}

function hunkText(hunk: JsonObject): string {
  const { oldStart, oldLines, newStart, newLines } = hunk
  const lines = (arrayAt(hunk, 'lines') ?? []).filter((line) => typeof line === 'string')
  return [`@@ -${String(oldStart)},${String(oldLines)} +${String(newStart)},${String(newLines)} @@`, ...lines].join(
    '\n'
  )
}

/** Of a subagent, a search, or a tool of an MCP server. */
function said(response: JsonObject): string | null {
  const content = response['content'] ?? response['result']
  return typeof content === 'string' || Array.isArray(content) ? contentText(content) : null
}
