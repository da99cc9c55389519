import { FolderWatch } from '../sources/folder-watch.ts'

/** The system reports one change many times. */
const hintMs = 100

/** Folders with changes, as the system reports them. Reports may be missing, so they only cause an earlier scan. */
export class FolderHints {
  readonly #onChange: () => void
  readonly #watches = new Map<string, FolderWatch>()
  #changed = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  /** `onChange` is called some time after a change. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** Watches only these folders. A new one is hinted at once: changes before the watch may have been missed. */
  watch(folders: ReadonlySet<string>): void {
    for (const [folder, watch] of this.#watches) {
      if (folders.has(folder) && watch.alive) continue
      watch.close()
      this.#watches.delete(folder)
    }
    for (const folder of folders) {
      if (this.#watches.has(folder)) continue
      const watch = FolderWatch.start(folder, null, () => this.#add(folder))
      if (watch === null) continue
      this.#watches.set(folder, watch)
      this.#add(folder)
    }
  }

  /** The folders that changed since the last call. */
  drain(): ReadonlySet<string> {
    const changed = this.#changed
    this.#changed = new Set()
    return changed
  }

  get any(): boolean {
    return this.#changed.size > 0 && this.#timer === null
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.watch(new Set())
  }

  #add(folder: string): void {
    this.#changed.add(folder)
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#onChange()
    }, hintMs)
  }
}
