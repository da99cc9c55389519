import type { Redactor } from '#core/export/redact.ts'
import { type Environment, say } from './environment.ts'

/** Says what was taken out, where anything was: `2 secrets redacted (1 GitHub token, 1 password)`. */
export function sayRedacted({ total, counts }: Redactor, environment: Environment): void {
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`)
  if (total > 0) say(environment, `${total} ${total === 1 ? 'secret' : 'secrets'} redacted (${kinds.join(', ')})`)
}
