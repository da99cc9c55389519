import { stat, statfs } from 'node:fs/promises'
import { dirname, parse, resolve } from 'node:path'

/** In bytes. `free`: what this user may still write. */
export interface DiskSpace {
  readonly free: number
  readonly total: number
}

/** The space on the disk of an existing file or folder; null: unknown. */
export type LookAtDisk = (path: string) => Promise<DiskSpace | null>

export const diskSpace: LookAtDisk = async (path) => {
  try {
    const { bavail, blocks, bsize } = await statfs(path)
    // Some network and virtual file systems report 0 blocks.
    return blocks > 0 ? { free: bavail * bsize, total: blocks * bsize } : null
  } catch {
    return null
  }
}

/** The mount point of an existing file or folder ("/home"); on Windows the drive. */
export async function diskName(path: string): Promise<string> {
  let at = resolve(path)
  if (process.platform === 'win32') return parse(at).root
  const deviceOf = async (one: string): Promise<number | null> => (await stat(one).catch(() => null))?.dev ?? null
  const device = await deviceOf(at)
  while (device !== null && at !== dirname(at) && (await deviceOf(dirname(at))) === device) at = dirname(at)
  return at
}
