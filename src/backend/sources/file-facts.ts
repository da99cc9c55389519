import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { systemPath } from './system-path.ts'

/** File metadata. Times in ns since the epoch, as `bigint`, because a double is too small. */
export interface FileFacts {
  /** With `inode` the identity of the file; 0 if the file system has no inodes. */
  readonly device: bigint
  readonly inode: bigint
  readonly born: bigint
  readonly bytes: number
  /** mtime */
  readonly modified: bigint
  /** ctime */
  readonly changed: bigint
  /** A regular file. */
  readonly regular: boolean
}

export function factsOf(stats: BigIntStats): FileFacts {
  return {
    device: stats.dev,
    inode: stats.ino,
    born: stats.birthtimeNs,
    bytes: Number(stats.size),
    modified: stats.mtimeNs,
    changed: stats.ctimeNs,
    regular: stats.isFile()
  }
}

/** Follows links. Rejects if the path does not exist or is not permitted. */
export async function factsAt(path: string): Promise<FileFacts> {
  return factsOf(await stat(await systemPath(path), { bigint: true }))
}

/** Without inodes, the birth time is compared. */
export function isSameFile(a: FileFacts, b: FileFacts): boolean {
  if (a.inode === 0n || b.inode === 0n) return a.device === b.device && a.born === b.born
  return a.device === b.device && a.inode === b.inode
}

/** Whether the path still leads to the opened file, even if its inode was reused. */
export function isStillFile(now: FileFacts, opened: FileFacts): boolean {
  // Some file systems report ctime as the birth time.
  return isSameFile(now, opened) && (now.born === opened.born || opened.born === opened.changed)
}

/** Whether the file was neither written nor replaced. */
export function isUnchanged(a: FileFacts, b: FileFacts): boolean {
  return isSameFile(a, b) && a.bytes === b.bytes && a.modified === b.modified
}
