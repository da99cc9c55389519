import { realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { systemPath } from './system-path.ts'

/**
 * Whether a link at `path`, or in it, leads out of `folder`. A session from others may hold one to any file of this machine,
 * which would be shown and exported. False where nothing is: there is nothing to read.
 */
export async function leadsOut(folder: string, path: string): Promise<boolean> {
  try {
    const [home, real] = await Promise.all([realOf(folder), realOf(path)])
    return !isWithin(home, real)
  } catch {
    return false
  }
}

/** Whether a path is a folder, or below it. Both with their links resolved. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

async function realOf(path: string): Promise<string> {
  return await realpath(await systemPath(path))
}
