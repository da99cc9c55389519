import { createHash } from 'node:crypto'
import type { CountedLog } from './library-database.ts'
import type { LogFacts } from './log-facts.ts'
import type { PlannedRoot } from './library-roots.ts'
import type { ToldLog } from './told-log.ts'

/** A log of the library, as far as it is known. */
export interface LibraryLog {
  readonly id: string
  /** Absolute, links resolved. */
  readonly path: string
  /** In which it was found. */
  folder: string
  root: PlannedRoot
  /** As the system said last. */
  facts: LogFacts
  /** Null: not read so far. */
  told: ToldLog | null
  /** What reading all of it told, of some state of it; null: not read so far. */
  counted: CountedLog | null
}

/** The same for the same path, at any time. */
export function logId(path: string): string {
  return createHash('sha256').update(path).digest('base64url').slice(0, 22)
}
