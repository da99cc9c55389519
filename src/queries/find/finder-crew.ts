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

/** A job that waits for a thread. */
interface Waiting<J extends AnyJob, P extends AnyPart> {
  readonly owner: object
  readonly begin: (finder: Finder<J, P>) => void
}

/**
 * The threads that search the files of one log, or of many. They are started when there is something to search, and end when there is nothing. Several
 * owners of jobs may share them: a thread that is free goes to the one who has the fewest, and who has none gets one even where all are busy, so
 * nobody waits for another's work. So many owners, less one, are the most threads there are beyond `size`.
 */
export class FinderCrew<J extends AnyJob, P extends AnyPart> {
  /** The most threads that one owner has. */
  readonly size: number
  readonly #start: StartFindThread<J, P>
  readonly #lookInterval: number | undefined
  readonly #graceMs: number | undefined
  #finders: Finder<J, P>[] = []
  /** Those whose jobs were not dropped. */
  readonly #owners = new Set<object>()
  /** Of threads that are busy with what somebody wants. */
  readonly #ownerOf = new WeakMap<Finder<J, P>, object>()
  #waiting: Waiting<J, P>[] = []
  #idle: Timer | null = null

  constructor(start: StartFindThread<J, P>, { size, lookInterval, graceMs }: CrewOptions) {
    this.#start = start
    this.size = size
    this.#lookInterval = lookInterval
    this.#graceMs = graceMs
  }

  /** Starts a thread, if there is none, so that the first job need not wait for it. */
  warmUp(): void {
    if (this.#finders.every(({ isEnded }) => isEnded)) this.#free()
  }

  /** Searches a piece of a file, as soon as a thread is free. Rejects as `Finder.search` does. */
  async search(job: J, onFound: (part: P) => void, owner: object = this): Promise<void> {
    this.#owners.add(owner)
    await new Promise<void>((resolve) => {
      this.#waiting.push({ owner, begin: (finder) => resolve(this.#searchWith(finder, job, onFound, owner)) })
      this.#deal()
    })
  }

  /**
   * Nobody wants any more what is being searched for `owner`: promises may stay open. With `atOnce` threads end in the middle of a piece, which
   * takes time when others are needed. Resolves once they read no file any more.
   */
  async drop(atOnce: boolean, owner: object = this): Promise<void> {
    this.#owners.delete(owner)
    this.#waiting = this.#waiting.filter((each) => each.owner !== owner)
    const busy = this.#finders.filter((finder) => finder.isBusy && this.#ownerOf.get(finder) === owner)
    for (const finder of busy) this.#ownerOf.delete(finder)
    if (!atOnce) this.#endWhereBusy(busy)
    const ended = atOnce ? busy.filter((finder) => !finder.forget()) : []
    this.#finders = this.#finders.filter((finder) => !ended.includes(finder))
    this.#deal()
    this.#endWhenIdle()
    await Promise.all(ended.map((finder) => finder.close()))
  }

  /** Ends all threads. They are started anew where more is searched. */
  async close(): Promise<void> {
    this.#owners.clear()
    this.#waiting = []
    clearTimeout(this.#idle ?? undefined)
    await Promise.all(this.#finders.splice(0).map((finder) => finder.close()))
  }

  async #searchWith(finder: Finder<J, P>, job: J, onFound: (part: P) => void, owner: object): Promise<void> {
    clearTimeout(this.#idle ?? undefined)
    this.#ownerOf.set(finder, owner)
    const searched = finder.search(job, onFound)
    void finder.rested.then(() => this.#deal())
    try {
      await searched
    } finally {
      this.#endWhenIdle()
    }
  }

  /** Gives threads to jobs that wait, as far as there may be any. */
  #deal(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      next.begin(this.#free())
    }
  }

  /** The job that a thread is for: the first of an owner with the fewest; null: none waits, or there is no thread for it. */
  #next(): Waiting<J, P> | null {
    const busy = this.#finders.filter(({ isBusy }) => isBusy)
    let next: Waiting<J, P> | null = null
    let fewest = Infinity
    for (const each of this.#waiting) {
      const has = busy.filter((finder) => this.#ownerOf.get(finder) === each.owner).length
      if (has >= fewest) continue
      next = each
      fewest = has
    }
    const most = fewest === 0 ? this.size + this.#owners.size - 1 : this.size
    return busy.length < most ? next : null
  }

  /** A thread that has nothing to do, started where there is none. */
  #free(): Finder<J, P> {
    this.#finders = this.#finders.filter(({ isEnded }) => !isEnded)
    const free = this.#finders.find(({ isBusy }) => !isBusy)
    if (free) return free
    const started = new Finder(this.#start, this.#lookInterval)
    this.#finders.push(started)
    return started
  }

  /** Those that do not come to an end of what nobody wants. */
  #endWhereBusy(dropped: readonly Finder<J, P>[]): void {
    if (this.#graceMs === undefined) return
    const busy = dropped.map((finder) => ({ finder, rested: finder.rested }))
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
