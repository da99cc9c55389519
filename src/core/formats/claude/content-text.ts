import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { jsonText } from '../json-depth.ts'

/** A result's content, empty if absent: docs/formats/claude-stream-json.md#a-result-is-text. */
export function contentText(content: JsonValue | undefined): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return partText(content)
  return (content as readonly JsonValue[]).map(partText).join('\n')
}

function partText(part: JsonValue): string {
  if (typeof part === 'string') return part
  if (!isJsonObject(part)) return jsonText(part)
  switch (part['type']) {
    case 'text':
      return stringAt(part, 'text') ?? jsonText(part)
    case 'image':
    case 'document':
      return mediaPlaceholder(part)
    case 'tool_reference':
      return stringAt(part, 'tool_name') ?? jsonText(part)
    case 'web_search_result':
      return [stringAt(part, 'title'), stringAt(part, 'url')].filter((line) => line !== undefined).join('\n')
    default:
      return jsonText(part)
  }
}

/** Placeholder of an image or document block: `[image/png, 24 KB]`. Never its base64. */
export function mediaPlaceholder(block: JsonObject): string {
  const kind = stringAt(block, 'type') ?? 'media'
  const source = objectAt(block, 'source')
  if (source === undefined) return `[${kind}]`
  const mediaType = stringAt(source, 'media_type') ?? kind
  const data = stringAt(source, 'data')
  if (data === undefined) return `[${mediaType}]`
  return `[${mediaType}, ${size(source['type'] === 'base64' ? base64Bytes(data) : data.length)}]`
}

function base64Bytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${Math.round(bytes / 1024)} KB`
  return `${(bytes / (1024 * 1024)).toFixed(1)} MB`
}

/** The first text of a message's content; identifies the kind of a result. */
export function leadingText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const first: unknown = content[0]
  return isJsonObject(first) ? (stringAt(first, 'text') ?? '') : ''
}

/** The error code in a server tool's result, if any: `{type: "…_tool_result_error", error_code}`. */
export function serverToolError(content: JsonValue | undefined): string | undefined {
  return isJsonObject(content) ? stringAt(content, 'error_code') : undefined
}

/** The text of a prompt, a string or blocks; images as placeholders (attachment `queued_command`). */
export function promptText(prompt: JsonValue | undefined): string {
  if (isJsonObject(prompt)) return contentText(arrayAt(prompt, 'content') ?? prompt['content'])
  return contentText(prompt)
}
