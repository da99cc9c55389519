import type { Decoded, MissingLogs } from '#core/formats/log-format.ts'
import type { Interrupted, RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { LogPages } from '#queries/log-pages.ts'
import type { SavedIndexes } from '../saved/saved-index.ts'
import { Run, type RunOptions } from '../sources/run.ts'

/** Which reading of a log, as pages see it. */
export interface Generation {
  /** Counts from 1. */
  readonly number: number
  /** Why the log is read from its first byte again, a sentence for people; null where nothing is lost by it. */
  readonly note: string | null
}

/** What a reading begins with. */
export interface Beginning {
  /** Which generation of the log it is, now that its files are open. */
  readonly generation: (run: Run) => Promise<Generation>
  /** False: what is added later needs another reading. */
  readonly follows: boolean
  /** Where indexes are kept from one time to the next; null: nowhere. */
  readonly saved: SavedIndexes | null
  /** False: no saved index is gone on from, only kept in the end. */
  readonly loads: boolean
}

/** A shorter log is read as fast as its index. */
const bytesWorthSaving = 16 << 20
/** An index is kept anew once the log has grown by so much of it. */
const growthWorthSaving = 0.1

/**
 * One reading of a run, from its first byte or a saved index on: a generation of an open log. What was read is kept in a *running* index, which goes on
 * when the log does. Where the log ends for now, a copy of it is ended: it shows what only the end of a log tells, such as a cut last
 * line, until the log goes on.
 */
export class Reading {
  readonly run: Run
  /** Counts from 1. */
  readonly generation: number
  readonly note: string | null
  readonly pages: LogPages
  /** How many rows were there before anything was read: those of a saved index. */
  readonly savedRows: number
  readonly #options: RunOptions
  readonly #begins: Beginning
  readonly #reader: RunReader<Decoded, RunIndex>
  /** Files pause at their end and may go on. Else their end is final: of documents and compressed logs, and where order asks for it. */
  readonly #follows: boolean
  #ended: RunIndex | null = null
  /** How much of the log the index holds that was kept last. */
  #savedBytes: number
  /** How often a mark was taken back, with the copy that had it. */
  #unmarked = 0
  /** By file of the run, as far as it is known. */
  #sizes: number[] = []

  private constructor(
    run: Run,
    options: RunOptions,
    begins: Beginning,
    generation: Generation,
    interrupted: Interrupted<Decoded, RunIndex> | null
  ) {
    this.run = run
    this.generation = generation.number
    this.note = generation.note
    this.#options = options
    this.#begins = begins
    this.#follows = begins.follows && canGrow(run)
    this.#reader = run.reader(interrupted ?? new RunIndex(run.chosen.format))
    this.savedRows = this.#reader.sink.rows.rows
    this.#savedBytes = this.#indexedBytes
    this.pages = new LogPages(run, this.#reader.sink)
  }

  /** Throws as `Run.open` does. */
  static async open(options: RunOptions, begins: Beginning): Promise<Reading> {
    const run = await Run.open(options)
    try {
      const generation = await begins.generation(run)
      const mayLoad = begins.loads && begins.follows && canGrow(run)
      const interrupted = mayLoad ? await begins.saved?.load(run, options) : null
      const reading = new Reading(run, options, begins, generation, interrupted ?? null)
      await reading.measure()
      return reading
    } catch (error) {
      await run.close()
      throw error
    }
  }

  /** What is shown: of rows from `settled` on it may be taken back. */
  get shown(): RunIndex {
    return this.#ended ?? this.#reader.sink
  }

  /** What stays, whatever is added. */
  get settled(): RunIndex {
    return this.#reader.sink
  }

  /** What is added can be read on, so that no row before changes. False too once it turned out to belong before what was read. */
  get follows(): boolean {
    return this.#follows && this.#reader.inOrder
  }

  /** As `LogStatus.missing`. */
  get missing(): MissingLogs {
    return this.#reader.missing
  }

  /** How often a row was marked, or a mark taken back. */
  get marked(): number {
    return this.shown.rows.marked + 2 * this.#unmarked
  }

  /** Bytes of the main file's last line, which has no line end and waits for the rest of it. */
  get waitingBytes(): number {
    const next = this.#follows ? this.#reader.nextOf(0) : null
    return next === null ? 0 : Math.max(0, this.run.main.bytesRead - next.offset)
  }

  /** Of a file of the run: its bytes as far as it is known, those read, and its lines. */
  file(number: number): { bytes: number; bytesRead: number; lines: number } {
    const bytesRead = this.run.files[number]?.bytesRead ?? 0
    const lines = this.#reader.linesOf(number) + (this.#ended !== null && this.#endsInLine(number) ? 1 : 0)
    return { bytes: Math.max(this.#sizes[number] ?? 0, bytesRead), bytesRead, lines }
  }

  /** Looks how long the files are. True where one has more than was read. */
  async measure(): Promise<boolean> {
    this.#sizes = await Promise.all(this.run.files.map(({ source }) => source.size()))
    return this.run.files.some(({ source, bytesRead }, number) => {
      return !source.packed && (this.#sizes[number] ?? 0) > bytesRead
    })
  }

  /** Reads what there is; gives way after each slice. Throws where the main file cannot be read on. */
  async *readOn(): AsyncGenerator<void> {
    this.#show(null)
    yield* this.#follows ? this.run.follow(this.#reader) : this.run.feed(this.#reader)
  }

  /**
   * The log rests: shows how it ends as it is now. Only of one that `follows`. False where that cannot be told without reading the run
   * anew, since an unfinished line belongs before others that were read already.
   */
  rest(): boolean {
    if (this.#ended === null) this.#show(this.#reader.endedCopy())
    return this.#ended !== null
  }

  /** Keeps the index for the next time, where that is worth it. `stands` as `SavedIndexes.save` has it. */
  async save(stands: () => Promise<boolean>): Promise<void> {
    const { positions, folder } = this.#reader
    const bytes = this.#indexedBytes
    const grown = bytes - this.#savedBytes
    if (positions === null || grown < Math.max(bytesWorthSaving, bytes * growthWorthSaving) || !this.follows) return
    this.#savedBytes = bytes
    await this.#begins.saved?.save(this.run, this.#options, { folder, positions }, stands)
  }

  async close(): Promise<void> {
    await this.run.close()
  }

  get #indexedBytes(): number {
    return this.run.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  }

  #show(ended: RunIndex | null): void {
    // Rows that only the ended copy marked are no longer.
    this.#unmarked += (this.#ended?.rows.marked ?? this.settled.rows.marked) - this.settled.rows.marked
    this.#ended = ended
    this.pages.show(this.shown, this.settled)
  }

  #endsInLine(number: number): boolean {
    const next = this.#reader.nextOf(number)
    return next !== null && (this.run.files[number]?.bytesRead ?? 0) > next.offset
  }
}

/** A document is whole or it is none, and the text of a compressed log is a copy. */
function canGrow(run: Run): boolean {
  return run.files.every(({ name, source }) => !source.packed && run.framingOf(name) === 'lines')
}
