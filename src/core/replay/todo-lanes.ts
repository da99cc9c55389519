import { Column } from '../column.ts'
import { type TodoItem, todoStatuses } from '../events/todo.ts'
import { wellFormedHead } from '../index/one-line.ts'
import { type Numbers, NumberLists } from '../number-lists.ts'
import { SparseNumbers } from '../sparse-numbers.ts'
import { editedItems, isFinished } from './edited-items.ts'
import { GoneLanes } from './gone-lanes.ts'
import { placesByText } from './item-matches.ts'
import { ItemTexts } from './item-texts.ts'

const chunkBits = 10
/** A code is eight times the number of a text plus a state. */
const stateBits = 3
const stateMask = (1 << stateBits) - 1

/** A status; `absent`: not in the list; `dropped`: removed unfinished. */
export const laneStates = [...todoStatuses, 'absent', 'dropped'] as const
export type LaneState = (typeof laneStates)[number]
const absentState = laneStates.indexOf('absent')
const droppedState = laneStates.indexOf('dropped')

/** Whether a lane is in no list. */
export function isAway(state: LaneState): state is 'absent' | 'dropped' {
  return state === 'absent' || state === 'dropped'
}

/** An item's lane, and the snapshot that set its status. */
export interface ItemPlace {
  readonly lane: number
  readonly since: number
  /** Of a completed item: the snapshot that set it in progress; undefined if none did. */
  readonly begun: number | undefined
}

/** An edited item: its place in the list and its former text. */
export interface EditedItem {
  readonly place: number
  readonly from: string
}

/** A range of transitions in snapshot order. Each sets the state and text of a lane. */
export interface LaneTransitions {
  readonly snapshot: Uint32Array<ArrayBuffer>
  readonly lane: Uint32Array<ArrayBuffer>
  /** Indices in `laneStates`. */
  readonly state: Uint8Array<ArrayBuffer>
  /** Indices in `texts`. An absent lane keeps its text. */
  readonly text: Uint32Array<ArrayBuffer>
  /** The lane's order in its track: n after lane n - 1, -n before it, 0 after all existing ones. */
  readonly beside: Int32Array<ArrayBuffer>
  readonly texts: readonly string[]
}

/**
 * The history of each item: one lane for each item of each track, numbered in order of appearance. An item of a list is
 * matched, within its track, to
 *
 * 1. the previous list's item with the same text; equal texts in order;
 * 2. else an item removed from an earlier list with this text: it returns. The last removed wins; of items removed
 * together the first;
 * 3. else an item removed from the same place (`editedItems`): its text was edited;
 * 4. else none: it is new. Unmatched items of the previous list are absent, or dropped if pending or in progress.
 *
 * Stores only transitions (an item is added, removed, or changes its status or text): 12 bytes each, up to 20 for
 * completed items. Lists are stored as differences: a snapshot costs about 30 bytes and its changes.
 */
export class TodoLanes {
  private readonly itemTexts = new ItemTexts()
  /** By transition: its lane, its text and state, and the snapshot that set the state. */
  private readonly lanes = new Column('uint32', chunkBits)
  private readonly codes = new Column('uint32', chunkBits)
  private readonly since = new Column('uint32', chunkBits)
  /** By transition to completed: as in `ItemPlace`. */
  private readonly begun = new SparseNumbers('uint32')
  /** By snapshot: the number of transitions up to and including it, and its list of transitions, one for each item. */
  private readonly ends = new Column('uint32', chunkBits)
  private readonly listNumbers = new Column('uint32', chunkBits)
  private readonly lists = new NumberLists()
  private readonly gone = new GoneLanes()
  /** By lane: as in `LaneTransitions`. */
  private readonly beside = new Column('int32', chunkBits)
  /** By lane: its first transition. */
  private readonly firsts = new Column('uint32', chunkBits)

  /** Number of lanes. */
  get count(): number {
    return this.gone.lanes
  }

  /** Number of transitions. */
  get transitions(): number {
    return this.lanes.length
  }

  /**
   * Adds the next snapshot. `former`: the previous one of its track, -1 for the first. `track`: its number. Returns the
   * change in the number of dropped items of the track.
   */
  add(items: readonly TodoItem[], former: number, track: number): number {
    const snapshot = this.ends.length
    const formerList = former < 0 ? -1 : this.listNumbers.at(former)
    const before = this.lists.at(formerList)
    const origins = this.originsOf(items, before, track)
    const dropped = this.removeUnmatched(before, origins, snapshot, track)
    const back = [...origins.returned.values()].filter((lane) => this.gone.wasDropped(lane)).length
    const list: number[] = []
    for (const [place, item] of items.entries()) {
      const from = origins.places[place] ?? -1
      if (from >= 0) list.push(this.kept(item, before[from] ?? 0, snapshot))
      else {
        const lane = origins.returned.get(place) ?? this.newLane(this.besideOf(place, list, origins, before))
        list.push(this.push(lane, codeOf(this.itemTexts.numberOf(item.text), item), snapshot))
      }
    }
    this.ends.push(this.lanes.length)
    this.listNumbers.push(this.lists.add(list, formerList))
    return dropped - back
  }

  itemsAt(snapshot: number): TodoItem[] {
    return this.listOf(snapshot).map((transition) => {
      const code = this.codes.at(transition)
      return { text: this.itemTexts.at(code >>> stateBits), status: todoStatuses[code & stateMask] ?? 'pending' }
    })
  }

  /** The places of a snapshot's items, in list order. */
  placesAt(snapshot: number): ItemPlace[] {
    return this.listOf(snapshot).map((transition) => ({
      lane: this.lanes.at(transition),
      since: this.since.at(transition),
      begun: this.begun.at(transition)
    }))
  }

  /** The items that a snapshot edited. `former` as in `add`. */
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
      if (from !== undefined && from !== this.textOf(transition)) edits.push({ place, from: this.itemTexts.at(from) })
    }
    return edits
  }

  /** The places of the items that returned in a snapshot. `former` as in `add`. */
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

  /** The places in the previous list of the items that a snapshot dropped. `former` as in `add`. */
  dropsOf(snapshot: number, former: number): Set<number> {
    const dropped = new Set<number>()
    for (let at = this.endBefore(snapshot); at < this.ends.at(snapshot); at++) {
      if (this.stateOf(at) === droppedState) dropped.add(this.lanes.at(at))
    }
    if (former < 0 || dropped.size === 0) return new Set()
    const before = this.listOf(former)
    return new Set([...before.keys()].filter((place) => dropped.has(this.lanes.at(before[place] ?? 0))))
  }

  /** The texts of a track's dropped items after `snapshots`, all of the track's so far; in order of removal. */
  droppedAfter(snapshots: Iterable<number>): string[] {
    const texts = new Map<number, number>()
    for (const snapshot of snapshots) {
      for (let at = this.endBefore(snapshot); at < this.ends.at(snapshot); at++) {
        const lane = this.lanes.at(at)
        if (this.stateOf(at) === droppedState) texts.set(lane, this.textOf(at))
        else texts.delete(lane)
      }
    }
    return [...texts.values()].map((text) => this.itemTexts.at(text))
  }

  /** Whether two snapshots have equal items, places, statuses and texts. */
  private isSameList(one: number, other: number): boolean {
    return this.listNumbers.at(one) === this.listNumbers.at(other)
  }

  /**
   * At most `count` transitions from number `from` on. Stops before their texts, each cut at `maxTextLength`
   * characters, exceed `maxChars` together; returns at least one if there is any.
   */
  transitionsFrom(from: number, count: number, maxChars = Infinity, maxTextLength = Infinity): LaneTransitions {
    const texts: string[] = []
    const numbers = new Map<number, number>()
    const codes: number[] = []
    let left = maxChars
    for (let at = from; at < Math.min(from + count, this.transitions); at++) {
      const number = this.textOf(at)
      if (!numbers.has(number)) {
        const text = wellFormedHead(this.itemTexts.at(number), maxTextLength)
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

  /** All transitions: as in `LaneTransitions`, with numbers of texts for `textAt`. */
  get columns(): Pick<LaneTransitions, 'snapshot' | 'lane' | 'state' | 'text'> {
    const { transitions } = this
    const text = this.codes.copy(0, new Uint32Array(transitions))
    const state = new Uint8Array(transitions)
    for (let at = 0; at < transitions; at++) {
      const code = text[at] ?? 0
      state[at] = code & stateMask
      text[at] = code >>> stateBits
    }
    const lane = this.lanes.copy(0, new Uint32Array(transitions))
    return { snapshot: this.snapshotsOf(0, transitions), lane, state, text }
  }

  /** The number of texts that items have had. */
  get texts(): number {
    return this.itemTexts.length
  }

  textAt(number: number): string {
    return this.itemTexts.at(number)
  }

  /** The snapshots of `count` transitions from `from` on. */
  private snapshotsOf(from: number, count: number): Uint32Array<ArrayBuffer> {
    const snapshots = new Uint32Array(count)
    for (let i = 0, snapshot = this.ends.firstFrom(from + 1); i < count; i++) {
      while (this.ends.at(snapshot) <= from + i) snapshot++
      snapshots[i] = snapshot
    }
    return snapshots
  }

  private originsOf(items: readonly TodoItem[], before: Numbers, track: number): Origins {
    const texts = before.map((transition) => this.itemTexts.at(this.textOf(transition)))
    const places = placesByText(
      texts,
      items.map(({ text }) => text)
    )
    const returned = new Map<number, number>()
    const wanted: number[] = []
    for (const [place, from] of places.entries()) {
      if (from >= 0) continue
      const lane = this.restoredLane(items[place]?.text ?? '', track)
      if (lane >= 0) returned.set(place, lane)
      else wanted.push(place)
    }
    if (wanted.length === 0 || before.length === 0) return { places, returned }
    const former = texts.map((text, place) => ({ text, status: this.statusOf(before[place] ?? 0) }))
    const edited = editedItems(former, items, places, wanted)
    for (const place of wanted) places[place] = edited[place] ?? -1
    return { places, returned }
  }

  /** Removes the unmatched items of the previous list. Returns how many of them are dropped. */
  private removeUnmatched(before: Numbers, { places }: Origins, snapshot: number, track: number): number {
    const matched = new Uint8Array(before.length)
    for (const from of places) if (from >= 0) matched[from] = 1
    const removed = before.filter((_, place) => matched[place] === 0)
    const isDropped = (transition: number) => !isFinished({ status: this.statusOf(transition) })
    for (const transition of removed) {
      const state = isDropped(transition) ? droppedState : absentState
      this.push(this.lanes.at(transition), (this.textOf(transition) << stateBits) | state, snapshot)
    }
    // Reversed, so the first item returns first.
    for (const transition of removed.toReversed()) {
      this.gone.remove(this.lanes.at(transition), track, this.textOf(transition), isDropped(transition))
    }
    return removed.filter(isDropped).length
  }

  /** The current transition of a matched item: `former` if nothing changed. */
  private kept(item: TodoItem, former: number, snapshot: number): number {
    const text = this.textOf(former)
    const code = codeOf(this.itemTexts.at(text) === item.text ? text : this.itemTexts.numberOf(item.text), item)
    if (code === this.codes.at(former)) return former
    const before = this.statusOf(former)
    const since = this.since.at(former)
    const at = this.push(this.lanes.at(former), code, before === item.status ? since : snapshot)
    const begun = before === 'in_progress' ? since : this.begun.at(former)
    if (item.status === 'completed' && begun !== undefined) this.begun.set(at, begun)
    return at
  }

  private newLane(beside: number): number {
    this.beside.push(beside)
    this.firsts.push(this.lanes.length)
    return this.gone.newLane()
  }

  /** As `beside`: after the predecessor in the list, else before the next known item. `list`: predecessors. */
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

  /** Takes an absent lane of that text; -1 if there is none. */
  private restoredLane(text: string, track: number): number {
    const known = this.itemTexts.known(text)
    return known < 0 ? -1 : this.gone.restore(track, known)
  }

  private textOf(transition: number): number {
    return this.codes.at(transition) >>> stateBits
  }

  private statusOf(transition: number): TodoItem['status'] {
    return todoStatuses[this.stateOf(transition)] ?? 'pending'
  }

  /** An index in `laneStates`. */
  private stateOf(transition: number): number {
    return this.codes.at(transition) & stateMask
  }

  private listOf(snapshot: number): Numbers {
    return this.lists.at(this.listNumbers.at(snapshot))
  }

  private endBefore(snapshot: number): number {
    return snapshot === 0 ? 0 : this.ends.at(snapshot - 1)
  }
}

/** The origins of a list's items. */
interface Origins {
  /** By item: the place in the previous list, or -1. */
  readonly places: number[]
  /** By place: the lane of an item that returns. */
  readonly returned: ReadonlyMap<number, number>
}

function codeOf(text: number, { status }: TodoItem): number {
  return (text << stateBits) | todoStatuses.indexOf(status)
}
