import { Column } from '../column.ts'
import { type TodoItem, todoStatuses } from '../events/todo.ts'
import { textHash } from '../formats/text-hash.ts'
import { GrowingList } from '../growing-list.ts'
import { HashNumbers } from '../hash-numbers.ts'
import { wellFormedHead } from '../index/one-line.ts'
import { type Numbers, NumberLists } from '../number-lists.ts'
import { editedItems } from './edited-items.ts'
import { placesByText } from './item-matches.ts'

const chunkBits = 10
/** A code is eight times the number of a text, plus a state. */
const stateBits = 3
const stateMask = (1 << stateBits) - 1
/** Above all numbers of texts. */
const textLimit = 2 ** 30

/** What a lane may be in: a status, or not in its list at all. */
export const laneStates = [...todoStatuses, 'absent'] as const
export type LaneState = (typeof laneStates)[number]
const absentState = laneStates.indexOf('absent')

/** Where an item stands in the run: its lane, and the snapshot from which on it has its status. */
export interface ItemPlace {
  readonly lane: number
  readonly since: number
}

/** An item that has another text than in the list before: its place in the list, and the text that it had. */
export interface EditedItem {
  readonly place: number
  readonly from: string
}

/** A stretch of all transitions, each of which puts a lane into a state, with a text; in the order of the snapshots that made them. */
export interface LaneTransitions {
  readonly snapshot: Uint32Array<ArrayBuffer>
  readonly lane: Uint32Array<ArrayBuffer>
  /** Indices in `laneStates`. */
  readonly state: Uint8Array<ArrayBuffer>
  /** Indices in `texts`. One that is absent keeps the text that it had. */
  readonly text: Uint32Array<ArrayBuffer>
  /**
   * Where the lane belongs among those of its track, so that they stand in the order of the lists: n after lane n - 1, -n before it, 0 after
   * all there were before.
   */
  readonly beside: Int32Array<ArrayBuffer>
  readonly texts: readonly string[]
}

/**
 * What became of each item over a run: one lane for each item of each track, numbered as they appear. Which item of a list is which one
 * of the list before, of the same track:
 *
 * 1. the one with the same text; equal texts in their order;
 * 2. else an item that was in a list of the track once, had this text when it went, and is in none since: it comes back. Of several the
 *    one that went last, of those that went together the first;
 * 3. else one that went from the same place while this one came, by the rule of `editedItems`: its text was edited;
 * 4. else none: it is a new item, and what is left of the list before is absent from here on.
 *
 * Only transitions are kept (an item comes, goes, changes its status or its text), 12 bytes each, and lists as what changed in them: a
 * snapshot costs about 30 bytes and what it changed.
 */
export class TodoLanes {
  private readonly texts = new GrowingList<string>()
  private readonly hashes = new HashNumbers(chunkBits)
  /** By number of a hash: that of its text. */
  private readonly textOfHash = new Column('uint32', chunkBits)
  /** By transition: its lane, the text and state that it brings, and the snapshot from which on the lane has that state. */
  private readonly lanes = new Column('uint32', chunkBits)
  private readonly codes = new Column('uint32', chunkBits)
  private readonly since = new Column('uint32', chunkBits)
  /** By snapshot: how many transitions there are with its own, and its list of transitions, one for each item. */
  private readonly ends = new Column('uint32', chunkBits)
  private readonly listNumbers = new Column('uint32', chunkBits)
  private readonly lists = new NumberLists()
  /** Absent lanes by track and text; by number of those the lane that went last, plus one. */
  private readonly gone = new HashNumbers(chunkBits)
  private readonly goneLast = new Column('uint32', chunkBits)
  /** By lane: of an absent one the lane of the same text that went before it, plus one. */
  private readonly goneBefore = new Column('uint32', chunkBits)
  /** By lane: as in `LaneTransitions`. */
  private readonly beside = new Column('int32', chunkBits)
  /** By lane: its first transition. */
  private readonly firsts = new Column('uint32', chunkBits)

  /** How many lanes there are. */
  get count(): number {
    return this.goneBefore.length
  }

  /** How many transitions all snapshots made. */
  get transitions(): number {
    return this.lanes.length
  }

  /** Adds the next snapshot. `former`: the one before of the same track, -1 for its first. `track`: the number of its track. */
  add(items: readonly TodoItem[], former: number, track: number): void {
    const snapshot = this.ends.length
    const formerList = former < 0 ? -1 : this.listNumbers.at(former)
    const before = this.lists.at(formerList)
    const origins = this.originsOf(items, before, track)
    this.sendAway(before, origins, snapshot, track)
    const list: number[] = []
    for (const [place, item] of items.entries()) {
      const from = origins.places[place] ?? -1
      if (from >= 0) list.push(this.stayed(item, before[from] ?? 0, snapshot))
      else {
        const lane = origins.returned.get(place) ?? this.newLane(this.besideOf(place, list, origins, before))
        list.push(this.push(lane, codeOf(this.numberOf(item.text), item), snapshot))
      }
    }
    this.ends.push(this.lanes.length)
    this.listNumbers.push(this.lists.add(list, formerList))
  }

  /** The list of a snapshot. */
  itemsAt(snapshot: number): TodoItem[] {
    return this.listOf(snapshot).map((transition) => {
      const code = this.codes.at(transition)
      return { text: this.texts.at(code >>> stateBits) ?? '', status: todoStatuses[code & stateMask] ?? 'pending' }
    })
  }

  /** Where the items of a snapshot stand in the run, in the order of the list. */
  placesAt(snapshot: number): ItemPlace[] {
    return this.listOf(snapshot).map((transition) => ({
      lane: this.lanes.at(transition),
      since: this.since.at(transition)
    }))
  }

  /** The items whose texts a snapshot edited. `former` as in `add`. */
  editsOf(snapshot: number, former: number): EditedItem[] {
    if (former < 0 || this.isSameList(snapshot, former)) return []
    const start = this.endBefore(snapshot)
    const list = this.listOf(snapshot)
    if (!list.some((transition) => transition >= start)) return []
    const before = new Map(
      this.listOf(former).map((transition) => [this.lanes.at(transition), this.textOf(transition)])
    )
    const edits: EditedItem[] = []
    for (const [place, transition] of list.entries()) {
      const from = transition < start ? undefined : before.get(this.lanes.at(transition))
      if (from !== undefined && from !== this.textOf(transition)) edits.push({ place, from: this.texts.at(from) ?? '' })
    }
    return edits
  }

  /** The places of the items that a snapshot brought back, which the list before had not. `former` as in `add`. */
  returnsOf(snapshot: number, former: number): number[] {
    const start = this.endBefore(snapshot)
    const list = this.listOf(snapshot)
    const isOld = (transition: number) => this.firsts.at(this.lanes.at(transition)) < start
    if (former < 0 || !list.some((transition) => transition >= start && isOld(transition))) return []
    const before = new Set(this.listOf(former).map((transition) => this.lanes.at(transition)))
    return [...list.keys()].filter((place) => {
      const transition = list[place] ?? 0
      return transition >= start && isOld(transition) && !before.has(this.lanes.at(transition))
    })
  }

  /** Whether two snapshots have the same list: each item the same one, in the same place, of the same status and text. */
  isSameList(one: number, other: number): boolean {
    return this.listNumbers.at(one) === this.listNumbers.at(other)
  }

  /**
   * At most `count` transitions from the one of number `from` on, fewer where there are no more, or where their texts, each cut at `longest`
   * characters, would have more than `room` together; at least one where there is any.
   */
  transitionsFrom(from: number, count: number, room = Infinity, longest = Infinity): LaneTransitions {
    const texts: string[] = []
    const numbers = new Map<number, number>()
    const codes: number[] = []
    let left = room
    for (let at = from; at < Math.min(from + count, this.transitions); at++) {
      const number = this.textOf(at)
      if (!numbers.has(number)) {
        const text = wellFormedHead(this.texts.at(number) ?? '', longest)
        left -= text.length
        if (left < 0 && at > from) break
        numbers.set(number, texts.push(text) - 1)
      }
      codes.push(this.codes.at(at))
    }
    const lane = new Uint32Array(this.lanes.slice(Math.min(from, this.transitions), codes.length))
    return {
      snapshot: this.snapshotsOf(from, codes.length),
      lane,
      beside: Int32Array.from(lane, (each) => this.beside.at(each)),
      state: Uint8Array.from(codes, (code) => code & stateMask),
      text: Uint32Array.from(codes, (code) => numbers.get(code >>> stateBits) ?? 0),
      texts
    }
  }

  /** By which snapshots `count` transitions from `from` on were made. */
  private snapshotsOf(from: number, count: number): Uint32Array<ArrayBuffer> {
    let low = 0
    let high = this.ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.ends.at(middle) <= from) low = middle + 1
      else high = middle
    }
    const snapshots = new Uint32Array(count)
    for (let i = 0, snapshot = low; i < count; i++) {
      while (this.ends.at(snapshot) <= from + i) snapshot++
      snapshots[i] = snapshot
    }
    return snapshots
  }

  private originsOf(items: readonly TodoItem[], before: Numbers, track: number): Origins {
    const texts = before.map((transition) => this.texts.at(this.textOf(transition)) ?? '')
    const places = placesByText(
      texts,
      items.map(({ text }) => text)
    )
    const returned = new Map<number, number>()
    const wanted: number[] = []
    for (const [place, from] of places.entries()) {
      if (from >= 0) continue
      const lane = this.takeBack(items[place]?.text ?? '', track)
      if (lane >= 0) returned.set(place, lane)
      else wanted.push(place)
    }
    if (wanted.length === 0 || before.length === 0) return { places, returned }
    const former = texts.map((text, place) => ({ text, status: this.statusOf(before[place] ?? 0) }))
    const edited = editedItems(former, items, places, wanted)
    for (const place of wanted) places[place] = edited[place] ?? -1
    return { places, returned }
  }

  /** What of the list before is no item of this one goes. */
  private sendAway(before: Numbers, { places }: Origins, snapshot: number, track: number): void {
    const stayed = new Uint8Array(before.length)
    for (const from of places) if (from >= 0) stayed[from] = 1
    const went = before.filter((_, place) => stayed[place] === 0)
    for (const transition of went) {
      this.push(this.lanes.at(transition), (this.textOf(transition) << stateBits) | absentState, snapshot)
    }
    // The last one first, so that the first is the first to come back.
    for (const transition of went.toReversed()) this.remember(this.lanes.at(transition), this.textOf(transition), track)
  }

  /** The transition in force of an item that was in the list before: `former`, the one in force there, where nothing changed. */
  private stayed(item: TodoItem, former: number, snapshot: number): number {
    const text = this.textOf(former)
    const code = codeOf(this.texts.at(text) === item.text ? text : this.numberOf(item.text), item)
    if (code === this.codes.at(former)) return former
    const hasStatus = this.statusOf(former) === item.status
    return this.push(this.lanes.at(former), code, hasStatus ? this.since.at(former) : snapshot)
  }

  private newLane(beside: number): number {
    this.beside.push(beside)
    this.firsts.push(this.lanes.length)
    this.goneBefore.push(0)
    return this.count - 1
  }

  /** Where a new item belongs: after the one before it in its list, else before the next that was there before. `list`: those before it. */
  private besideOf(place: number, list: Numbers, { places, returned }: Origins, before: Numbers): number {
    const former = list[place - 1]
    if (former !== undefined) return this.lanes.at(former) + 1
    for (const [next, from] of places.entries()) {
      const lane = from >= 0 ? this.lanes.at(before[from] ?? 0) : (returned.get(next) ?? -1)
      if (lane >= 0) return -lane - 1
    }
    return 0
  }

  private push(lane: number, code: number, since: number): number {
    this.lanes.push(lane)
    this.codes.push(code)
    this.since.push(since)
    return this.lanes.length - 1
  }

  /** The number of a text, which has one from here on. */
  private numberOf(text: string): number {
    const hash = textHash(text)
    const known = this.knownNumberOf(text, hash)
    if (known >= 0) return known
    const number = this.texts.length
    this.texts.push(text)
    // Where another text has the hash, or there is no room for it, the text is kept as often as it comes.
    if ((this.hashes.add(hash) ?? -1) >= 0) this.textOfHash.push(number)
    return number
  }

  private knownNumberOf(text: string, hash: number): number {
    const known = this.hashes.numberOf(hash)
    const number = known < 0 ? -1 : this.textOfHash.at(known)
    return number >= 0 && this.texts.at(number) === text ? number : -1
  }

  private remember(lane: number, text: number, track: number): void {
    const key = track * textLimit + text
    if ((this.gone.add(key) ?? -1) >= 0) this.goneLast.push(0)
    const number = this.gone.numberOf(key)
    if (number < 0) return
    this.goneBefore.set(lane, this.goneLast.at(number))
    this.goneLast.set(number, lane + 1)
  }

  /** An absent lane of that text, which is no longer absent; -1 where there is none. */
  private takeBack(text: string, track: number): number {
    const known = this.knownNumberOf(text, textHash(text))
    const number = known < 0 ? -1 : this.gone.numberOf(track * textLimit + known)
    const lane = number < 0 ? -1 : this.goneLast.at(number) - 1
    if (lane >= 0) this.goneLast.set(number, this.goneBefore.at(lane))
    return lane
  }

  private textOf(transition: number): number {
    return this.codes.at(transition) >>> stateBits
  }

  private statusOf(transition: number): TodoItem['status'] {
    return todoStatuses[this.codes.at(transition) & stateMask] ?? 'pending'
  }

  private listOf(snapshot: number): Numbers {
    return this.lists.at(this.listNumbers.at(snapshot))
  }

  private endBefore(snapshot: number): number {
    return snapshot === 0 ? 0 : this.ends.at(snapshot - 1)
  }
}

/** What the items of a list were before. */
interface Origins {
  /** For each the place in the list before, -1 where it was not in it. */
  readonly places: number[]
  /** By place those that were absent, and their lanes. */
  readonly returned: ReadonlyMap<number, number>
}

function codeOf(text: number, { status }: TodoItem): number {
  return (text << stateBits) | todoStatuses.indexOf(status)
}
