import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'
import type { ChatBuilder } from './chat-decoded.ts'

/** What a message's content holds. */
export interface ChatContent {
  /** All text; pictures and files as placeholders. */
  readonly text: string
  /** Parts that are the model's thoughts: contents that were made from the API's history have them. */
  readonly thoughts: readonly string[]
  readonly functionCalls: readonly JsonObject[]
  readonly functionResponses: readonly JsonObject[]
}

interface Read {
  text: string
  thoughts: string[]
  functionCalls: JsonObject[]
  functionResponses: JsonObject[]
}

const none: readonly never[] = []

/**
 * Reads `content`: a text, a part, or a list of both (`PartListUnion` of @google/genai). `path` is its JSON path; a part that
 * nobody knows is reported.
 */
export function readContent(out: ChatBuilder, content: JsonValue | undefined, path: string): ChatContent {
  if (typeof content === 'string') {
    return { text: content, thoughts: none, functionCalls: none, functionResponses: none }
  }
  const read: Read = { text: '', thoughts: [], functionCalls: [], functionResponses: [] }
  if (!Array.isArray(content)) {
    // What is no content at all is reported by the schema.
    if (isJsonObject(content)) readPart(out, read, content, path)
    return read
  }
  const parts = content as readonly JsonValue[]
  for (let index = 0; index < parts.length; index += 1) readPart(out, read, parts[index], path, index)
  return read
}

function readPart(out: ChatBuilder, read: Read, part: JsonValue | undefined, path: string, index = -1): void {
  if (typeof part === 'string') {
    read.text += part
    return
  }
  if (!isJsonObject(part)) {
    return out.unknownPart(`${path}[${index}]`, 'not a supported part')
  }
  const text = part['text']
  if (typeof text === 'string') {
    if (part['thought'] !== true) read.text += text
    else if (text !== '') read.thoughts.push(text)
    return
  }
  const call = objectAt(part, 'functionCall')
  const response = objectAt(part, 'functionResponse')
  const media = objectAt(part, 'inlineData') ?? objectAt(part, 'fileData')
  if (call !== undefined) read.functionCalls.push(call)
  else if (response !== undefined) read.functionResponses.push(response)
  else if (media !== undefined) read.text += `${read.text === '' ? '' : '\n'}${mediaPlaceholder(media)}`
  else if (!('thoughtSignature' in part)) {
    out.unknownPart(index < 0 ? path : `${path}[${index}]`, 'unknown kind of part')
  }
}

/** What stands for a picture or a file. Never its base64. */
function mediaPlaceholder(media: JsonObject): string {
  return `[${stringAt(media, 'mimeType') ?? 'file'}]`
}
