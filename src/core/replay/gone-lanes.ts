import { Column } from '../column.ts'
import { HashNumbers } from '../hash-numbers.ts'

const chunkBits = 10
/** Above all numbers of texts. */
const textLimit = 2 ** 30

/** Which lanes are in no list, by the track and the text that they had when they went, so that an item finds its lane when it comes back. */
export class GoneLanes {
  /** Lanes by track and text; by number of those the lane that went last, plus one. */
  private readonly keys = new HashNumbers(chunkBits)
  private readonly last = new Column('uint32', chunkBits)
  /** By lane: of one that is gone the lane of the same text that went before it, plus one. */
  private readonly before = new Column('uint32', chunkBits)
  /** By lane: 1 where it was dropped when it last went. */
  private readonly dropped = new Column('uint8', chunkBits)

  /** How many lanes there are. */
  get lanes(): number {
    return this.before.length
  }

  /** Gives the number of a new lane, which is in a list. */
  newLane(): number {
    this.before.push(0)
    this.dropped.push(0)
    return this.lanes - 1
  }

  /** `text`: the number of the text that the lane has. Of lanes that go together the last one goes first: the first comes back first. */
  goes(lane: number, track: number, text: number, dropped: boolean): void {
    this.dropped.set(lane, dropped ? 1 : 0)
    const key = track * textLimit + text
    if ((this.keys.add(key) ?? -1) >= 0) this.last.push(0)
    const number = this.keys.numberOf(key)
    if (number < 0) return
    this.before.set(lane, this.last.at(number))
    this.last.set(number, lane + 1)
  }

  /** A lane of that text that was gone, and is so no more; -1 where there is none. */
  comesBack(track: number, text: number): number {
    const number = this.keys.numberOf(track * textLimit + text)
    const lane = number < 0 ? -1 : this.last.at(number) - 1
    if (lane >= 0) this.last.set(number, this.before.at(lane))
    return lane
  }

  /** Whether a lane that went was dropped. */
  wasDropped(lane: number): boolean {
    return this.dropped.at(lane) === 1
  }
}
