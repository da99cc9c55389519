import type { Result, TodoSnapshot } from '#contract/methods.ts'
import { firstWhere } from '#core/first-where.ts'
import { grown } from './grown.ts'
import { Listeners } from './listeners.ts'
import { type FetchLanes, TodoLanes } from './todo-lanes.ts'
import { type FetchTodos, TodoLists } from './todo-lists.ts'

type TodoColumnsPage = Result<'log.todoColumns'>

/** Place and progress of each todo snapshot, and its list on demand. */
export class TodoSnapshots {
  readonly changes = new Listeners()
  /** The history of each item, loaded on demand. */
  readonly lanes: TodoLanes
  count = 0
  readonly #lists: TodoLists
  #seq = new Int32Array(64)
  #row = new Int32Array(64)
  #track = new Uint16Array(64)
  #completed = new Uint16Array(64)
  #total = new Uint16Array(64)
  #dropped = new Uint32Array(64)
  /** The indices of each track's snapshots, ascending. */
  readonly #ofTrack = new Map<number, number[]>()

  constructor(fetch: FetchTodos, fetchLanes: FetchLanes) {
    this.lanes = new TodoLanes(fetchLanes, (snapshot) => this.trackAt(snapshot))
    this.#lists = new TodoLists(fetch, () => this.changes.notify())
  }

  /** The read error of the lists; null for none. */
  get error(): string | null {
    return this.#lists.error
  }

  /** Adds a page of `log.todoColumns`. False if it does not start at `count`. */
  append(page: TodoColumnsPage): boolean {
    if (page.from !== this.count || page.count === 0) return false
    this.#reserve(this.count + page.count)
    this.#seq.set(new Int32Array(page.seq, 0, page.count), page.from)
    this.#row.set(new Int32Array(page.row, 0, page.count), page.from)
    this.#track.set(new Uint16Array(page.track, 0, page.count), page.from)
    this.#completed.set(new Uint16Array(page.completed, 0, page.count), page.from)
    this.#total.set(new Uint16Array(page.total, 0, page.count), page.from)
    this.#dropped.set(new Uint32Array(page.dropped, 0, page.count), page.from)
    this.count += page.count
    for (let index = page.from; index < this.count; index++) {
      const track = this.trackAt(index)
      const indices = this.#ofTrack.get(track)
      if (indices === undefined) this.#ofTrack.set(track, [index])
      else indices.push(index)
    }
    this.#lists.extend(this.count)
    this.lanes.extend(this.count)
    this.changes.notify()
    return true
  }

  /** Removes the snapshots from `count` on. */
  truncate(count: number): void {
    if (count >= this.count) return
    for (let index = this.count - 1; index >= count; index--) this.#ofTrack.get(this.trackAt(index))?.pop()
    this.count = count
    this.#lists.truncate(count)
    this.lanes.truncate(count)
    this.changes.notify()
  }

  /** Lists from `settled` on may be taken back by the host. */
  settle(settled: number): void {
    this.#lists.settle(settled)
  }

  seqAt(index: number): number {
    return this.#seq[index] ?? -1
  }
  rowAt(index: number): number {
    return this.#row[index] ?? -1
  }
  trackAt(index: number): number {
    return this.#track[index] ?? 0
  }
  completedAt(index: number): number {
    return this.#completed[index] ?? 0
  }
  totalAt(index: number): number {
    return this.#total[index] ?? 0
  }
  /** Number of dropped items of the track so far. */
  droppedAt(index: number): number {
    return this.#dropped[index] ?? 0
  }

  /** The snapshot in force after event `seq`: of `track`, or the latest of any. -1 for none. */
  indexAt(seq: number, track?: number): number {
    if (track === undefined) return lastAtOrBefore(this.count, (index) => this.seqAt(index), seq)
    const indices = this.#ofTrack.get(track) ?? []
    return indices[lastAtOrBefore(indices.length, (position) => this.seqAt(indices[position] ?? 0), seq)] ?? -1
  }

  /** The list of snapshot `index`. A missing one is requested; `changes` notifies when it is loaded. */
  snapshot(index: number): TodoSnapshot | undefined {
    return index < 0 || index >= this.count ? undefined : this.#lists.get(index)
  }

  /** Loads again after an error. */
  retry(): void {
    this.#lists.retry()
    this.changes.notify()
  }

  #reserve(count: number): void {
    if (count <= this.#seq.length) return
    const capacity = Math.max(count, this.#seq.length * 2)
    this.#seq = grown(this.#seq, new Int32Array(capacity))
    this.#row = grown(this.#row, new Int32Array(capacity))
    this.#track = grown(this.#track, new Uint16Array(capacity))
    this.#completed = grown(this.#completed, new Uint16Array(capacity))
    this.#total = grown(this.#total, new Uint16Array(capacity))
    this.#dropped = grown(this.#dropped, new Uint32Array(capacity))
  }
}

/** The last position whose value is at most `limit`; -1 for none. Values ascend. */
function lastAtOrBefore(length: number, valueAt: (position: number) => number, limit: number): number {
  return firstWhere(length, (position) => valueAt(position) > limit) - 1
}
