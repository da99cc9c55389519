import { type BigIntStats, closeSync, constants, lstatSync, openSync, readSync, statSync } from 'node:fs'

const magic = 'SQLite format 3\0'

/** Whether a file is an SQLite database. */
export function isDatabase(path: string): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const bytes = Buffer.alloc(magic.length)
      return readSync(file, bytes, 0, bytes.length, 0) === bytes.length && isDatabaseStart(bytes)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

/** Whether a file that begins so is an SQLite database. */
export function isDatabaseStart(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, magic.length) === magic
}

/** What shows a change of a database: its file and the log of its last changes. */
export function databaseVersion(path: string): string {
  // What lies beside it may be a link to anything, which is not followed.
  const beside = ['-wal', '-journal'].map((suffix) => lstatSync(path + suffix, { bigint: true, throwIfNoEntry: false }))
  return [statSync(path, { bigint: true, throwIfNoEntry: false }), ...beside].map(versionOf).join(' ')
}

function versionOf(stats: BigIntStats | undefined): string {
  return stats === undefined ? '-' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`
}
