import { Column } from '../column.ts'

/** The places of events on a line that draws a run. Places ascend with the events. */
export interface EventScale {
  /** The length of the line: every place is below it. */
  readonly total: number
  /** The shortest useful range of the line. */
  readonly least: number
  /** The place of event `seq`; after the last event, an estimate. */
  placeOf(seq: number): number
  /** The last event at or before `place`, or else the first; -1 in a log without events. */
  seqAt(place: number): number
}

/** Equal distances: event n is at n + 0.5, so each has a range of length 1. */
export function evenScale(events: number): EventScale {
  return {
    total: Math.max(1, events),
    least: 24,
    placeOf: (seq) => seq + 0.5,
    seqAt: (place) => Math.min(events - 1, Math.max(0, Math.floor(place)))
  }
}

/** The log's columns; may be replaced. Only the first `events` entries of `rowOfSeq` are valid. */
export interface TimedColumns {
  readonly events: number
  /** Milliseconds since the epoch, NaN unknown. */
  readonly time: Float64Array
  /** By seq: the event's row. */
  readonly rowOfSeq: Int32Array
}

/** Longer pauses between two events are drawn with this length, in ms. */
export const longestGap = 60_000
/** The minimum distance of two events in ms, also if times are unknown, equal, or go back. */
const shortestStep = 20
/** Two to this power events make a block. */
const blockBits = 6

/**
 * Distances in ms, with idle time shortened (`longestGap`). Stores a place for every 64th event and the gaps: a
 * fraction of a byte an event. A query takes at most 64 steps.
 */
export class TimeScale implements EventScale {
  readonly least = 1000
  private readonly columns: TimedColumns
  private readonly longest: number
  /** Drawn width of a longer pause, in ms. */
  readonly drawnGap: number
  /** By block: the place of its first event, and the latest time up to it. */
  private readonly places = new Column('float64', 10)
  private readonly latests = new Column('float64', 10)
  /** Events after an idle time longer than `longest`, ascending. */
  private readonly gapSeqs = new Column('uint32', 8)
  /** The last event added, its place, and the latest time up to it. */
  private last: Place = { seq: -1, place: 0, latest: NaN }

  /** A pause longer than `longest` ms is drawn `drawnGap` ms wide. Infinity: no pause is shortened. */
  constructor(columns: TimedColumns, longest = longestGap, drawnGap = longest) {
    this.columns = columns
    this.longest = longest
    this.drawnGap = drawnGap
  }

  get total(): number {
    return this.last.place + shortestStep
  }

  /** Adds the events since the last call. */
  extend(): void {
    let at = this.last
    while (at.seq + 1 < this.columns.events) {
      const next = this.after(at)
      if (next.seq > 0 && next.latest - at.latest > this.longest) this.gapSeqs.push(next.seq)
      if ((next.seq & ((1 << blockBits) - 1)) === 0) {
        this.places.push(next.place)
        this.latests.push(next.latest)
      }
      at = next
    }
    this.last = at
  }

  /** Drops the events from `events` on: they were retracted and may be replaced. */
  truncate(events: number): void {
    if (events > this.last.seq) return
    const blocks = events <= 0 ? 0 : ((events - 1) >>> blockBits) + 1
    this.places.truncate(blocks)
    this.latests.truncate(blocks)
    this.last = blocks === 0 ? { seq: -1, place: 0, latest: NaN } : this.startOf(blocks - 1)
    this.gapSeqs.truncate(this.gapsUpTo(this.last.seq))
  }

  placeOf(seq: number): number {
    const { last } = this
    if (seq > last.seq) return last.place + (seq - last.seq) * shortestStep
    if (seq <= 0) return 0
    let at = this.startOf(seq >>> blockBits)
    while (at.seq < seq) at = this.after(at)
    return at.place
  }

  seqAt(place: number): number {
    if (this.places.length === 0) return -1
    let low = 0
    let high = this.places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.places.at(middle) <= place) low = middle + 1
      else high = middle
    }
    let at = this.startOf(Math.max(0, low - 1))
    while (at.seq < this.last.seq) {
      const next = this.after(at)
      if (next.place > place) break
      at = next
    }
    return at.seq
  }

  /** The place of a time in ms since the epoch: between two events as far as the line is drawn; NaN without times. */
  placeAtTime(time: number): number {
    let low = 0
    let high = this.places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      // A block before the first known time has none.
      if (!(this.latests.at(middle) > time)) low = middle + 1
      else high = middle
    }
    if (low === 0) return this.places.length === 0 ? NaN : 0
    let at = this.startOf(low - 1)
    while (at.seq < this.last.seq) {
      const next = this.after(at)
      if (next.latest > time) {
        if (Number.isNaN(at.latest)) return next.place
        const share = (time - at.latest) / (next.latest - at.latest)
        return at.place + (next.place - at.place) * share
      }
      at = next
    }
    return Number.isNaN(at.latest) ? NaN : at.place + Math.min(time - at.latest, this.longest)
  }

  /** At most `max` events `from` … `to` (exclusive) after shortened idle time. */
  gaps(from: number, to: number, max: number): number[] {
    const gaps: number[] = []
    for (let index = this.gapsUpTo(from - 1); index < this.gapSeqs.length && gaps.length < max; index++) {
      const seq = this.gapSeqs.at(index)
      if (seq >= to) break
      gaps.push(seq)
    }
    return gaps
  }

  private after({ seq, place, latest }: Place): Place {
    const { time, rowOfSeq } = this.columns
    const at = time[rowOfSeq[seq + 1] ?? 0] ?? NaN
    const pause = at > latest ? at - latest : 0
    const step = Math.max(shortestStep, pause > this.longest ? this.drawnGap : pause)
    // The first event is at 0. Times may go back (docs/formats/README.md#times-may-go-backwards), places do not.
    return {
      seq: seq + 1,
      place: seq < 0 ? 0 : place + step,
      latest: at > latest || Number.isNaN(latest) ? at : latest
    }
  }

  private startOf(block: number): Place {
    return { seq: block << blockBits, place: this.places.at(block), latest: this.latests.at(block) }
  }

  /** The number of gaps at or before event `seq`. */
  private gapsUpTo(seq: number): number {
    let low = 0
    let high = this.gapSeqs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.gapSeqs.at(middle) <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}

interface Place {
  readonly seq: number
  readonly place: number
  readonly latest: number
}
