import { stat, statfs } from 'node:fs/promises'
import { dirname, parse, resolve } from 'node:path'

/** How much a disk holds, in bytes. `free`: what this person may still write. */
export interface DiskSpace {
  readonly free: number
  readonly total: number
}

/** The room on the disk of a file or folder that is there; null where its system does not say. */
export type LookAtDisk = (path: string) => Promise<DiskSpace | null>

export const diskSpace: LookAtDisk = async (path) => {
  try {
    const { bavail, blocks, bsize } = await statfs(path)
    // Some network and virtual file systems say that they hold nothing.
    return blocks > 0 ? { free: bavail * bsize, total: blocks * bsize } : null
  } catch {
    return null
  }
}

/** By what people know the disk of a file or folder that is there: the folder it is mounted on, "/home"; on Windows the drive. */
export async function diskName(path: string): Promise<string> {
  let at = resolve(path)
  if (process.platform === 'win32') return parse(at).root
  const deviceOf = async (one: string): Promise<number | null> => (await stat(one).catch(() => null))?.dev ?? null
  const device = await deviceOf(at)
  while (device !== null && at !== dirname(at) && (await deviceOf(dirname(at))) === device) at = dirname(at)
  return at
}
