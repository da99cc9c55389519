import { HostError } from '#contract/host-error.ts'
import type { Query, QueryValue } from '#core/query/query.ts'
import { RowQuery, type TextTerm } from '#core/query/row-query.ts'
import { maybe, type ReadRow, yes } from '#core/query/row-term.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { LogSearch, type LogToSearch } from '#queries/find/log-search.ts'
import type { Query as TextQuery } from '#queries/find/search.ts'
import { RowReader } from '#queries/row-reader.ts'
import { findThreads } from '../find/start-find-thread.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { SharedFile } from '../sources/log-source.ts'
import { Run, type RunOptions } from '../sources/run.ts'

/** Rows that are evaluated at once. */
const blockRows = 1 << 16

/** A log that was read to its end, to ask queries about. Close it when done. */
export class QueriedLog {
  readonly run: Run
  readonly index: RunIndex
  readonly #reader: RowReader
  readonly #createWorker: CreateWorker

  private constructor(run: Run, index: RunIndex, createWorker: CreateWorker) {
    this.run = run
    this.index = index
    this.#reader = new RowReader({
      format: run.format,
      files: run.files,
      framingOf: (file) => run.framingOf(file)
    })
    this.#createWorker = createWorker
  }

  /** `onRead`: bytes read so far, of all. Throws a `HostError` if the log cannot be read to its end. */
  static async open(
    options: RunOptions,
    createWorker: CreateWorker,
    onRead: (bytes: number, all: number) => void
  ): Promise<QueriedLog> {
    const run = await Run.open(options)
    try {
      const index = new RunIndex(run.format)
      const reader = run.reader(index)
      const sizes = await Promise.all(run.files.map(({ source }) => source.size()))
      const all = sizes.reduce((sum, size) => sum + size, 0)
      for await (const _ of run.feed(reader)) {
        onRead(
          run.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
          all
        )
      }
      return new QueriedLog(run, index, createWorker)
    } catch (error) {
      await run.close()
      throw error
    }
  }

  async read(row: number): Promise<ReadRow> {
    return await this.#reader.read(this.index, row)
  }

  /** The line of a row as it is in its file. */
  async line(row: number): Promise<string> {
    const { file, offset, length } = this.index.rows.place(row)
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await this.#reader.bytes.read(file, offset, length))
  }

  /** The rows that meet a query, ascending. */
  async *rows(query: Query | null): AsyncGenerator<number> {
    const asked = new RowQuery(query, { index: this.index, format: this.run.format.id ?? '' })
    const { rows } = this.index.rows
    const read = async (row: number): Promise<ReadRow> => await this.read(row)
    const truths = new Uint8Array(blockRows)
    let isSearched = asked.texts.length === 0
    for (let from = 0; from < rows; from += blockRows) {
      const block = truths.subarray(0, Math.min(blockRows, rows - from))
      asked.fill(from, block)
      // Where all is known from the index, no text needs to be searched for.
      if (!isSearched && block.includes(maybe)) {
        await this.#search(asked.texts)
        isSearched = true
        asked.fill(from, block)
      }
      for (const [i, truth] of block.entries()) {
        if (truth === yes || (truth === maybe && (await asked.holds(from + i, read)))) yield from + i
      }
    }
  }

  /** The events (`seq`) that meet a query, ascending. */
  async *events(query: Query | null): AsyncGenerator<number> {
    for await (const row of this.rows(query)) {
      const seq = this.index.rows.seqOf(row)
      if (seq >= 0) yield seq
    }
  }

  async close(): Promise<void> {
    await this.run.close()
  }

  async #search(texts: readonly TextTerm[]): Promise<void> {
    const crew = new FinderCrew(findThreads(this.#createWorker), { size: 1 })
    try {
      for (const text of texts) text.setFound(await this.#rowsWith(text.value, crew), this.index.rows.rows)
    } finally {
      await crew.close()
    }
  }

  async #rowsWith(
    value: QueryValue,
    crew: ConstructorParameters<typeof LogSearch<SharedFile>>[2]
  ): Promise<Uint32Array> {
    return await new Promise((resolve, reject) => {
      const log = this.#toSearch()
      const search: LogSearch<SharedFile> = new LogSearch<SharedFile>(
        textQueryOf(value),
        () => log,
        crew,
        ({ searching, error }) => {
          if (error !== null) reject(new HostError('unavailable', error))
          else if (!searching) {
            search.end(false)
            resolve(search.rows.slice(0, search.rows.length))
          }
        }
      )
      search.goOn()
    })
  }

  #toSearch(): LogToSearch<SharedFile> {
    const { run, index } = this
    const files = run.files.map(({ name, source, bytesRead }) => {
      const framing = run.framingOf(name)
      return { name, handle: source.shared(), framing, bytes: bytesRead, bytesRead }
    })
    return { generation: 1, isReading: false, index: index.rows, settledRows: index.rows.rows, files }
  }
}

/** Case-insensitive. */
function textQueryOf(value: QueryValue): TextQuery {
  return value.type === 'regex'
    ? { text: value.source, regex: true, caseSensitive: !value.ignoreCase }
    : { text: value.text, regex: false, caseSensitive: false }
}
