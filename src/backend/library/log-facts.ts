import { type BigIntStats, statSync } from 'node:fs'

/** File metadata that shows whether a log was replaced or changed since it was read. */
export interface LogFacts {
  readonly device: string
  readonly inode: string
  readonly bytes: number
  /** mtime and ctime, in fractional ms since the epoch. */
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

/** Follows links. Null: no regular file, or no permission. */
export function logFactsAt(path: string): LogFacts | null {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
    return stats?.isFile() === true ? logFacts(stats) : null
  } catch {
    return null
  }
}

/** Whether it is the same file with the same content. */
export function isUnchanged(now: LogFacts, before: LogFacts): boolean {
  return (
    now.bytes === before.bytes &&
    now.modified === before.modified &&
    now.inode === before.inode &&
    now.device === before.device
  )
}
