import { access, constants } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { factsAt } from './file-facts.ts'
import { FolderWatch } from './folder-watch.ts'
import { severalAtOnce } from './run-files.ts'

/** Ms between two looks at first; at rest they become eight times rarer, as those at an open log. */
const pollMs = 2000
const restPolls = 8

/** What is compared of a file; in place of one that is not there, or may not be read, stands null. */
export interface FileMark {
  readonly device: string
  readonly inode: string
  readonly bytes: number
  readonly modified: string
}

/**
 * Watches files that nobody has open, by what the system says of them. Says once that one is another than it was, and ends. Never keeps the
 * process alive.
 */
export class IdleWatch {
  readonly #files: ReadonlyMap<string, FileMark | null>
  readonly #onChange: () => void
  readonly #watches: FolderWatch[] = []
  #timer: NodeJS.Timeout | null = null
  #pollIn = pollMs
  #looking = false
  #lookAgain = false
  #closed = false

  /** `files`: as each was, by path. */
  constructor(files: ReadonlyMap<string, FileMark | null>, onChange: () => void) {
    this.#files = files
    this.#onChange = onChange
    for (const path of files.keys()) {
      const watch = FolderWatch.start(dirname(path), basename(path), () => this.look())
      if (watch !== null) this.#watches.push(watch)
    }
    // What was written before there was a watch was not heard.
    this.look()
  }

  /** Compares all files with what they were. */
  look(): void {
    if (this.#looking) this.#lookAgain = true
    else void this.#look()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer ?? undefined)
    for (const watch of this.#watches.splice(0)) watch.close()
  }

  async #look(): Promise<void> {
    this.#looking = true
    clearTimeout(this.#timer ?? undefined)
    do {
      this.#lookAgain = false
      const changed = await severalAtOnce([...this.#files], async ([path, mark]) => !isSame(mark, await markAt(path)))
      if (this.#closed) return
      if (changed.includes(true)) {
        this.close()
        this.#onChange()
        return
      }
    } while (this.#lookAgain)
    this.#looking = false
    this.#timer = setTimeout(() => this.look(), this.#pollIn)
    this.#timer.unref()
    this.#pollIn = Math.min(this.#pollIn * 2, pollMs * restPolls)
  }
}

/** What a path leads to now. */
export async function markAt(path: string): Promise<FileMark | null> {
  try {
    const { device, inode, bytes, modified } = await factsAt(path)
    await access(path, constants.R_OK)
    return { device: String(device), inode: String(inode), bytes, modified: String(modified) }
  } catch {
    return null
  }
}

function isSame(a: FileMark | null, b: FileMark | null): boolean {
  if (a === null || b === null) return a === b
  return a.device === b.device && a.inode === b.inode && a.bytes === b.bytes && a.modified === b.modified
}
