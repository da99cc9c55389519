import { type RowKind, rowKinds } from '../index/row-kind.ts'

/**
 * The log's columns (`log.columns` of the contract, `pairOf` both ways). Only the first `rows` entries are valid. The
 * arrays may be replaced by longer ones.
 */
export interface StepColumns {
  readonly rows: number
  readonly kind: Uint8Array
  readonly severity: Uint8Array
  readonly seq: Int32Array
  readonly tool: Uint16Array
  readonly track: Uint16Array
  /** At a result the row of its call, at a call the row of its last result; otherwise -1. */
  readonly pairOf: Int32Array
}

/** A track of `LogStatus.tracks`. */
export interface StepTrack {
  /** 0 for the main agent. */
  readonly depth: number
  /** The row of the call that started it; -1 for the main agent, and if unknown. */
  readonly call: number
}

export type Direction = 1 | -1

/** Whether the timeline shows a row, so a step may end there. */
export type PassesRow = (row: number) => boolean

const toolKind = rowKinds.indexOf('tool')

/** The next row of a kind in a direction; -1 if there is none. Searches a million rows in a millisecond. */
export function nextOfKind(
  columns: StepColumns,
  kind: RowKind,
  from: number,
  direction: Direction,
  passes: PassesRow
): number {
  return nextOf(columns.kind, rowKinds.indexOf(kind), columns.rows, from, direction, passes)
}

/** The next row with issues. */
export function nextWithIssue(columns: StepColumns, from: number, direction: Direction, passes: PassesRow): number {
  const { severity, rows } = columns
  for (let row = from + direction; row >= 0 && row < rows; row += direction) {
    if ((severity[row] ?? 0) > 0 && passes(row)) return row
  }
  return -1
}

/** The next call of the tool of the call or result `from`; -1 if there is none or `from` is neither. */
export function nextOfTool(columns: StepColumns, from: number, direction: Direction, passes: PassesRow): number {
  const tool = from < 0 ? 0 : (columns.tool[from] ?? 0)
  if (tool === 0) return -1
  const isCall: PassesRow = (row) => columns.kind[row] === toolKind && passes(row)
  return nextOf(columns.tool, tool, columns.rows, from, direction, isCall)
}

/** The first event of the subagent started by the call or result at `row`; -1 if there is none. */
export function stepInto(columns: StepColumns, tracks: readonly StepTrack[], row: number, passes: PassesRow): number {
  const call = callAt(columns, row)
  const track = call < 0 ? -1 : tracks.findIndex((each) => each.call === call)
  if (track < 0) return -1
  // A subagent's file may begin before the call.
  return nextOf(columns.track, track, columns.rows, -1, 1, (at) => (columns.seq[at] ?? -1) >= 0 && passes(at))
}

/**
 * The row after stepping out of the subagent of `row`: the result of its call if that is later; else the next event
 * that is less deep. -1 in the main agent's track, and if the log ends inside the subagent.
 */
export function stepOut(columns: StepColumns, tracks: readonly StepTrack[], row: number, passes: PassesRow): number {
  const track = tracks[columns.track[row] ?? 0]
  if (track === undefined || track.depth === 0) return -1
  const result = track.call < 0 ? -1 : (columns.pairOf[track.call] ?? -1)
  if (result > row && passes(result)) return result
  return nextNotDeeper(columns, tracks, row, track.depth - 1, passes)
}

/**
 * The row after stepping over `row`: from a call to its result; in a subagent out of it; else to the next event that is
 * not deeper. -1 at the end.
 */
export function stepOver(columns: StepColumns, tracks: readonly StepTrack[], row: number, passes: PassesRow): number {
  const isCall = columns.kind[row] === toolKind
  const result = isCall ? (columns.pairOf[row] ?? -1) : -1
  if (result > row && passes(result)) return result
  const depth = tracks[columns.track[row] ?? 0]?.depth ?? 0
  if (depth > 0 && !isCall) return stepOut(columns, tracks, row, passes)
  return nextNotDeeper(columns, tracks, row, depth, passes)
}

function nextNotDeeper(
  columns: StepColumns,
  tracks: readonly StepTrack[],
  from: number,
  depth: number,
  passes: PassesRow
): number {
  const { track, seq, rows } = columns
  const isDeeper = Uint8Array.from(tracks, (each) => (each.depth > depth ? 1 : 0))
  for (let row = from + 1; row < rows; row++) {
    // An unknown track is not skipped.
    if (isDeeper[track[row] ?? 0] === 1 || (seq[row] ?? -1) < 0) continue
    if (passes(row)) return row
  }
  return -1
}

/** The row of the call at `row`, or of the result's call; -1 if it is neither. */
function callAt(columns: StepColumns, row: number): number {
  if (row < 0 || row >= columns.rows) return -1
  if (columns.kind[row] === toolKind) return row
  const pair = columns.pairOf[row] ?? -1
  return columns.kind[pair] === toolKind ? pair : -1
}

/** The next row with `value` that passes, in the first `length` rows. */
function nextOf(
  column: Uint8Array | Uint16Array,
  value: number,
  length: number,
  from: number,
  direction: Direction,
  passes: PassesRow
): number {
  for (let row = from; ;) {
    if (direction < 0 && row <= 0) return -1
    row = direction > 0 ? column.indexOf(value, row + 1) : column.lastIndexOf(value, Math.min(row, length) - 1)
    if (row < 0 || row >= length) return -1
    if (passes(row)) return row
  }
}
