import { dirname } from 'node:path'
import { dropOldest } from '#core/drop-oldest.ts'
import type { SessionPreview } from '#core/library/session-card.ts'
import type { FoundLog } from './find-logs.ts'
import { type Counted, type CountedLog, type KeptLog, LibraryDatabase } from './library-database.ts'
import { type LibraryLog, logId } from './library-log.ts'
import type { PlannedRoot } from './library-roots.ts'
import { isAsBefore, type LogFacts } from './log-facts.ts'
import type { ToldLog } from './told-log.ts'

/** So many changes, or so long, in ms, until they are written, all in one transaction. */
const batch = 200
const batchMs = 1000
/** So much waits at most while another program holds the database. What is gone is found to be so again at the next start. */
const mostCounted = 500
const mostGone = 100_000

/** All logs that were found, with what is known of them, which is kept in the database. */
export class KnownLogs {
  readonly #database: LibraryDatabase
  readonly #logs = new Map<string, LibraryLog>()
  /** The path of each file, by device and inode: one that is reached in two ways is one log. */
  readonly #byFile = new Map<string, string>()
  readonly #unwritten = new Set<LibraryLog>()
  readonly #gone = new Set<string>()
  /** By path. */
  readonly #counted = new Map<string, Counted>()
  #inUse: { readonly roots: readonly string[]; readonly now: number } | null = null
  #writtenAt = performance.now()
  /** The database was locked when it was written to last. */
  #isPutOff = false

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

  /** What was kept of logs below these roots. Yields after each thousand. */
  *load(roots: readonly PlannedRoot[]): Generator<void> {
    const byPath = new Map(roots.map((root) => [root.path, root]))
    for (const kept of this.#database.logsOf([...byPath.keys()])) {
      for (const one of kept) {
        const root = byPath.get(one.root)
        if (root !== undefined && !this.#logs.has(one.path)) this.#take(one, root, one.told.facts, dirname(one.path))
      }
      yield
    }
  }

  /**
   * A file was found; null: it is one that stands under another path as well, which is the log. `isThere`: whether what stands under a path was found in
   * this search.
   */
  see({ path, facts, folder }: FoundLog, root: PlannedRoot, isThere: (path: string) => boolean): LibraryLog | null {
    const file = fileOf(facts)
    const other = file === null ? undefined : this.#byFile.get(file)
    if (other !== undefined && other !== path && isThere(other)) return null
    const known = this.#logs.get(path)
    if (known !== undefined) {
      this.#moveFile(known, facts)
      known.facts = facts
      // The root it was found in may be no longer looked into.
      if (known.root.path !== root.path) {
        known.folder = folder
        if (known.told !== null) this.#write(known)
      }
      known.root = root
      return known
    }
    // Another Playhead may have read it.
    const kept = this.#database.logAt(path)
    const log = this.#take(kept ?? { path, root: root.path, told: null, counted: null }, root, facts, folder)
    // It was renamed: what all of it says is the same.
    if (other !== undefined && other !== path) log.counted ??= this.#logs.get(other)?.counted ?? null
    if (kept !== null && kept.root !== root.path) this.#write(log)
    return log
  }

  /** Whether its card has to be read. `isRetried`: also that of one that could not be read. */
  static isStale({ told, facts }: LibraryLog, isRetried: boolean): boolean {
    if (told === null || !isAsBefore(facts, told.facts)) return true
    const failed = told.problem !== null && !told.isForeign
    return failed && (isRetried || facts.changed !== told.facts.changed)
  }

  told(log: LibraryLog, told: ToldLog): void {
    log.told = told
    log.facts = told.facts
    if (this.#logs.get(log.path) === log) this.#write(log)
  }

  counted(log: LibraryLog, counted: CountedLog, preview: SessionPreview | null): void {
    log.counted = counted
    if (this.#logs.get(log.path) !== log) return
    this.#counted.set(log.path, { path: log.path, ...counted, preview })
    this.#flushSoon()
    if (this.#counted.size > mostCounted) this.#dropPreviews()
  }

  /** What another Playhead has counted of this state of a session. */
  countedElsewhere(log: LibraryLog, print: string): CountedLog | null {
    const kept = this.#database.logAt(log.path)?.counted ?? null
    return kept?.print === print ? kept : null
  }

  preview(log: LibraryLog, print: string): SessionPreview | null {
    const unwritten = this.#counted.get(log.path)
    return (unwritten?.print === print ? unwritten.preview : null) ?? this.#database.preview(log.path, print)
  }

  /** It is no longer there. `isKept`: nobody can say whether it is, so what is known of it stays in the database. */
  forget(log: LibraryLog, isKept: boolean): void {
    this.#logs.delete(log.path)
    const file = fileOf(log.facts)
    if (file !== null && this.#byFile.get(file) === log.path) this.#byFile.delete(file)
    this.#unwritten.delete(log)
    this.#counted.delete(log.path)
    if (isKept) return
    this.#gone.add(log.path)
    this.#flushSoon()
    if (this.#gone.size > mostGone) dropOldest(this.#gone, mostGone / 2)
  }

  /** These roots are in use. */
  lookedInto(roots: readonly PlannedRoot[], now: number): void {
    this.#inUse = { roots: roots.map(({ path }) => path), now }
    this.flush()
  }

  /** Writes what is not written, unless another program holds the database: then it waits. */
  flush(): void {
    this.#writtenAt = performance.now()
    this.#isPutOff = !this.#writeAll()
    if (this.#isPutOff || !this.#database.takeLost()) return
    for (const log of this.#logs.values()) this.#unwritten.add(log)
    this.#isPutOff = !this.#writeAll()
  }

  close(): void {
    this.#database.tryAgain()
    this.flush()
    this.#database.close()
  }

  /** False: another program holds the database, and what is left waits. */
  #writeAll(): boolean {
    if (this.#inUse !== null && !this.#database.lookedInto(this.#inUse.roots, this.#inUse.now)) return false
    this.#inUse = null
    // Logs first: counts are those of one that stands there.
    for (const logs of batches(this.#unwritten)) {
      if (!this.#database.put(logs.flatMap((log) => keptLog(log) ?? []))) return false
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

  /** The oldest of those that wait: what was counted is written with the log, and a preview is made again. */
  #dropPreviews(): void {
    for (const path of [...this.#counted.keys()].slice(0, mostCounted / 2)) {
      this.#counted.delete(path)
      const log = this.#logs.get(path)
      if (log !== undefined) this.#unwritten.add(log)
    }
  }

  #take(
    kept: Omit<KeptLog, 'told'> & { told: ToldLog | null },
    root: PlannedRoot,
    facts: LogFacts,
    folder: string
  ): LibraryLog {
    const { path, told, counted } = kept
    const log = { id: logId(path), path, folder, root, facts, told, counted }
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
    const isFull = waiting >= batch && !this.#isPutOff
    if (isFull || performance.now() - this.#writtenAt > batchMs) this.flush()
  }
}

function* batches<T>(all: Iterable<T>): Generator<T[]> {
  let some: T[] = []
  for (const one of all) {
    some.push(one)
    if (some.length < batch) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}

/** Null: the system has no such numbers. */
function fileOf({ device, inode }: LogFacts): string | null {
  return inode === '0' ? null : `${device} ${inode}`
}

function keptLog({ path, root, told, counted }: LibraryLog): KeptLog | null {
  return told === null ? null : { path, root: root.path, told, counted }
}
