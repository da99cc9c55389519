import type { TodoItem, TodoStatus } from '../events/todo.ts'
import { type TodoChange, todoChanges } from './todo-changes.ts'

/** The whole todo list of one track after one event. */
export interface TodoSnapshot {
  /** The event's position among all events of the log. */
  readonly seq: number
  /** The file it stands in, as in `LinePosition`; absent for the main one. */
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

interface Entry {
  readonly snapshot: KeptSnapshot
  /** The snapshot before, of the same track. */
  readonly former: KeptSnapshot | undefined
}

/**
 * Every todo list of a log, whole, so that the state at any point is a lookup and not a replay.
 * Equal items are one object and a list that did not change is one array, so a long run of small changes stays small.
 */
export class TodoHistory {
  readonly #entries: Entry[] = []
  /** The snapshots of each track, oldest first; tracks in the order in which they appeared, main under undefined. */
  readonly #tracks = new Map<string | undefined, KeptSnapshot[]>()
  readonly #items = new Map<string, Map<TodoStatus, TodoItem>>()

  /** How many snapshots there are. */
  get length(): number {
    return this.#entries.length
  }

  /** Adds the snapshot of an event later than all before. */
  add(snapshot: TodoSnapshot): void {
    let track = this.#tracks.get(snapshot.trackId)
    if (track === undefined) this.#tracks.set(snapshot.trackId, (track = []))
    const former = track.at(-1)
    const items = snapshot.items.map((item) => this.#shared(item))
    const kept = {
      ...snapshot,
      index: this.#entries.length,
      items: former !== undefined && isSameList(former.items, items) ? former.items : items
    }
    track.push(kept)
    this.#entries.push({ snapshot: kept, former })
  }

  /** The snapshot at `index`, undefined where there is none. */
  at(index: number): KeptSnapshot | undefined {
    return this.#entries[index]?.snapshot
  }

  /** The snapshot before the one at `index`, of the same track; undefined for a track's first. */
  formerOf(index: number): KeptSnapshot | undefined {
    return this.#entries[index]?.former
  }

  /** What the snapshot at `index` changed against the one before of its track; a track's first added everything. */
  changes(index: number): TodoChange[] {
    const entry = this.#entries[index]
    return entry === undefined ? [] : todoChanges(entry.former?.items ?? [], entry.snapshot.items)
  }

  /** Index of the latest snapshot of a track (undefined: the main agent) at or before `seq`; -1 where there is none yet. */
  indexAt(seq: number, trackId?: string): number {
    return latestAt(this.#tracks.get(trackId) ?? [], seq)?.index ?? -1
  }

  /** The latest snapshot at or before `seq` of every track that has one: main first, then by first appearance. */
  tracksAt(seq: number): KeptSnapshot[] {
    const main = latestAt(this.#tracks.get(undefined) ?? [], seq)
    const latest = main === undefined ? [] : [main]
    for (const [trackId, track] of this.#tracks) {
      const snapshot = trackId === undefined ? undefined : latestAt(track, seq)
      if (snapshot !== undefined) latest.push(snapshot)
    }
    return latest
  }

  /** The one object for all items equal to `item`. */
  #shared(item: TodoItem): TodoItem {
    let sameText = this.#items.get(item.text)
    if (sameText === undefined) this.#items.set(item.text, (sameText = new Map()))
    let shared = sameText.get(item.status)
    if (shared === undefined) sameText.set(item.status, (shared = item))
    return shared
  }
}

/** Items are shared, so equal ones are the same. */
function isSameList(a: readonly TodoItem[], b: readonly TodoItem[]): boolean {
  return a.length === b.length && a.every((item, place) => item === b[place])
}

function latestAt(track: readonly KeptSnapshot[], seq: number): KeptSnapshot | undefined {
  let low = 0
  let high = track.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((track[middle]?.seq ?? Infinity) <= seq) low = middle + 1
    else high = middle
  }
  return track[low - 1]
}
