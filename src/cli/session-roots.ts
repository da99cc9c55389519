import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import { withHome } from '#core/library/home-path.ts'

/** The folders to search. */
export const rootOptions = { root: { type: 'string', multiple: true } } as const

/**
 * Null: the folders of the agents. Throws a `HostError` for a missing folder: no sessions would be found there without
 * a reason.
 */
export async function rootsOf(roots: readonly string[] | undefined, home: string): Promise<readonly string[] | null> {
  if (roots === undefined || roots.length === 0) return null
  const folders = roots.map((root) => folderOf(root, home))
  for (const [i, folder] of folders.entries()) {
    const stats = await stat(folder).catch(() => null)
    if (stats?.isDirectory() !== true)
      throw new HostError(
        'not-found',
        `--root ${roots[i]}: ${stats === null ? 'this folder does not exist' : 'this is not a folder'}`
      )
  }
  return folders
}

/** Shells do not expand `~` in `--project=~/code`. */
export function folderOf(path: string, home: string): string {
  return resolve(withHome(path, home))
}
