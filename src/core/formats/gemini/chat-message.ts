import { arrayAt, isJsonObject, type JsonObject, objectAt, stringAt } from '../../json.ts'
import { instantOf } from '../instant.ts'
import type { ChatAnswer, ChatBuilder, ChatCall, ChatMessage, MessageKind } from './chat-decoded.ts'
import { type ChatContent, readContent } from './chat-content.ts'
import { readAnswer, readCall } from './tool-call.ts'

const noDraft = -1

/** Reads a message record (`MessageRecord` of chatRecordingTypes.ts): docs/formats/gemini-chat.md#messages-by-type. */
export function readMessage(out: ChatBuilder, record: JsonObject, path: string): ChatMessage {
  const content = readContent(out, record['content'], `${path}.content`)
  switch (record['type']) {
    case 'user':
      return readUser(out, record, content, path)
    case 'gemini':
      return readGemini(out, record, content, path)
    case 'info':
    case 'warning': {
      const kind = content.text.trim() === cancelled ? 'cancel' : 'notice'
      return message(record, { kind, text: statusDraft(out, content.text) })
    }
    case 'error': {
      const text = content.text === '' ? noDraft : out.draft({ type: 'error', error: content.text })
      return message(record, { kind: 'error', text })
    }
    default:
      if (typeof record['type'] === 'string') {
        out.issues.push({ code: 'UnknownType', path: `${path}.type`, message: 'unknown message type' })
      }
      return message(record, { kind: 'notice', text: noDraft })
  }
}

/** Notice of a stopped turn (packages/cli/src/ui/hooks/useGeminiStream.ts). */
const cancelled = 'Request cancelled.'

/** A turn of the API's history, `{role, parts}`, in `checkpoint-<tag>.json`. */
export function readTurn(out: ChatBuilder, record: JsonObject): ChatMessage {
  const content = readContent(out, record['parts'], '$.parts')
  return record['role'] === 'model' ? readGemini(out, record, content, '$') : readUser(out, record, content, '$')
}

function readUser(out: ChatBuilder, record: JsonObject, content: ChatContent, path: string): ChatMessage {
  const answers: ChatAnswer[] = []
  for (const response of content.functionResponses) {
    const answer = readAnswer(out, response)
    if (answer !== null) answers.push(answer)
  }
  const shown = record['displayContent']
  const typed = shown === undefined || shown === null ? '' : readContent(out, shown, `${path}.displayContent`).text
  const said = typed === '' ? content.text : typed
  if (said === '' || isInjected(content.text)) return message(record, { kind: 'harness', text: noDraft, answers })
  if (isSummary(said)) {
    return message(record, { kind: 'summary', text: statusDraft(out, said), answers })
  }
  // Text beside a result is no prompt.
  const kind: MessageKind = content.functionResponses.length > 0 ? 'harness' : 'prompt'
  const text = out.draft({ type: 'text', text: said, role: 'user', category: 'user-message' })
  return message(record, { kind, text, answers })
}

/** The context before the first prompt: since 0.4x in a tag, before as plain text. */
export function isInjected(text: string): boolean {
  return (
    text.startsWith('<session_context>') || text.startsWith('This is the Gemini CLI. We are setting up the context')
  )
}

/** The summary after compression (packages/core/src/services/chatCompressionService.ts). */
function isSummary(text: string): boolean {
  return text.startsWith('<state_snapshot>')
}

function readGemini(out: ChatBuilder, record: JsonObject, content: ChatContent, path: string): ChatMessage {
  const firstThought = out.drafts.length
  for (const thought of arrayAt(record, 'thoughts') ?? []) {
    if (isJsonObject(thought)) draftThought(out, thought)
  }
  for (const text of content.thoughts) out.draft({ type: 'text', text, role: 'assistant', category: 'reasoning' })
  const thoughts = out.drafts.length - firstThought
  const text =
    content.text === ''
      ? noDraft
      : out.draft({ type: 'text', text: content.text, role: 'assistant', category: 'assistant-message' })
  const calls = readCalls(out, record, content, path)
  const facts = { tokens: objectAt(record, 'tokens'), model: stringAt(record, 'model') }
  return message(record, { kind: 'gemini', firstThought, thoughts, text, calls, ...facts })
}

function draftThought(out: ChatBuilder, thought: JsonObject): void {
  const subject = stringAt(thought, 'subject') ?? ''
  const description = stringAt(thought, 'description') ?? ''
  const text = subject === '' || description === '' ? subject + description : `${subject}\n\n${description}`
  if (text !== '') out.draft({ type: 'text', text, role: 'assistant', category: 'reasoning' })
}

function readCalls(out: ChatBuilder, record: JsonObject, content: ChatContent, path: string): readonly ChatCall[] {
  const recorded = arrayAt(record, 'toolCalls')
  const { functionCalls } = content
  if (recorded === undefined && functionCalls.length === 0) return none
  const calls: ChatCall[] = []
  for (let index = 0; recorded !== undefined && index < recorded.length; index += 1) {
    const call = recorded[index]
    if (isJsonObject(call)) calls.push(readCall(out, call, { path: `${path}.toolCalls[${index}]`, index }))
  }
  for (const call of functionCalls) {
    calls.push(readCall(out, call, { path: `${path}.content`, index: calls.length }))
  }
  return calls
}

function statusDraft(out: ChatBuilder, text: string): number {
  return text === '' ? noDraft : out.draft({ type: 'text', text, role: 'system', category: 'status' })
}

const none: readonly never[] = []

/** A message; by default without calls, results and thoughts. */
function message(
  record: JsonObject,
  parts: Pick<ChatMessage, 'kind' | 'text'> & Partial<Omit<ChatMessage, 'id' | 'time'>>
): ChatMessage {
  return {
    id: stringAt(record, 'id'),
    time: instantOf(record['timestamp']),
    ...{ firstThought: 0, thoughts: 0, calls: none, answers: none, tokens: undefined, model: undefined },
    ...parts
  }
}
