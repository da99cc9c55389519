import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'

/** `names`: something came, went or was named anew; `content`: something was written to, or its permissions changed. */
export type FolderChange = 'names' | 'content'

type Listener = (change: FolderChange) => void

/** By path: one watcher for each folder, however many of its files are watched. */
const watched = new Map<string, WatchedFolder>()

/**
 * What tells of changes in a folder, as far as the system does: on network mounts it may tell nothing, so whoever watches looks from
 * time to time as well.
 */
export class FolderWatch {
  readonly #folder: WatchedFolder
  readonly #name: string | null
  readonly #onChange: Listener

  private constructor(folder: WatchedFolder, name: string | null, onChange: Listener) {
    this.#folder = folder
    this.#name = name
    this.#onChange = onChange
    folder.add(name, onChange)
  }

  /**
   * Calls `onChange` when the file `name` of a folder changes, comes or goes; null: any of its files. `path` may also be a file itself.
   * Null where it cannot be watched: it is not there, or the system has no more watchers to give.
   */
  static start(path: string, name: string | null, onChange: Listener): FolderWatch | null {
    const known = watched.get(path)
    if (known) return new FolderWatch(known, name, onChange)
    try {
      return new FolderWatch(new WatchedFolder(path), name, onChange)
    } catch {
      return null
    }
  }

  /** False once nothing more will be told, since the folder was removed or moved. */
  get alive(): boolean {
    return this.#folder.alive
  }

  close(): void {
    this.#folder.remove(this.#name, this.#onChange)
  }

  /** Closes it for all who share it: it missed a change, and may be that of a folder which is no longer the one under its path. */
  expire(): void {
    this.#folder.end()
  }
}

class WatchedFolder {
  readonly #path: string
  readonly #watcher: FSWatcher
  readonly #listeners = new Map<string | null, Set<Listener>>()
  alive = true

  /** Throws where it cannot be watched. */
  constructor(path: string) {
    this.#path = path
    this.#watcher = watch(path, { persistent: false })
    this.#watcher.on('change', (kind, name) => this.#changed(kind, name?.toString() ?? null))
    this.#watcher.on('error', () => this.end())
    watched.set(path, this)
  }

  add(name: string | null, onChange: Listener): void {
    const listeners = this.#listeners.get(name)
    if (listeners) listeners.add(onChange)
    else this.#listeners.set(name, new Set([onChange]))
  }

  remove(name: string | null, onChange: Listener): void {
    const listeners = this.#listeners.get(name)
    listeners?.delete(onChange)
    if (listeners?.size === 0) this.#listeners.delete(name)
    if (this.#listeners.size === 0) this.#close()
  }

  #changed(kind: string, name: string | null): void {
    const change = kind === 'rename' ? 'names' : 'content'
    if (name === null) return this.#tellAll(change)
    // What happens to the folder itself is told with its own name; a file in it may have the same.
    if (change === 'names' && name === basename(this.#path)) return this.end()
    for (const tell of [...(this.#listeners.get(name) ?? []), ...(this.#listeners.get(null) ?? [])]) tell(change)
  }

  end(): void {
    if (!this.alive) return
    this.#close()
    this.#tellAll('names')
  }

  #tellAll(change: FolderChange): void {
    for (const tell of [...this.#listeners.values()].flatMap((listeners) => [...listeners])) tell(change)
  }

  #close(): void {
    this.alive = false
    if (watched.get(this.#path) === this) watched.delete(this.#path)
    this.#watcher.close()
  }
}
