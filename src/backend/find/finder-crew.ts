import type { CreateWorker } from '../indexer/log-worker.ts'
import type { FindJob, FindTask, FoundPart } from './find-thread.ts'
import { Finder } from './finder.ts'

/** Ms after which threads that have nothing to do are ended. */
const idleTime = 10_000

export interface CrewOptions {
  readonly size: number
  /** Ms between two looks whether an expression has lost itself in a line; after ten it has. */
  readonly lookInterval?: number | undefined
}

/** The threads that search the files of one log. They are started when there is something to search, and end when there is nothing. */
export class FinderCrew {
  /** The most threads there are. */
  readonly size: number
  readonly #createWorker: CreateWorker
  readonly #lookInterval: number | undefined
  #finders: Finder[] = []
  #idle: NodeJS.Timeout | null = null

  constructor(createWorker: CreateWorker, { size, lookInterval }: CrewOptions) {
    this.#createWorker = createWorker
    this.size = size
    this.#lookInterval = lookInterval
  }

  get busy(): number {
    return this.#finders.filter(({ isBusy }) => isBusy).length
  }

  /** Searches a piece of a file. Only while fewer than `size` are busy. Rejects as `Finder.search` does. */
  async search(job: FindJob, onFound: (part: FoundPart) => void): Promise<void> {
    clearTimeout(this.#idle ?? undefined)
    this.#finders = this.#finders.filter(({ isEnded }) => !isEnded)
    const finder = this.#finders.find(({ isBusy }) => !isBusy) ?? this.#start()
    try {
      await finder.search(job, onFound)
    } finally {
      this.#endWhenIdle()
    }
  }

  /** Whatever is being searched is dropped: its promise stays open. Resolves once no file is read for it any more. */
  async stop(): Promise<void> {
    const busy = this.#finders.filter(({ isBusy }) => isBusy)
    this.#finders = this.#finders.filter(({ isBusy }) => !isBusy)
    this.#endWhenIdle()
    await Promise.all(busy.map((finder) => finder.close()))
  }

  /** Ends all threads. They are started anew where more is searched. */
  async close(): Promise<void> {
    clearTimeout(this.#idle ?? undefined)
    await Promise.all(this.#finders.splice(0).map((finder) => finder.close()))
  }

  #endWhenIdle(): void {
    clearTimeout(this.#idle ?? undefined)
    if (this.busy === 0) this.#idle = setTimeout(() => void this.close(), idleTime).unref()
  }

  #start(): Finder {
    const workerData: FindTask = { role: 'find' }
    const finder = new Finder(this.#createWorker({ workerData, name: 'find' }), this.#lookInterval)
    this.#finders.push(finder)
    return finder
  }
}
