import type { Redactor } from '#core/export/redact.ts'

/** What was taken out, for people: `2 secrets redacted (1 GitHub token, 1 password)`. */
export function redactedText({ total, counts }: Redactor): string {
  const kinds = [...counts].map(([kind, count]) => `${count} ${kind}`)
  return `${total} ${total === 1 ? 'secret' : 'secrets'} redacted (${kinds.join(', ')})`
}
