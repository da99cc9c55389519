import { statSync } from 'node:fs'
import { factsOf } from '../../sources/file-facts.ts'
import { systemCode } from '../../write-failure.ts'
import { factsText, type IndexedLog, writeSegment } from './index-segment.ts'
import { type LogBytes, openLogBytes } from './log-bytes.ts'
import type { IndexJob, IndexPart } from './scan-jobs.ts'
import { TextIndex } from './text-index.ts'
import { markTrigrams, patternReach, trigramNumbers } from './trigrams.ts'

/** Size of a column: a block of a log, or several short logs. */
const blockBytes = 1 << 18
/** Per segment: 2 MB for 64 MB of logs. */
const maxColumns = 256
/** A file written this recently may change again without a new mtime. */
const restMs = 2000

/** Writes the trigrams of logs into segments, one job at a time. Too few for a segment wait for the next job. */
export class IndexFiller {
  readonly #index: TextIndex
  #logs: IndexedLog[] = []
  #rows = new Uint8Array(trigramNumbers * (maxColumns / 8))
  #marks = new Uint8Array(trigramNumbers)
  #column = 0
  /** Bytes of logs in the current column. */
  #bytes = 0
  readonly #buffer = Buffer.allocUnsafeSlow(blockBytes + patternReach)

  constructor(cache: string) {
    this.#index = new TextIndex(cache)
  }

  /** Skips logs that are unreadable or being written. Throws if the index cannot be written. */
  async serve({ paths, isLast, minBytes }: IndexJob): Promise<IndexPart> {
    this.#index.refresh()
    let noted = 0
    for (const path of paths) noted += await this.#note(path).catch(rethrowUnwritten)
    if (isLast) {
      const bytes = this.#logs.reduce((sum, log) => sum + log.bytes, 0)
      if (bytes >= minBytes) this.#write()
      this.#reset()
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
    // Long logs have larger blocks.
    const step = Math.max(blockBytes, Math.ceil(bytes.size / (maxColumns - 8)))
    // A log lies in one segment, so that one lookup is enough.
    if (this.#column > 0 && this.#column + Math.ceil(bytes.size / step) >= maxColumns) this.#write()
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
    const rowBytes = maxColumns / 8
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
      // Even after an error, as the columns are full.
      this.#reset()
    }
  }

  #reset(): void {
    this.#logs = []
    this.#rows.fill(0)
    this.#marks.fill(0)
    this.#column = 0
    this.#bytes = 0
  }
}

/** The index could not be written. */
class Unwritten extends Error {
  /** A system error code. */
  readonly code: string | undefined

  constructor(cause: unknown) {
    super('the index could not be written', { cause })
    this.code = systemCode(cause)
  }
}

/** An unreadable log adds no bytes. */
function rethrowUnwritten(error: unknown): 0 {
  if (error instanceof Unwritten) throw error
  return 0
}

/** The rows, cut to `bytes` each. */
function rowsOf(rows: Uint8Array, bytes: number): Uint8Array {
  const rowBytes = maxColumns / 8
  if (bytes === rowBytes) return rows
  const fewer = new Uint8Array(trigramNumbers * bytes)
  for (let number = 0; number < trigramNumbers; number++)
    fewer.set(rows.subarray(number * rowBytes, number * rowBytes + bytes), number * bytes)
  return fewer
}
