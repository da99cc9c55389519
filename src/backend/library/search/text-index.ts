import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Query } from '#queries/find/search.ts'
import { factsOf, type FileFacts } from '../../sources/file-facts.ts'
import { factsText, type IndexedLog, IndexSegment } from './index-segment.ts'
import { neededTrigrams } from './trigrams.ts'

/** Below the cache folder. */
const folderName = 'library-text'
const segmentName = /^(\d{12})-[0-9a-f]+\.trigrams$/

/** What a process left that died while it wrote, once it is so old, in ms. */
const abandonedAfter = 600_000

/** Bytes of a log in which a query may be found. */
export interface CandidateRange {
  readonly from: number
  /** Infinity: to the end. */
  readonly to: number
}

/** What is to be searched of a log, as long as the system says the same of its file. */
export interface Candidates {
  readonly facts: string
  readonly ranges: readonly CandidateRange[]
}

interface KnownLog {
  readonly segment: IndexSegment
  readonly log: IndexedLog
}

/**
 * Which trigrams stand in which parts of which logs, in files of the cache folder that are never changed once they are written: what they say of a log
 * holds as long as the log is the same. It only ever rules out what need not be searched, so a search finds the same without it.
 */
export class TextIndex {
  readonly folder: string
  #segments: IndexSegment[] = []
  #names = ''
  #logs = new Map<string, KnownLog>()
  #asked: { readonly of: string; readonly needed: ReturnType<typeof neededTrigrams> } | null = null
  #columns = new Map<IndexSegment, Uint8Array | null>()

  /** `cache`: the cache folder. */
  constructor(cache: string) {
    this.folder = join(cache, folderName)
  }

  /** Reads what has been written meanwhile. */
  refresh(): void {
    const names = namesIn(this.folder)
    if (names.join() === this.#names) return
    this.#names = names.join()
    const known = new Map(this.#segments.map((segment) => [segment.name, segment]))
    this.#segments = names.flatMap((name) => known.get(name) ?? IndexSegment.open(name, join(this.folder, name)) ?? [])
    // The latest says how a log is.
    this.#logs = new Map(
      this.#segments.flatMap((segment) => segment.logs.map((log) => [log.path, { segment, log }] as const))
    )
    this.#columns = new Map()
  }

  /** Whether a log is known as it is. */
  holds(path: string, facts: FileFacts): boolean {
    return this.#logs.get(path)?.log.facts === factsText(facts)
  }

  /** null: it may be found anywhere, as far as this knows. */
  candidates(path: string, query: Query): Candidates | null {
    const known = this.#logs.get(path)
    if (known === undefined) return null
    const columns = this.#columnsFor(query, known.segment)
    if (columns === null || !isAsNoted(known.log)) return null
    const { facts, blocks } = known.log
    const ranges: CandidateRange[] = []
    for (const [i, [from, column]] of blocks.entries()) {
      if (((columns[column >> 3] ?? 0xff) & (1 << (column & 7))) === 0) continue
      const to = blocks[i + 1]?.[0] ?? Infinity
      const last = ranges.at(-1)
      if (last?.to === from) ranges[ranges.length - 1] = { from: last.from, to }
      else ranges.push({ from, to })
    }
    // A line that an expression matches may begin long before what it requires.
    return { facts, ranges: query.regex && ranges.length > 0 ? [{ from: 0, to: Infinity }] : ranges }
  }

  /** The name of a file that comes after all others. */
  nextPath(): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    const last = namesIn(this.folder).at(-1)
    const number = last === undefined ? 1 : Number(segmentName.exec(last)?.[1]) + 1
    const own = Math.floor(Math.random() * 2 ** 32).toString(16)
    return join(this.folder, `${String(number).padStart(12, '0')}-${own}.trigrams`)
  }

  /** Removes files most of which tells of logs that are others by now, or gone. */
  dropStale(): void {
    for (const segment of this.#segments) {
      const all = segment.logs.reduce((sum, { bytes }) => sum + bytes, 0)
      const live = segment.logs.filter((log) => this.#logs.get(log.path)?.segment === segment && isAsNoted(log))
      if (live.reduce((sum, { bytes }) => sum + bytes, 0) * 2 >= all) continue
      rmSync(join(this.folder, segment.name), { force: true })
    }
    for (const name of entriesOf(this.folder)) {
      const path = join(this.folder, name)
      // Another Playhead may have renamed it since.
      const written = name.endsWith('.tmp') ? statSync(path, { throwIfNoEntry: false }) : undefined
      if (written === undefined || Date.now() - written.mtimeMs < abandonedAfter) continue
      rmSync(path, { force: true })
    }
  }

  #columnsFor(query: Query, segment: IndexSegment): Uint8Array | null {
    const of = JSON.stringify(query)
    if (this.#asked?.of !== of) {
      this.#asked = { of, needed: neededTrigrams(query) }
      this.#columns = new Map()
    }
    const { needed } = this.#asked
    if (needed === null) return null
    let columns = this.#columns.get(segment)
    if (columns === undefined) this.#columns.set(segment, (columns = segment.candidates(needed)))
    return columns
  }
}

function isAsNoted({ path, facts }: IndexedLog): boolean {
  try {
    return factsText(factsOf(statSync(path, { bigint: true }))) === facts
  } catch {
    return false
  }
}

/** In the order in which they were written. */
function namesIn(folder: string): string[] {
  return entriesOf(folder)
    .filter((name) => segmentName.test(name))
    .sort()
}

/** Anybody may take the folder away at any time. */
function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
