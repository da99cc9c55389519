import { dirname } from 'node:path'
import { type FolderChange, FolderWatch } from './folder-watch.ts'
import type { Run } from './run.ts'
import type { FoundRun } from './run-files.ts'

/** Files of a session often appear together. */
const settleMs = 200
/** The poll interval grows up to this factor while nothing changes. */
const idlePollFactor = 8
/** A poll waits this many times the duration of the last one, as folders may be very large. */
const pollShare = 20

/** Watches for new files of a session, and for a format that is recognized later. Does not keep the process alive. */
export class RunWatch {
  readonly #run: Run
  readonly #onChange: () => void
  readonly #pollMs: number
  /** By path and name. */
  #watches: ReadonlyMap<string, FolderWatch> = new Map()
  #timer: NodeJS.Timeout | null = null
  #timerAt = Infinity
  #work: Promise<unknown> = Promise.resolve()
  #pollIn: number
  #pollTookMs = 0
  #closed = false

  /** Calls `onChange` some time after a change; without watchers, after `pollMs` to eight times that. */
  constructor(run: Run, onChange: () => void, { pollMs = 2000 }: { readonly pollMs?: number } = {}) {
    this.#run = run
    this.#onChange = onChange
    this.#pollMs = pollMs
    this.#pollIn = pollMs
    this.#watch()
    this.#pollAfter(pollMs)
  }

  /** Whether a new `Run.open` would find another format, file or identity. Removed files do not count. Never rejects. */
  look(): Promise<boolean> {
    const look = this.#work.then(async () => {
      try {
        return tellsMore(await this.#run.finder.find(), this.#run.found)
      } catch {
        // The watch of the main file reports this.
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
    // Changes before the watch of a folder are not reported.
    if (this.#watch()) this.#pollAfter(settleMs)
    this.#pollIn = differs ? this.#pollMs : Math.min(this.#pollIn * 2, this.#pollMs * idlePollFactor)
    this.#pollTookMs = performance.now() - begun
    this.#pollAfter(Math.max(this.#pollIn, this.#pollTookMs * pollShare))
    if (differs) this.#onChange()
  }

  /** Watches existing folders, or their nearest existing parents, and a short main file. Returns whether a new watch was started. */
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
    if (change === 'names' || this.#run.finder.hasUndecided)
      this.#pollAfter(Math.max(settleMs, this.#pollTookMs * pollShare))
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
