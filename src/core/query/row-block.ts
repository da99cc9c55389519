import type { EventIndex } from '../index/event-index.ts'
import { rowKinds } from '../index/row-kind.ts'

const callKind = rowKinds.indexOf('tool')
const failedKind = rowKinds.indexOf('tool-error')
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

/** How a call ended, by its number in `RowBlock.ends`; null for rows that are of no call. */
export const callEnds = [null, 'ok', 'error', 'open'] as const
const [noEnd, okEnd, errorEnd, openEnd] = [0, 1, 2, 3] as const
/** Of a result, by kind. */
const endOfKind = Uint8Array.from(rowKinds, (kind) =>
  kind === 'tool-error' ? errorEnd : kind === 'tool-result' ? okEnd : noEnd
)

type Numbers =
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>

/** The numbers of one column for the rows of a block. Its array is used again for the next block. */
class BlockColumn<T extends Numbers> {
  readonly #array: T
  readonly #read: (into: T) => void
  #block = -1

  constructor(array: T, read: (into: T) => void) {
    this.#array = array
    this.#read = read
  }

  /** `block`: which one it is. */
  of(block: number, length: number): T {
    const numbers = (length === this.#array.length ? this.#array : this.#array.subarray(0, length)) as T
    if (this.#block !== block) this.#read(numbers)
    this.#block = block
    return numbers
  }
}

/**
 * The columns of rows next to each other. Each is read when a term first asks for it, and once for all terms: loops over them take a few ns
 * a row, where to ask the index for each row takes many times as long. A block moves on over the rows: what it gave before is overwritten.
 */
export class RowBlock {
  readonly rows: EventIndex
  #from = 0
  #length = 0
  /** Counts the moves. */
  #block = 0
  readonly #kinds
  readonly #tracks
  readonly #tools
  readonly #severities
  readonly #lines
  readonly #lengths
  readonly #times
  readonly #statedTimes
  readonly #calls
  readonly #results
  readonly #ends
  readonly #distances

  /** `most`: so many rows it has at most. */
  constructor(rows: EventIndex, most: number) {
    this.rows = rows
    this.#kinds = new BlockColumn(new Uint8Array(most), (into) => rows.kindsOf(this.#from, into))
    this.#tracks = new BlockColumn(new Uint16Array(most), (into) => rows.tracksOf(this.#from, into))
    this.#severities = new BlockColumn(new Uint8Array(most), (into) => rows.severities(this.#from, into))
    this.#lines = new BlockColumn(new Uint32Array(most), (into) => rows.linesOf(this.#from, into))
    this.#lengths = new BlockColumn(new Uint32Array(most), (into) => rows.lengthsOf(this.#from, into))
    this.#times = new BlockColumn(new Float64Array(most), (into) => rows.timesOf(this.#from, into))
    this.#statedTimes = new BlockColumn(new Float64Array(most), (into) => rows.statedTimes(this.#from, into))
    this.#tools = new BlockColumn(new Uint16Array(most), (into) => rows.toolsOf(this.#from, into))
    this.#calls = new BlockColumn(new Int32Array(most), (into) => this.#readCalls(into))
    this.#results = new BlockColumn(new Int32Array(most), (into) => this.#readResults(into))
    this.#distances = new Uint16Array(most)
    this.#ends = new BlockColumn(new Uint8Array(most), (into) => this.#readEnds(into))
  }

  get from(): number {
    return this.#from
  }

  get length(): number {
    return this.#length
  }

  moveTo(from: number, length: number): this {
    this.#from = from
    this.#length = length
    this.#block++
    return this
  }

  get kinds(): Uint8Array {
    return this.#kinds.of(this.#block, this.#length)
  }

  get tracks(): Uint16Array {
    return this.#tracks.of(this.#block, this.#length)
  }

  get severities(): Uint8Array {
    return this.#severities.of(this.#block, this.#length)
  }

  get lines(): Uint32Array {
    return this.#lines.of(this.#block, this.#length)
  }

  get lengths(): Uint32Array {
    return this.#lengths.of(this.#block, this.#length)
  }

  get times(): Float64Array {
    return this.#times.of(this.#block, this.#length)
  }

  /** NaN where the row's own record states none. */
  get statedTimes(): Float64Array {
    return this.#statedTimes.of(this.#block, this.#length)
  }

  /** The tools of calls and results; 0 for other rows. */
  get tools(): Uint16Array {
    return this.#tools.of(this.#block, this.#length)
  }

  /** The call of each row: the row itself, or the call of a result. -1 for other rows and results without a call. */
  get calls(): Int32Array {
    return this.#calls.of(this.#block, this.#length)
  }

  /** The result that counts of each row's call, as `resultOf`. */
  get results(): Int32Array {
    return this.#results.of(this.#block, this.#length)
  }

  /** How the call of each row ended: a place in `callEnds`. */
  get ends(): Uint8Array {
    return this.#ends.of(this.#block, this.#length)
  }

  #readCalls(into: Int32Array<ArrayBuffer>): void {
    const { kinds, rows } = this
    const from = this.#from
    rows.callsOf(from, kinds, into)
    for (let i = 0; i < into.length; i++) {
      const call = into[i] ?? -1
      // A todo list may stand in for its call.
      const isCall = call >= from ? kinds[call - from] === callKind : call >= 0 && rows.isCall(call)
      if (!isCall) into[i] = -1
    }
  }

  #readResults(into: Int32Array<ArrayBuffer>): void {
    this.rows.lastResultsOf(this.#from, this.kinds, into)
    // Most calls have one result only.
    if (this.rows.hasRepeatedResults) this.#readFirstResults(into)
  }

  /** `results`: the last ones of calls, and results themselves. */
  #readFirstResults(results: Int32Array): void {
    const { kinds, rows } = this
    const [ofCalls, ofResults] = [rows.formerResultReader(), rows.formerResultReader()]
    for (let i = 0; i < results.length; i++) {
      const last = results[i] ?? -1
      if (last < 0) continue
      const former = kinds[i] === callKind ? ofCalls(last) : ofResults(last)
      if (former !== undefined) results[i] = resultOf(rows, this.#from + i)
    }
  }

  #readEnds(into: Uint8Array): void {
    const { kinds, rows } = this
    if (rows.hasRepeatedResults) return this.#readEndsOfResults(into)
    const from = this.#from
    const { length } = into
    const distances = rows.linkDistancesOf(from, this.#distances.subarray(0, length))
    const far = rows.farLink
    for (let i = 0; i < length; i++) {
      const kind = kinds[i] ?? 0
      const distance = distances[i] ?? 0
      if (kind !== callKind) into[i] = endOfKind[kind] ?? noEnd
      else if (distance === 0) into[i] = openEnd
      else {
        const place = i + distance
        const isNear = distance < far && place < length
        into[i] = endOfKind[(isNear ? kinds[place] : rows.kindAt(rows.lastResultOf(from + i))) ?? 0] ?? noEnd
      }
    }
  }

  /** The first result of a call counts. */
  #readEndsOfResults(into: Uint8Array): void {
    const { results, kinds, rows } = this
    const from = this.#from
    const { length } = into
    for (let i = 0; i < length; i++) {
      const result = results[i] ?? -1
      const place = result - from
      if (result < 0) into[i] = kinds[i] === callKind ? openEnd : noEnd
      else {
        const kind = place >= 0 && place < length ? kinds[place] : rows.kindAt(result)
        into[i] = kind === failedKind ? errorEnd : okEnd
      }
    }
  }
}
