import { stringAt, type JsonObject } from '../../json.ts'
import type { DecodedBuilder } from './decoded.ts'
import { userTextDraft, userVoice } from './user-text.ts'

/** A status text of the harness, or of a command the user typed; nothing where there is no text. */
export function sayStatus(out: DecodedBuilder, text: string | undefined): void {
  if (text === undefined || text === '') return
  const voice = userVoice(text, { harness: false })
  out.say(userTextDraft(text, voice === 'command' || voice === 'shell' ? voice : 'harness'))
}

/** `Conversation compacted (auto, 155000 tokens before)`: stream-json has no text of its own for it. */
export function compactionText(metadata: JsonObject | undefined): string {
  const trigger = metadata === undefined ? undefined : stringAt(metadata, 'trigger')
  const before = metadata?.['pre_tokens'] ?? metadata?.['preTokens']
  const details = [trigger, typeof before === 'number' ? `${before} tokens before` : undefined]
  const known = details.filter((detail) => detail !== undefined)
  return known.length === 0 ? 'Conversation compacted' : `Conversation compacted (${known.join(', ')})`
}
