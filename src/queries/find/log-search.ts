import type { Framing } from '#core/formats/log-format.ts'
import type { EventIndex } from '#core/index/event-index.ts'
import type { FindProgress } from '#contract/methods.ts'
import { Ascending } from './ascending.ts'
import type { FindJob, FoundPart } from './find-jobs.ts'
import { searchFailure } from './finder.ts'
import type { FinderCrew } from './finder-crew.ts'
import type { Piece, Texts } from './search.ts'
import { SearchedFile } from './searched-file.ts'

/** The read part of a file of a run. */
export interface FileToSearch<H> {
  /** As in `LinePosition`: undefined for the main one. */
  readonly name: string | undefined
  /** Lets a thread read the text; null: not available yet. */
  readonly handle: H | null
  readonly framing: Framing
  readonly bytes: number
  readonly bytesRead: number
}

/** The threads that search a log. */
export type LogCrew<H> = FinderCrew<FindJob<H>, FoundPart>

/** The current state of a log. */
export interface LogToSearch<H> {
  readonly generation: number
  /** Whether more is being read. */
  readonly isReading: boolean
  /** The index for answers; replaced when rows from `settledRows` on may have been retracted. */
  readonly index: EventIndex
  readonly settledRows: number
  readonly files: readonly FileToSearch<H>[]
}

type FoundRows = Ascending<Uint32Array<ArrayBuffer>>
const noRows = (): FoundRows => new Ascending((length) => new Uint32Array(length))

/** `FindProgress` without the members of the log's owner. */
export type SearchProgress = Omit<FindProgress, 'log' | 'find' | 'as'>

const reportInterval = 100
/** Expressions are many times slower than texts. */
const defaultPieceBytes = { text: 32 << 20, regex: 8 << 20 } as const
/** Smaller additions are searched ten times a second. */
const smallAddition = 1 << 20
const rowsPerTurn = 1 << 18
const rowsAtOnce = 1 << 13
const noFile = new SearchedFile(0)

export interface LogSearchOptions {
  /** Approximate bytes of a piece. */
  readonly pieceBytes?: number | undefined
  /** Called whenever more rows may be decided, also without a report. */
  readonly onStep?: () => void
}

/** One search of a log: distributes pieces of its files to threads, maps hits to rows, and continues with additions. */
export class LogSearch<H> {
  readonly query: Texts
  /** By text: the hits so far. */
  readonly found: readonly [FoundRows, ...FoundRows[]]
  readonly #log: () => LogToSearch<H>
  readonly #crew: LogCrew<H>
  readonly #report: (progress: SearchProgress) => void
  readonly #pieceBytes: number
  readonly #onStep: () => void
  readonly #files = new Map<string | undefined, SearchedFile>()
  /** Pieces being searched. */
  #pieces = 0
  /** All earlier rows are decided. */
  #row = 0
  /** The file to search further before the next row can be decided. */
  #awaited: string | undefined
  #index: EventIndex | null = null
  #settledRows = 0
  #error: string | null = null
  #isEnded = false
  #turn: Timer | null = null
  #timer: Timer | null = null
  #dealtAt = -Infinity
  #reportedAt = -Infinity
  #reported: SearchProgress | null = null
  /** As in `FindProgress`, since the last report: the same number may be found again, with other rows. */
  #changedFrom = Infinity
  /** Start of an unreported search; short searches of additions are not reported. */
  #awakeSince: number | null = null

  constructor(
    query: Texts,
    log: () => LogToSearch<H>,
    crew: LogCrew<H>,
    report: (progress: SearchProgress) => void,
    { pieceBytes, onStep = () => {} }: LogSearchOptions = {}
  ) {
    this.query = query
    this.found = [noRows(), ...query.texts.slice(1).map(noRows)]
    this.#log = log
    this.#crew = crew
    this.#report = report
    this.#pieceBytes = pieceBytes ?? defaultPieceBytes[query.regex ? 'regex' : 'text']
    this.#onStep = onStep
  }

  /** The hits so far of the first text. */
  get rows(): FoundRows {
    return this.found[0]
  }

  /** All rows below are decided. */
  get decided(): number {
    return this.#row
  }

  /** Why it stopped early, a sentence for the user; null if it did not. */
  get error(): string | null {
    return this.#error
  }

  /** Starts, or continues with additions. */
  goOn(): void {
    if (this.#isEnded) return
    const log = this.#log()
    this.#adopt(log)
    if (this.#error === null) this.#deal(log)
    this.#decideRows(log)
    this.#reportSoon(this.#progress(log))
    this.#onStep()
  }

  /** Ends the search. `aloud`: reports an empty, finished search. */
  end(aloud: boolean): void {
    this.#isEnded = true
    clearTimeout(this.#turn ?? undefined)
    clearTimeout(this.#timer ?? undefined)
    if (aloud && this.#reported) this.#report({ ...this.#reported, searching: false, hits: 0 })
  }

  /** Drops rows of a replaced index. */
  #adopt({ index, settledRows }: LogToSearch<H>): void {
    if (this.#index !== null && this.#index !== index) {
      for (const rows of this.found) {
        const { length } = rows
        rows.cutAt(this.#settledRows)
        if (rows.length < length) this.#changedFrom = Math.min(this.#changedFrom, this.#settledRows)
      }
      this.#row = Math.min(this.#row, this.#settledRows)
    }
    this.#index = index
    this.#settledRows = settledRows
  }

  #deal(log: LogToSearch<H>): void {
    for (;;) {
      const left = log.files.reduce((sum, file) => sum + file.bytesRead - this.#file(file.name).searchedTo, 0)
      if (this.#pieces >= Math.min(this.#crew.size, Math.ceil(left / (2 * this.#pieceBytes)))) return
      const next = this.#next(log)
      if (!next) return
      void this.#search(next.file, next.handle, next.piece)
    }
  }

  /** The next piece to search, first of the file that the next row needs. */
  #next({ files, isReading }: LogToSearch<H>): { file: FileToSearch<H>; handle: H; piece: Piece } | null {
    const now = performance.now()
    const awaited = files.filter(({ name }) => name === this.#awaited)
    for (const file of [...awaited, ...files]) {
      const { name, handle, framing, bytesRead } = file
      const searched = this.#file(name)
      const isSmall = searched.isResting && searched.searchedTo > 0 && bytesRead - searched.searchedTo < smallAddition
      if (handle === null || (isSmall && now - this.#dealtAt < reportInterval)) continue
      // A document may be one line.
      if (isReading && this.query.regex && framing === 'document') continue
      const piece = searched.deal(bytesRead, this.#pieceBytes, isReading)
      if (!piece) continue
      this.#dealtAt = now
      return { file, handle, piece }
    }
    return null
  }

  async #search({ name, framing }: FileToSearch<H>, handle: H, piece: Piece): Promise<void> {
    this.#pieces++
    let from = piece.from
    try {
      await this.#crew.search({ query: this.query, framing, handle, piece }, ({ to, ...found }) => {
        this.#file(name).add({ ...piece, from, to }, found)
        from = to
        if (to < piece.to) this.goOn()
      })
    } catch (error) {
      this.#error ??= searchFailure(error)
      void this.#crew.drop(true)
    }
    this.#pieces--
    this.goOn()
  }

  /** Decides the next rows whose lines are searched. */
  #decideRows({ index, files }: LogToSearch<H>): void {
    const readOf = new Map(files.map(({ name, bytesRead }) => [name, bytesRead]))
    const last = Math.min(index.rows, this.#row + rowsPerTurn)
    while (this.#row < last) {
      const count = Math.min(rowsAtOnce, last - this.#row)
      if (!this.#decide(index, count, readOf)) return
    }
    if (this.#row === index.rows) return
    this.#turn ??= setTimeout(() => {
      this.#turn = null
      this.goOn()
    }, 0)
  }

  /** Decides the next `count` rows; false: one of them is not searched yet. `readOf`: by file, the bytes read of it. */
  #decide(index: EventIndex, count: number, readOf: ReadonlyMap<string | undefined, number>): boolean {
    const first = this.#row
    const offsets = index.offsetsOf(first, new Float64Array(count))
    const lengths = index.lengthsOf(first, new Uint32Array(count))
    const numbers = index.filesOf(first, new Uint16Array(count))
    let number = -1
    let name: string | undefined
    let file = noFile
    let searched = 0
    for (let i = 0; i < count; i++) {
      if (numbers[i] !== number) {
        number = numbers[i] ?? 0
        name = index.fileNamed(number)
        file = this.#file(name)
        // What is not read is not waited for.
        searched = file.searchedTo < (readOf.get(name) ?? 0) ? file.searchedTo : Infinity
      }
      const from = offsets[i] ?? 0
      const to = from + (lengths[i] ?? 0)
      if (to > searched) {
        this.#awaited = name
        return false
      }
      for (let text = 0; text < this.found.length; text++) {
        if (file.holds(text, from, to)) this.found[text]?.push(first + i)
      }
      this.#row = first + i + 1
    }
    return true
  }

  #progress({ generation, isReading, index, files }: LogToSearch<H>): SearchProgress {
    const done = files.reduce((sum, { name }) => sum + this.#file(name).bytesSearched, 0)
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
    const isDone =
      !isReading &&
      this.#row >= index.rows &&
      files.every(({ name, bytesRead }) => this.#file(name).searchedTo >= bytesRead)
    return {
      generation,
      searching: !isDone && this.#error === null,
      hits: this.rows.length,
      bytesSearched: Math.min(done, bytes),
      bytes,
      error: this.#error,
      ...(this.#changedFrom < Infinity && { changedFrom: this.#changedFrom })
    }
  }

  #reportSoon(progress: SearchProgress): void {
    const now = performance.now()
    const { searching, hits } = progress
    const former = this.#reported
    if (!searching) this.#awakeSince = null
    else if (former?.searching === false) this.#awakeSince ??= now
    if (former && !searching && !former.searching && former.hits === hits && progress.changedFrom === undefined) return
    const since = Math.max(this.#reportedAt, this.#awakeSince ?? -Infinity)
    const isEnd = former?.searching === true && !searching
    const isFirst = former === null || (former.hits === 0 && hits > 0)
    if (isEnd || isFirst || now - since >= reportInterval) {
      this.#reportedAt = now
      this.#reported = progress
      this.#changedFrom = Infinity
      this.#report(progress)
    }
    if (isEnd) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.goOn()
    }, reportInterval)
  }

  #file(name: string | undefined): SearchedFile {
    let file = this.#files.get(name)
    if (!file) this.#files.set(name, (file = new SearchedFile(this.found.length)))
    return file
  }
}
