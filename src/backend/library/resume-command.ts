import { formatById } from '#core/formats/registry.ts'
import type { SessionCard } from '#core/library/session-card.ts'

/** Ids as agents make them. Another value from a hostile log could be an option, or several words. */
const plainId = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,199}$/
const plainWord = /^[A-Za-z0-9_./:=@%+,-]+$/
/** Characters that steer a terminal even inside quotes. */
const control = /[\p{Cc}\p{Cf}\u2028\u2029]/u

/** The command that resumes a session in a terminal, quoted for the platform's shell; null: none. */
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
