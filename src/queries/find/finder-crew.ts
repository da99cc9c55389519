import { type AnyJob, type AnyPart, Finder, type StartFindThread } from './finder.ts'

/** Ms after which threads that have nothing to do are ended. */
const idleTime = 10_000

export interface CrewOptions {
  readonly size: number
  /** Ms between two looks whether an expression has lost itself in a line; after ten it has. */
  readonly lookInterval?: number | undefined
  /** A thread that is still busy so many ms after its work was dropped is ended; left out: it is waited for. */
  readonly graceMs?: number | undefined
}

/** The threads that search the files of one log, or of many. They are started when there is something to search, and end when there is nothing. */
export class FinderCrew<J extends AnyJob, P extends AnyPart> {
  /** The most threads there are. */
  readonly size: number
  readonly #start: StartFindThread<J, P>
  readonly #lookInterval: number | undefined
  readonly #graceMs: number | undefined
  #finders: Finder<J, P>[] = []
  #idle: Timer | null = null
  /** How often everything was dropped. */
  #dropped = 0

  constructor(start: StartFindThread<J, P>, { size, lookInterval, graceMs }: CrewOptions) {
    this.#start = start
    this.size = size
    this.#lookInterval = lookInterval
    this.#graceMs = graceMs
  }

  /** Starts a thread, if there is none, so that the first job need not wait for it. */
  warmUp(): void {
    this.#free()
  }

  /** Searches a piece of a file, as soon as a thread is free. Rejects as `Finder.search` does. */
  async search(job: J, onFound: (part: P) => void): Promise<void> {
    const dropped = this.#dropped
    for (;;) {
      const finder = this.#free()
      if (finder) return await this.#searchWith(finder, job, onFound)
      await Promise.race(this.#finders.map(({ rested }) => rested))
      if (dropped !== this.#dropped) return await new Promise(() => {})
    }
  }

  /**
   * Nobody wants any more what is being searched: promises may stay open. With `atOnce` threads end in the middle of a piece, which takes
   * time when others are needed. Resolves once they read no file any more.
   */
  async drop(atOnce: boolean): Promise<void> {
    this.#dropped++
    if (!atOnce) this.#endWhereBusy()
    const busy = atOnce ? this.#finders.filter((finder) => finder.isBusy && !finder.forget()) : []
    this.#finders = this.#finders.filter((finder) => !busy.includes(finder))
    this.#endWhenIdle()
    await Promise.all(busy.map((finder) => finder.close()))
  }

  /** Ends all threads. They are started anew where more is searched. */
  async close(): Promise<void> {
    this.#dropped++
    clearTimeout(this.#idle ?? undefined)
    await Promise.all(this.#finders.splice(0).map((finder) => finder.close()))
  }

  async #searchWith(finder: Finder<J, P>, job: J, onFound: (part: P) => void): Promise<void> {
    clearTimeout(this.#idle ?? undefined)
    try {
      await finder.search(job, onFound)
    } finally {
      this.#endWhenIdle()
    }
  }

  /** A thread that has nothing to do, started if there may be another one. */
  #free(): Finder<J, P> | null {
    this.#finders = this.#finders.filter(({ isEnded }) => !isEnded)
    const free = this.#finders.find(({ isBusy }) => !isBusy)
    if (free) return free
    if (this.#finders.length >= this.size) return null
    const started = new Finder(this.#start, this.#lookInterval)
    this.#finders.push(started)
    return started
  }

  /** Those that do not come to an end of what nobody wants. */
  #endWhereBusy(): void {
    if (this.#graceMs === undefined) return
    const busy = this.#finders.filter(({ isBusy }) => isBusy).map((finder) => ({ finder, rested: finder.rested }))
    const end = (): void => {
      for (const { finder, rested } of busy) if (finder.isBusy && finder.rested === rested) void finder.close()
    }
    if (busy.length > 0) setTimeout(end, this.#graceMs)
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle ?? undefined)
    if (this.#finders.some(({ isBusy }) => isBusy)) return
    this.#idle = setTimeout(() => void this.close(), idleTime)
  }
}
