import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { FolderWatch } from '../sources/folder-watch.ts'

/** Minimum time between two callbacks. */
const minIntervalMs = 20
const pollMs = 250
/** The poll interval grows up to this factor while nothing changes. */
const idlePollFactor = 8

/** Watches append-only files that may not exist yet. Does not keep the process alive. */
export class GrowthWatch {
  readonly #paths: readonly string[]
  readonly #onGrowth: () => void
  readonly #watches = new Map<string, FolderWatch>()
  #sizes: readonly number[]
  #timer: NodeJS.Timeout | null = null
  #calledAt = -Infinity
  #pollTimer: NodeJS.Timeout | null = null
  #pollIn = pollMs
  #closed = false

  /** Calls `onGrowth` when a file may have grown: at most every 20 ms, and at least once after the last growth. */
  constructor(paths: readonly string[], onGrowth: () => void) {
    this.#paths = paths
    this.#onGrowth = onGrowth
    this.#sizes = paths.map(() => 0)
    this.#watch()
    this.#pollSoon()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer ?? undefined)
    clearTimeout(this.#pollTimer ?? undefined)
    for (const watch of this.#watches.values()) watch.close()
    this.#watches.clear()
  }

  #callSoon(): void {
    if (this.#closed) return
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null
        this.#calledAt = performance.now()
        this.#onGrowth()
      },
      Math.max(0, this.#calledAt + minIntervalMs - performance.now())
    ).unref()
  }

  #pollSoon(): void {
    if (!this.#closed) this.#pollTimer = setTimeout(() => void this.#poll(), this.#pollIn).unref()
  }

  /** Some file systems, such as network mounts, report no changes. */
  async #poll(): Promise<void> {
    const sizes = await Promise.all(this.#paths.map(async (path) => (await stat(path).catch(() => null))?.size ?? 0))
    if (this.#closed) return
    const grown = sizes.some((size, file) => size !== this.#sizes[file])
    this.#sizes = sizes
    this.#pollIn = grown ? pollMs : Math.min(this.#pollIn * 2, pollMs * idlePollFactor)
    this.#watch()
    this.#pollSoon()
    if (grown) this.#callSoon()
  }

  /** Starts missing watchers. */
  #watch(): void {
    for (const path of this.#paths) {
      this.#watchOne(dirname(path), basename(path))
      // Other systems report names in a folder, but writes late or not at all.
      if (process.platform !== 'linux') this.#watchOne(path, null)
    }
  }

  #watchOne(path: string, name: string | null): void {
    const key = `${path}\0${name ?? ''}`
    const known = this.#watches.get(key)
    if (known?.alive) return
    known?.close()
    const watch = FolderWatch.start(path, name, () => this.#callSoon())
    if (watch === null) this.#watches.delete(key)
    else this.#watches.set(key, watch)
  }
}
