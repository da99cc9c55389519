import { dirname } from 'node:path'
import type { LibraryRoot } from '#contract/library.ts'
import { isInFolder } from '#core/paths/path-names.ts'
import { DatabaseSessions } from './database-sessions.ts'
import { type FolderPlace, type FoundLog, findLogs } from './find-logs.ts'
import { runInSlices } from './run-in-slices.ts'
import { KnownLogs } from './known-logs.ts'
import type { LibraryLog } from './library-log.ts'
import type { PlannedRoot } from './library-roots.ts'
import type { FoundRun, RecordedRun, RecordedRuns } from './recorded-runs.ts'

/** A scanned root. */
export interface ScannedRoot extends Omit<LibraryRoot, 'sessions'> {
  readonly planned: PlannedRoot
}

/** The changes that a scan found. */
export interface Changes {
  /** A file was added, changed or removed, so cards change. */
  any: boolean
  /** Logs whose cards must be read. */
  readonly stale: Set<LibraryLog>
  hasNewFolders: boolean
}

interface Scan {
  /** Paths found so far. */
  readonly found: Set<string>
  readonly changes: Changes
  /** Reads that failed are tried again. */
  readonly isRetried: boolean
  /** All roots are scanned, so a log moves to the first root that has it. */
  readonly isWhole: boolean
  /** Whether the scan found the path, or it lies outside the scan. */
  isThere(path: string): boolean
}

/** Number of watched folders: those written last, as more writes are likely there, and their parents. */
const recentFolders = 32
/** Number of watched folders among those that appeared since the last full scan. */
const newFolders = 32

/** Finds logs in all roots or in some folders. Only databases are opened. */
export class LogDiscovery {
  readonly #logs: KnownLogs
  readonly #runs: RecordedRuns | null
  #roots: readonly ScannedRoot[] = []
  /** Folders that the last full scan could not read. */
  #unread: readonly string[] = []
  /** By root path. */
  #folders = new Map<string, ReadonlyMap<string, FolderPlace>>()
  /** The latest, which may hold no log yet. */
  #newFolders: readonly string[] = []
  #recordedRuns: ReadonlyMap<string, RecordedRun> = new Map()
  readonly #databases = new DatabaseSessions((address) => this.#logs.at(address)?.facts ?? null)
  #closed = false

  constructor(logs: KnownLogs, runs: RecordedRuns | null) {
    this.#logs = logs
    this.#runs = runs
  }

  get roots(): readonly ScannedRoot[] {
    return this.#roots
  }

  get unread(): readonly string[] {
    return this.#unread
  }

  /** By path of the recording. */
  get recordedRuns(): ReadonlyMap<string, RecordedRun> {
    return this.#recordedRuns
  }

  close(): void {
    this.#closed = true
  }

  /** Scans all roots. `isRetried`: reads that failed are tried again. */
  async everywhere(planned: readonly PlannedRoot[], isRetried: boolean): Promise<Changes> {
    const changes: Changes = { any: false, stale: new Set(), hasNewFolders: false }
    const found = new Set<string>()
    const scan: Scan = { found, changes, isRetried, isWhole: true, isThere: (path) => found.has(path) }
    const roots: ScannedRoot[] = []
    const folders = new Map<string, ReadonlyMap<string, FolderPlace>>()
    const unread: string[] = []
    for (const root of planned) {
      const below = await runInSlices(findLogs(root), () => this.#closed)
      if (below === null) return changes
      const { path, agent, kind } = root
      const logs = await this.#databases.in(below.logs, below.notes)
      roots.push({ path, agent, kind, isMissing: below.isMissing, notes: below.notes.all(), planned: root })
      folders.set(path, below.folders)
      unread.push(...below.unread)
      await runInSlices(this.#addAll(logs, root, scan), () => this.#closed)
    }
    const runsRoot = await this.#scanRuns(scan)
    if (this.#closed) return changes
    if (runsRoot !== null) roots.push(runsRoot)
    const wholeRoots = new Set(roots.filter(({ isMissing }) => !isMissing).map(({ path }) => path))
    for (const log of [...this.#logs.all()]) {
      if (found.has(log.path)) continue
      const isUnknown = !wholeRoots.has(log.root.path) || unread.some((folder) => isInFolder(log.folder, folder))
      this.#logs.forget(log, isUnknown)
      changes.any = true
    }
    if (JSON.stringify(roots) !== JSON.stringify(this.#roots)) changes.any = true
    this.#roots = roots
    this.#unread = unread
    for (const [path, below] of folders) {
      const known = this.#folders.get(path)
      if (known !== undefined)
        this.#addNewFolders(
          [...below.keys()].filter((folder) => !known.has(folder)),
          changes
        )
    }
    this.#folders = folders
    return changes
  }

  /** Scans some folders, and new ones below them. */
  async into(wanted: ReadonlySet<string>): Promise<Changes> {
    const changes: Changes = { any: false, stale: new Set(), hasNewFolders: false }
    const scanOf = (folder: string | null): Scan => {
      const found = new Set<string>()
      const isElsewhere = (path: string): boolean => (this.#logs.at(path)?.folder ?? folder) !== folder
      return {
        found,
        changes,
        isRetried: false,
        isWhole: false,
        isThere: (path) => found.has(path) || isElsewhere(path)
      }
    }
    const runs = this.#runs?.folder
    if (runs !== undefined && [...wanted].some((folder) => isInFolder(folder, runs))) await this.#scanRuns(scanOf(null))
    for (const { planned } of this.#roots) {
      const known = this.#folders.get(planned.path)
      if (known === undefined) continue
      for (const folder of wanted) {
        if (!known.has(folder)) continue
        const below = await runInSlices(findLogs(planned, { folder, known }), () => this.#closed)
        if (below === null || below.isMissing) continue
        const scan = scanOf(folder)
        const logs = await this.#databases.in(below.logs)
        await runInSlices(this.#addAll(logs, planned, scan), () => this.#closed)
        if (this.#closed) return changes
        this.#addNewFolders(
          [...below.folders.keys()].filter((path) => !known.has(path)),
          changes
        )
        this.#folders.set(planned.path, new Map([...known, ...below.folders]))
        if (below.unread.length > 0) continue
        for (const log of [...this.#logs.all()]) {
          if (log.root.path !== planned.path || log.folder !== folder || scan.found.has(log.path)) continue
          this.#logs.forget(log, false)
          changes.any = true
        }
      }
    }
    return changes
  }

  /** The folders where changes are likely. */
  recentFolders(): Set<string> {
    const latest = [...this.#logs.all()].sort((a, b) => b.facts.modified - a.facts.modified)
    const folders = new Set<string>()
    for (const log of latest) {
      if (folders.size >= recentFolders) break
      folders.add(log.folder)
    }
    const known = new Set([...this.#folders.values()].flatMap((below) => [...below.keys()]))
    for (const folder of [...folders]) {
      for (let above = dirname(folder); known.has(above); above = dirname(above)) folders.add(above)
    }
    for (const below of this.#folders.values()) {
      for (const [folder, place] of below) if (place.below === '') folders.add(folder)
    }
    for (const folder of this.#newFolders) if (known.has(folder)) folders.add(folder)
    if (this.#runs !== null) folders.add(this.#runs.folder)
    return folders
  }

  #addNewFolders(folders: readonly string[], changes: Changes): void {
    if (folders.length === 0) return
    changes.hasNewFolders = true
    this.#newFolders = [...this.#newFolders, ...folders].slice(-newFolders)
  }

  /** Adds recordings of Playhead's live runs. Null: no state folder. */
  async #scanRuns(scan: Scan): Promise<ScannedRoot | null> {
    if (this.#runs === null) return null
    const { runs, isMissing } = await this.#runs.list()
    const planned = runsRoot(this.#runs)
    const recordedRuns = new Map(runs.map(({ own }) => [own.path, own]))
    if (!isSame(recordedRuns, this.#recordedRuns)) scan.changes.any = true
    this.#recordedRuns = recordedRuns
    for (const run of runs) this.#add(foundLog(run), planned, scan)
    const { path, agent, kind } = planned
    return { path, agent, kind, isMissing, notes: [], planned }
  }

  *#addAll(logs: readonly FoundLog[], root: PlannedRoot, scan: Scan): Generator<void, void> {
    for (const log of logs) {
      this.#add(log, root, scan)
      yield
    }
  }

  #add(file: FoundLog, root: PlannedRoot, { found, changes, isRetried, isWhole, isThere }: Scan): void {
    if (found.has(file.path)) return
    const before = this.#logs.at(file.path)
    const { bytes, modified } = before?.facts ?? { bytes: -1, modified: -1 }
    const log = this.#logs.onFound(file, isWhole ? root : (before?.root ?? root), isThere)
    if (log === null) return
    found.add(file.path)
    if (log.facts.bytes !== bytes || log.facts.modified !== modified) changes.any = true
    if (KnownLogs.isStale(log, isRetried)) changes.stale.add(log)
  }
}

export function runsRoot({ folder }: RecordedRuns): PlannedRoot {
  return {
    path: folder,
    agent: null,
    kind: 'runs',
    formats: new Set(),
    isAnyFolder: false,
    depth: 0,
    mayBeLog: () => false
  }
}

function foundLog({ own, facts }: FoundRun): FoundLog {
  return { path: own.path, folder: dirname(own.path), facts }
}

function isSame(a: ReadonlyMap<string, RecordedRun>, b: ReadonlyMap<string, RecordedRun>): boolean {
  return a.size === b.size && [...a].every(([path, run]) => JSON.stringify(run) === JSON.stringify(b.get(path)))
}
