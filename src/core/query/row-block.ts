import type { EventIndex } from '../index/event-index.ts'
import { rowKinds } from '../index/row-kind.ts'

const isOfCall = rowKinds.map((kind) => kind === 'tool' || kind === 'tool-result' || kind === 'tool-error')

/** The call of a row: the row itself, the call of a result, or a result without a call. -1 for other rows. */
export function callOf(rows: EventIndex, row: number): number {
  if (isOfCall[rows.kindAt(row)] !== true) return -1
  if (rows.isCall(row)) return row
  const call = rows.callOf(row)
  return call >= 0 && rows.isCall(call) ? call : row
}

/** The result that counts of a row's call: the first one. -1: none. */
export function resultOf(rows: EventIndex, row: number): number {
  const call = callOf(rows, row)
  if (call < 0 || !rows.isCall(call)) return call
  return rows.firstResultOf(call)
}

/**
 * The columns of rows next to each other. Each is read when a term first asks for it, and once for all terms: loops over them take a few ns
 * a row, where to ask the index for each row takes many times as long.
 */
export class RowBlock {
  readonly rows: EventIndex
  readonly from: number
  readonly length: number
  #kinds: Uint8Array | null = null
  #tracks: Uint16Array | null = null
  #callTools: Uint16Array | null = null
  #severities: Uint8Array | null = null
  #seqs: Int32Array | null = null
  #lines: Uint32Array | null = null
  #lengths: Uint32Array | null = null
  #times: Float64Array | null = null
  #calls: Int32Array | null = null
  #results: Int32Array | null = null

  constructor(rows: EventIndex, from: number, length: number) {
    this.rows = rows
    this.from = from
    this.length = length
  }

  get kinds(): Uint8Array {
    return (this.#kinds ??= this.rows.kindsOf(this.from, this.length))
  }

  get tracks(): Uint16Array {
    return (this.#tracks ??= this.rows.tracksOf(this.from, this.length))
  }

  get severities(): Uint8Array {
    return (this.#severities ??= this.rows.severities(this.from, this.length))
  }

  get seqs(): Int32Array {
    return (this.#seqs ??= this.rows.seqsOf(this.from, this.length))
  }

  get lines(): Uint32Array {
    return (this.#lines ??= this.rows.linesOf(this.from, this.length))
  }

  get lengths(): Uint32Array {
    return (this.#lengths ??= this.rows.lengthsOf(this.from, this.length))
  }

  get times(): Float64Array {
    return (this.#times ??= this.rows.timesOf(this.from, this.length))
  }

  /** The tools of calls and results; 0 for other rows. */
  get callTools(): Uint16Array {
    if (this.#callTools === null) {
      const { kinds } = this
      this.#callTools = this.rows.toolsOf(this.from, this.length)
      for (let i = 0; i < kinds.length; i++) if (isOfCall[kinds[i] ?? 0] !== true) this.#callTools[i] = 0
    }
    return this.#callTools
  }

  /** The call of each row: the row itself, or the call of a result. -1 for other rows and results without a call. */
  get calls(): Int32Array {
    return (this.#calls ??= this.#ofCalls((row) => {
      const call = callOf(this.rows, row)
      return this.rows.isCall(call) ? call : -1
    }))
  }

  /** The result that counts of each row's call, as `resultOf`. */
  get results(): Int32Array {
    return (this.#results ??= this.#ofCalls((row) => resultOf(this.rows, row)))
  }

  #ofCalls(rowFor: (row: number) => number): Int32Array {
    const { kinds, from } = this
    const rows = new Int32Array(kinds.length)
    for (let i = 0; i < kinds.length; i++) rows[i] = isOfCall[kinds[i] ?? 0] === true ? rowFor(from + i) : -1
    return rows
  }
}
