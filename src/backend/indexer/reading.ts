import type { Decoded, MissingLogs } from '#core/formats/log-format.ts'
import type { Interrupted, RunReader } from '#core/formats/run-reader.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { LogPages } from '#queries/log-pages.ts'
import type { SavedIndexes } from '../saved/saved-index.ts'
import { Run, type RunOptions } from '../sources/run.ts'

/** A reading of a log, as pages see it. */
export interface Generation {
  /** Counts from 1. */
  readonly number: number
  /** Why the log is read from the beginning, a sentence for the user; null: nothing was lost. */
  readonly note: string | null
}

/** The start of a reading. */
export interface Beginning {
  /** Determines the generation once the files are open. */
  readonly generation: (run: Run) => Promise<Generation>
  /** False: additions need another reading. */
  readonly follows: boolean
  /** Null: indexes are not saved. */
  readonly saved: SavedIndexes | null
  /** False: a saved index is not loaded, only written. */
  readonly loads: boolean
}

/** Shorter logs are read as fast as an index. */
const bytesWorthSaving = 16 << 20
/** The index is saved again after this growth. */
const growthWorthSaving = 0.1

/**
 * One reading of a session's files, from the first byte or a saved index: a generation. Additions go to the *running* index.
 * At rest an ended copy shows what only the end of a log reveals, such as a cut last line.
 */
export class Reading {
  readonly run: Run
  /** Counts from 1. */
  readonly generation: number
  readonly note: string | null
  readonly pages: LogPages
  /** Rows of the saved index. */
  readonly savedRows: number
  readonly #options: RunOptions
  readonly #begins: Beginning
  readonly #reader: RunReader<Decoded, RunIndex>
  /** Files may continue after their end. False for documents, compressed logs, and where the order requires it. */
  readonly #follows: boolean
  #ended: RunIndex | null = null
  /** Size of the log in the last saved index. */
  #savedBytes: number
  /** Marks that were removed with an ended copy. */
  #unmarked = 0
  /** Last known, by file. */
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
    // An index is saved for files that grow. Of a database, any part may change.
    this.#begins = isOfDatabase(run) ? { ...begins, saved: null } : begins
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
      const interrupted = mayLoad && !isOfDatabase(run) ? await begins.saved?.load(run, options) : null
      const reading = new Reading(run, options, begins, generation, interrupted ?? null)
      await reading.measure()
      return reading
    } catch (error) {
      await run.close()
      throw error
    }
  }

  /** The shown index: rows from `settled` on may change. */
  get shown(): RunIndex {
    return this.#ended ?? this.#reader.sink
  }

  /** Rows that no addition changes. */
  get settled(): RunIndex {
    return this.#reader.sink
  }

  /** Additions can be appended. False once one belongs before existing rows. */
  get follows(): boolean {
    return this.#follows && this.#reader.inOrder
  }

  /** See `LogStatus.missing`. */
  get missing(): MissingLogs {
    return this.#reader.missing
  }

  /** Number of changes of marks. */
  get marked(): number {
    return this.shown.rows.marked + 2 * this.#unmarked
  }

  /** Bytes of the main file's last line, which has no line end yet. */
  get waitingBytes(): number {
    const next = this.#follows ? this.#reader.nextOf(0) : null
    return next === null ? 0 : Math.max(0, this.run.main.bytesRead - next.offset)
  }

  /** Known size, bytes read and lines of a file. */
  file(number: number): { bytes: number; bytesRead: number; lines: number } {
    const bytesRead = this.run.files[number]?.bytesRead ?? 0
    const lines = this.#reader.linesOf(number) + (this.#ended !== null && this.#endsInLine(number) ? 1 : 0)
    return { bytes: Math.max(this.#sizes[number] ?? 0, bytesRead), bytesRead, lines }
  }

  /** Updates the sizes. True: a file has more bytes than were read. */
  async measure(): Promise<boolean> {
    this.#sizes = await Promise.all(this.run.files.map(({ source }) => source.size()))
    return this.run.files.some(({ source, bytesRead }, number) => {
      return !source.packed && (this.#sizes[number] ?? 0) > bytesRead
    })
  }

  /** Reads additions; yields after each slice. Throws on an error of the main file. */
  async *readOn(): AsyncGenerator<void> {
    this.#show(null)
    yield* this.#follows ? this.run.follow(this.#reader) : this.run.feed(this.#reader)
  }

  /** Shows the log as ended, if it `follows`. False: an unfinished line belongs before others, so read again. */
  rest(): boolean {
    if (this.#ended === null) this.#show(this.#reader.endedCopy())
    return this.#ended !== null
  }

  /** Saves the index if it is worth it. `isUnchanged`: see `SavedIndexes.save`. */
  async save(isUnchanged: () => Promise<boolean>): Promise<void> {
    const { positions, foldedLines } = this.#reader
    const bytes = this.#indexedBytes
    const grown = bytes - this.#savedBytes
    if (positions === null || grown < Math.max(bytesWorthSaving, bytes * growthWorthSaving) || !this.follows) return
    this.#savedBytes = bytes
    await this.#begins.saved?.save(this.run, this.#options, { foldedLines, positions }, isUnchanged)
  }

  async close(): Promise<void> {
    await this.run.close()
  }

  get #indexedBytes(): number {
    return this.run.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
  }

  #show(ended: RunIndex | null): void {
    // Marks of the ended copy are removed with it.
    this.#unmarked += (this.#ended?.rows.marked ?? this.settled.rows.marked) - this.settled.rows.marked
    this.#ended = ended
    this.pages.show(this.shown, this.settled)
  }

  #endsInLine(number: number): boolean {
    const next = this.#reader.nextOf(number)
    return next !== null && (this.run.files[number]?.bytesRead ?? 0) > next.offset
  }
}

/** Whether the text is made of a database, where any part may change. */
export function isOfDatabase({ main }: Run): boolean {
  return main.source.isOutdated !== undefined
}

/** Documents are complete or invalid, and the text of a compressed log is a copy. */
function canGrow(run: Run): boolean {
  return run.files.every(({ name, source }) => !source.packed && run.framingOf(name) === 'lines')
}
