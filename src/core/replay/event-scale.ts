import { Column } from '../column.ts'

/** Where events lie on a line on which a run is drawn. Places ascend with the events. */
export interface EventScale {
  /** How long the line is: every place is below it. */
  readonly total: number
  /** What is worth looking at on its own: nobody needs to see less of the line. */
  readonly least: number
  /** The place of event `seq`, which there is; of one after the last: where it may come to lie. */
  placeOf(seq: number): number
  /** The last event whose place is at or before `place`; the first where none is, -1 in a log without events. */
  seqAt(place: number): number
}

/** All events equally far apart: event n lies at n + 0.5, so that each has a stretch of length 1. */
export function evenScale(events: number): EventScale {
  return {
    total: Math.max(1, events),
    least: 24,
    placeOf: (seq) => seq + 0.5,
    seqAt: (place) => Math.min(events - 1, Math.max(0, Math.floor(place)))
  }
}

/** What is read of a log's columns; only the first `events` entries of `rowOfSeq` mean anything. The arrays may be replaced by longer ones. */
export interface TimedColumns {
  readonly events: number
  /** Milliseconds since the epoch, NaN unknown. */
  readonly time: Float64Array
  /** By seq: the event's row. */
  readonly rowOfSeq: Int32Array
}

/** A longer pause between two events takes as much room as one of this length, in ms. */
export const longestGap = 60_000
/** The least distance of two events, in ms: each has a place of its own, also where times are unknown, equal, or go back. */
const shortestStep = 20
/** Two to this power events lie between two places that are kept. */
const blockBits = 6

/**
 * Events as far apart as in time, in ms of which idle time is cut short (`longestGap`). Keeps a place for every 64th event and the gaps,
 * so it takes a fraction of a byte an event; a question costs at most 64 steps.
 */
export class TimeScale implements EventScale {
  readonly least = 1000
  private readonly columns: TimedColumns
  private readonly longest: number
  /** How wide a longer pause is drawn, in ms. */
  readonly drawnGap: number
  /** Of every first event of a block: its place, and the latest time up to it. */
  private readonly places = new Column('float64', 10)
  private readonly latests = new Column('float64', 10)
  /** Events before which the run was idle for longer than `longestGap`, ascending. */
  private readonly gapSeqs = new Column('uint32', 8)
  /** The last event taken in, its place, and the latest time up to it. */
  private last: Place = { seq: -1, place: 0, latest: NaN }

  /** A pause of more than `longest` ms is drawn `drawnGap` ms wide. Infinity: idle time is as wide as it was. */
  constructor(columns: TimedColumns, longest = longestGap, drawnGap = longest) {
    this.columns = columns
    this.longest = longest
    this.drawnGap = drawnGap
  }

  get total(): number {
    return this.last.place + shortestStep
  }

  /** Takes in the events that came since. */
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

  /** Forgets the events from `events` on: they were taken back, and others may come in their place. */
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

  /** The events `from` … `to` (exclusive) before which idle time was cut short; `most` of them. */
  gaps(from: number, to: number, most: number): number[] {
    const gaps: number[] = []
    for (let index = this.gapsUpTo(from - 1); index < this.gapSeqs.length && gaps.length < most; index++) {
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
    // The first event lies at the beginning. Times may go back (docs/formats/README.md#times-may-go-backwards), places do not.
    return {
      seq: seq + 1,
      place: seq < 0 ? 0 : place + step,
      latest: at > latest || Number.isNaN(latest) ? at : latest
    }
  }

  private startOf(block: number): Place {
    return { seq: block << blockBits, place: this.places.at(block), latest: this.latests.at(block) }
  }

  /** How many of the gaps come before event `seq` or at it. */
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
