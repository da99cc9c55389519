import type { EventDraft } from '../log-format.ts'

/** Who speaks in the text of a user record: docs/formats/claude-stream-json.md#the-users-text-may-be-the-programs. */
export type UserVoice = 'prompt' | 'command' | 'shell' | 'harness' | 'interrupt'

/** What the record around the text says. */
export interface UserFlags {
  /**
   * `isSynthetic`, `isMeta`, `isCompactSummary`, `isVisibleInTranscriptOnly`, or a `sourceToolUseID` (a skill the model called):
   * the harness speaks in the user's name.
   */
  readonly harness: boolean
}

const harnessTags = [
  '<local-command-stdout>',
  '<local-command-stderr>',
  '<local-command-caveat>',
  '<bash-stdout>',
  '<bash-stderr>',
  '<task-notification>'
]
const commandTags = ['<command-name>', '<command-message>']

/** Tells who speaks by how the text starts; reads no further. */
export function userVoice(text: string, flags: UserFlags): UserVoice {
  if (flags.harness) return 'harness'
  // Both spellings: "[Request interrupted by user]", "[Request interrupted by user for tool use]".
  if (text.startsWith('[Request interrupted by user')) return 'interrupt'
  if (!startsLikeTag(text)) return 'prompt'
  const start = text.slice(0, 64).trimStart()
  if (harnessTags.some((tag) => start.startsWith(tag))) return 'harness'
  if (start.startsWith('<bash-input>')) return 'shell'
  return commandTags.some((tag) => start.startsWith(tag)) ? 'command' : 'prompt'
}

function startsLikeTag(text: string): boolean {
  const first = text.charCodeAt(0)
  return first === 0x3c || first === 0x20 || first === 0x0a
}

/** The text event of a user record. A command is given as it was typed. */
export function userTextDraft(text: string, voice: UserVoice): EventDraft {
  // An interruption is told in the user's name, but nobody typed it.
  if (voice === 'harness' || voice === 'interrupt') return { type: 'text', text, role: 'system', category: 'status' }
  return { type: 'text', text: typedText(text, voice), role: 'user', category: 'user-message' }
}

/**
 * `<command-name>/review</command-name> … <command-args>src</command-args>` was typed as `/review src`, and
 * `<bash-input>pwd</bash-input>` as `!pwd`.
 */
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

function between(text: string, open: string, close: string): string {
  const start = text.indexOf(open)
  if (start === -1) return ''
  const end = text.indexOf(close, start + open.length)
  return end === -1 ? '' : text.slice(start + open.length, end).trim()
}
