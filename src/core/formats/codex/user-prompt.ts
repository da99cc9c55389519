import { arrayAt, isJsonObject, stringAt, type JsonObject, type JsonValue } from '../../json.ts'

/** docs/formats/codex-rollout.md#injected-context-is-no-prompt */
const injected = [
  ...['<environment_context', '<user_instructions>', '# AGENTS.md instructions', '<turn_aborted>'],
  ...[
    '<recommended_plugins>',
    '<skill>',
    '<subagent_notification>',
    '<permissions instructions>',
    '<user_shell_command>',
    '<INSTRUCTIONS>'
  ],
  ...['<apps_instructions>', '<skills_instructions>', '<plugins_instructions>', '<collaboration_mode>']
]

const ideContext = '# Context from my IDE setup'
const requestHeading = '## My request for Codex'

/** Whether a text of a user message is context. */
export function isInjected(text: string): boolean {
  const start = text.slice(0, 64).trimStart()
  // An IDE may put context and prompt into one text.
  if (start.startsWith(ideContext)) return !text.includes(requestHeading)
  return injected.some((tag) => start.startsWith(tag))
}

/** The text after an editor's context: `# Context from my IDE setup:` …, then `## My request for Codex:`. */
export function requestOf(text: string): string {
  const at = text.slice(0, 64).trimStart().startsWith('# ') ? text.indexOf(`\n${requestHeading}`) : -1
  if (at < 0) return text
  const request = text.slice(at + requestHeading.length + 1)
  return request.replace(/^:/, '').trimStart()
}

/** The typed parts of a user's `message`; from 0.15x on `content_item_kinds` has the kind of each part. */
export function promptOfItem(payload: JsonObject): string | undefined {
  const passed = payload['internal_chat_message_metadata_passthrough']
  const kinds = isJsonObject(passed) ? (arrayAt(passed, 'content_item_kinds') ?? []) : []
  const content = payload['content']
  if (typeof content === 'string') return isInjected(content) || content === '' ? undefined : content
  const texts: string[] = []
  let pictures = 0
  for (const [index, part] of (arrayAt(payload, 'content') ?? []).entries()) {
    const kind = kinds[index]
    if (typeof kind === 'string' && kind !== 'unknown' && !kind.startsWith('user.')) continue
    if (!isJsonObject(part)) continue
    const text = stringAt(part, 'text')
    if (text === undefined) pictures += part['type'] === 'input_image' ? 1 : 0
    else if (text !== '' && !isInjected(text)) texts.push(text)
  }
  return withPictures(texts.join('\n'), pictures)
}

/** The typed text of `event_msg user_message`. */
export function promptOfEvent(payload: JsonObject): string | undefined {
  const pictures = (arrayAt(payload, 'images')?.length ?? 0) + (arrayAt(payload, 'local_images')?.length ?? 0)
  return withPictures(stringAt(payload, 'message') ?? '', pictures)
}

const pictureTypes: ReadonlySet<unknown> = new Set(['image', 'local_image', 'localImage'])

/** The typed text of an item `UserMessage`, or `userMessage` of `codex app-server`. */
export function promptOfTurnItem(content: JsonValue | undefined): string | undefined {
  if (!Array.isArray(content)) return typeof content === 'string' && content !== '' ? content : undefined
  const texts: string[] = []
  let pictures = 0
  for (const part of content as readonly JsonValue[]) {
    if (!isJsonObject(part)) continue
    const text = stringAt(part, 'text')
    if (text !== undefined) texts.push(text)
    else if (pictureTypes.has(part['type'])) pictures += 1
  }
  return withPictures(texts.join('\n'), pictures)
}

/** Above this, images are only counted. */
const maxPictures = 20

function withPictures(text: string, pictures: number): string | undefined {
  if (pictures === 0) return text === '' ? undefined : text
  const shown = pictures > maxPictures ? `[${pictures} images]` : Array(pictures).fill('[image]').join('\n')
  return text === '' ? shown : `${text}\n${shown}`
}
