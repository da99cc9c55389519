import { dirname } from 'node:path'
import { type FolderChange, FolderWatch } from './folder-watch.ts'
import type { Run } from './run.ts'
import type { FoundRun } from './run-files.ts'

/** Files of one run come in swarms. */
const settleMs = 200
/** At rest polls are so many times rarer. */
const restPolls = 8
/** A poll waits so many times as long as the one before took: folders may hold very many names. */
const pollShare = 20

/** Watches for files that come to a run, and for a log that says only now what it is. Never keeps the process alive. */
export class RunWatch {
  readonly #run: Run
  readonly #onStir: () => void
  readonly #pollMs: number
  /** By path and name. */
  #watches: ReadonlyMap<string, FolderWatch> = new Map()
  #timer: NodeJS.Timeout | null = null
  #timerAt = Infinity
  #work: Promise<unknown> = Promise.resolve()
  #pollIn: number
  #pollTook = 0
  #closed = false

  /** Calls `onStir` when it is worth a look, some time after the last change; on network mounts after `pollMs` to eight times that. */
  constructor(run: Run, onStir: () => void, { pollMs = 2000 }: { readonly pollMs?: number } = {}) {
    this.#run = run
    this.#onStir = onStir
    this.#pollMs = pollMs
    this.#pollIn = pollMs
    this.#watch()
    this.#pollAfter(pollMs)
  }

  /**
   * Whether opening the run anew would give a file that was not found, or is now told to be another's, or another format. Files that went
   * do not count: what was read of them is kept. Never rejects.
   */
  look(): Promise<boolean> {
    const look = this.#work.then(async () => {
      try {
        return tellsMore(await this.#run.finder.find(), this.#run.found)
      } catch {
        // The main file cannot be read: its own watch tells.
        return false
      }
    })
    this.#work = look
    return look
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer ?? undefined)
    for (const watch of this.#watches.values()) watch.close()
  }

  #pollAfter(ms: number): void {
    const at = performance.now() + ms
    if (this.#closed || this.#timerAt <= at) return
    clearTimeout(this.#timer ?? undefined)
    this.#timerAt = at
    this.#timer = setTimeout(() => {
      this.#timerAt = Infinity
      this.#work = this.#work.then(() => this.#poll())
    }, ms)
    this.#timer.unref()
  }

  async #poll(): Promise<void> {
    const begun = performance.now()
    const differs = await this.#run.finder.mayDiffer()
    if (this.#closed) return
    // What came before its folder was watched is not told.
    if (this.#watch()) this.#pollAfter(settleMs)
    this.#pollIn = differs ? this.#pollMs : Math.min(this.#pollIn * 2, this.#pollMs * restPolls)
    this.#pollTook = performance.now() - begun
    this.#pollAfter(Math.max(this.#pollIn, this.#pollTook * pollShare))
    if (differs) this.#onStir()
  }

  /**
   * Watches the folders that there are, and those in which the others would be made; the main file as long as it may say more. True if one
   * is watched that was not.
   */
  #watch(): boolean {
    const { finder, main } = this.#run
    const wanted = new Map<string, FolderWatch>()
    const keep = (path: string, name: string | null): boolean => {
      const key = JSON.stringify([path, name])
      const known = wanted.get(key) ?? this.#watches.get(key)
      const watch = known?.alive ? known : FolderWatch.start(path, name, (change) => this.#changed(change))
      if (watch) wanted.set(key, watch)
      return watch !== null
    }
    for (const folder of finder.folders) {
      for (let path = folder; !keep(path, null) && dirname(path) !== path;) path = dirname(path)
    }
    if (finder.headMayChange) keep(dirname(main.source.path), main.source.name)
    const before = this.#watches
    for (const [key, watch] of before) if (wanted.get(key) !== watch) watch.close()
    this.#watches = wanted
    return [...wanted].some(([key, watch]) => before.get(key) !== watch)
  }

  #changed(change: FolderChange): void {
    if (change === 'names' || this.#run.finder.waits) this.#pollAfter(Math.max(settleMs, this.#pollTook * pollShare))
  }
}

function tellsMore(now: FoundRun, then: FoundRun): boolean {
  if (now.chosen.format !== then.chosen.format || now.chosen.framing !== then.chosen.framing) return true
  const known = new Map(then.files.map((file) => [file.name, file]))
  return now.files.some(({ name, framing, callId }) => {
    const before = known.get(name)
    return before?.framing !== framing || before.callId !== callId
  })
}
