import { messageOf } from '#contract/host-error.ts'
import type { TodoSnapshot } from '#contract/methods.ts'

export type FetchTodos = (from: number, count: number) => Promise<readonly TodoSnapshot[]>

/** Lists per request: few, so that long lists arrive soon. */
const chunkSize = 8
/** Limit of all lists in bytes, estimated. It holds a long session of small lists many times. */
const maxBytes = 24_000_000
/** Concurrent requests, and waiting ones: of a drag only the current place matters. */
const maxFetching = 2
const maxQueued = 4
/** Delay of reading ahead in ms, so that the rows are loaded first. */
const readAheadAfterMs = 100
/** Delay in ms before lists that may have been taken back are requested again. */
const retryAfterMs = 250

interface Chunk {
  readonly snapshots: readonly TodoSnapshot[]
  readonly bytes: number
}

/** The lists of todo snapshots, loaded on demand and ahead around the last one, up to a memory limit. */
export class TodoLists {
  /** The read error; null for none. */
  error: string | null = null
  readonly #fetch: FetchTodos
  readonly #onChange: () => void
  #count = 0
  /** Lists from here on may be taken back by the host. */
  #settled = Infinity
  /** By chunk number, least recently used first: its first lists, as far as loaded. */
  readonly #chunks = new Map<number, Chunk>()
  #bytes = 0
  /** Bytes of the largest chunk so far. */
  #largest = 0
  /** Requested chunks: from which index on their lists were replaced meanwhile. */
  readonly #fetching = new Map<number, number>()
  /** Chunks to load, the last one first. */
  readonly #queue: number[] = []
  /** Chunks that a component waits for. */
  readonly #awaited = new Set<number>()
  #near = 0
  #aheadSoon = false

  /** `onChange`: a requested list was loaded, or could not be. */
  constructor(fetch: FetchTodos, onChange: () => void) {
    this.#fetch = fetch
    this.#onChange = onChange
  }

  /** Sets the number of snapshots, which has grown. */
  extend(count: number): void {
    this.#count = count
    if (this.#aheadSoon) return
    this.#aheadSoon = true
    setTimeout(() => {
      this.#aheadSoon = false
      this.#fetchNext()
    }, readAheadAfterMs)
  }

  /** Removes the lists from `count` on. */
  truncate(count: number): void {
    this.#count = count
    for (const [chunk, from] of this.#fetching) this.#fetching.set(chunk, Math.min(from, count))
    for (const [chunk, { snapshots }] of this.#chunks) {
      const kept = Math.max(0, count - chunk * chunkSize)
      if (kept < snapshots.length) this.#put(chunk, snapshots.slice(0, kept))
    }
  }

  /** Lists from `settled` on may be taken back by the host. */
  settle(settled: number): void {
    this.#settled = settled
  }

  /** The list of an existing snapshot. A missing one is requested. */
  get(index: number): TodoSnapshot | undefined {
    const number = Math.floor(index / chunkSize)
    const chunk = this.#chunks.get(number)
    const snapshot = chunk?.snapshots[index - number * chunkSize]
    this.#near = number
    if (chunk === undefined || snapshot === undefined) {
      this.#enqueue(number)
      return undefined
    }
    this.#chunks.delete(number)
    this.#chunks.set(number, chunk)
    return snapshot
  }

  /** Loads again after an error. */
  retry(): void {
    this.error = null
  }

  #enqueue(chunk: number): void {
    if (this.error !== null) return
    this.#awaited.add(chunk)
    const at = this.#queue.indexOf(chunk)
    if (at >= 0) this.#queue.splice(at, 1)
    if (!this.#fetching.has(chunk)) this.#queue.push(chunk)
    if (this.#queue.length > maxQueued) this.#queue.shift()
    this.#fetchNext()
  }

  /** Loads the last requested chunk, else the nearest missing one. */
  #fetchNext(): void {
    while (this.error === null && this.#fetching.size < maxFetching) {
      const chunk = this.#queue.pop() ?? (this.#fetching.size === 0 ? this.#nearestMissing() : -1)
      if (chunk < 0) return
      if (!this.#fetching.has(chunk)) void this.#fetchChunk(chunk)
    }
  }

  /** -1 if all are loaded or the limit is reached. */
  #nearestMissing(): number {
    // Another chunk could remove one that then is missing.
    if (this.#bytes + this.#largest > maxBytes) return -1
    const end = Math.min(this.#count, this.#settled)
    const chunks = Math.ceil(end / chunkSize)
    const isMissing = (chunk: number) =>
      chunk >= 0 && chunk < chunks && chunkSizeAt(chunk, end) > (this.#chunks.get(chunk)?.snapshots.length ?? 0)
    for (let distance = 0; distance < chunks; distance++) {
      if (isMissing(this.#near + distance)) return this.#near + distance
      if (isMissing(this.#near - distance)) return this.#near - distance
    }
    return -1
  }

  /** Loads the missing lists of a chunk. */
  async #fetchChunk(chunk: number): Promise<void> {
    const from = chunk * chunkSize + (this.#chunks.get(chunk)?.snapshots.length ?? 0)
    const wanted = chunk * chunkSize + chunkSizeAt(chunk, this.#count) - from
    if (wanted <= 0) return
    this.#fetching.set(chunk, Infinity)
    try {
      const snapshots = await this.#fetch(from, wanted)
      if (snapshots.length > 0) this.#keep(chunk, from, snapshots)
      else if (from < this.#settled) this.error = `The host gave none of ${wanted} todo lists.`
      else await new Promise((resolve) => setTimeout(resolve, retryAfterMs))
    } catch (error) {
      this.error = messageOf(error)
    }
    this.#fetching.delete(chunk)
    if (this.#awaited.delete(chunk) || this.error !== null) this.#onChange()
    this.#fetchNext()
  }

  /** Adds lists to a chunk, except those that were replaced meanwhile. */
  #keep(chunk: number, from: number, snapshots: readonly TodoSnapshot[]): void {
    const before = this.#chunks.get(chunk)?.snapshots ?? []
    const valid = snapshots.slice(0, Math.max(0, (this.#fetching.get(chunk) ?? 0) - from))
    // The chunk may have been removed meanwhile.
    if (valid.length === 0 || chunk * chunkSize + before.length !== from) return
    this.#put(chunk, [...before, ...valid])
    for (const oldest of this.#chunks.keys()) {
      if (this.#bytes <= maxBytes || oldest === chunk) return
      this.#put(oldest, [])
    }
  }

  #put(chunk: number, snapshots: readonly TodoSnapshot[]): void {
    this.#bytes -= this.#chunks.get(chunk)?.bytes ?? 0
    this.#chunks.delete(chunk)
    if (snapshots.length === 0) return
    const kept = withSharedItems(snapshots)
    this.#bytes += kept.bytes
    this.#largest = Math.max(this.#largest, kept.bytes)
    this.#chunks.set(chunk, kept)
  }
}

/** Number of lists in the chunk, of `count` in all. */
function chunkSizeAt(chunk: number, count: number): number {
  return Math.max(0, Math.min(chunkSize, count - chunk * chunkSize))
}

/** The lists with equal items and texts shared, because neighbours differ little; and their estimated bytes. */
function withSharedItems(snapshots: readonly TodoSnapshot[]): Chunk {
  const texts = new Map<string, string>()
  const items = new Map<string, TodoSnapshot['items'][number]>()
  let bytes = 0
  const textOf = (text: string) => {
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, text)
    bytes += 24 + text.length * 2
    return text
  }
  const itemOf = (item: TodoSnapshot['items'][number]) => {
    const key = `${item.status} ${item.text}`
    const known = items.get(key)
    if (known !== undefined) return known
    const kept = { ...item, text: textOf(item.text) }
    items.set(key, kept)
    bytes += 32
    return kept
  }
  let lanes: number[] = []
  const kept = snapshots.map((snapshot) => {
    bytes += 200 + snapshot.items.length * 24 + (snapshot.changes.length + snapshot.edited.length) * 64
    if (!isSame(lanes, snapshot.lanes)) {
      lanes = snapshot.lanes
      bytes += lanes.length * 8
    }
    return {
      ...snapshot,
      lanes,
      items: snapshot.items.map(itemOf),
      changes: snapshot.changes.map((change) => ({ ...change, text: textOf(change.text) }))
    }
  })
  return { snapshots: kept, bytes }
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((each, at) => each === other[at])
}
