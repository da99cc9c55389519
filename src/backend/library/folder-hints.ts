import { FolderWatch } from '../sources/folder-watch.ts'

/** So long, in ms, until what the system says of folders is told: it says it many times. */
const hintMs = 100

/** Which folders had something happen in them, as far as the system says so. A hint to look earlier, and never more: it may say nothing, or miss things. */
export class FolderHints {
  readonly #tell: () => void
  readonly #watches = new Map<string, FolderWatch>()
  #changed = new Set<string>()
  #timer: NodeJS.Timeout | null = null

  /** `tell`: some time after something happened. */
  constructor(tell: () => void) {
    this.#tell = tell
  }

  /** Watches these folders, and no others. What came into one before it was watched may have been missed, so each has a hint at first. */
  watch(folders: ReadonlySet<string>): void {
    for (const [folder, watch] of this.#watches) {
      if (folders.has(folder) && watch.alive) continue
      watch.close()
      this.#watches.delete(folder)
    }
    for (const folder of folders) {
      if (this.#watches.has(folder)) continue
      const watch = FolderWatch.start(folder, null, () => this.#heard(folder))
      if (watch === null) continue
      this.#watches.set(folder, watch)
      this.#heard(folder)
    }
  }

  /** The folders in which something happened since this was asked last. */
  take(): ReadonlySet<string> {
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

  #heard(folder: string): void {
    this.#changed.add(folder)
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#tell()
    }, hintMs)
  }
}
