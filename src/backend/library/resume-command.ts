import { formatById } from '#core/formats/registry.ts'
import type { SessionCard } from '#core/library/session-card.ts'

/** Ids that agents give. What a hostile log states in place of one could be an option, or more than one word. */
const plainId = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/
const plainWord = /^[A-Za-z0-9_./:=@%+,-]+$/
/** No quotes keep these from steering the terminal that they are pasted into. */
const control = /[\p{Cc}\p{Cf}\u2028\u2029]/u

/** What goes on with a session in a terminal, quoted for the shell of the platform; null: nothing does. */
export function resumeCommand({ format, sessionId, project, parent }: SessionCard, platform: string): string | null {
  if (format === null || sessionId === null || parent !== null || !plainId.test(sessionId)) return null
  const words = formatById(format)?.store?.resume?.(sessionId)
  if (words === undefined) return null
  const quote = platform === 'win32' ? quotedForWindows : quotedForShell
  const command = words.map(quote).join(' ')
  if (project === null) return command
  if (control.test(project) || (platform === 'win32' && /["%!^]/.test(project))) return null
  return platform === 'win32' ? `cd /d "${project}" && ${command}` : `cd ${inQuotes(project)} && ${command}`
}

function quotedForShell(word: string): string {
  return plainWord.test(word) ? word : inQuotes(word)
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function quotedForWindows(word: string): string {
  return plainWord.test(word) ? word : `"${word.replaceAll('"', '""')}"`
}
