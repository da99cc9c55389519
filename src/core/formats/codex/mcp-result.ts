import { arrayAt, isJsonObject, objectAt, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { jsonText } from '../json-depth.ts'

/** The text of an MCP `CallToolResult`, with placeholders for media; without parts, its structured content. */
export function mcpResultText(result: JsonObject): string {
  const content = arrayAt(result, 'content') ?? []
  if (content.length > 0) return content.map(partText).join('\n')
  const structured = result['structured_content'] ?? result['structuredContent']
  return structured === undefined || structured === null ? '' : jsonText(structured)
}

/** Whether the tool states a failure. */
export function mcpResultFailed(result: JsonObject): boolean {
  return result['is_error'] === true || result['isError'] === true
}

/** The end of a call to a server: `{Ok: …}` or `{Err: …}`. */
export function mcpEnd(result: JsonObject): { readonly text: string; readonly failed: boolean } {
  const error = stringAt(result, 'Err')
  const answer = objectAt(result, 'Ok') ?? {}
  return { text: error ?? mcpResultText(answer), failed: error !== undefined || mcpResultFailed(answer) }
}

function partText(part: JsonValue): string {
  if (typeof part === 'string') return part
  if (!isJsonObject(part)) return jsonText(part)
  switch (part['type']) {
    case 'text':
      return stringAt(part, 'text') ?? jsonText(part)
    case 'image':
    case 'audio':
      return `[${stringAt(part, 'mimeType') ?? part['type']}]`
    case 'resource_link':
      return stringAt(part, 'uri') ?? jsonText(part)
    case 'resource':
      return resourceText(objectAt(part, 'resource') ?? {})
    default:
      return jsonText(part)
  }
}

function resourceText(resource: JsonObject): string {
  return stringAt(resource, 'text') ?? `[${stringAt(resource, 'uri') ?? 'resource'}]`
}
