import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '../json.ts'
import { contentText, type PlainBuilder } from './plain-record.ts'

/** The result of a call, as a block states it. */
export interface BlockResult {
  readonly id: string | undefined
  readonly failed: boolean
  readonly text: string
}

interface BlockReading {
  readonly role: string | undefined
  /** The path of the content. */
  readonly path: string
  /** Whether the program wrote the text in the user's name. */
  readonly isInjected?: ((text: string) => boolean) | undefined
  /** Reads a `tool_result`. */
  readonly resultOf?: ((block: JsonObject) => BlockResult) | undefined
}

/** Says the content of a message as Anthropic's API has it: texts, thoughts, calls and results. */
export function sayBlocks(out: PlainBuilder, content: JsonValue | undefined, reading: BlockReading): void {
  if (typeof content === 'string') return sayText(out, content, reading)
  if (!Array.isArray(content)) return
  for (const [index, block] of (content as readonly JsonValue[]).entries()) {
    if (isJsonObject(block)) sayBlock(out, block, `${reading.path}[${index}]`, reading)
  }
}

function sayText(out: PlainBuilder, text: string, { role, isInjected }: BlockReading): void {
  if (role !== 'user') out.say('assistant-message', text)
  else out.say(isInjected?.(text) === true ? 'status' : 'user-message', text)
}

function sayBlock(out: PlainBuilder, block: JsonObject, path: string, reading: BlockReading): void {
  switch (block['type']) {
    case 'text':
      return sayText(out, stringAt(block, 'text') ?? '', reading)
    case 'thinking':
      return out.say('reasoning', stringAt(block, 'thinking'))
    case 'tool_use':
      // Some programs write a growing message again and again.
      return out.call(
        stringAt(block, 'id') || out.newId(),
        stringAt(block, 'name') ?? 'unknown',
        block['input'],
        `${path}.input`,
        true
      )
    case 'tool_result': {
      const { id, failed, text } = (reading.resultOf ?? usualResult)(block)
      return out.result(id || out.newId(), failed, text)
    }
    case 'image':
    case 'redacted_thinking':
      return
    default:
      out.unknownPart(`${path}.type`, 'unknown content block')
  }
}

function usualResult(block: JsonObject): BlockResult {
  const failed = block['is_error'] === true
  return { id: stringAt(block, 'tool_use_id'), failed, text: contentText(block['content']) }
}
