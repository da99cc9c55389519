import { StatedTimes } from '../events/stated-times.ts'
import { CallCounts, type ToolCalls } from '../index/call-counts.ts'
import type { EventIndex } from '../index/event-index.ts'
import { LongestCalls } from '../index/longest-calls.ts'
import { rowKinds } from '../index/row-kind.ts'
import { RunTime } from '../replay/run-time.ts'

/** A call of known duration. `row`: of the call, or of its result if the call is not in the log. */
export interface LongCall {
  readonly row: number
  readonly tool: string
  readonly tookMs: number
}

export interface TrackCounts {
  readonly calls: number
  /** `isFailedCall`. */
  readonly failed: number
  /** From the earliest to the latest time that its records state; null if they state fewer than two. */
  readonly wallMs: number | null
}

interface Track {
  calls: number
  failed: number
  readonly stated: StatedTimes
}

const callKind = rowKinds.indexOf('tool')
const resultKind = rowKinds.indexOf('tool-result')
const errorKind = rowKinds.indexOf('tool-error')

/**
 * Counts a run from the rows of its index, with the same parts as `stats` and reports, which use events. It continues
 * where it stopped, so a growing log costs only its new rows. Counted rows must not change; a copy (`forkState`) counts
 * rows that may.
 */
export class RunCounts {
  private readonly calls = new CallCounts()
  private readonly time = new RunTime()
  private readonly longestCalls = new LongestCalls<LongCall>()
  /** By track number of the index. */
  private readonly tracks: Track[] = []
  private counted = 0

  /** Rows counted so far. */
  get rows(): number {
    return this.counted
  }
  get turns(): number {
    return this.time.turns
  }
  get begin(): number | null {
    return this.time.stated.begin
  }
  get times(): RunTime['times'] {
    return this.time.times
  }
  get longest(): readonly LongCall[] {
    return this.longestCalls.list
  }
  /** By number of calls, descending. */
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
    const { calls = 0, failed = 0, stated } = this.tracks[number] ?? {}
    return { calls, failed, wallMs: stated?.wallMs ?? null }
  }

  /** Counts the next rows of the index, up to `end`. */
  count(index: EventIndex, end: number): void {
    const to = Math.min(end, index.rows)
    for (; this.counted < to; this.counted++) if (index.seqOf(this.counted) >= 0) this.event(index, this.counted)
  }

  private event(index: EventIndex, row: number): void {
    const kind = index.kindAt(row)
    const number = index.trackAt(row)
    const track = (this.tracks[number] ??= { calls: 0, failed: 0, stated: new StatedTimes() })
    const at = index.statedTime(row)
    this.time.onEvent(kind, number === 0, at)
    track.stated.add(at)
    if (kind === callKind) {
      const tool = index.toolAt(row) ?? ''
      this.time.onCall(row, tool)
      track.calls += this.calls.started(row, tool).total
    } else if (kind === resultKind || kind === errorKind) this.result(index, row, track)
  }

  private result(index: EventIndex, row: number, track: Track): void {
    const call = index.callOf(row)
    // A unique id for a result without its call.
    const id = call < 0 ? -1 - row : call
    const tool = index.toolAt(row)
    const durationMs = index.durationAt(row)
    this.time.onResult(id, durationMs)
    // A `tool.started` has been counted already.
    const named = call >= 0 && index.isCall(call) ? undefined : tool
    const failed = index.kindAt(row) === errorKind
    const added = this.calls.completed(id, { tool: named, failed, durationMs })
    track.calls += added.total
    track.failed += added.failed
    if (added.durationMs === null) return
    this.longestCalls.add({ row: call < 0 ? row : call, tool: tool ?? '', tookMs: added.durationMs })
  }
}
