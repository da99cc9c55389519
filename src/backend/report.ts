import { format } from 'node:util'
import { terminalSafeText } from '#core/terminal-safe-text.ts'

/** `console.error` with control characters escaped. */
export function report(...words: readonly unknown[]): void {
  console.error(terminalSafeText(format(...words)))
}
