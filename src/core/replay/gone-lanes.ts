import { Column } from '../column.ts'
import { HashNumbers } from '../hash-numbers.ts'

const chunkBits = 10
/** Greater than any number of a text. */
const textLimit = 2 ** 30

/** Lanes in no list, by their track and last text. An item that returns finds its lane here. */
export class GoneLanes {
  /** Keys of track and text. `last` by key number: the lane removed last, plus one. */
  private readonly keys = new HashNumbers(chunkBits)
  private readonly last = new Column('uint32', chunkBits)
  /** By removed lane: the lane of the same key removed before it, plus one. */
  private readonly before = new Column('uint32', chunkBits)
  /** By lane: 1 if it was dropped at its last removal. */
  private readonly dropped = new Column('uint8', chunkBits)

  /** Number of lanes. */
  get lanes(): number {
    return this.before.length
  }

  /** Returns the number of a new lane; it is in a list. */
  newLane(): number {
    this.before.push(0)
    this.dropped.push(0)
    return this.lanes - 1
  }

  /** `text`: its number. Call in reverse for lanes removed together, so the first one returns first. */
  remove(lane: number, track: number, text: number, dropped: boolean): void {
    this.dropped.set(lane, dropped ? 1 : 0)
    const key = track * textLimit + text
    if ((this.keys.add(key) ?? -1) >= 0) this.last.push(0)
    const number = this.keys.numberOf(key)
    if (number < 0) return
    this.before.set(lane, this.last.at(number))
    this.last.set(number, lane + 1)
  }

  /** Takes a removed lane of that text; -1 if there is none. */
  restore(track: number, text: number): number {
    const number = this.keys.numberOf(track * textLimit + text)
    const lane = number < 0 ? -1 : this.last.at(number) - 1
    if (lane >= 0) this.last.set(number, this.before.at(lane))
    return lane
  }

  /** Whether a removed lane was dropped. */
  wasDropped(lane: number): boolean {
    return this.dropped.at(lane) === 1
  }
}
