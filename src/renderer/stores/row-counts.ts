import { rowKinds } from '#core/index/row-kind.ts'
import { type LogColumns, severityNames } from './log-columns.ts'

/** Rows per value of a column: `kind` by `rowKinds`, `severity` by `severityNames`, `tool` from 1, `track` from 0. */
export interface Counts {
  readonly kind: Uint32Array
  readonly severity: Uint32Array
  readonly tool: Uint32Array
  readonly track: Uint32Array
}

/** The number of values of a tool or track column. */
const names = 65_536

function noCounts(): Counts {
  return {
    kind: new Uint32Array(rowKinds.length),
    severity: new Uint32Array(severityNames.length),
    tool: new Uint32Array(names),
    track: new Uint32Array(names)
  }
}

/** Counts the rows of a growing log: final rows once, the others each time. */
export class RowCounts {
  readonly #settled = noCounts()
  #settledRows = 0

  /** The counts of the current rows, of which the first `settledRows` are final. */
  of(columns: LogColumns, settledRows: number): Counts {
    const final = Math.max(this.#settledRows, Math.min(settledRows, columns.rows))
    count(columns, this.#settledRows, final, this.#settled)
    this.#settledRows = final
    if (final === columns.rows) return this.#settled
    const { kind, severity, tool, track } = this.#settled
    const all = { kind: kind.slice(), severity: severity.slice(), tool: tool.slice(), track: track.slice() }
    count(columns, final, columns.rows, all)
    return all
  }
}

function count({ kind, severity, tool, track }: LogColumns, from: number, to: number, into: Counts): void {
  add(kind, from, to, into.kind)
  add(severity, from, to, into.severity)
  add(tool, from, to, into.tool)
  add(track, from, to, into.track)
}

function add(values: Uint8Array | Uint16Array, from: number, to: number, counts: Uint32Array): void {
  for (let row = from; row < to; row++) {
    const value = values[row] ?? 0
    counts[value] = (counts[value] ?? 0) + 1
  }
}
