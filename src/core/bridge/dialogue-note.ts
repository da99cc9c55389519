import * as z from 'zod'
import { Ask } from '../dialogue/ask.ts'
import type { DialogueChange } from '../dialogue/dialogue.ts'

/** What became different in the dialogue with an agent, beyond what it printed: for the stream of its run. */
export const DialogueNote = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('answer'),
    /** `Ask.id`. */
    ask: z.string(),
    decision: z.enum(['allowed', 'allowed-for-run', 'refused', 'answered', 'withdrawn']),
    by: z.enum(['person', 'limit', 'agent']),
    message: z.string().nullable()
  }),
  z.object({ kind: z.literal('turn'), turn: z.string() }),
  z.object({ kind: z.literal('queue'), length: z.int().min(0), held: z.boolean() }),
  z.object({ kind: z.literal('mode'), mode: z.string() }),
  z.object({ kind: z.literal('message'), message: z.string() }),
  /** These two only where the recording is not what the agent printed. */
  z.object({ kind: z.literal('asked'), ask: Ask }),
  z.object({ kind: z.literal('session'), session: z.string() })
])
export type DialogueNote = z.infer<typeof DialogueNote>

/** Null: it is stated elsewhere, as in what the agent printed. `isPrinted`: that is the recording of the run. */
export function dialogueNoteOf(change: DialogueChange, isPrinted: boolean): DialogueNote | null {
  switch (change.kind) {
    case 'decided': {
      const { ask, decision, by, message } = change
      return { kind: 'answer', ask: ask.id, decision, by, message }
    }
    case 'turn':
    case 'queue':
    case 'message':
      return change
    case 'mode':
      return { kind: 'mode', mode: change.mode }
    case 'asked':
    case 'session':
      return isPrinted ? null : change
    case 'spent':
      return null
  }
}
