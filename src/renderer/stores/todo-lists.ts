import { messageOf } from '#contract/host-error.ts'
import type { TodoSnapshot } from '#contract/methods.ts'

export type FetchTodos = (from: number, count: number) => Promise<readonly TodoSnapshot[]>

/** Lists are read in chunks of so few neighbours that long ones, too, are here soon when somebody looks at one of them. */
const chunkSize = 8
/** What all lists here may take, in bytes, as far as that can be told: a long run of small lists fits many times. */
const budget = 24_000_000
/** Chunks on their way at once, and chunks that wait for their turn: of a drag only where it is now counts. */
const maxFetching = 2
const maxAsked = 4
/** How long until lists that nobody looked at yet are read ahead, so that the first rows of a log come first; in ms. */
const aheadPause = 100
/** How long until lists that may have been taken back meanwhile are asked for again, in ms. */
const retryPause = 250

interface Chunk {
  readonly snapshots: readonly TodoSnapshot[]
  readonly bytes: number
}

/**
 * The lists of the todo snapshots: read when they are looked at, and ahead, around where somebody looked last, until the budget
 * is used up. So a drag through a run finds its lists here, and a log with lists without end takes no memory without end.
 */
export class TodoLists {
  /** Why the last list could not be read; null when it could. */
  error: string | null = null
  readonly #fetch: FetchTodos
  readonly #onChange: () => void
  #count = 0
  /** Lists from here on may be taken back by the host. */
  #settled = Infinity
  /** By chunk number, the least recently used first: its lists from the first on, as many as are here. */
  readonly #chunks = new Map<number, Chunk>()
  #bytes = 0
  /** Bytes of the largest chunk so far. */
  #largest = 0
  /** By number of a chunk that is on its way: from which index on what comes is of lists that were replaced meanwhile. */
  readonly #fetching = new Map<number, number>()
  /** Chunks to read, the last one first. */
  readonly #asked: number[] = []
  /** Chunks that somebody waits for. */
  readonly #awaited = new Set<number>()
  #near = 0
  #aheadSoon = false

  /** `onChange`: a list that was asked for is here, or could not be read. */
  constructor(fetch: FetchTodos, onChange: () => void) {
    this.#fetch = fetch
    this.#onChange = onChange
  }

  /** There are `count` snapshots now: further ones came. */
  extend(count: number): void {
    this.#count = count
    if (this.#aheadSoon) return
    this.#aheadSoon = true
    setTimeout(() => {
      this.#aheadSoon = false
      this.#fetchNext()
    }, aheadPause)
  }

  /** Forgets the lists from `count` on, as if they had never come. */
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

  /** The list of snapshot `index`, which there is. When it is not here yet it is asked for. */
  get(index: number): TodoSnapshot | undefined {
    const number = Math.floor(index / chunkSize)
    const chunk = this.#chunks.get(number)
    const snapshot = chunk?.snapshots[index - number * chunkSize]
    this.#near = number
    if (chunk === undefined || snapshot === undefined) {
      this.#ask(number)
      return undefined
    }
    this.#chunks.delete(number)
    this.#chunks.set(number, chunk)
    return snapshot
  }

  /** Asks again after a failure. */
  retry(): void {
    this.error = null
  }

  #ask(chunk: number): void {
    if (this.error !== null) return
    this.#awaited.add(chunk)
    const at = this.#asked.indexOf(chunk)
    if (at >= 0) this.#asked.splice(at, 1)
    if (!this.#fetching.has(chunk)) this.#asked.push(chunk)
    if (this.#asked.length > maxAsked) this.#asked.shift()
    this.#fetchNext()
  }

  /** What was asked for last; where nothing was, what is nearest to it. */
  #fetchNext(): void {
    while (this.error === null && this.#fetching.size < maxFetching) {
      const chunk = this.#asked.pop() ?? (this.#fetching.size === 0 ? this.#nearestMissing() : -1)
      if (chunk < 0) return
      if (!this.#fetching.has(chunk)) void this.#fetchChunk(chunk)
    }
  }

  /** -1: all are here, or as many as there is room for. */
  #nearestMissing(): number {
    // One more could push out another, which would then be missing.
    if (this.#bytes + this.#largest > budget) return -1
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

  /** Reads what is missing of a chunk. */
  async #fetchChunk(chunk: number): Promise<void> {
    const from = chunk * chunkSize + (this.#chunks.get(chunk)?.snapshots.length ?? 0)
    const wanted = chunk * chunkSize + chunkSizeAt(chunk, this.#count) - from
    if (wanted <= 0) return
    this.#fetching.set(chunk, Infinity)
    try {
      const snapshots = await this.#fetch(from, wanted)
      if (snapshots.length > 0) this.#keep(chunk, from, snapshots)
      else if (from < this.#settled) this.error = `The host gave none of ${wanted} todo lists.`
      else await new Promise((resolve) => setTimeout(resolve, retryPause))
    } catch (error) {
      this.error = messageOf(error)
    }
    this.#fetching.delete(chunk)
    if (this.#awaited.delete(chunk) || this.error !== null) this.#onChange()
    this.#fetchNext()
  }

  /** Adds the lists from `from` on to those of the chunk, but for the ones that were replaced while they were on their way. */
  #keep(chunk: number, from: number, snapshots: readonly TodoSnapshot[]): void {
    const before = this.#chunks.get(chunk)?.snapshots ?? []
    const valid = snapshots.slice(0, Math.max(0, (this.#fetching.get(chunk) ?? 0) - from))
    // Meanwhile the chunk itself may have been given up for others.
    if (valid.length === 0 || chunk * chunkSize + before.length !== from) return
    this.#put(chunk, [...before, ...valid])
    for (const oldest of this.#chunks.keys()) {
      if (this.#bytes <= budget || oldest === chunk) return
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

/** How many lists of the first `count` lie in the chunk. */
function chunkSizeAt(chunk: number, count: number): number {
  return Math.max(0, Math.min(chunkSize, count - chunk * chunkSize))
}

/** The same lists, equal items and texts being one: neighbours differ in little. And about how many bytes they take. */
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
