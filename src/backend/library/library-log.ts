import { createHash } from 'node:crypto'
import type { CountedLog } from './library-database.ts'
import type { LogFacts } from './log-facts.ts'
import type { PlannedRoot } from './library-roots.ts'
import type { LogHead } from './log-head.ts'

export interface LibraryLog {
  readonly id: string
  /** Absolute, links resolved. */
  readonly path: string
  /** The folder where it was found. */
  folder: string
  root: PlannedRoot
  /** From the last scan. */
  facts: LogFacts
  /** Null: not read yet. */
  head: LogHead | null
  /** The counts of some earlier or the current state; null: not counted yet. */
  counted: CountedLog | null
}

/** Stable for a path. */
export function logId(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, 22)
}
