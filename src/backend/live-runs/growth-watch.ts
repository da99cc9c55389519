import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { FolderWatch } from '../sources/folder-watch.ts'

/** Between two calls, in ms. */
const stirMs = 20
const pollMs = 250
/** At rest polls are so many times rarer. */
const restPolls = 8

/** Watches files that only grow, and need not be there yet. Never keeps the process alive. */
export class GrowthWatch {
  readonly #paths: readonly string[]
  readonly #onStir: () => void
  readonly #watches = new Map<string, FolderWatch>()
  #sizes: readonly number[]
  #stirTimer: NodeJS.Timeout | null = null
  #stirredAt = -Infinity
  #pollTimer: NodeJS.Timeout | null = null
  #pollIn = pollMs
  #closed = false

  /** Calls `onStir` when one of the files may have grown: at most every 20 ms, and at least once after it last has. */
  constructor(paths: readonly string[], onStir: () => void) {
    this.#paths = paths
    this.#onStir = onStir
    this.#sizes = paths.map(() => 0)
    this.#watch()
    this.#pollSoon()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#stirTimer ?? undefined)
    clearTimeout(this.#pollTimer ?? undefined)
    for (const watch of this.#watches.values()) watch.close()
    this.#watches.clear()
  }

  #stir(): void {
    if (this.#closed) return
    this.#stirTimer ??= setTimeout(
      () => {
        this.#stirTimer = null
        this.#stirredAt = performance.now()
        this.#onStir()
      },
      Math.max(0, this.#stirredAt + stirMs - performance.now())
    ).unref()
  }

  #pollSoon(): void {
    if (!this.#closed) this.#pollTimer = setTimeout(() => void this.#poll(), this.#pollIn).unref()
  }

  /** The system may tell of nothing, as on some network mounts. */
  async #poll(): Promise<void> {
    const sizes = await Promise.all(this.#paths.map(async (path) => (await stat(path).catch(() => null))?.size ?? 0))
    if (this.#closed) return
    const grown = sizes.some((size, file) => size !== this.#sizes[file])
    this.#sizes = sizes
    this.#pollIn = grown ? pollMs : Math.min(this.#pollIn * 2, pollMs * restPolls)
    this.#watch()
    this.#pollSoon()
    if (grown) this.#stir()
  }

  /** Starts the watchers that are missing. */
  #watch(): void {
    for (const path of this.#paths) {
      this.#watchOne(dirname(path), basename(path))
      // Elsewhere the system tells of names in a folder, and late or not at all of what is written to its files.
      if (process.platform !== 'linux') this.#watchOne(path, null)
    }
  }

  #watchOne(path: string, name: string | null): void {
    const key = `${path}\0${name ?? ''}`
    const known = this.#watches.get(key)
    if (known?.alive) return
    known?.close()
    const watch = FolderWatch.start(path, name, () => this.#stir())
    if (watch === null) this.#watches.delete(key)
    else this.#watches.set(key, watch)
  }
}
