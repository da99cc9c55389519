import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A file system in memory, of a few MB, for what happens on a disk that is full. */
export interface SmallDisk {
  /** The folder it is mounted on. */
  readonly folder: string
  remove(): void
}

/** null: this system, or this user, cannot mount one; only root of a Linux that is no closed container can. */
export function smallDisk(bytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'playhead-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'playhead-test', folder], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return null
  }
  return {
    folder,
    remove() {
      execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
      rmSync(folder, { recursive: true })
    }
  }
}
