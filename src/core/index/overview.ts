import { type RowKind, rowKinds } from './row-kind.ts'

/** The groups of the density chart, in stacking order. */
export const densityGroups = ['tool', 'text', 'result', 'reasoning', 'error'] as const
export type DensityGroup = (typeof densityGroups)[number]

/** Null: not part of the density. */
const groupOfKind: Record<RowKind, DensityGroup | null> = {
  record: null,
  session: null,
  prompt: 'text',
  assistant: 'text',
  reasoning: 'reasoning',
  status: null,
  'result-text': 'text',
  tool: 'tool',
  'tool-result': 'result',
  'tool-error': 'error',
  turn: null,
  error: 'error',
  todo: 'tool',
  unparsed: 'error'
}
const groupByKindIndex = rowKinds.map((kind) => {
  const group = groupOfKind[kind]
  return group === null ? -1 : densityGroups.indexOf(group)
})

/** Columns of `log.columns`, valid up to `rows` and `events`; longer arrays may replace them. `rowOfSeq`: row by event. */
export interface OverviewColumns {
  readonly rows: number
  readonly events: number
  readonly kind: Uint8Array
  readonly severity: Uint8Array
  readonly time: Float64Array
  readonly rowOfSeq: Int32Array
}

/** A range of the run in buckets, by event number. A record counts at the event before it, or at the first event. */
export interface OverviewBuckets {
  readonly count: number
  /** Events of each group. */
  readonly density: Readonly<Record<DensityGroup, Uint32Array>>
  readonly prompts: Uint32Array
  /** Rows with issues. */
  readonly issues: Uint32Array
  /** The worst severity: 0 none, 1 notice, 2 violation, 3 malformed. */
  readonly severity: Uint8Array
  /** Idle times that end at a row of the bucket. */
  readonly idle: Uint32Array
  /** The latest time up to the bucket's end; NaN if unknown. */
  readonly time: Float64Array
}

/** Rows with issues: their event, and their worst severity as in `OverviewBuckets`. */
export interface IssuePlaces {
  readonly seq: Int32Array
  readonly severity: Uint8Array
}

/** Two to this power rows make a block. */
const blockBits = 6

// Totals by row. Issues are counted as "at least this severity", so differences also tell the worst one of a range.
const promptTotal = densityGroups.length
const noticeTotal = promptTotal + 1
const violationTotal = noticeTotal + 1
const malformedTotal = violationTotal + 1
const idleTotal = malformedTotal + 1
const totals = idleTotal + 1
const promptIndex = rowKinds.indexOf('prompt')

/** The run at any zoom, from running totals of blocks of 64 rows: a range costs at most 126 rows. 0.8 bytes a row. */
export class Overview {
  private readonly columns: OverviewColumns
  private readonly idleFromMs: number
  /** Whole blocks counted; later rows are read by each query. */
  private blocks = 0
  /** At b * totals: the totals of all rows before block b. */
  private counted = new Uint32Array(64 * totals)
  /** The latest time in all rows before block b. */
  private latest = new Float64Array(64).fill(NaN)

  /** Call `extend` after `columns` grew. `idleFromMsMs`: a gap between rows that counts as idle. */
  constructor(columns: OverviewColumns, idleFromMs: number) {
    this.columns = columns
    this.idleFromMs = idleFromMs
  }

  /** Counts the rows added since the last call. */
  extend(): void {
    const blocks = this.columns.rows >>> blockBits
    if (blocks <= this.blocks) return
    this.reserve(blocks + 1)
    const sums = this.counted.slice(this.blocks * totals, (this.blocks + 1) * totals)
    let latest = this.latest[this.blocks] ?? NaN
    for (let block = this.blocks; block < blocks; block++) {
      latest = this.count(block << blockBits, (block + 1) << blockBits, latest, sums)
      this.counted.set(sums, (block + 1) * totals)
      this.latest[block + 1] = latest
    }
    this.blocks = blocks
  }

  /** Drops the rows from `rows` on: they were retracted and may be replaced. */
  truncate(rows: number): void {
    this.blocks = Math.min(this.blocks, rows >>> blockBits)
  }

  /** Events `from` to `to` (exclusive), also beyond the log. Bucket b begins at `from + floor(b * (to - from) / buckets)`. */
  query(from: number, to: number, buckets: number): OverviewBuckets {
    return this.parts(
      Array.from({ length: buckets + 1 }, (_, part) => from + Math.floor((part * (to - from)) / buckets))
    )
  }

  /** Buckets between consecutive events of `bounds`, ascending (integers, also beyond the log). */
  parts(bounds: readonly number[]): OverviewBuckets {
    const buckets = bounds.length - 1
    const result = emptyBuckets(buckets)
    const groups = densityGroups.map((group) => result.density[group])
    let before = new Uint32Array(totals)
    let after = new Uint32Array(totals)
    let row = this.firstRow(bounds[0] ?? 0)
    this.sumsBefore(row, before)
    for (let bucket = 0; bucket < buckets; bucket++) {
      const next = Math.max(row, this.firstRow(bounds[bucket + 1] ?? 0))
      result.time[bucket] = this.sumsBefore(next, after)
      const grownBy = (total: number) => (after[total] ?? 0) - (before[total] ?? 0)
      for (const [group, counts] of groups.entries()) counts[bucket] = grownBy(group)
      result.prompts[bucket] = grownBy(promptTotal)
      result.issues[bucket] = grownBy(noticeTotal)
      result.severity[bucket] =
        grownBy(malformedTotal) > 0 ? 3 : grownBy(violationTotal) > 0 ? 2 : grownBy(noticeTotal) > 0 ? 1 : 0
      result.idle[bucket] = grownBy(idleTotal)
      row = next
      ;[before, after] = [after, before]
    }
    return result
  }

  /** Rows with issues at events `from` … `to` (exclusive), in order; null if more than `max`. */
  issues(from: number, to: number, max: number): IssuePlaces | null {
    const first = this.firstRow(from)
    const end = Math.max(first, this.firstRow(to))
    const sums = new Uint32Array(totals)
    this.sumsBefore(first, sums)
    const before = sums[noticeTotal] ?? 0
    this.sumsBefore(end, sums)
    const count = (sums[noticeTotal] ?? 0) - before
    if (count > max) return null
    const places = { seq: new Int32Array(count), severity: new Uint8Array(count) }
    const { severity } = this.columns
    let row = first
    for (let place = 0; place < count; place++, row++) {
      row = Math.max(row, this.blockOfIssue(before + place) << blockBits)
      while (row < end && (severity[row] ?? 0) === 0) row++
      places.seq[place] = this.seqOf(row)
      places.severity[place] = severity[row] ?? 0
    }
    return places
  }

  /** The block with the `nth` row with issues, or the first uncounted one. */
  private blockOfIssue(nth: number): number {
    let low = 0
    let high = this.blocks
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.counted[middle * totals + noticeTotal] ?? 0) <= nth) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The first row that counts at event `seq` or a later one. */
  private firstRow(seq: number): number {
    if (seq <= 0) return 0
    return seq >= this.columns.events ? this.columns.rows : (this.columns.rowOfSeq[seq] ?? 0)
  }

  /** The event that `row` counts at. */
  private seqOf(row: number): number {
    let low = 0
    let high = this.columns.events
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.columns.rowOfSeq[middle] ?? 0) <= row) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  /** Writes the totals of all rows before `row` to `sums`; returns their latest time. */
  private sumsBefore(row: number, sums: Uint32Array): number {
    const block = Math.min(this.blocks, row >>> blockBits)
    sums.set(this.counted.subarray(block * totals, (block + 1) * totals))
    return this.count(block << blockBits, row, this.latest[block] ?? NaN, sums)
  }

  /** Adds rows `from` … `to` (exclusive) to `sums`. `latest`: latest time before; returns that after. */
  private count(from: number, to: number, latest: number, sums: Uint32Array): number {
    const { kind, severity, time } = this.columns
    for (let row = from; row < to; row++) {
      const index = kind[row] ?? 0
      const group = groupByKindIndex[index] ?? -1
      if (group >= 0) add(sums, group)
      if (index === promptIndex) add(sums, promptTotal)
      const worst = severity[row] ?? 0
      for (let rank = 1; rank <= worst; rank++) add(sums, noticeTotal + rank - 1)
      const at = time[row] ?? NaN
      if (at - latest >= this.idleFromMs) add(sums, idleTotal)
      if (at > latest || (latest !== latest && at === at)) latest = at
    }
    return latest
  }

  private reserve(blocks: number): void {
    if (blocks <= this.latest.length) return
    const capacity = Math.max(blocks, this.latest.length * 2)
    const { counted, latest } = this
    this.counted = new Uint32Array(capacity * totals)
    this.counted.set(counted)
    this.latest = new Float64Array(capacity).fill(NaN)
    this.latest.set(latest)
  }
}

function add(sums: Uint32Array, total: number): void {
  sums[total] = (sums[total] ?? 0) + 1
}

function emptyBuckets(count: number): OverviewBuckets {
  const counts = () => new Uint32Array(count)
  return {
    count,
    density: { tool: counts(), text: counts(), result: counts(), reasoning: counts(), error: counts() },
    prompts: counts(),
    issues: counts(),
    severity: new Uint8Array(count),
    idle: counts(),
    time: new Float64Array(count)
  }
}
