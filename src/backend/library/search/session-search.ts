import type { LibraryFound } from '#contract/library.ts'
import { searchFailure } from '#queries/find/finder.ts'
import type { FinderCrew } from '#queries/find/finder-crew.ts'
import { type Batch, batchesOf, batchSizes, type SearchedLog } from './batches.ts'
import { LogHits } from './found-hits.ts'
import type { LineQuery, ScanJob, ScanPart } from './scan-jobs.ts'

const reportIntervalMs = 100

export interface SessionSearchOptions {
  readonly crew: FinderCrew<ScanJob, ScanPart>
  readonly report: (progress: Omit<LibraryFound, 'find'>) => void
  /** The limit of hits in all logs. */
  readonly maxHits: number
  readonly index: string | null
}

/** The hits of a session. */
export interface SessionHits {
  readonly session: number
  /** Its logs with hits. */
  readonly logs: LogHits[]
  count: number
}

interface AssignedBatch {
  readonly batch: Batch
  /** Parts that wait for an earlier batch. */
  readonly waiting: ScanPart[]
  /** Logs of it that are done. */
  to: number
  isDone: boolean
}

/** Searches the logs of many sessions. Hits are added in the order of sessions, so that results are stable. */
export class SessionSearch {
  readonly query: LineQuery
  /** In the order of sessions. */
  readonly found: SessionHits[] = []
  readonly #logs: readonly SearchedLog[]
  readonly #options: SessionSearchOptions
  readonly #batches: Iterator<Batch>
  readonly #assigned: AssignedBatch[] = []
  readonly #sessions: number
  readonly #bytes: number
  /** By index of the log. */
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

  /** `logs` are in the order of their sessions; `sessions` is the number of these. */
  constructor(logs: readonly SearchedLog[], sessions: number, query: LineQuery, options: SessionSearchOptions) {
    this.query = query
    this.#logs = logs
    this.#sessions = sessions
    this.#options = options
    this.#bytes = logs.reduce((sum, { bytes }) => sum + bytes, 0)
    this.#batches = batchesOf(logs, query.regex ? batchSizes.regex : batchSizes.text, options.crew.size)
  }

  /** Resolves at the end of the search, however it ended; never rejects. */
  async run(): Promise<void> {
    this.#report()
    const { crew } = this.#options
    await Promise.all(Array.from({ length: crew.size }, () => this.#searchBatches()))
    if (this.#isEnded) return
    this.#searching = false
    this.#error ??= this.#unreadNote()
    this.#report()
  }

  /** Cancels the search; no reports follow. */
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

  async #searchBatches(): Promise<void> {
    const { crew, maxHits, index } = this.#options
    while (!this.#isStopped) {
      const { done, value: batch } = this.#batches.next()
      if (done === true) return
      const assigned: AssignedBatch = { batch, waiting: [], to: 0, isDone: false }
      this.#assigned.push(assigned)
      const job: ScanJob = { kind: 'scan', query: this.query, logs: batch.scans, most: maxHits - this.#count, index }
      try {
        await Promise.race([crew.search(job, (part) => this.#onPart(assigned, part), this), this.#stopped])
      } catch (error) {
        if (this.#isStopped) return
        this.#error = searchFailure(error)
        this.#stop()
        return
      }
      assigned.isDone = true
      this.#addInOrder()
    }
  }

  get #isStopped(): boolean {
    return this.#isEnded || this.#isCut || this.#error !== null
  }

  #stop(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#resolveStopped()
    // An expression may never end; a text search mostly ends sooner than a new thread starts.
    void this.#options.crew.drop(this.query.regex, this)
  }

  #resolveStopped: () => void = () => {}
  readonly #stopped = new Promise<void>((resolve) => (this.#resolveStopped = resolve))

  #onPart(assigned: AssignedBatch, part: ScanPart): void {
    if (this.#isStopped) return
    assigned.waiting.push(part)
    this.#addInOrder()
  }

  /** Adds the parts of the first unfinished batch, and of later ones once it is done. */
  #addInOrder(): void {
    if (this.#isStopped) return
    for (let first = this.#assigned[0]; first !== undefined; first = this.#assigned[0]) {
      for (const part of first.waiting.splice(0)) this.#add(first, part)
      if (!first.isDone || this.#isStopped) break
      this.#assigned.shift()
    }
    this.#reportSoon()
  }

  #add(assigned: AssignedBatch, { to, found, unread }: ScanPart): void {
    const { batch } = assigned
    for (const { log: place, lines } of found) {
      const number = batch.logs[place] ?? 0
      const most = this.#options.maxHits - this.#count
      const added = this.#hitsOf(number).add(lines, most)
      this.#count += added
      this.#countFor(this.#logs[number]?.session ?? 0, added)
      if (this.#count < this.#options.maxHits) continue
      this.#isCut = true
      this.#stop()
      return
    }
    for (const place of unread) this.#unread.add(batch.logs[place] ?? 0)
    for (; assigned.to < to; assigned.to++) {
      this.#searched.bytes += batch.bytes[assigned.to] ?? 0
      if (batch.isEnd) this.#searched.sessions = this.#logs[batch.logs[assigned.to] ?? 0]?.session ?? 0
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
    const isFirst = this.#count > 0 && !this.#hasReportedHits
    if (isFirst || now - this.#reportedAt >= reportIntervalMs) return this.#report()
    this.#timer ??= setTimeout(() => {
      if (!this.#isEnded && this.#searching) this.#report()
    }, reportIntervalMs)
  }
  #hasReportedHits = false

  #report(): void {
    clearTimeout(this.#timer ?? undefined)
    this.#timer = null
    this.#reportedAt = performance.now()
    this.#hasReportedHits = this.#count > 0
    this.#options.report(this.progress)
  }
}
