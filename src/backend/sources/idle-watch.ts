import { access, constants } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { factsAt } from './file-facts.ts'
import { FolderWatch } from './folder-watch.ts'
import { mapParallel } from './run-files.ts'

/** The poll interval grows up to `idlePollFactor` times while nothing changes. */
const pollMs = 2000
const idlePollFactor = 8

/** The compared metadata of a file; null instead: missing or unreadable. */
export interface FileVersion {
  readonly device: string
  readonly inode: string
  readonly bytes: number
  readonly modified: string
}

/** Watches files that are not open. Reports the first change, and ends. Does not keep the process alive. */
export class IdleWatch {
  readonly #files: ReadonlyMap<string, FileVersion | null>
  readonly #onChange: () => void
  readonly #watches: FolderWatch[] = []
  #timer: NodeJS.Timeout | null = null
  #pollIn = pollMs
  #checking = false
  #checkAgain = false
  #closed = false

  /** `files`: previous versions by path. */
  constructor(files: ReadonlyMap<string, FileVersion | null>, onChange: () => void) {
    this.#files = files
    this.#onChange = onChange
    for (const path of files.keys()) {
      const watch = FolderWatch.start(dirname(path), basename(path), () => this.check())
      if (watch !== null) this.#watches.push(watch)
    }
    // Finds changes before the watchers started.
    this.check()
  }

  /** Compares all files with their previous versions. */
  check(): void {
    if (this.#checking) this.#checkAgain = true
    else void this.#check()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer ?? undefined)
    for (const watch of this.#watches.splice(0)) watch.close()
  }

  async #check(): Promise<void> {
    this.#checking = true
    clearTimeout(this.#timer ?? undefined)
    do {
      this.#checkAgain = false
      const changed = await mapParallel(
        [...this.#files],
        async ([path, before]) => !isSame(before, await fileVersionAt(path))
      )
      if (this.#closed) return
      if (changed.includes(true)) {
        this.close()
        this.#onChange()
        return
      }
    } while (this.#checkAgain)
    this.#checking = false
    this.#timer = setTimeout(() => this.check(), this.#pollIn)
    this.#timer.unref()
    this.#pollIn = Math.min(this.#pollIn * 2, pollMs * idlePollFactor)
  }
}

export async function fileVersionAt(path: string): Promise<FileVersion | null> {
  try {
    const { device, inode, bytes, modified } = await factsAt(path)
    await access(path, constants.R_OK)
    return { device: String(device), inode: String(inode), bytes, modified: String(modified) }
  } catch {
    return null
  }
}

function isSame(a: FileVersion | null, b: FileVersion | null): boolean {
  if (a === null || b === null) return a === b
  return a.device === b.device && a.inode === b.inode && a.bytes === b.bytes && a.modified === b.modified
}
