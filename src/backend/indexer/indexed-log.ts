import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import { HostError } from '#contract/host-error.ts'
import type { LogStatus, Params, Result } from '#contract/methods.ts'
import { noMissingLogs } from '#core/formats/log-format.ts'
import { indexFacts } from '#queries/index-facts.ts'
import { type LogAnswers, logAnswers, type LogMethod } from '#queries/log-answers.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { findField, type FinderProgress, LogFinder } from '#queries/find/log-finder.ts'
import type { LogToSearch } from '#queries/find/log-search.ts'
import { findThreads } from '../find/start-find-thread.ts'
import type { SavedIndexes } from '../saved/saved-index.ts'
import type { SharedFile } from '../sources/log-source.ts'
import { freshNotes } from '../sources/log-watch.ts'
import type { Run } from '../sources/run.ts'
import { RunWatches } from '../sources/run-watches.ts'
import type { IndexerTask, ReleasedLog } from './indexer-messages.ts'
import type { CreateWorker, LogListener } from './log-worker.ts'
import { type Generation, Reading } from './reading.ts'
import { filesNow, generationAfter } from './resumed-generation.ts'

const progressInterval = 100
/** How long a log must have been left alone before it is shown as if it ended there. */
const restAfter = 500
/** What is more than this is not added in passing: the log is being read, and says how far. */
const longAddition = 4 << 20
/** A run that has to be put in order anew is left alone meanwhile for so many times as long as that takes. */
const orderPause = 4
/** More threads that search wait for memory, not for each other. */
const maxFindThreads = 4

/** What a log needs of its thread. */
export interface IndexedLogOptions {
  /** Starts another thread of the indexer. */
  readonly createHelper: CreateWorker
  /** Where indexes are kept from one time to the next; null: nowhere. */
  readonly saved: SavedIndexes | null
}

/**
 * One open log inside its thread, with the other files of its run: reads them once, keeps the index and the todo lists, follows what
 * is added, and answers the page meanwhile. Everything it gives is bounded, whatever the log holds, since the host's main thread
 * passes it on.
 */
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
  /** How long the last reading from the beginning took, in ms. */
  #readingMs = 0
  #reported = -Infinity
  #reportTimer: NodeJS.Timeout | null = null
  /** When the log will have been left alone for long enough; infinite: it rests already. */
  #restAt = Infinity
  /** When it is to be read anew, since what was added cannot be read on; infinite: it is not. */
  #anewAt = Infinity
  #stirred = false
  #looking = false
  /** A log that was released is what pages know of it until all of it is here again. */
  #resuming: ReleasedLog | null
  readonly #resumed: Promise<void>
  #hasResumed: () => void = () => {}
  /** How often a row was marked by a thread before this one. */
  #markedBefore = 0
  #wake: () => void = () => {}
  #closed = false
  #work: Promise<void> | null = null
  #saving: Promise<void> | null = null
  readonly #finder: LogFinder<SharedFile>
  readonly #answers: LogAnswers

  /** A status is given once the format is known, after the first rows, then at most about ten times a second, and at the end. */
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
    const crewOf = (as: string) => new FinderCrew(findThreads(createHelper), { size: as === findField ? most : 1 })
    this.#finder = new LogFinder(crewOf, () => this.#toSearch(), found)
    this.#answers = logAnswers(() => this.#open().pages, this.#finder)
  }

  /** Reads the log and follows it until it is closed. Never rejects: a failure is a status, and what was read stays usable. */
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
      // The files it was asked of were closed meanwhile.
      throw new HostError('unavailable', 'The log is being read again. Try again in a moment.')
    }
  }

  /** Looks at all files of the run now, though nothing was said of them. */
  lookAgain(): void {
    this.#watch?.lookAtAll()
    this.#stir()
  }

  /** Lets go of all files and threads, and keeps the index where that is worth it. */
  /** Adds a sentence to what is said of the log, once. */
  note(sentence: string): void {
    if (this.#closed || this.#notes.has(sentence)) return
    this.#notes.add(sentence)
    this.#report()
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#reportTimer ?? undefined)
    this.#hasResumed()
    this.#wake()
    await Promise.all([this.#work, this.#finder.leave(), this.#saving])
    const reading = this.#reading
    await reading?.save(() => this.#stands(reading))
    this.#watch?.close()
    await reading?.close()
  }

  /**
   * Lets go of everything, if nothing is going on, and says what another thread needs to go on with the log; null: something is going on, or is
   * kept that only this thread can read.
   */
  async release(): Promise<ReleasedLog | null> {
    const reading = this.#reading
    if (this.isLost) return await this.#releaseLost()
    if (reading === null || !this.#isIdle) return null
    const files = await filesNow(reading.run).catch(() => null)
    // What was written unheard would be taken for what was read.
    const hasMore = files?.some(({ bytes, indexed }, i) => indexed !== bytes && !reading.run.files[i]?.source.packed)
    if (files === null || hasMore === true || !this.#isIdle) return null
    const status = this.#status()
    await this.close()
    return { status, files, isLost: false }
  }

  /** Only this thread can still read a file that is gone; what was found is nowhere else. */
  get #isIdle(): boolean {
    const waits = this.#stirred || this.#looking || this.#restAt !== Infinity || this.#anewAt !== Infinity
    return !waits && !this.#closed && this.#phase !== 'reading' && this.#fileState === 'there' && !this.#finder.isInUse
  }

  /** It was released, and its file cannot be opened again. */
  get isLost(): boolean {
    return this.#task.resumes !== null && this.#reading === null && this.#error !== null
  }

  async #releaseLost(): Promise<ReleasedLog | null> {
    // Whoever asked for it is told why first.
    await new Promise((resume) => setImmediate(resume))
    const status = this.#status()
    await this.close()
    return { status, files: this.#task.resumes?.files ?? [], isLost: true }
  }

  async #readAndFollow(): Promise<void> {
    await this.#readAnew(null, true)
    while (!this.#closed && this.#reading !== null) {
      await this.#news()
      this.#looking = true
      if (!this.#closed) await this.#look(this.#reading)
      this.#looking = false
    }
  }

  /** A generation begins. `follows` and `loads` as in `Beginning`. Where the log cannot be opened, the generation before stays. */
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
      // Whatever is said from here on is said of this reading.
      this.#phase = 'reading'
      this.#error = null
      await this.#finder.leave()
      await former?.close()
      this.#watch?.close()
      this.#restAt = Infinity
      this.#anewAt = Infinity
      this.#watch = new RunWatches(reading.run, () => this.#stir())
      await this.#readOn(reading, true)
    } catch (error) {
      // A saved index that cannot be gone on with is as good as none.
      if (loads && reading?.savedRows !== 0 && !(error instanceof HostError))
        return await this.#readAnew(note, follows, false)
      this.#fail(error)
    }
    this.#readingMs = performance.now() - began
  }

  /** Something may have happened to the file. */
  #stir(): void {
    this.#stirred = true
    this.#wake()
  }

  /** Resolves when the file should be looked at: it changed, or was left alone for long enough. */
  async #news(): Promise<void> {
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

  /** Looks at the file, and does what follows. */
  async #look(reading: Reading): Promise<void> {
    this.#stirred = false
    const sight = await this.#watch?.look()
    if (sight === undefined || this.#closed) return
    if (sight.state !== this.#fileState) {
      this.#fileState = sight.state
      this.#reportSoon()
    }
    if (sight.fresh !== null) {
      // A document is written as a whole each time.
      await this.#readAnew(reading.run.chosen.framing === 'document' ? null : freshNotes[sight.fresh], true)
      return
    }
    if (!sight.changing && (await this.#hasMore(reading))) {
      this.#grownAt = Date.now()
      // Its first lines may not have been there.
      if (reading.run.chosen.format.id === null && (await this.#watch?.isAnother())) {
        await this.#readAnew(null, true)
        return
      }
      if (reading.follows) await this.#tryReadOn(reading)
      this.#restAt = performance.now() + restAfter
    }
    // What was added is no end of a document, or belongs before what was read already.
    const wantsAnew = sight.differs || (this.#restAt !== Infinity && !reading.follows)
    const pause = Math.max(restAfter, this.#readingMs * orderPause)
    if (wantsAnew) this.#anewAt = Math.min(this.#anewAt, performance.now() + pause)
    if (performance.now() >= this.#anewAt) {
      // Where it cannot be, it is tried again after as long.
      this.#anewAt = performance.now() + pause
      if (sight.state === 'there' && !sight.changing) await this.#readAnew(null, true)
    } else if (performance.now() >= this.#restAt) {
      this.#restAt = sight.changing ? performance.now() + restAfter : Infinity
      if (reading.follows && !sight.changing) await this.#tryRest(reading)
    }
  }

  async #hasMore(reading: Reading): Promise<boolean> {
    try {
      return await reading.measure()
    } catch {
      // The watch has said what has become of the file.
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

  /** Reads what there is. Throws where that fails; what was read before is kept. `first`: the reading has just begun. */
  async #readOn(reading: Reading, first: boolean): Promise<void> {
    const { bytes, bytesRead } = reading.file(0)
    if (first || bytes - bytesRead > longAddition) this.#phase = 'reading'
    // Said before the first chunk is parsed: a page that shows a long first line knows the format meanwhile.
    if (first) this.#report()
    // The first rows are told of at once, too.
    if (first) this.#reported = -Infinity
    for await (const _ of reading.readOn()) {
      if (performance.now() - this.#reported >= progressInterval) {
        // It grows while a compressed log is unpacked.
        await reading.measure()
        this.#report()
      }
      await new Promise((resume) => setImmediate(resume))
      if (this.#closed) return
    }
    this.#phase = 'done'
    this.#error = null
    // What has just been opened is shown as it ends; only what is added to is waited for.
    if (first) await this.#rest(reading)
    else this.#reportSoon()
  }

  /** The log was left alone: shows how it ends. */
  async #rest(reading: Reading): Promise<void> {
    if (reading.follows && !reading.rest()) {
      // What was read of a file that went is kept.
      if (this.#fileState === 'there') await this.#readAnew(null, false)
    } else {
      this.#resume(reading)
      this.#report()
      this.#saving = reading.save(() => this.#stands(reading))
    }
  }

  /** Whether the files of the reading still begin with what was read of them, as far as a look tells. Never rejects. */
  async #stands(reading: Reading): Promise<boolean> {
    const sight = await this.#watch?.look()
    if (sight === undefined || reading !== this.#reading) return false
    const stands = sight.state === 'there' && sight.fresh === null && !sight.changing && !sight.differs
    // What was seen here is acted on there.
    if (!stands) this.#stir()
    return stands
  }

  /** A log that was released is all there again, or is another than it was: from now on pages are told how it is. */
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
    if (reading === null) return this.#lostStatus() ?? { ...known, ...growth, ...unread }
    const { run, shown, settled } = reading
    const files = run.files.map(({ name }, number) => ({ name: name ?? '', ...reading.file(number) }))
    const main = reading.file(0)
    return {
      ...known,
      ...growth,
      format: run.chosen.format.id,
      formatTitle: run.chosen.format.title,
      formatNote: run.chosen.note,
      notes: [...run.notes, ...this.#notes],
      files: files.slice(1),
      missing: reading.missing,
      bytes: main.bytes,
      bytesRead: main.bytesRead,
      lines: main.lines,
      ...indexFacts(shown),
      generation: reading.generation,
      generationNote: reading.note,
      settled: { rows: settled.rows.rows, events: settled.rows.events, todoSnapshots: settled.todos.length },
      waitingBytes: reading.waitingBytes,
      savedRows: reading.savedRows,
      marked: reading.marked + this.#markedBefore
    }
  }

  /** All that was known before stays. */
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

  #toSearch(): LogToSearch<SharedFile> {
    const reading = this.#open()
    const { run, generation, shown, settled } = reading
    const files = run.files.map(({ name, source }, number) => {
      return { name, handle: source.shared(), framing: run.framingOf(name), ...reading.file(number) }
    })
    const isReading = this.#phase === 'reading'
    return { generation, isReading, index: shown.rows, settledRows: settled.rows.rows, files }
  }
}

/** What is known of a log before it is opened. */
const unread = {
  ...{ format: null, formatTitle: '', formatNote: null, notes: [], files: [], missing: noMissingLogs },
  ...{ bytes: 0, bytesRead: 0, lines: 0, rows: 0, events: 0, marked: 0, todoSnapshots: 0 },
  ...{ generation: 1, generationNote: null, settled: { rows: 0, events: 0, todoSnapshots: 0 } },
  ...{ waitingBytes: 0, savedRows: 0 },
  issues: { malformed: 0, violation: 0, notice: 0 },
  failedCalls: 0,
  ...{ firstTimestamp: null, lastTimestamp: null, model: null, sessionId: null, agent: null, tools: [], tracks: [] }
}
