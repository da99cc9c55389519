import type { ReadCard } from '#core/library/read-card.ts'
import { logFactsAt } from './log-facts.ts'
import { ReadBytes } from './read-bytes.ts'
import { readLogHead } from './read-log-head.ts'

/** The card of one log, from its head and tail; null: it cannot be read. `format`: overrides detection. */
export async function cardOf(path: string, format: string | null): Promise<ReadCard | null> {
  const facts = logFactsAt(path)
  const reading = { bytes: new ReadBytes(), format, likely: new Set<string>(), before: null }
  return facts === null ? null : (await readLogHead(path, facts, reading)).card
}
