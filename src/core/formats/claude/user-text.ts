import { numberAt, stringAt, type JsonObject } from '../../json.ts'
import type { EventDraft } from '../log-format.ts'
import type { DecodedBuilder } from './decoded.ts'

/** The author of a text in a user record: docs/formats/claude-stream-json.md#the-users-text-may-be-the-programs. */
export type UserVoice = 'prompt' | 'command' | 'shell' | 'harness' | 'interrupt'

/** Flags of the record. */
export interface UserFlags {
  /** The harness writes in the user's name, by a flag such as `isMeta` or a `sourceToolUseID` (a skill). */
  readonly harness: boolean
}

/** Tags around what the harness says in the user's name. */
const harnessTags = [
  'local-command-stdout',
  'local-command-stderr',
  'local-command-caveat',
  'bash-stdout',
  'bash-stderr',
  'task-notification'
]
const harnessStart = new RegExp(`^\\s*<(${harnessTags.join('|')})>`)
const commandTags = ['<command-name>', '<command-message>']

/** The author, by the start of the text. */
export function userVoice(text: string, flags: UserFlags): UserVoice {
  if (flags.harness) return 'harness'
  // Both spellings: "[Request interrupted by user]", "[Request interrupted by user for tool use]".
  if (text.startsWith('[Request interrupted by user')) return 'interrupt'
  if (!startsLikeTag(text)) return 'prompt'
  const start = text.slice(0, 64).trimStart()
  if (harnessStart.test(start)) return 'harness'
  if (start.startsWith('<bash-input>')) return 'shell'
  return commandTags.some((tag) => start.startsWith(tag)) ? 'command' : 'prompt'
}

function startsLikeTag(text: string): boolean {
  const first = text.charCodeAt(0)
  return first === 0x3c || first === 0x20 || first === 0x0a
}

/** The event of a user's text. A command appears as typed, the harness without its tags. */
export function userTextDraft(text: string, voice: UserVoice): EventDraft {
  // An interruption is in the user's name, but not typed.
  if (voice === 'harness' || voice === 'interrupt')
    return { type: 'text', text: harnessText(text), role: 'system', category: 'status' }
  return { type: 'text', text: typedText(text, voice), role: 'user', category: 'user-message' }
}

/** Adds a status of the harness, or of a command that the user typed; nothing for an empty text. */
export function addStatus(out: DecodedBuilder, text: string | undefined): void {
  if (text === undefined || text === '') return
  const voice = userVoice(text, { harness: false })
  out.event(userTextDraft(text, voice === 'command' || voice === 'shell' ? voice : 'harness'))
}

/** Adds a compaction. `text`: as the log has it; stream-json has none. */
export function addCompacted(out: DecodedBuilder, text: string | undefined, metadata: JsonObject | undefined): void {
  const stated = (key: string, other: string) => numberAt(metadata ?? {}, key) ?? numberAt(metadata ?? {}, other)
  const [before, after] = [stated('pre_tokens', 'preTokens'), stated('post_tokens', 'postTokens')]
  const body = out.draft(userTextDraft(text || compactionText(metadata), 'harness'))
  out.steps.push({ kind: 'compacted', body, before, after })
}

/** `Conversation compacted (auto, 155000 tokens before)`. */
function compactionText(metadata: JsonObject | undefined): string {
  const trigger = metadata === undefined ? undefined : stringAt(metadata, 'trigger')
  const before = metadata?.['pre_tokens'] ?? metadata?.['preTokens']
  const details = [trigger, typeof before === 'number' ? `${before} tokens before` : undefined]
  const known = details.filter((detail) => detail !== undefined)
  return known.length === 0 ? 'Conversation compacted' : `Conversation compacted (${known.join(', ')})`
}

/** `<command-name>/review</command-name>` -> `/review`, `<bash-input>pwd</bash-input>` -> `!pwd`. */
function typedText(text: string, voice: UserVoice): string {
  if (voice === 'shell') {
    const shell = between(text, '<bash-input>', '</bash-input>')
    return shell === '' ? text : `!${shell}`
  }
  const name = voice === 'command' ? between(text, '<command-name>', '</command-name>') : ''
  if (name === '') return text
  const args = between(text, '<command-args>', '</command-args>')
  return args === '' ? name : `${name} ${args}`
}

/** `<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>` -> `ok`: what is in its leading tags, and what follows. */
function harnessText(text: string): string {
  const parts: string[] = []
  let rest = text
  for (let found = harnessStart.exec(rest); found !== null; found = harnessStart.exec(rest)) {
    const [open, tag] = found
    const end = rest.indexOf(`</${tag}>`, open.length)
    const inner = rest.slice(open.length, end < 0 ? undefined : end)
    parts.push(tag === 'task-notification' ? notificationText(inner) : withoutBlankEnds(inner))
    rest = end < 0 ? '' : rest.slice(end + `</${tag}>`.length)
  }
  if (parts.length === 0) return text
  return [...parts, withoutBlankEnds(rest)].filter((part) => part !== '').join('\n')
}

/** The first line may be indented, as others of a table are. */
function withoutBlankEnds(text: string): string {
  return text.trimEnd().replace(/^(?:[ \t]*\r?\n)+/, '')
}

/**
 * `<task-id>b1</task-id>\n<status>failed</status>\n<summary>Tests failed</summary>` -> `Tests failed`, then
 * `task-id: b1` and `status: failed`.
 */
function notificationText(inner: string): string {
  const named = inner.replace(/<([a-z-]{1,40})>([^<]*)<\/\1>/g, '$1: $2')
  const summary = /^summary: (.*)\n?/m.exec(named)
  return summary === null ? named.trim() : `${summary[1]}\n${named.replace(summary[0], '').trim()}`.trimEnd()
}

function between(text: string, open: string, close: string): string {
  const start = text.indexOf(open)
  if (start === -1) return ''
  const end = text.indexOf(close, start + open.length)
  return end === -1 ? '' : text.slice(start + open.length, end).trim()
}
