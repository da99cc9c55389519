import { CallCounts, type ToolCalls } from '../index/call-counts.ts'
import type { EventIndex } from '../index/event-index.ts'
import { LongestCalls } from '../index/longest-calls.ts'
import { rowKinds } from '../index/row-kind.ts'
import { RunTime } from '../replay/run-time.ts'

/** A call of known duration. `row`: the call's own, or that of its result where it has none. */
export interface LongCall {
  readonly row: number
  readonly tool: string
  readonly tookMs: number
}

/** What a track did. */
export interface TrackCounts {
  readonly calls: number
  /** `isFailedCall`. */
  readonly failed: number
  /** From the first to the last time that its records state; null where they do not state two. */
  readonly wallMs: number | null
}

interface Track {
  calls: number
  failed: number
  first: number
  last: number
}

const callKind = rowKinds.indexOf('tool')
const resultKind = rowKinds.indexOf('tool-result')
const errorKind = rowKinds.indexOf('tool-error')

/**
 * Counts a run by the rows of its index, as `stats` and reports count it by its events: with the same parts. It goes on where it stopped, so a
 * log that grows costs what it grew by. Rows that were counted must stay as they are; a copy (`forkState`) counts those that may not.
 */
export class RunCounts {
  private readonly calls = new CallCounts()
  private readonly time = new RunTime()
  private readonly longestCalls = new LongestCalls<LongCall>()
  /** By number, as in the index. */
  private readonly tracks: Track[] = []
  private counted = 0

  /** How many rows are counted so far. */
  get rows(): number {
    return this.counted
  }
  get turns(): number {
    return this.time.turns
  }
  get begin(): number | null {
    return this.time.begin
  }
  get times(): RunTime['times'] {
    return this.time.times
  }
  get longest(): readonly LongCall[] {
    return this.longestCalls.list
  }
  /** The tool called most first. */
  get byTool(): CallCounts['byTool'] {
    return this.calls.byTool
  }

  /** Of all tools. */
  get all(): ToolCalls {
    const { byTool } = this.calls
    const known = byTool.flatMap(({ durationMs }) => durationMs ?? [])
    return {
      ...this.calls.all,
      durationMs: known.length === 0 ? null : known.reduce((sum, ms) => sum + ms, 0),
      unknownDurations: byTool.reduce((sum, { unknownDurations }) => sum + unknownDurations, 0)
    }
  }

  /** Of the track with this number in the index. */
  track(number: number): TrackCounts {
    const { calls = 0, failed = 0, first = Infinity, last = -Infinity } = this.tracks[number] ?? {}
    return { calls, failed, wallMs: last > first ? last - first : null }
  }

  /** Counts the rows of the index that come next, up to `end` and no further. */
  count(index: EventIndex, end: number): void {
    const to = Math.min(end, index.rows)
    for (; this.counted < to; this.counted++) if (index.seqOf(this.counted) >= 0) this.event(index, this.counted)
  }

  private event(index: EventIndex, row: number): void {
    const kind = index.kindAt(row)
    const number = index.trackAt(row)
    const track = (this.tracks[number] ??= { calls: 0, failed: 0, first: Infinity, last: -Infinity })
    const at = index.statedTime(row)
    this.time.happened(kind, number === 0, at)
    if (at !== null) {
      track.first = Math.min(track.first, at)
      track.last = Math.max(track.last, at)
    }
    if (kind === callKind) {
      const tool = index.toolAt(row) ?? ''
      this.time.called(row, tool)
      track.calls += this.calls.called(row, tool).total
    } else if (kind === resultKind || kind === errorKind) this.result(index, row, track)
  }

  private result(index: EventIndex, row: number, track: Track): void {
    const call = index.callOf(row)
    // A result without its call has an id that no call has.
    const id = call < 0 ? -1 - row : call
    const tool = index.toolAt(row)
    const durationMs = index.durationAt(row)
    this.time.answered(id, durationMs)
    // What a `tool.started` called has been counted there.
    const named = call >= 0 && index.isCall(call) ? undefined : tool
    const failed = index.kindAt(row) === errorKind
    const added = this.calls.answered(id, { tool: named, failed, durationMs })
    track.calls += added.total
    track.failed += added.failed
    if (added.durationMs === null) return
    this.longestCalls.add({ row: call < 0 ? row : call, tool: tool ?? '', tookMs: added.durationMs })
  }
}
