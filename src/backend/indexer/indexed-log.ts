import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { LogStatus, Params, Result } from '#contract/methods.ts'
import { type LogAnswers, logAnswers, type LogMethod } from '#queries/log-answers.ts'
import { logStatus } from '#queries/log-status.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { filterQuery, findField, type FinderProgress, LogFinder } from '#queries/find/log-finder.ts'
import type { LogToQuery } from '#queries/find/query-search.ts'
import { findThreads } from '../find/start-find-thread.ts'
import type { SavedIndexes } from '../saved/saved-index.ts'
import type { SharedFile } from '../sources/log-source.ts'
import { resetNotes } from '../sources/log-watch.ts'
import type { Run } from '../sources/run.ts'
import { RunWatches } from '../sources/run-watches.ts'
import type { IndexerTask, ReleasedLog } from './indexer-messages.ts'
import type { CreateWorker, LogListener } from './log-worker.ts'
import { type Generation, isOfDatabase, Reading } from './reading.ts'
import { filesNow, generationAfter } from './resumed-generation.ts'

const progressInterval = 100
/** A log is shown as ended after this time without a write. */
const restAfterMs = 500
/** A larger addition is reported as a read with progress. */
const longAdditionBytes = 4 << 20
/** After a read to restore the order, the next waits this many times its duration. */
const orderPauseFactor = 4
/** More search threads only wait for memory. */
const maxFindThreads = 4

export interface IndexedLogOptions {
  /** Starts a helper thread. */
  readonly createHelper: CreateWorker
  /** Null: indexes are not saved. */
  readonly saved: SavedIndexes | null
}

/** An open log in its thread: indexes its files, follows them and answers calls. Results are bounded. */
export class IndexedLog {
  readonly #task: IndexerTask
  readonly #listener: LogListener
  readonly #saved: SavedIndexes | null
  readonly #notes = new Set<string>()
  #reading: Reading | null = null
  #watch: RunWatches | null = null
  #phase: LogStatus['phase'] = 'reading'
  #error: LogStatus['error'] = null
  #fileState: LogStatus['fileState'] = 'there'
  #grownAt: number | null = null
  /** Duration of the last read from the beginning. */
  #readingMs = 0
  #reported = -Infinity
  #reportTimer: NodeJS.Timeout | null = null
  /** When the log counts as ended; Infinity: it does already. */
  #restAt = Infinity
  /** When the log is read from the beginning, because an addition cannot be appended; Infinity: no need. */
  #anewAt = Infinity
  #stirred = false
  #looking = false
  /** Pages keep the state of a released log until it is read again. */
  #resuming: ReleasedLog | null
  readonly #resumed: Promise<void>
  #hasResumed: () => void = () => {}
  /** `marked` of earlier threads. */
  #markedBefore = 0
  #wake: () => void = () => {}
  #closed = false
  #work: Promise<void> | null = null
  #saving: Promise<void> | null = null
  readonly #finder: LogFinder<SharedFile>
  readonly #answers: LogAnswers

  /** Status reports: once the format is known, after the first rows, then about ten times a second, and at the end. */
  constructor(task: IndexerTask, listener: LogListener, { createHelper, saved }: IndexedLogOptions) {
    this.#task = task
    this.#listener = listener
    this.#saved = saved
    this.#resuming = task.resumes
    this.#resumed = new Promise((resolve) => (this.#hasResumed = resolve))
    if (task.resumes === null) this.#hasResumed()
    else this.#grownAt = task.resumes.status.grownAt
    const found = (progress: FinderProgress) => listener.found({ log: task.log, ...progress })
    const most = Math.min(availableParallelism(), maxFindThreads)
    const crewOf = (as: string, lookInterval?: number) => {
      const size = as === findField || as.startsWith(filterQuery) ? most : 1
      return new FinderCrew(findThreads(createHelper), { size, lookInterval })
    }
    this.#finder = new LogFinder(crewOf, () => this.#toSearch(), found)
    this.#answers = logAnswers(() => this.#open().pages, this.#finder)
  }

  /** Reads and follows the log until it is closed. Never rejects: a failure is a status, and rows so far stay usable. */
  async read(): Promise<void> {
    this.#work = this.#readAndFollow()
    await this.#work
  }

  async answer<M extends LogMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    await this.#resumed
    const reading = this.#reading
    try {
      return await this.#answers[method](params)
    } catch (error) {
      if (error instanceof HostError || reading === this.#reading) throw error
      // Its files were closed meanwhile.
      throw new HostError('unavailable', 'The log is being read again. Try again in a moment.')
    }
  }

  /** Checks all files, even without a report of a change. */
  lookAgain(): void {
    this.#watch?.lookAtAll()
    this.#onChange()
  }

  /** Adds a note for the user, once. */
  note(sentence: string): void {
    if (this.#closed || this.#notes.has(sentence)) return
    this.#notes.add(sentence)
    this.#report()
  }

  /** Closes all files and threads. Saves the index if it is large enough. */
  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#reportTimer ?? undefined)
    this.#hasResumed()
    this.#wake()
    await Promise.all([this.#work, this.#finder.leave(), this.#saving])
    const reading = this.#reading
    await reading?.save(() => this.#isUnchanged(reading))
    this.#watch?.close()
    await reading?.close()
  }

  /** Closes all files of an idle log and returns the state; null: not idle, or only this thread can read a file. */
  async release(): Promise<ReleasedLog | null> {
    const reading = this.#reading
    if (this.isLost) return await this.#releaseLost()
    if (reading === null || !this.#isIdle || isOfDatabase(reading.run)) return null
    const files = await filesNow(reading.run).catch(() => null)
    // A write that was not reported would count as read.
    const hasMore = files?.some(({ bytes, indexed }, i) => indexed !== bytes && !reading.run.files[i]?.source.packed)
    if (files === null || hasMore === true || !this.#isIdle) return null
    const status = this.#status()
    await this.close()
    return { status, files, isLost: false }
  }

  /** A removed file is readable only here, and search results are only here. */
  get #isIdle(): boolean {
    const waits = this.#stirred || this.#looking || this.#restAt !== Infinity || this.#anewAt !== Infinity
    return !waits && !this.#closed && this.#phase !== 'reading' && this.#fileState === 'there' && !this.#finder.isInUse
  }

  /** It was released and cannot be opened again. */
  get isLost(): boolean {
    return this.#task.resumes !== null && this.#reading === null && this.#error !== null
  }

  async #releaseLost(): Promise<ReleasedLog | null> {
    // The pending call is answered with the error first.
    await new Promise((resume) => setImmediate(resume))
    const status = this.#status()
    await this.close()
    return { status, files: this.#task.resumes?.files ?? [], isLost: true }
  }

  async #readAndFollow(): Promise<void> {
    await this.#readAnew(null, true)
    while (!this.#closed && this.#reading !== null) {
      await this.#nextChange()
      this.#looking = true
      if (!this.#closed) await this.#look(this.#reading)
      this.#looking = false
    }
  }

  /** Starts a generation; `follows` and `loads` as in `Beginning`. If the log cannot be opened, the former one stays. */
  async #readAnew(note: string | null, follows: boolean, loads = true): Promise<void> {
    const began = performance.now()
    const { given, format } = this.#task
    let reading: Reading | null = null
    try {
      const number = (this.#reading?.generation ?? 0) + 1
      const generation = async (run: Run): Promise<Generation> =>
        this.#resuming === null ? { number, note } : await generationAfter(this.#resuming, run)
      const begins = { generation, follows, saved: this.#saved, loads }
      reading = await Reading.open({ path: given, format, single: false }, begins)
      const former = this.#reading
      this.#reading = reading
      if (reading.generation !== this.#resuming?.status.generation) this.#resume(reading)
      // Later reports are about this reading.
      this.#phase = 'reading'
      this.#error = null
      await this.#finder.leave()
      await former?.close()
      this.#watch?.close()
      this.#restAt = Infinity
      this.#anewAt = Infinity
      this.#watch = new RunWatches(reading.run, () => this.#onChange())
      await this.#readOn(reading, true)
    } catch (error) {
      // Continues without the saved index if it is invalid.
      if (loads && reading?.savedRows !== 0 && !(error instanceof HostError))
        return await this.#readAnew(note, follows, false)
      this.#fail(error)
    }
    this.#readingMs = performance.now() - began
  }

  /** A file may have changed. */
  #onChange(): void {
    this.#stirred = true
    this.#wake()
  }

  /** Resolves when the file should be checked. */
  async #nextChange(): Promise<void> {
    if (this.#stirred) return
    const wait = Math.min(this.#restAt, this.#anewAt) - performance.now()
    await new Promise<void>((resolve) => {
      const timer = wait === Infinity ? undefined : setTimeout(resolve, wait)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** Checks the file and acts on its state. */
  async #look(reading: Reading): Promise<void> {
    this.#stirred = false
    const sight = await this.#watch?.look()
    if (sight === undefined || this.#closed) return
    if (sight.state !== this.#fileState) {
      this.#fileState = sight.state
      this.#reportSoon()
    }
    if (sight.reset !== null) {
      // A document is rewritten on each change.
      await this.#readAnew(reading.run.chosen.framing === 'document' ? null : resetNotes[sight.reset], true)
      return
    }
    if (!sight.changing && (await this.#hasMore(reading))) {
      this.#grownAt = Date.now()
      // The first lines may have been incomplete.
      if (reading.run.chosen.format.id === null && (await this.#watch?.isAnother())) {
        await this.#readAnew(null, true)
        return
      }
      if (reading.follows) await this.#tryReadOn(reading)
      this.#restAt = performance.now() + restAfterMs
    }
    // An addition does not end a document, or belongs before rows that exist.
    const wantsAnew = sight.differs || (this.#restAt !== Infinity && !reading.follows)
    const pause = Math.max(restAfterMs, this.#readingMs * orderPauseFactor)
    if (wantsAnew) this.#anewAt = Math.min(this.#anewAt, performance.now() + pause)
    if (performance.now() >= this.#anewAt) {
      // If that fails, it is tried again after the same time.
      this.#anewAt = performance.now() + pause
      if (sight.state === 'there' && !sight.changing) await this.#readAnew(null, true)
    } else if (performance.now() >= this.#restAt) {
      this.#restAt = sight.changing ? performance.now() + restAfterMs : Infinity
      if (reading.follows && !sight.changing) await this.#tryRest(reading)
    }
  }

  async #hasMore(reading: Reading): Promise<boolean> {
    try {
      return await reading.measure()
    } catch {
      // The watch reports the state of the file.
      return false
    }
  }

  async #tryRest(reading: Reading): Promise<void> {
    try {
      await this.#rest(reading)
    } catch (error) {
      this.#fail(error)
    }
  }

  async #tryReadOn(reading: Reading): Promise<void> {
    try {
      await this.#readOn(reading, false)
    } catch (error) {
      this.#fail(error)
    }
  }

  /** Reads additions. Throws on an error; earlier rows stay. `first`: the reading has just begun. */
  async #readOn(reading: Reading, first: boolean): Promise<void> {
    const { bytes, bytesRead } = reading.file(0)
    if (first || bytes - bytesRead > longAdditionBytes) this.#phase = 'reading'
    // Before the first chunk, so that a page knows the format during a long first line.
    if (first) this.#report()
    // The first rows are reported at once.
    if (first) this.#reported = -Infinity
    for await (const _ of reading.readOn()) {
      if (performance.now() - this.#reported >= progressInterval) {
        // The size grows while a compressed log is unpacked.
        await reading.measure()
        this.#report()
      }
      await new Promise((resume) => setImmediate(resume))
      if (this.#closed) return
    }
    this.#phase = 'done'
    this.#error = null
    // A new reading is shown as ended at once; only additions wait.
    if (first) await this.#rest(reading)
    else this.#reportSoon()
  }

  /** Shows the log as ended. */
  async #rest(reading: Reading): Promise<void> {
    if (reading.follows && !reading.rest()) {
      // Rows of a removed file stay.
      if (this.#fileState === 'there') await this.#readAnew(null, false)
    } else {
      this.#resume(reading)
      this.#report()
      this.#saving = reading.save(() => this.#isUnchanged(reading))
    }
  }

  /** Whether the files still begin with what was read. Never rejects. */
  async #isUnchanged(reading: Reading): Promise<boolean> {
    const sight = await this.#watch?.look()
    if (sight === undefined || reading !== this.#reading) return false
    const isUnchanged = sight.state === 'there' && sight.reset === null && !sight.changing && !sight.differs
    // The change is handled by the next check.
    if (!isUnchanged) this.#onChange()
    return isUnchanged
  }

  /** A released log is read again, or has changed: status reports resume. */
  #resume(reading: Reading | null): void {
    const released = this.#resuming
    this.#resuming = null
    this.#hasResumed()
    if (released === null || reading === null) return
    const bytes = reading.run.files.reduce((sum, _, file) => sum + reading.file(file).bytes, 0)
    const bytesBefore = [released.status, ...released.status.files].reduce((sum, file) => sum + file.bytes, 0)
    if (bytes > bytesBefore) this.#grownAt = Date.now()
    const goesOn = reading.generation === released.status.generation
    this.#markedBefore = goesOn ? released.status.marked - reading.marked : 0
  }

  #fail(error: unknown): void {
    this.#resume(this.#reading)
    this.#phase = 'failed'
    this.#error =
      error instanceof HostError
        ? { code: error.code, message: error.message }
        : {
            code: 'internal',
            message: 'Playhead failed to read this log. Rows read so far are kept. Please report this.'
          }
    this.#report()
  }

  #reportSoon(): void {
    if (this.#reportTimer !== null || this.#closed) return
    const wait = this.#reported + progressInterval - performance.now()
    if (wait <= 0) this.#report()
    else this.#reportTimer = setTimeout(() => this.#report(), wait)
  }

  #report(): void {
    clearTimeout(this.#reportTimer ?? undefined)
    this.#reportTimer = null
    this.#reported = performance.now()
    if (this.#closed || this.#resuming !== null) return
    this.#listener.status(this.#status())
    this.#finder.grew()
  }

  #status(): LogStatus {
    const reading = this.#reading
    const { log } = this.#task
    const { path } = reading?.run.main.source ?? this.#task
    const known = { log, path, name: basename(path), phase: this.#phase, error: this.#error }
    const growth = { fileState: this.#fileState, grownAt: this.#grownAt }
    if (reading === null) return this.#lostStatus() ?? logStatus(known, null, growth)
    const { run, shown: index, settled, missing } = reading
    const { format, note: formatNote } = run.chosen
    const files = run.files.map(({ name }, number) => ({ name: name ?? '', ...reading.file(number) }))
    return logStatus(
      known,
      { format, formatNote, notes: [...run.notes, ...this.#notes], files, missing, index },
      {
        ...growth,
        generation: reading.generation,
        generationNote: reading.note,
        settled: { rows: settled.rows.rows, events: settled.rows.events, todoSnapshots: settled.todos.length },
        waitingBytes: reading.waitingBytes,
        savedRows: reading.savedRows,
        marked: reading.marked + this.#markedBefore
      }
    )
  }

  /** The last known state. */
  #lostStatus(): LogStatus | null {
    const { resumes } = this.#task
    if (resumes === null) return null
    const states: Record<string, LogStatus['fileState']> = { 'not-found': 'gone', 'no-permission': 'unreadable' }
    const fileState = states[this.#error?.code ?? '']
    return fileState === undefined
      ? { ...resumes.status, phase: this.#phase, error: this.#error }
      : { ...resumes.status, fileState }
  }

  #open(): Reading {
    if (this.#reading) return this.#reading
    throw new HostError('unavailable', this.#error?.message ?? 'The log is still being opened. Try again in a moment.')
  }

  #toSearch(): LogToQuery<SharedFile> {
    const reading = this.#open()
    const { run, generation, shown, settled, pages } = reading
    const files = run.files.map(({ name, source }, number) => {
      return { name, handle: source.shared(), framing: run.framingOf(name), ...reading.file(number) }
    })
    const isReading = this.#phase === 'reading'
    const { asked } = pages
    return { generation, isReading, index: shown.rows, settledRows: settled.rows.rows, files, asked }
  }
}
