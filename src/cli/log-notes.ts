import { oneLine } from '#core/index/one-line.ts'
import type { ReadLog } from '#backend/sources/read-log.ts'
import { exitFine, exitUsage } from './command.ts'
import { type Environment, say } from './environment.ts'

/**
 * Reports on stderr an unknown format and files that were not read. Returns the exit code for an otherwise successful
 * command.
 */
export function sayNotes(
  { note, notes, unread }: Pick<ReadLog, 'note' | 'notes' | 'unread'>,
  environment: Environment
): number {
  if (note !== null) say(environment, unknownFormat(note))
  for (const sentence of notes) say(environment, oneLine(sentence, 1000))
  // `notes` already names the first.
  for (const { sentence } of unread.slice(1)) say(environment, oneLine(sentence, 1000))
  return unread.length === 0 && note === null ? exitFine : exitUsage
}

export function unknownFormat(note: string): string {
  const hint = note.includes('binary') ? '' : ' --format ID reads it as a log of that format.'
  return `log format not recognized: ${note}${hint}`
}
