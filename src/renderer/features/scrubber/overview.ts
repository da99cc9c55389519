import { type RowKind, rowKinds } from '#core/index/row-kind.ts'
import type { LogColumns } from '../../stores/log-columns.ts'
import { idleFrom } from '../../stores/timeline-layout.ts'

/** What the density lane stacks, from the bottom up. */
export const densityGroups = ['tool', 'text', 'result', 'reasoning', 'error'] as const
export type DensityGroup = (typeof densityGroups)[number]

/** The group of a kind; null: it is not part of the density. */
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
const promptIndex = rowKinds.indexOf('prompt')

/** A power of two, and more than any screen has pixels for. */
const mostBins = 8192

/**
 * The whole run in at most 8,192 bins of equally many events, kept up as the columns grow: when the bins run out,
 * neighbours are joined. Drawing costs the bins, however many events there are. An issue on a record counts at the event
 * before it.
 */
export class Overview {
  /** Events of a bin. */
  size = 1
  /** Bins in use. */
  bins = 0
  readonly density: Record<DensityGroup, Uint32Array>
  readonly prompts = new Uint32Array(mostBins)
  /** The worst severity in the bin, as `LogColumns.severity` has it. */
  readonly severity = new Uint8Array(mostBins)
  /** 1 where the run was idle for a minute or longer before an event of the bin. */
  readonly idle = new Uint8Array(mostBins)
  /** The latest time known at the end of the bin, NaN unknown. */
  readonly time = new Float64Array(mostBins).fill(NaN)
  #rows = 0
  #seq = 0
  #latest = NaN

  constructor() {
    this.density = Object.fromEntries(densityGroups.map((group) => [group, new Uint32Array(mostBins)])) as Record<
      DensityGroup,
      Uint32Array
    >
  }

  /** Counts the rows that came since. */
  extend(columns: LogColumns): void {
    for (let row = this.#rows; row < columns.rows; row++) this.#add(columns, row)
    this.#rows = columns.rows
  }

  #add(columns: LogColumns, row: number): void {
    const seq = columns.seq[row] ?? -1
    if (seq >= 0) this.#seq = seq
    while (Math.floor(this.#seq / this.size) >= mostBins) this.#join()
    const bin = Math.floor(this.#seq / this.size)
    if (bin >= this.bins) this.bins = bin + 1
    this.severity[bin] = Math.max(this.severity[bin] ?? 0, columns.severity[row] ?? 0)
    this.#addTime(columns.time[row] ?? NaN, bin)
    if (seq < 0) return
    const kind = columns.kind[row] ?? 0
    const group = densityGroups[groupByKindIndex[kind] ?? -1]
    if (group !== undefined) increase(this.density[group], bin)
    if (kind === promptIndex) increase(this.prompts, bin)
  }

  #addTime(time: number, bin: number): void {
    if (time - this.#latest >= idleFrom) this.idle[bin] = 1
    if (!(time <= this.#latest)) this.#latest = Number.isNaN(time) ? this.#latest : time
    this.time[bin] = this.#latest
  }

  #join(): void {
    for (const counts of [...Object.values(this.density), this.prompts]) {
      joinPairs(counts, (left, right) => left + right)
    }
    joinPairs(this.severity, Math.max)
    joinPairs(this.idle, Math.max)
    joinPairs(this.time, (left, right) => (Number.isNaN(right) ? left : right), NaN)
    this.size *= 2
    this.bins = Math.ceil(this.bins / 2)
  }
}

function increase(counts: Uint32Array, bin: number): void {
  counts[bin] = (counts[bin] ?? 0) + 1
}

function joinPairs(
  values: Uint32Array | Uint8Array | Float64Array,
  joined: (left: number, right: number) => number,
  empty = 0
): void {
  const half = values.length / 2
  for (let bin = 0; bin < half; bin++) values[bin] = joined(values[bin * 2] ?? empty, values[bin * 2 + 1] ?? empty)
  values.fill(empty, half)
}
