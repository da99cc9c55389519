import { dirname } from 'node:path'
import { dropOldest } from '#core/drop-oldest.ts'
import type { SessionPreview } from '#core/library/session-card.ts'
import type { FoundLog } from './find-logs.ts'
import { type Counted, type CountedLog, type StoredLog, LibraryDatabase } from './library-database.ts'
import { type LibraryLog, logId } from './library-log.ts'
import type { PlannedRoot } from './library-roots.ts'
import { isUnchanged, type LogFacts } from './log-facts.ts'
import type { LogHead } from './log-head.ts'

/** Changes are written in transactions of this size, or after this time. */
const batchSize = 200
const batchMs = 1000
/** Limits of unwritten changes while another program locks the database. Removals beyond it are found again at the next start. */
const maxCounted = 500
const maxGone = 100_000

/** All logs that were found. What is known of them is stored in the database. */
export class KnownLogs {
  readonly #database: LibraryDatabase
  readonly #logs = new Map<string, LibraryLog>()
  /** Path by device and inode: a file with two paths is one log. */
  readonly #byFile = new Map<string, string>()
  readonly #unwritten = new Set<LibraryLog>()
  readonly #gone = new Set<string>()
  /** By path. */
  readonly #counted = new Map<string, Counted>()
  #rootsInUse: { readonly roots: readonly string[]; readonly now: number } | null = null
  #writtenAt = performance.now()
  /** The last write found the database locked. */
  #isLocked = false

  constructor(database: LibraryDatabase) {
    this.#database = database
  }

  get size(): number {
    return this.#logs.size
  }

  all(): Iterable<LibraryLog> {
    return this.#logs.values()
  }

  at(path: string): LibraryLog | undefined {
    return this.#logs.get(path)
  }

  /** Loads the stored logs below these roots. Yields after each page of rows. */
  *load(roots: readonly PlannedRoot[]): Generator<void> {
    const byPath = new Map(roots.map((root) => [root.path, root]))
    for (const kept of this.#database.logsOf([...byPath.keys()])) {
      for (const one of kept) {
        const root = byPath.get(one.root)
        if (root !== undefined && !this.#logs.has(one.path)) this.#add(one, root, one.head.facts, dirname(one.path))
      }
      yield
    }
  }

  /** Adds or updates a found file. Null: the file is already known under another path that this scan found (`isThere`). */
  onFound({ path, facts, folder }: FoundLog, root: PlannedRoot, isThere: (path: string) => boolean): LibraryLog | null {
    const file = fileOf(facts)
    const other = file === null ? undefined : this.#byFile.get(file)
    if (other !== undefined && other !== path && isThere(other)) return null
    const known = this.#logs.get(path)
    if (known !== undefined) {
      this.#moveFile(known, facts)
      known.facts = facts
      // Its former root may not be scanned any more.
      if (known.root.path !== root.path) {
        known.folder = folder
        if (known.head !== null) this.#write(known)
      }
      known.root = root
      return known
    }
    // Another Playhead may have read it.
    const stored = this.#database.logAt(path)
    const log = this.#add(stored ?? { path, root: root.path, head: null, counted: null }, root, facts, folder)
    // A renamed file has the same content.
    if (other !== undefined && other !== path) log.counted ??= this.#logs.get(other)?.counted ?? null
    if (stored !== null && stored.root !== root.path) this.#write(log)
    return log
  }

  /** Whether its card must be read. `isRetried`: also if an earlier read failed. */
  static isStale({ head, facts }: LibraryLog, isRetried: boolean): boolean {
    if (head === null || !isUnchanged(facts, head.facts)) return true
    const failed = head.problem !== null && !head.isForeign
    return failed && (isRetried || facts.changed !== head.facts.changed)
  }

  setHead(log: LibraryLog, head: LogHead): void {
    log.head = head
    log.facts = head.facts
    if (this.#logs.get(log.path) === log) this.#write(log)
  }

  setCounted(log: LibraryLog, counted: CountedLog, preview: SessionPreview | null): void {
    log.counted = counted
    if (this.#logs.get(log.path) !== log) return
    this.#counted.set(log.path, { path: log.path, ...counted, preview })
    this.#flushSoon()
    if (this.#counted.size > maxCounted) this.#dropPreviews()
  }

  /** What another Playhead counted for this fingerprint. */
  storedCounts(log: LibraryLog, fingerprint: string): CountedLog | null {
    const stored = this.#database.logAt(log.path)?.counted ?? null
    return stored?.fingerprint === fingerprint ? stored : null
  }

  preview(log: LibraryLog, fingerprint: string): SessionPreview | null {
    const unwritten = this.#counted.get(log.path)
    return (
      (unwritten?.fingerprint === fingerprint ? unwritten.preview : null) ??
      this.#database.preview(log.path, fingerprint)
    )
  }

  /** Removes a log. `isKept`: its folder could not be read, so its row in the database stays. */
  forget(log: LibraryLog, isKept: boolean): void {
    this.#logs.delete(log.path)
    const file = fileOf(log.facts)
    if (file !== null && this.#byFile.get(file) === log.path) this.#byFile.delete(file)
    this.#unwritten.delete(log)
    this.#counted.delete(log.path)
    if (isKept) return
    this.#gone.add(log.path)
    this.#flushSoon()
    if (this.#gone.size > maxGone) dropOldest(this.#gone, maxGone / 2)
  }

  setRootsInUse(roots: readonly PlannedRoot[], now: number): void {
    this.#rootsInUse = { roots: roots.map(({ path }) => path), now }
    this.flush()
  }

  /** Writes all changes, unless another program locks the database. */
  flush(): void {
    this.#writtenAt = performance.now()
    this.#isLocked = !this.#writeAll()
    if (this.#isLocked || !this.#database.consumeLost()) return
    for (const log of this.#logs.values()) this.#unwritten.add(log)
    this.#isLocked = !this.#writeAll()
  }

  close(): void {
    this.#database.resetLocks()
    this.flush()
    this.#database.close()
  }

  /** False: the database is locked, and the rest stays unwritten. */
  #writeAll(): boolean {
    if (this.#rootsInUse !== null && !this.#database.setRootsInUse(this.#rootsInUse.roots, this.#rootsInUse.now))
      return false
    this.#rootsInUse = null
    // Logs first: counts update rows of logs.
    for (const logs of batches(this.#unwritten)) {
      if (!this.#database.put(logs.flatMap((log) => storedLog(log) ?? []))) return false
      for (const log of logs) this.#unwritten.delete(log)
    }
    for (const paths of batches(this.#gone)) {
      if (!this.#database.remove(paths)) return false
      for (const path of paths) this.#gone.delete(path)
    }
    for (const counted of batches(this.#counted.values())) {
      if (!this.#database.putCounted(counted)) return false
      for (const { path } of counted) this.#counted.delete(path)
    }
    return true
  }

  /** Drops the oldest unwritten previews. Counts are written with the log, and previews are made again. */
  #dropPreviews(): void {
    for (const path of [...this.#counted.keys()].slice(0, maxCounted / 2)) {
      this.#counted.delete(path)
      const log = this.#logs.get(path)
      if (log !== undefined) this.#unwritten.add(log)
    }
  }

  #add(
    kept: Omit<StoredLog, 'head'> & { head: LogHead | null },
    root: PlannedRoot,
    facts: LogFacts,
    folder: string
  ): LibraryLog {
    const { path, head, counted } = kept
    const log = { id: logId(path), path, folder, root, facts, head, counted }
    this.#logs.set(path, log)
    this.#gone.delete(path)
    this.#moveFile(log, facts)
    return log
  }

  #moveFile(log: LibraryLog, facts: LogFacts): void {
    const [before, now] = [fileOf(log.facts), fileOf(facts)]
    if (before !== null && before !== now && this.#byFile.get(before) === log.path) this.#byFile.delete(before)
    if (now !== null) this.#byFile.set(now, log.path)
  }

  #write(log: LibraryLog): void {
    this.#unwritten.add(log)
    this.#flushSoon()
  }

  #flushSoon(): void {
    const waiting = this.#unwritten.size + this.#gone.size + this.#counted.size
    const isFull = waiting >= batchSize && !this.#isLocked
    if (isFull || performance.now() - this.#writtenAt > batchMs) this.flush()
  }
}

function* batches<T>(all: Iterable<T>): Generator<T[]> {
  let some: T[] = []
  for (const one of all) {
    some.push(one)
    if (some.length < batchSize) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/** Null: the file system has no inode numbers. */
function fileOf({ device, inode }: LogFacts): string | null {
  return inode === '0' ? null : `${device} ${inode}`
}

function storedLog({ path, root, head, counted }: LibraryLog): StoredLog | null {
  return head === null ? null : { path, root: root.path, head, counted }
}
