import type { LibraryFound } from '#contract/library.ts'
import { FindFailure } from '#queries/find/finder.ts'
import type { FinderCrew } from '#queries/find/finder-crew.ts'
import type { Query } from '#queries/find/search.ts'
import { type Batch, batchesOf, batchSizes, type SearchedLog } from './batches.ts'
import { LogHits } from './found-hits.ts'
import type { ScanJob, ScanPart } from './scan-jobs.ts'

const reportInterval = 100

export interface SessionSearchOptions {
  readonly crew: FinderCrew<ScanJob, ScanPart>
  readonly report: (progress: Omit<LibraryFound, 'find'>) => void
  /** So many lines in all are kept. */
  readonly mostHits: number
  readonly index: string | null
}

/** What was found in a session. */
export interface SessionHits {
  readonly session: number
  /** Its logs in which something was found. */
  readonly logs: LogHits[]
  count: number
}

interface DealtBatch {
  readonly batch: Batch
  /** What was found while an earlier one was not done. */
  readonly waiting: ScanPart[]
  /** So many of its logs are done. */
  to: number
  isDone: boolean
}

/**
 * One search of many sessions' logs: gives them out to threads in their order, and puts what these find in that order again, so that the same search
 * lists the same sessions in the same places.
 */
export class SessionSearch {
  readonly query: Query
  /** In the order of the sessions. */
  readonly found: SessionHits[] = []
  readonly #logs: readonly SearchedLog[]
  readonly #options: SessionSearchOptions
  readonly #batches: Iterator<Batch>
  readonly #dealt: DealtBatch[] = []
  readonly #sessions: number
  readonly #bytes: number
  /** By log, what was found in it. */
  readonly #hits = new Map<number, LogHits>()
  readonly #unread = new Set<number>()
  #count = 0
  #searched = { bytes: 0, sessions: 0 }
  #isEnded = false
  #isCut = false
  #error: string | null = null
  #reportedAt = -Infinity
  #timer: NodeJS.Timeout | null = null
  #searching = true

  /** `logs` stand in the order of their sessions, of which there are `sessions`. */
  constructor(logs: readonly SearchedLog[], sessions: number, query: Query, options: SessionSearchOptions) {
    this.query = query
    this.#logs = logs
    this.#sessions = sessions
    this.#options = options
    this.#bytes = logs.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#batches = batchesOf(logs, query.regex ? batchSizes.regex : batchSizes.text, options.crew.size)
  }

  /** Resolves when it is over, in whatever way; never rejects. */
  async run(): Promise<void> {
    this.#report()
    const { crew } = this.#options
    await Promise.all(Array.from({ length: crew.size }, () => this.#searchOn()))
    if (this.#isEnded) return
    this.#searching = false
    this.#error ??= this.#unreadNote()
    this.#report()
  }

  /** It is not wanted any more: nothing is said from here on. */
  end(): void {
    this.#isEnded = true
    this.#searching = false
    this.#stop()
  }

  get progress(): Omit<LibraryFound, 'find'> {
    return {
      searching: this.#searching,
      hits: this.#count,
      sessionsWithHits: this.found.length,
      sessionsSearched: this.#searching ? this.#searched.sessions : this.#sessionsDone(),
      sessions: this.#sessions,
      bytesSearched: this.#searched.bytes,
      bytes: this.#bytes,
      isCut: this.#isCut,
      error: this.#error
    }
  }

  async #searchOn(): Promise<void> {
    const { crew, mostHits, index } = this.#options
    while (!this.#isStopped) {
      const { done, value: batch } = this.#batches.next()
      if (done === true) return
      const dealt: DealtBatch = { batch, waiting: [], to: 0, isDone: false }
      this.#dealt.push(dealt)
      const job: ScanJob = { kind: 'scan', query: this.query, logs: batch.scans, most: mostHits - this.#count, index }
      try {
        await Promise.race([crew.search(job, (part) => this.#take(dealt, part), this), this.#stopped])
      } catch (error) {
        if (this.#isStopped) return
        this.#error =
          error instanceof FindFailure ? error.message : 'The search failed inside Playhead. Please report this.'
        this.#stop()
        return
      }
      dealt.isDone = true
      this.#goOn()
    }
  }

  get #isStopped(): boolean {
    return this.#isEnded || this.#isCut || this.#error !== null
  }

  #stop(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#haveStopped()
    // An expression may go on for ever; a text is mostly found sooner than a thread is started.
    void this.#options.crew.drop(this.query.regex, this)
  }

  #haveStopped: () => void = () => {}
  readonly #stopped = new Promise<void>((resolve) => (this.#haveStopped = resolve))

  #take(dealt: DealtBatch, part: ScanPart): void {
    if (this.#isStopped) return
    dealt.waiting.push(part)
    this.#goOn()
  }

  /** Adds what the first batch found that is not done, and those after it once it is. */
  #goOn(): void {
    if (this.#isStopped) return
    for (let first = this.#dealt[0]; first !== undefined; first = this.#dealt[0]) {
      for (const part of first.waiting.splice(0)) this.#add(first, part)
      if (!first.isDone || this.#isStopped) break
      this.#dealt.shift()
    }
    this.#reportSoon()
  }

  #add(dealt: DealtBatch, { to, found, unread }: ScanPart): void {
    const { batch } = dealt
    for (const { log: place, lines } of found) {
      const number = batch.logs[place] ?? 0
      const most = this.#options.mostHits - this.#count
      const added = this.#hitsOf(number).add(lines, most)
      this.#count += added
      this.#countFor(this.#logs[number]?.session ?? 0, added)
      if (this.#count < this.#options.mostHits) continue
      this.#isCut = true
      this.#stop()
      return
    }
    for (const place of unread) this.#unread.add(batch.logs[place] ?? 0)
    for (; dealt.to < to; dealt.to++) {
      this.#searched.bytes += batch.bytes[dealt.to] ?? 0
      if (batch.isEnd) this.#searched.sessions = this.#logs[batch.logs[dealt.to] ?? 0]?.session ?? 0
    }
  }

  #hitsOf(log: number): LogHits {
    let hits = this.#hits.get(log)
    if (hits !== undefined) return hits
    const { path = '', session = 0 } = this.#logs[log] ?? {}
    hits = new LogHits(path)
    this.#hits.set(log, hits)
    const last = this.found.at(-1)
    if (last?.session === session) last.logs.push(hits)
    else this.found.push({ session, logs: [hits], count: 0 })
    return hits
  }

  #countFor(session: number, added: number): void {
    const last = this.found.at(-1)
    if (last?.session === session) last.count += added
  }

  #sessionsDone(): number {
    return this.#isCut || this.#error !== null ? this.#searched.sessions : this.#sessions
  }

  #unreadNote(): string | null {
    const { size } = this.#unread
    if (size === 0) return null
    const [first = 0] = this.#unread
    if (size === 1) return `${this.#logs[first]?.path} could not be read completely. Matches may be missing.`
    return `${size} logs could not be read completely. Matches may be missing. One of them is ${this.#logs[first]?.path}.`
  }

  #reportSoon(): void {
    if (this.#isCut) return
    const now = performance.now()
    const isFirst = this.#count > 0 && !this.#hasToldHits
    if (isFirst || now - this.#reportedAt >= reportInterval) return this.#report()
    this.#timer ??= setTimeout(() => {
      if (!this.#isEnded && this.#searching) this.#report()
    }, reportInterval)
  }
  #hasToldHits = false

  #report(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    this.#reportedAt = performance.now()
    this.#hasToldHits = this.#count > 0
    this.#options.report(this.progress)
  }
}
