import { type AnyJob, type AnyPart, defaultLookInterval, Finder, maxChecks, type StartFindThread } from './finder.ts'

/** Ms after which idle threads end. */
const idleTime = 10_000

export interface CrewOptions {
  readonly size: number
  /** Ms between two checks for an endless match; ten checks without progress end the thread. */
  readonly lookInterval?: number | undefined
  /** Ms that the slow matches of an owner may take in guarded threads; absent: ten intervals. */
  readonly slowMs?: number | undefined
  /** Ms after which a thread with a dropped job is ended; absent: never. */
  readonly graceMs?: number | undefined
}

/** A queued job. */
interface Waiting<J extends AnyJob, P extends AnyPart> {
  readonly owner: object
  readonly begin: (finder: Finder<J, P>) => void
}

/**
 * Search threads, started on demand and shared by owners: a free one goes to the owner with the fewest. An owner without one
 * gets a new one, so there are at most `size` plus one per further owner.
 */
export class FinderCrew<J extends AnyJob, P extends AnyPart> {
  /** Maximum threads of one owner. */
  readonly size: number
  readonly #start: StartFindThread<J, P>
  readonly #lookInterval: number | undefined
  readonly #graceMs: number | undefined
  readonly #slowMs: number
  /** By owner: the ms of slow matches so far. */
  readonly #spentMs = new WeakMap<object, number>()
  #finders: Finder<J, P>[] = []
  /** Owners with jobs that are not dropped. */
  readonly #owners = new Set<object>()
  /** Owners of threads with jobs that are not dropped. */
  readonly #ownerOf = new WeakMap<Finder<J, P>, object>()
  #waiting: Waiting<J, P>[] = []
  #idle: Timer | null = null

  constructor(start: StartFindThread<J, P>, { size, lookInterval, graceMs, slowMs }: CrewOptions) {
    this.#slowMs = slowMs ?? maxChecks * (lookInterval ?? defaultLookInterval)
    this.#start = start
    this.size = size
    this.#lookInterval = lookInterval
    this.#graceMs = graceMs
  }

  /** Starts a thread if there is none, so the first job starts at once. */
  warmUp(): void {
    if (this.#finders.every(({ isEnded }) => isEnded)) this.#free()
  }

  /** Searches a piece of a file as soon as a thread is free. Rejects like `Finder.search`. */
  async search(job: J, onFound: (part: P) => void, owner: object = this): Promise<void> {
    this.#owners.add(owner)
    await new Promise<void>((resolve) => {
      this.#waiting.push({ owner, begin: (finder) => resolve(this.#searchWith(finder, job, onFound, owner)) })
      this.#deal()
    })
  }

  /** Drops the jobs of `owner`; promises may never settle. `atOnce`: ends busy threads. Resolves when no file is read. */
  async drop(atOnce: boolean, owner: object = this): Promise<void> {
    this.#owners.delete(owner)
    this.#spentMs.delete(owner)
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

  /** Ends all threads. A new search starts new ones. */
  async close(): Promise<void> {
    this.#owners.clear()
    this.#waiting = []
    clearTimeout(this.#idle ?? undefined)
    await Promise.all(this.#finders.splice(0).map((finder) => finder.close()))
  }

  async #searchWith(finder: Finder<J, P>, job: J, onFound: (part: P) => void, owner: object): Promise<void> {
    clearTimeout(this.#idle ?? undefined)
    this.#ownerOf.set(finder, owner)
    const spent = this.#spentMs.get(owner) ?? 0
    const allowance = { leftMs: Math.max(0, this.#slowMs - spent), isSlow: spent > this.#slowMs / 10 }
    const searched = finder.search(job.query.regex ? { ...job, allowance } : job, onFound)
    void finder.rested.then(() => this.#deal())
    try {
      const more = await searched
      if (more > 0) this.#spentMs.set(owner, (this.#spentMs.get(owner) ?? 0) + more)
    } finally {
      this.#endWhenIdle()
    }
  }

  /** Assigns threads to queued jobs. */
  #deal(): void {
    for (let next = this.#next(); next !== null; next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      next.begin(this.#free())
    }
  }

  /** The next job: the first one of an owner with the fewest threads; null: none, or no thread. */
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

  /** An idle thread; starts one if there is none. */
  #free(): Finder<J, P> {
    this.#finders = this.#finders.filter(({ isEnded }) => !isEnded)
    const free = this.#finders.find(({ isBusy }) => !isBusy)
    if (free) return free
    const started = new Finder(this.#start, this.#lookInterval)
    this.#finders.push(started)
    return started
  }

  /** Ends threads that are still busy with dropped jobs. */
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
