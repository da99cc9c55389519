import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Query } from '#queries/find/search.ts'
import { factsOf, type FileFacts } from '../../sources/file-facts.ts'
import { factsText, type IndexedLog, IndexSegment } from './index-segment.ts'
import { neededTrigrams } from './trigrams.ts'

/** In the cache folder. */
const folderName = 'library-text'
const segmentName = /^(\d{12})-[0-9a-f]+\.trigrams$/

/** Age of a temporary file whose writer has died. */
const abandonedAfterMs = 600_000

/** Bytes of a log in which a query may match. */
export interface CandidateRange {
  readonly from: number
  /** Infinity: to the end. */
  readonly to: number
}

/** The ranges to search, valid while the file's metadata is the same. */
export interface Candidates {
  readonly facts: string
  readonly ranges: readonly CandidateRange[]
}

interface KnownLog {
  readonly segment: IndexSegment
  readonly log: IndexedLog
}

/** Trigrams of blocks of unchanged logs, in immutable segments. It only rules out ranges, so results do not depend on it. */
export class TextIndex {
  readonly folder: string
  #segments: IndexSegment[] = []
  #names = ''
  #logs = new Map<string, KnownLog>()
  #needed: { readonly query: string; readonly trigrams: ReturnType<typeof neededTrigrams> } | null = null
  #columns = new Map<IndexSegment, Uint8Array | null>()

  constructor(cache: string) {
    this.folder = join(cache, folderName)
  }

  /** Loads new segments. */
  refresh(): void {
    const names = namesIn(this.folder)
    if (names.join() === this.#names) return
    this.#names = names.join()
    const known = new Map(this.#segments.map((segment) => [segment.name, segment]))
    this.#segments = names.flatMap((name) => known.get(name) ?? IndexSegment.open(name, join(this.folder, name)) ?? [])
    // The latest segment wins.
    this.#logs = new Map(
      this.#segments.flatMap((segment) => segment.logs.map((log) => [log.path, { segment, log }] as const))
    )
    this.#columns = new Map()
  }

  /** Whether the log is indexed in its current state. */
  holds(path: string, facts: FileFacts): boolean {
    return this.#logs.get(path)?.log.facts === factsText(facts)
  }

  /** Null: the whole log must be searched. */
  candidates(path: string, query: Query): Candidates | null {
    const known = this.#logs.get(path)
    if (known === undefined) return null
    const columns = this.#columnsFor(query, known.segment)
    if (columns === null || !isUnchanged(known.log)) return null
    const { facts, blocks } = known.log
    const ranges: CandidateRange[] = []
    for (const [i, [from, column]] of blocks.entries()) {
      if (((columns[column >> 3] ?? 0xff) & (1 << (column & 7))) === 0) continue
      const to = blocks[i + 1]?.[0] ?? Infinity
      const last = ranges.at(-1)
      if (last?.to === from) ranges[ranges.length - 1] = { from: last.from, to }
      else ranges.push({ from, to })
    }
    // A matching line may begin long before the text that the expression requires.
    return { facts, ranges: query.regex && ranges.length > 0 ? [{ from: 0, to: Infinity }] : ranges }
  }

  /** A name that sorts after all others. */
  nextPath(): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const last = namesIn(this.folder).at(-1)
    const number = last === undefined ? 1 : Number(segmentName.exec(last)?.[1]) + 1
    const own = Math.floor(Math.random() * 2 ** 32).toString(16)
    return join(this.folder, `${String(number).padStart(12, '0')}-${own}.trigrams`)
  }

  /** Removes segments that are mostly about changed or removed logs, and abandoned temporary files. */
  dropStale(): void {
    for (const segment of this.#segments) {
      const all = segment.logs.reduce((sum, { bytes }) => sum + bytes, 0)
      const live = segment.logs.filter((log) => this.#logs.get(log.path)?.segment === segment && isUnchanged(log))
      if (live.reduce((sum, { bytes }) => sum + bytes, 0) * 2 >= all) continue
      rmSync(join(this.folder, segment.name), { force: true })
    }
    for (const name of entriesOf(this.folder)) {
      const path = join(this.folder, name)
      // Another process may have renamed it.
      const written = name.endsWith('.tmp') ? statSync(path, { throwIfNoEntry: false }) : undefined
      if (written === undefined || Date.now() - written.mtimeMs < abandonedAfterMs) continue
      rmSync(path, { force: true })
    }
  }

  #columnsFor(query: Query, segment: IndexSegment): Uint8Array | null {
    const key = JSON.stringify(query)
    if (this.#needed?.query !== key) {
      this.#needed = { query: key, trigrams: neededTrigrams(query) }
      this.#columns = new Map()
    }
    const { trigrams } = this.#needed
    if (trigrams === null) return null
    let columns = this.#columns.get(segment)
    if (columns === undefined) this.#columns.set(segment, (columns = segment.candidates(trigrams)))
    return columns
  }
}

function isUnchanged({ path, facts }: IndexedLog): boolean {
  try {
    return factsText(factsOf(statSync(path, { bigint: true }))) === facts
  } catch {
    return false
  }
}

/** Oldest first. */
function namesIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((name) => segmentName.test(name))
    .sort()
}

/** The folder may be removed at any time. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
