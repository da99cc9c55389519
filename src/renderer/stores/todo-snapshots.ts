import type { Result, TodoSnapshot } from '#contract/methods.ts'
import { grown } from './grown.ts'
import { Listeners } from './listeners.ts'

type TodoColumnsPage = Result<'log.todoColumns'>
export type FetchTodos = (from: number, count: number) => Promise<readonly TodoSnapshot[]>

const chunkSize = 64
const chunksKept = 32
/** How long until lists that may have been taken back meanwhile are asked for again, in ms. */
const retryPause = 250

/** Every todo snapshot's place and progress, and the lists themselves as they are looked at. */
export class TodoSnapshots {
  readonly changes = new Listeners()
  /** Why the last list could not be read; null when it could. */
  error: string | null = null
  count = 0
  readonly #fetch: FetchTodos
  #seq = new Int32Array(64)
  #row = new Int32Array(64)
  #track = new Uint16Array(64)
  #completed = new Uint16Array(64)
  #total = new Uint16Array(64)
  /** By track: the indices of its snapshots, ascending. */
  readonly #ofTrack = new Map<number, number[]>()
  /** By chunk number, the least recently used first: its lists from the first on, as many as are here. */
  readonly #chunks = new Map<number, readonly TodoSnapshot[]>()
  /** By number of a chunk that is on its way: from which index on what comes is of lists that were replaced meanwhile. */
  readonly #fetching = new Map<number, number>()
  /** Lists from here on may be taken back by the host. */
  #settled = Infinity

  constructor(fetch: FetchTodos) {
    this.#fetch = fetch
  }

  /** Takes the next page of `log.todoColumns`. One that does not start at `count` is refused: false. */
  append(page: TodoColumnsPage): boolean {
    if (page.from !== this.count || page.count === 0) return false
    this.#reserve(this.count + page.count)
    this.#seq.set(new Int32Array(page.seq, 0, page.count), page.from)
    this.#row.set(new Int32Array(page.row, 0, page.count), page.from)
    this.#track.set(new Uint16Array(page.track, 0, page.count), page.from)
    this.#completed.set(new Uint16Array(page.completed, 0, page.count), page.from)
    this.#total.set(new Uint16Array(page.total, 0, page.count), page.from)
    this.count += page.count
    for (let index = page.from; index < this.count; index++) {
      const track = this.trackAt(index)
      const indices = this.#ofTrack.get(track)
      if (indices === undefined) this.#ofTrack.set(track, [index])
      else indices.push(index)
    }
    this.changes.notify()
    return true
  }

  /** Forgets the lists from `count` on, as if they had never come. */
  truncate(count: number): void {
    if (count >= this.count) return
    for (let index = this.count - 1; index >= count; index--) this.#ofTrack.get(this.trackAt(index))?.pop()
    this.count = count
    for (const [chunk, from] of this.#fetching) this.#fetching.set(chunk, Math.min(from, count))
    for (const [chunk, snapshots] of this.#chunks) {
      const kept = Math.max(0, count - chunk * chunkSize)
      if (kept < snapshots.length) this.#chunks.set(chunk, snapshots.slice(0, kept))
    }
    this.changes.notify()
  }

  /** Lists from `settled` on may be taken back by the host. */
  settle(settled: number): void {
    this.#settled = settled
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

  /** The snapshot in force after event `seq`: of `track`, or the latest of any track. -1: there was none yet. */
  indexAt(seq: number, track?: number): number {
    if (track === undefined) return lastAtOrBefore(this.count, (index) => this.seqAt(index), seq)
    const indices = this.#ofTrack.get(track) ?? []
    return indices[lastAtOrBefore(indices.length, (position) => this.seqAt(indices[position] ?? 0), seq)] ?? -1
  }

  /** The list of snapshot `index`. When it is not here yet it is asked for, and `changes` says when it came. */
  snapshot(index: number): TodoSnapshot | undefined {
    if (index < 0 || index >= this.count) return undefined
    const chunk = Math.floor(index / chunkSize)
    const snapshots = this.#chunks.get(chunk)
    const snapshot = snapshots?.[index - chunk * chunkSize]
    if (snapshots === undefined || snapshot === undefined) {
      if (this.error === null) void this.#fetchChunk(chunk)
      return undefined
    }
    this.#chunks.delete(chunk)
    this.#chunks.set(chunk, snapshots)
    return snapshot
  }

  /** Asks again after a failure. */
  retry(): void {
    this.error = null
    this.changes.notify()
  }

  /** Reads what is missing of a chunk. */
  async #fetchChunk(chunk: number): Promise<void> {
    if (this.#fetching.has(chunk)) return
    this.#fetching.set(chunk, Infinity)
    const from = chunk * chunkSize + (this.#chunks.get(chunk)?.length ?? 0)
    const wanted = Math.min((chunk + 1) * chunkSize, this.count) - from
    try {
      const snapshots = await this.#fetch(from, wanted)
      if (snapshots.length > 0) this.#keep(chunk, from, snapshots)
      else if (from < this.#settled) this.error = `The host gave none of ${wanted} todo lists.`
      else await new Promise((resolve) => setTimeout(resolve, retryPause))
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error)
    }
    this.#fetching.delete(chunk)
    this.changes.notify()
  }

  /** Adds the lists from `from` on to those of the chunk, but for the ones that were replaced while they were on their way. */
  #keep(chunk: number, from: number, snapshots: readonly TodoSnapshot[]): void {
    const before = this.#chunks.get(chunk) ?? []
    const valid = snapshots.slice(0, Math.max(0, (this.#fetching.get(chunk) ?? 0) - from))
    // Meanwhile the chunk itself may have been given up for others.
    if (valid.length === 0 || chunk * chunkSize + before.length !== from) return
    this.#chunks.set(chunk, [...before, ...valid])
    if (this.#chunks.size <= chunksKept) return
    const oldest = this.#chunks.keys().next()
    if (oldest.done === false) this.#chunks.delete(oldest.value)
  }

  #reserve(count: number): void {
    if (count <= this.#seq.length) return
    const capacity = Math.max(count, this.#seq.length * 2)
    this.#seq = grown(this.#seq, new Int32Array(capacity))
    this.#row = grown(this.#row, new Int32Array(capacity))
    this.#track = grown(this.#track, new Uint16Array(capacity))
    this.#completed = grown(this.#completed, new Uint16Array(capacity))
    this.#total = grown(this.#total, new Uint16Array(capacity))
  }
}

/** The last position whose value is at most `limit`, -1 if none. `valueAt` ascends. */
function lastAtOrBefore(length: number, valueAt: (position: number) => number, limit: number): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (valueAt(middle) <= limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
