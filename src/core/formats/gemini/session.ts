import { arrayAt, isJsonObject, objectAt, stated, stringAt, type JsonObject, type JsonValue } from '../../json.ts'
import { instantOf } from '../instant.ts'
import { withoutLeadingBlocks } from '../leading-blocks.ts'
import type { SessionFacts, SessionFormat } from '../log-store.ts'
import { isInjected } from './chat-message.ts'

const programTags: ReadonlySet<string> = new Set(['session_context', 'state_snapshot', 'hook_context'])

function wordsOf(text: string): string {
  return withoutLeadingBlocks(text, (tag) => programTags.has(tag))
}

/** docs/formats/gemini-chat.md#records-tell-of-their-session */
export const chatSessionFormat: SessionFormat = {
  facts: chatFacts,
  isInjected: (text) => isInjected(text) || wordsOf(text) === '',
  wordsOf,
  titleMarkers: ['"summary"'],
  ends: 'guessed'
}

/** In stream-json, `init` may state the model `auto`; `result` has the real ones. */
export const streamSession: SessionFormat = {
  facts: (record) => {
    if (record['type'] !== 'result') return null
    const [model] = Object.keys(objectAt(objectAt(record, 'stats') ?? {}, 'models') ?? {})
    return model === undefined ? null : { model }
  },
  isInjected: (text) => isInjected(text) || wordsOf(text) === '',
  wordsOf,
  lacks: ['project', 'model']
}

function chatFacts(record: JsonObject): SessionFacts | null {
  const members = objectAt(record, '$set') ?? record
  const facts = stated({
    sessionId: stringAt(members, 'sessionId'),
    // A subagent's summary is its answer.
    title: members['kind'] === 'subagent' ? undefined : stringAt(members, 'summary'),
    model: record['type'] === 'gemini' ? stringAt(record, 'model') : undefined,
    cwd: contextFolder(record),
    endedAt: instantOf(members['lastUpdated'])
  })
  return Object.keys(facts).length === 0 ? null : facts
}

/** The first working folder in the context before the first prompt. */
function contextFolder(record: JsonObject): string | undefined {
  if (record['type'] === 'user') return folderIn(record['content'])
  const [first] = arrayAt(objectAt(record, '$set') ?? record, 'messages') ?? []
  return isJsonObject(first) && first['type'] === 'user' ? folderIn(first['content']) : undefined
}

function folderIn(content: JsonValue | undefined): string | undefined {
  const [part] = Array.isArray(content) ? (content as readonly JsonValue[]) : [content]
  const text = isJsonObject(part) ? stringAt(part, 'text') : part
  if (typeof text !== 'string' || !isInjected(text)) return undefined
  const start = text.slice(0, 4096)
  const listed = /^- \*\*Workspace Directories:\*\*\n {2}- (.+)$/m.exec(start)
  return (listed ??
    /^\s*I'm currently working in the (?:following )?director(?:y|ies): *\n?(?: *- )?(.+)$/m.exec(start))?.[1]?.trim()
}
