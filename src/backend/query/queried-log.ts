import { HostError } from '#contract/host-error.ts'
import { asksForBookmarks } from '#core/query/query-choices.ts'
import type { AgentEvent } from '#core/events/agent-event.ts'
import type { RecordFacts } from '#core/formats/record-facts.ts'
import type { Query } from '#core/query/query.ts'
import type { PlaceInRun } from '#core/replay/review.ts'
import type { ReadRow } from '#core/query/row-term.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { type LogToQuery, QuerySearch } from '#queries/find/query-search.ts'
import { RowReader } from '#queries/row-reader.ts'
import { findThreads } from '../find/start-find-thread.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { SharedFile } from '../sources/log-source.ts'
import { readIndex } from '../sources/read-index.ts'
import { Run, type RunOptions } from '../sources/run.ts'

/** Reads the places of the bookmarks of a log. */
export type ReadBookmarks = () => Promise<readonly PlaceInRun[]>

/** A log that was read to its end, to ask queries about. Close it when done. */
export class QueriedLog {
  readonly run: Run
  readonly index: RunIndex
  readonly #reader: RowReader
  readonly #createWorker: CreateWorker
  readonly #readBookmarks: ReadBookmarks

  private constructor(run: Run, index: RunIndex, createWorker: CreateWorker, readBookmarks: ReadBookmarks) {
    this.run = run
    this.index = index
    this.#reader = new RowReader({
      format: run.format,
      files: run.files,
      framingOf: (file) => run.framingOf(file)
    })
    this.#createWorker = createWorker
    this.#readBookmarks = readBookmarks
  }

  /** `onRead`: bytes read so far, of all. `readBookmarks`: for queries that ask for them. Throws a `HostError` if the log cannot be read to its end. */
  static async open(
    options: RunOptions,
    createWorker: CreateWorker,
    onRead: (bytes: number, all: number) => void,
    readBookmarks: ReadBookmarks = async () => []
  ): Promise<QueriedLog> {
    const run = await Run.open(options)
    try {
      const index = await readIndex(run, onRead)
      return new QueriedLog(run, index, createWorker, readBookmarks)
    } catch (error) {
      await run.close()
      throw error
    }
  }

  async read(row: number): Promise<ReadRow> {
    return await this.#reader.read(this.index, row)
  }

  /** The event of a row, and all that its record states beside it. */
  async readRecord(row: number): Promise<{ event: AgentEvent | null; facts: RecordFacts }> {
    return await this.#reader.readRecord(this.index, row)
  }

  /** The line of a row as it is in its file. */
  async line(row: number): Promise<string> {
    const { file, offset, length } = this.index.rows.place(row)
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.#reader.bytes.read(file, offset, length))
  }

  /** The rows that meet a query, ascending. */
  async rows(query: Query | null): Promise<Uint32Array> {
    const log = this.#toQuery()
    const bookmarks = query !== null && asksForBookmarks(query) ? await this.#readBookmarks() : []
    const crew = new FinderCrew(findThreads(this.#createWorker), { size: 1 })
    try {
      return await new Promise((resolve, reject) => {
        const search: QuerySearch<SharedFile> = new QuerySearch<SharedFile>(
          query,
          () => log,
          crew,
          ({ searching, error }) => {
            if (searching) return
            search.end(false)
            if (error === null) resolve(search.rows.slice(0, search.rows.length))
            else reject(new HostError('unavailable', error))
          },
          { bookmarks }
        )
        search.goOn()
      })
    } finally {
      await crew.close()
    }
  }

  /** The events (`seq`) that meet a query, ascending. */
  async events(query: Query | null): Promise<number[]> {
    const rows = await this.rows(query)
    return Array.from(rows, (row) => this.index.rows.seqOf(row)).filter((seq) => seq >= 0)
  }

  async close(): Promise<void> {
    await this.run.close()
  }

  #toQuery(): LogToQuery<SharedFile> {
    const { run, index } = this
    const files = run.files.map(({ name, source, bytesRead }) => {
      const framing = run.framingOf(name)
      return { name, handle: source.shared(), framing, bytes: bytesRead, bytesRead }
    })
    const asked = { index, format: run.format.id ?? '', read: async (row: number) => await this.read(row) }
    return { generation: 1, isReading: false, index: index.rows, settledRows: index.rows.rows, files, asked }
  }
}
