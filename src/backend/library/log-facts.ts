import { type BigIntStats, statSync } from 'node:fs'

/** What the system says of a log: enough to tell whether it is the one that was read, and as it was. */
export interface LogFacts {
  readonly device: string
  readonly inode: string
  readonly bytes: number
  /** When its bytes, and when its permissions were changed: ms since the epoch, with what is below one. */
  readonly modified: number
  readonly changed: number
}

export function logFacts(stats: BigIntStats): LogFacts {
  return {
    device: String(stats.dev),
    inode: String(stats.ino),
    bytes: Number(stats.size),
    modified: Number(stats.mtimeNs) / 1e6,
    changed: Number(stats.ctimeNs) / 1e6
  }
}

/** Of a regular file, links followed; null: there is none that may be asked for. */
export function logFactsAt(path: string): LogFacts | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats?.isFile() === true ? logFacts(stats) : null
  } catch {
    return null
  }
}

/** Whether nothing was written to a file since, and it is no other one. */
export function isAsBefore(now: LogFacts, before: LogFacts): boolean {
  return (
    now.bytes === before.bytes &&
    now.modified === before.modified &&
    now.inode === before.inode &&
    now.device === before.device
  )
}
