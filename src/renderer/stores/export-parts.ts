import { EventSet } from '#core/export/event-set.ts'
import type { LogState } from './log-store.ts'
import { isNoFilter } from './row-filter.ts'

/** The exported part of a session. Turns count from 1; both ends are included. */
export type ExportPart =
  | { readonly of: 'session' | 'filtered' | 'failed' | 'turn' }
  | { readonly of: 'turns'; readonly from: number; readonly to: number }

/** What the dialog shows of a part. */
export interface PartCount {
  readonly events: number
  /** Null if the part is not made of turns. */
  readonly turns: number | null
}

export type ExportedLog = Pick<LogState, 'columns' | 'layout' | 'filter' | 'row'>

/** A part of the session and its events. */
export interface FoundPart extends PartCount {
  /** Null: the whole session. */
  readonly set: EventSet | null
}

/** The events of a part, as far as the log is read; null if there is no such part. */
export function exportPart(log: ExportedLog, part: ExportPart): FoundPart | null {
  const { columns, layout } = log
  switch (part.of) {
    case 'session':
      return { set: null, events: columns.events, turns: null }
    case 'filtered':
      return isNoFilter(log.filter) ? null : filteredEvents(log)
    case 'failed':
      return ofTurns(log, failedTurns(log))
    case 'turn': {
      const turn = layout.turns.turnAt(log.row)
      return turn < 0 ? null : ofTurns(log, [turn])
    }
    case 'turns': {
      const { from, to } = part
      // The typed text may be no turn number.
      if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1) return null
      const count = Math.max(0, Math.min(to, layout.turns.count) - from + 1)
      return ofTurns(
        log,
        Array.from({ length: count }, (_, i) => from - 1 + i)
      )
    }
  }
}

function filteredEvents({ columns, filter }: ExportedLog): FoundPart {
  const set = new EventSet(columns.events)
  for (const row of filter.search.hits) {
    const seq = columns.seq[row] ?? -1
    if (seq >= 0) set.add(seq)
  }
  return { set, events: set.size, turns: null }
}

/** The turns with failed calls, also of subagents; -1: rows before the first turn. */
function failedTurns({ columns, layout }: ExportedLog): number[] {
  const turns = new Set<number>()
  for (let row = 0; row < columns.rows; row++) if (columns.failedCallAt(row) >= 0) turns.add(layout.turns.turnAt(row))
  return [...turns]
}

function ofTurns({ columns, layout: { turns } }: ExportedLog, chosen: readonly number[]): FoundPart | null {
  if (chosen.length === 0) return null
  const set = new EventSet(columns.events)
  for (const turn of chosen) {
    const end = turn < 0 ? (turns.count > 0 ? turns.startOf(0) : columns.rows) : turns.endOf(turn)
    for (let row = turn < 0 ? 0 : turns.startOf(turn); row < end; row++) {
      const seq = columns.seq[row] ?? -1
      if (seq >= 0) set.add(seq)
    }
  }
  return { set, events: set.size, turns: chosen.length }
}
