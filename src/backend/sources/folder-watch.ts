import { type FSWatcher, watch } from 'node:fs'
import { basename } from 'node:path'

/** `names`: an entry was added, removed or renamed; `content`: an entry was written, or its permissions changed. */
export type FolderChange = 'names' | 'content'

type Listener = (change: FolderChange) => void

/** By path: one watcher per folder. */
const watched = new Map<string, WatchedFolder>()

/** A shared `fs.watch` of a folder. Some network mounts report nothing, so users must also poll. */
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

  /** Watches the file `name`, or all files if null. `path` may be a file. Null: it does not exist, or no watcher is free. */
  static start(path: string, name: string | null, onChange: Listener): FolderWatch | null {
    const known = watched.get(path)
    if (known) return new FolderWatch(known, name, onChange)
    try {
      return new FolderWatch(new WatchedFolder(path), name, onChange)
    } catch {
      return null
    }
  }

  /** False: the folder was removed or moved, and no more changes are reported. */
  get alive(): boolean {
    return this.#folder.alive
  }

  close(): void {
    this.#folder.remove(this.#name, this.#onChange)
  }

  /** Closes the watcher for all users, after it missed a change: another folder may have this path now. */
  expire(): void {
    this.#folder.end()
  }
}

class WatchedFolder {
  readonly #path: string
  readonly #watcher: FSWatcher
  readonly #listeners = new Map<string | null, Set<Listener>>()
  alive = true

  /** Throws if it cannot be watched. */
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
    if (name === null) return this.#notifyAll(change)
    // Changes of the folder itself have its own name, which a file in it may share.
    if (change === 'names' && name === basename(this.#path)) return this.end()
    for (const notify of [...(this.#listeners.get(name) ?? []), ...(this.#listeners.get(null) ?? [])]) notify(change)
  }

  end(): void {
    if (!this.alive) return
    this.#close()
    this.#notifyAll('names')
  }

  #notifyAll(change: FolderChange): void {
    for (const notify of [...this.#listeners.values()].flatMap((listeners) => [...listeners])) notify(change)
  }

  #close(): void {
    this.alive = false
    if (watched.get(this.#path) === this) watched.delete(this.#path)
    this.#watcher.close()
  }
}
