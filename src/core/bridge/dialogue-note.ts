import * as z from 'zod'
import { Ask } from '../dialogue/ask.ts'
import type { DialogueChange } from '../dialogue/dialogue.ts'

/** What the host of a run knows beyond what the agent printed: for the stream of the run. */
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
  /** These three only where the recording is not what the agent printed. */
  z.object({ kind: z.literal('asked'), ask: Ask }),
  z.object({ kind: z.literal('session'), session: z.string() }),
  z.object({ kind: z.literal('call'), tool: z.string(), name: z.string(), isOver: z.boolean() }),
  /** A person changed how long a call may take; null: no limit. */
  z.object({ kind: z.literal('tool-limit'), ms: z.number().nullable() }),
  /** A call takes longer than it may, by the clock of the feed. */
  z.object({ kind: z.literal('tool-timeout'), tool: z.string(), elapsedMs: z.number() }),
  /** The run is stopped at its time limit. */
  z.object({ kind: z.literal('time-up') })
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
    case 'time-up':
      return change
    case 'mode':
      return { kind: 'mode', mode: change.mode }
    case 'asked':
    case 'session':
    case 'call':
      return isPrinted ? null : change
    case 'spent':
      return null
  }
}
