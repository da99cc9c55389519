import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { systemPath } from './system-path.ts'

/** What the system says of a file. Times in ns since the epoch; whole numbers that a double does not hold. */
export interface FileFacts {
  /** Which file it is, whatever its name: with `inode`, 0 where the system has no such numbers. */
  readonly device: bigint
  readonly inode: bigint
  readonly born: bigint
  readonly bytes: number
  /** When its bytes were last written. */
  readonly modified: bigint
  /** When anything of it changed, its permissions included. */
  readonly changed: bigint
  /** Neither a folder nor a pipe nor a device. */
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

/** Of what stands under a path, links followed. Rejects where nothing does or it may not be asked. */
export async function factsAt(path: string): Promise<FileFacts> {
  return factsOf(await stat(await systemPath(path), { bigint: true }))
}

/** Whether both are about one file. Without inodes: about files that were made at the same time. */
export function isSameFile(a: FileFacts, b: FileFacts): boolean {
  if (a.inode === 0n || b.inode === 0n) return a.device === b.device && a.born === b.born
  return a.device === b.device && a.inode === b.inode
}

/** Whether a path still leads to the file that was opened: also where another one got the number of one that is gone. */
export function isStillFile(now: FileFacts, opened: FileFacts): boolean {
  // Some systems do not know when a file was made, and say when it was changed instead.
  return isSameFile(now, opened) && (now.born === opened.born || opened.born === opened.changed)
}

/** Whether nothing was written to a file, or replaced it, from one look to another. */
export function isUnchanged(a: FileFacts, b: FileFacts): boolean {
  return isSameFile(a, b) && a.bytes === b.bytes && a.modified === b.modified
}
