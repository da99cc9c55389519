import { appendFileSync } from 'node:fs'
import type { DialogueNote } from '#core/bridge/dialogue-note.ts'

/**
 * Notes for the stream of a run what its host knows. They are in the file when this returns. `stdoutBytes`: of the recording, which precede
 * them; 0: what was read before. Throws a system error.
 */
export function addHostNotes(hooks: string, stdoutBytes: number, notes: readonly DialogueNote[]): void {
  const lines = notes.map((dialogue) => `${JSON.stringify({ stdoutBytes, dialogue })}\n`)
  if (lines.length > 0) appendFileSync(hooks, lines.join(''), { mode: 0o600 })
}
