import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '../../json.ts'
import type { ChatBuilder } from './chat-decoded.ts'

/** The content of a message. */
export interface ChatContent {
  /** All text, with placeholders for media. */
  readonly text: string
  /** Thoughts as parts, in contents from the API's history. */
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

/** Reads a text, a part, or a list of both (`PartListUnion` of @google/genai). Unknown parts are reported. */
export function readContent(out: ChatBuilder, content: JsonValue | undefined, path: string): ChatContent {
  if (typeof content === 'string') {
    return { text: content, thoughts: none, functionCalls: none, functionResponses: none }
  }
  const read: Read = { text: '', thoughts: [], functionCalls: [], functionResponses: [] }
  if (!Array.isArray(content)) {
    // The schema reports other values.
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

/** Placeholder of media. Never its base64. */
function mediaPlaceholder(media: JsonObject): string {
  return `[${stringAt(media, 'mimeType') ?? 'file'}]`
}
