import { sameTodoItems, type TodoItem } from '../events/todo.ts'
import { Column } from '../column.ts'
import { GrowingList } from '../growing-list.ts'
import { TextTuples } from '../text-tuples.ts'
import { type TodoChange, todoChanges } from './todo-changes.ts'
import { type EditedItem, TodoLanes } from './todo-lanes.ts'

/** The whole todo list of one track after one event. */
export interface TodoSnapshot {
  /** The number of the event in the log. */
  readonly seq: number
  /** Its file, as in `LinePosition`; absent for the main one. */
  readonly file?: string
  /** 1-based line of the event. */
  readonly line: number
  /** Milliseconds since the Unix epoch. */
  readonly timestamp: number
  readonly agentId: string
  /** Absent for the main agent. */
  readonly trackId?: string
  readonly todoId: string
  readonly items: readonly TodoItem[]
}

/** A snapshot in its history. */
export interface KeptSnapshot extends TodoSnapshot {
  /** 0-based position among all snapshots of the log. */
  readonly index: number
}

/** The earlier history of a list's items, from `TodoLanes`. Arrays are parallel to the items. */
export interface ItemsInRun {
  /** The lane of each. */
  readonly lanes: readonly number[]
  /** The event that set each status, and its time in ms since the Unix epoch. */
  readonly sinceSeq: readonly number[]
  readonly since: readonly number[]
  /** Time in progress of each completed item, in ms; null if unknown. */
  readonly tookMs: readonly (number | null)[]
  /** The items that this list edited. */
  readonly edited: readonly EditedItem[]
  /** The places of items that return: in an earlier list, but not in the previous one. */
  readonly returned: readonly number[]
}

/** Snapshots in order: their seq, completed and total items (at most 65535), and dropped items. */
export interface TodoProgressSlice {
  /** Int32. */
  readonly seq: ArrayBuffer
  /** Uint16, both. */
  readonly completed: ArrayBuffer
  readonly total: ArrayBuffer
  /** Uint32. */
  readonly dropped: ArrayBuffer
}

/** Small chunks: a log has fewer snapshots than rows. */
const chunkBits = 10
/** For subagents, which may be many. */
const trackChunkBits = 4
const countLimit = 0xffff

/**
 * All todo lists of a log, so the state at any point is a lookup, not a replay. An unchanged list is stored once,
 * another as its changes: about 130 bytes a snapshot, and new texts. An update that changes nothing makes no snapshot.
 */
export class TodoHistory {
  /** The items over the run, with the same snapshot numbers. */
  readonly lanes = new TodoLanes()
  private readonly seqs = new Column('int32', chunkBits)
  private readonly lines = new Column('uint32', chunkBits)
  private readonly times = new Column('float64', chunkBits)
  /** Index of the track's previous snapshot; -1 for its first. */
  private readonly formers = new Column('int32', chunkBits)
  private readonly completed = new Column('uint16', chunkBits)
  private readonly totals = new Column('uint16', chunkBits)
  /** Items of the track that are dropped: removed unfinished, and not returned. */
  private readonly dropped = new Column('uint32', chunkBits)
  /** Numbers in `owners`. */
  private readonly ownerNumbers = new Column('uint32', chunkBits)
  private readonly todoIds = new GrowingList<string>()
  /** Agent, track and file. */
  private readonly owners = new TextTuples()
  /** By track id in order of appearance; undefined for the main agent. */
  private readonly tracks = new Map<string | undefined, Track>()

  /** Number of snapshots. */
  get length(): number {
    return this.seqs.length
  }

  /** Adds the list of a later event. Returns the snapshot's index; -1 if the list of the track is unchanged. */
  add({ seq, file, line, timestamp, agentId, trackId, todoId, items }: TodoSnapshot): number {
    const index = this.length
    let track = this.tracks.get(trackId)
    if (track !== undefined && sameTodoItems(this.lanes.itemsAt(lastOf(track)), items)) return -1
    if (track === undefined) {
      const snapshots = new Column('uint32', trackId === undefined ? chunkBits : trackChunkBits)
      track = { number: this.tracks.size, snapshots }
      this.tracks.set(trackId, track)
    }
    const { number, snapshots } = track
    const former = snapshots.length === 0 ? -1 : lastOf(track)
    snapshots.push(index)
    this.formers.push(former)
    this.seqs.push(seq)
    this.lines.push(line)
    this.times.push(timestamp)
    this.todoIds.push(todoId)
    this.ownerNumbers.push(this.owners.numberOf(agentId, trackId, file))
    const dropped = this.lanes.add(items, former, number)
    this.dropped.push(former < 0 ? dropped : this.dropped.at(former) + dropped)
    let completed = 0
    for (const { status } of items) if (status === 'completed') completed++
    this.completed.push(Math.min(countLimit, completed))
    this.totals.push(Math.min(countLimit, items.length))
    return index
  }

  /** The snapshot at `index`; undefined if there is none. */
  at(index: number): KeptSnapshot | undefined {
    if (!(index >= 0 && index < this.length)) return undefined
    const [agentId = '', trackId, file] = this.owners.at(this.ownerNumbers.at(index))
    return {
      index,
      seq: this.seqs.at(index),
      ...(file === undefined ? undefined : { file }),
      line: this.lines.at(index),
      timestamp: this.times.at(index),
      agentId,
      ...(trackId === undefined ? undefined : { trackId }),
      todoId: this.todoIds.at(index) ?? '',
      items: this.lanes.itemsAt(index)
    }
  }

  /** The previous snapshot of the same track; undefined for its first. */
  formerOf(index: number): KeptSnapshot | undefined {
    return index >= 0 && index < this.length ? this.at(this.formers.at(index)) : undefined
  }

  /** The changes since the previous snapshot of its track; the first one adds everything. */
  changes(index: number): TodoChange[] {
    if (!(index >= 0 && index < this.length)) return []
    const former = this.formers.at(index)
    if (former < 0) return todoChanges([], this.lanes.itemsAt(index))
    const { lanes } = this
    return todoChanges(lanes.itemsAt(former), lanes.itemsAt(index), lanes.dropsOf(index, former))
  }

  /** The number of dropped items of its track after the snapshot at `index`, which must exist. */
  droppedAt(index: number): number {
    return this.dropped.at(index)
  }

  /** The texts of those items, in order of removal. */
  droppedItems(index: number): string[] {
    if (this.droppedAt(index) === 0) return []
    const [, trackId] = this.owners.at(this.ownerNumbers.at(index))
    const { snapshots } = this.tracks.get(trackId) ?? {}
    const soFar: number[] = []
    for (let i = 0; i < (snapshots?.length ?? 0); i++) {
      const snapshot = snapshots?.at(i) ?? Infinity
      if (snapshot <= index) soFar.push(snapshot)
    }
    return this.lanes.droppedAfter(soFar)
  }

  /** The earlier history of the items of the snapshot at `index`, which must exist. */
  itemsInRun(index: number): ItemsInRun {
    const places = this.lanes.placesAt(index)
    return {
      lanes: places.map(({ lane }) => lane),
      sinceSeq: places.map(({ since }) => this.seqs.at(since)),
      since: places.map(({ since }) => this.times.at(since)),
      tookMs: places.map(({ begun, since }) => (begun === undefined ? null : this.timeBetween(begun, since))),
      edited: this.lanes.editsOf(index, this.formers.at(index)),
      returned: this.lanes.returnsOf(index, this.formers.at(index))
    }
  }

  /** In ms; null if a time is unknown or does not increase. */
  private timeBetween(begun: number, ended: number): number | null {
    const [from, to] = [this.times.at(begun), this.times.at(ended)]
    return from === 0 || !(to > from) ? null : to - from
  }

  /** Seq of the snapshot at `index`, which must be below `length`. */
  seqOf(index: number): number {
    return this.seqs.at(index)
  }

  /** Index of the latest snapshot of a track (undefined: the main agent) at or before `seq`; -1 if there is none. */
  indexAt(seq: number, trackId?: string): number {
    const track = this.tracks.get(trackId)
    return track === undefined ? -1 : this.latestAt(track.snapshots, seq)
  }

  /** The latest snapshot of every track at or before `seq`: main first, then in order of appearance. */
  tracksAt(seq: number): KeptSnapshot[] {
    const main = this.at(this.indexAt(seq))
    const latest = main === undefined ? [] : [main]
    for (const [trackId, track] of this.tracks) {
      const snapshot = trackId === undefined ? undefined : this.at(this.latestAt(track.snapshots, seq))
      if (snapshot !== undefined) latest.push(snapshot)
    }
    return latest
  }

  /** Copies the progress of snapshots `from` … `from + count`, which must exist. */
  progress(from: number, count: number): TodoProgressSlice {
    return {
      seq: this.seqs.slice(from, count),
      completed: this.completed.slice(from, count),
      total: this.totals.slice(from, count),
      dropped: this.dropped.slice(from, count)
    }
  }

  private latestAt(snapshots: Column, seq: number): number {
    let low = 0
    let high = snapshots.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.seqs.at(snapshots.at(middle)) <= seq) low = middle + 1
      else high = middle
    }
    return low === 0 ? -1 : snapshots.at(low - 1)
  }
}

/** `snapshots`: of a track, oldest first. */
interface Track {
  /** From 0, in order of appearance. */
  readonly number: number
  readonly snapshots: Column
}

function lastOf({ snapshots }: Track): number {
  return snapshots.at(snapshots.length - 1)
}
