import { statSync } from 'node:fs'
import { factsOf } from '../../sources/file-facts.ts'
import { systemCode } from '../../write-failure.ts'
import { factsText, type IndexedLog, writeSegment } from './index-segment.ts'
import { type LogBytes, openLogBytes } from './log-bytes.ts'
import type { IndexJob, IndexPart } from './scan-jobs.ts'
import { TextIndex } from './text-index.ts'
import { markTrigrams, patternReach, trigramNumbers } from './trigrams.ts'

/** What one column tells of: a block of a log, or several short logs. */
const blockBytes = 1 << 18
/** Of one file: 2 MB for 64 MB of logs. */
const mostColumns = 256
/** A file that was written just now may be written again without its times saying so. */
const restMs = 2000

/** Notes the trigrams of logs. Does one job at a time; what is not enough for a file waits for the next job. */
export class IndexFiller {
  readonly #index: TextIndex
  #logs: IndexedLog[] = []
  #rows = new Uint8Array(trigramNumbers * (mostColumns / 8))
  #marks = new Uint8Array(trigramNumbers)
  #column = 0
  /** Bytes in the current column. */
  #bytes = 0
  readonly #buffer = Buffer.allocUnsafeSlow(blockBytes + patternReach)

  constructor(cache: string) {
    this.#index = new TextIndex(cache)
  }

  /** A log that cannot be read, or is being written, is left for the next time. Throws where the index cannot be written. */
  async serve({ paths, isLast, leastBytes }: IndexJob): Promise<IndexPart> {
    this.#index.refresh()
    let noted = 0
    for (const path of paths) noted += await this.#note(path).catch(noneUnlessUnwritten)
    if (isLast) {
      const bytes = this.#logs.reduce((sum, log) => sum + log.bytes, 0)
      if (bytes >= leastBytes) this.#write()
      this.#forget()
      this.#index.refresh()
      this.#index.dropStale()
    }
    return { to: paths.length, noted }
  }

  async #note(path: string): Promise<number> {
    const before = factsOf(statSync(path, { bigint: true }))
    if (!before.regular || this.#index.holds(path, before)) return 0
    if (Number(before.modified / 1_000_000n) > Date.now() - restMs) return 0
    const bytes = await openLogBytes(path)
    try {
      if (bytes.isCut) return 0
      const blocks = this.#markAll(bytes)
      const facts = factsText(bytes.facts)
      const after = factsText(factsOf(statSync(path, { bigint: true })))
      if (facts !== after) return 0
      this.#logs.push({ path, facts, bytes: bytes.size, blocks })
      return bytes.size
    } finally {
      bytes.close()
    }
  }

  #markAll(bytes: LogBytes): [number, number][] {
    const blocks: [number, number][] = []
    // A very long log has larger blocks.
    const step = Math.max(blockBytes, Math.ceil(bytes.size / (mostColumns - 8)))
    // All of a log stands in one file of the index, so that one look at it is enough.
    if (this.#column > 0 && this.#column + Math.ceil(bytes.size / step) >= mostColumns) this.#write()
    for (let from = 0; from < bytes.size; from += step) {
      const to = Math.min(bytes.size, from + step)
      if (this.#bytes > 0 && this.#bytes + to - from > blockBytes) this.#endColumn()
      blocks.push([from, this.#column])
      this.#bytes += to - from
      let last = -1
      for (let at = from; at < Math.min(bytes.size, to + patternReach);) {
        const wanted = Math.min(this.#buffer.length, Math.min(bytes.size, to + patternReach) - at)
        const length = bytes.read(this.#buffer.subarray(0, wanted), at)
        if (length < wanted) throw new Error('the log was cut')
        last = markTrigrams(this.#buffer.subarray(0, length), this.#marks, last)
        at += length
      }
    }
    return blocks
  }

  #endColumn(): void {
    const rowBytes = mostColumns / 8
    const bit = 1 << (this.#column & 7)
    for (let number = 0, at = this.#column >> 3; number < trigramNumbers; number++, at += rowBytes) {
      if (this.#marks[number] === 1) this.#rows[at]! |= bit
    }
    this.#marks.fill(0)
    this.#column++
    this.#bytes = 0
  }

  #write(): void {
    if (this.#bytes > 0) this.#endColumn()
    const columns = Math.ceil(this.#column / 8) * 8
    try {
      if (this.#logs.length === 0) return
      writeSegment(this.#index.nextPath(), { logs: this.#logs, columns, rows: rowsOf(this.#rows, columns / 8) })
    } catch (error) {
      throw new Unwritten(error)
    } finally {
      // There is no room for more columns, whatever became of these.
      this.#forget()
    }
  }

  #forget(): void {
    this.#logs = []
    this.#rows.fill(0)
    this.#marks.fill(0)
    this.#column = 0
    this.#bytes = 0
  }
}

/** The index could not be kept. */
class Unwritten extends Error {
  /** The system's. */
  readonly code: string | undefined

  constructor(cause: unknown) {
    super('the index could not be written', { cause })
    this.code = systemCode(cause)
  }
}

/** What there is of a log that could not be read: nothing. */
function noneUnlessUnwritten(error: unknown): 0 {
  if (error instanceof Unwritten) throw error
  return 0
}

/** The same rows with only so many bytes of each. */
function rowsOf(rows: Uint8Array, bytes: number): Uint8Array {
  const rowBytes = mostColumns / 8
  if (bytes === rowBytes) return rows
  const fewer = new Uint8Array(trigramNumbers * bytes)
  for (let number = 0; number < trigramNumbers; number++)
    fewer.set(rows.subarray(number * rowBytes, number * rowBytes + bytes), number * bytes)
  return fewer
}
