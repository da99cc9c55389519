import { format } from 'node:util'
import { terminalSafeText } from '#core/terminal-safe-text.ts'

/** As `console.error`, where nothing that `words` quote can steer the terminal. */
export function report(...words: readonly unknown[]): void {
  console.error(terminalSafeText(format(...words)))
}
