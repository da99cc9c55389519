import { dirname } from 'node:path'
import type { LibraryRoot } from '#contract/library.ts'
import { isWithin } from '#core/library/is-within.ts'
import { type FolderPlace, type FoundBelow, type FoundLog, findLogs } from './find-logs.ts'
import { inTurns } from './in-turns.ts'
import { KnownLogs } from './known-logs.ts'
import type { LibraryLog } from './library-log.ts'
import type { PlannedRoot } from './library-roots.ts'
import type { FoundRun, OwnRun, OwnRuns } from './own-runs.ts'

/** What a look found of a root. */
export interface LookedRoot extends Omit<LibraryRoot, 'sessions'> {
  readonly planned: PlannedRoot
}

/** What is another than before. */
export interface Changes {
  /** Something that cards show: a file that came, grew or went. */
  any: boolean
  /** Logs whose cards are to be read. */
  readonly stale: Set<LibraryLog>
  /** There are folders that were not there. */
  hasNewFolders: boolean
}

interface Look {
  /** What was found so far. */
  readonly there: Set<string>
  readonly changes: Changes
  /** What could not be read is tried again. */
  readonly isRetried: boolean
  /** All roots are looked through: a log that was below another one before is below the first that has it now. */
  readonly isWhole: boolean
  /** Whether a file still stands under another path. */
  isThere(path: string): boolean
}

/** So many folders, with those above them, had something written to them last: there it goes on, most likely. */
const recentFolders = 32
/** So many that came since all were looked into are among them. */
const newFolders = 32

/** Looks for logs: all over, or in some folders. Nothing is opened. */
export class LogSearch {
  readonly #logs: KnownLogs
  readonly #runs: OwnRuns | null
  #roots: readonly LookedRoot[] = []
  /** Folders that could not be looked into when all were. */
  #unread: readonly string[] = []
  /** Of each root, by its path. */
  #folders = new Map<string, ReadonlyMap<string, FolderPlace>>()
  /** Those that came last, in which there may be no log so far. */
  #newFolders: readonly string[] = []
  #ownRuns: ReadonlyMap<string, OwnRun> = new Map()
  #closed = false

  constructor(logs: KnownLogs, runs: OwnRuns | null) {
    this.#logs = logs
    this.#runs = runs
  }

  get roots(): readonly LookedRoot[] {
    return this.#roots
  }

  get unread(): readonly string[] {
    return this.#unread
  }

  /** By the paths of their recordings. */
  get ownRuns(): ReadonlyMap<string, OwnRun> {
    return this.#ownRuns
  }

  close(): void {
    this.#closed = true
  }

  /** Looks everywhere. `isRetried`: what could not be read is tried again. */
  async everywhere(planned: readonly PlannedRoot[], isRetried: boolean): Promise<Changes> {
    const changes: Changes = { any: false, stale: new Set(), hasNewFolders: false }
    const there = new Set<string>()
    const look: Look = { there, changes, isRetried, isWhole: true, isThere: (path) => there.has(path) }
    const roots: LookedRoot[] = []
    const folders = new Map<string, ReadonlyMap<string, FolderPlace>>()
    const unread: string[] = []
    for (const root of planned) {
      const below = await inTurns(findLogs(root), () => this.#closed)
      if (below === null) return changes
      const { path, agent, kind } = root
      roots.push({ path, agent, kind, isMissing: below.isMissing, notes: below.notes.all(), planned: root })
      folders.set(path, below.folders)
      unread.push(...below.unread)
      await inTurns(this.#seeAll(below, root, look), () => this.#closed)
    }
    const runsRoot = await this.#lookAtRuns(look)
    if (this.#closed) return changes
    if (runsRoot !== null) roots.push(runsRoot)
    const wholeRoots = new Set(roots.filter(({ isMissing }) => !isMissing).map(({ path }) => path))
    for (const log of [...this.#logs.all()]) {
      if (there.has(log.path)) continue
      const isUnknown = !wholeRoots.has(log.root.path) || unread.some((folder) => isWithin(log.folder, folder))
      this.#logs.forget(log, isUnknown)
      changes.any = true
    }
    if (JSON.stringify(roots) !== JSON.stringify(this.#roots)) changes.any = true
    this.#roots = roots
    this.#unread = unread
    for (const [path, below] of folders) {
      const known = this.#folders.get(path)
      if (known !== undefined)
        this.#came(
          [...below.keys()].filter((folder) => !known.has(folder)),
          changes
        )
    }
    this.#folders = folders
    return changes
  }

  /** Looks into some folders, and those that came below them. */
  async into(wanted: ReadonlySet<string>): Promise<Changes> {
    const changes: Changes = { any: false, stale: new Set(), hasNewFolders: false }
    const lookOf = (folder: string | null): Look => {
      const there = new Set<string>()
      const isElsewhere = (path: string): boolean => (this.#logs.at(path)?.folder ?? folder) !== folder
      return {
        there,
        changes,
        isRetried: false,
        isWhole: false,
        isThere: (path) => there.has(path) || isElsewhere(path)
      }
    }
    const runs = this.#runs?.folder
    if (runs !== undefined && [...wanted].some((folder) => isWithin(folder, runs))) await this.#lookAtRuns(lookOf(null))
    for (const { planned } of this.#roots) {
      const known = this.#folders.get(planned.path)
      if (known === undefined) continue
      for (const folder of wanted) {
        if (!known.has(folder)) continue
        const below = await inTurns(findLogs(planned, { folder, known }), () => this.#closed)
        if (below === null || below.isMissing) continue
        const look = lookOf(folder)
        await inTurns(this.#seeAll(below, planned, look), () => this.#closed)
        if (this.#closed) return changes
        this.#came(
          [...below.folders.keys()].filter((path) => !known.has(path)),
          changes
        )
        this.#folders.set(planned.path, new Map([...known, ...below.folders]))
        if (below.unread.length > 0) continue
        for (const log of [...this.#logs.all()]) {
          if (log.root.path !== planned.path || log.folder !== folder || look.there.has(log.path)) continue
          this.#logs.forget(log, false)
          changes.any = true
        }
      }
    }
    return changes
  }

  /** The folders in which something is likely to happen. */
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

  #came(folders: readonly string[], changes: Changes): void {
    if (folders.length === 0) return
    changes.hasNewFolders = true
    this.#newFolders = [...this.#newFolders, ...folders].slice(-newFolders)
  }

  /** Looks at Playhead's own runs; null: there can be none. */
  async #lookAtRuns(look: Look): Promise<LookedRoot | null> {
    if (this.#runs === null) return null
    const { runs, isMissing } = await this.#runs.look()
    const planned = runsRoot(this.#runs)
    const ownRuns = new Map(runs.map(({ own }) => [own.path, own]))
    if (!isSame(ownRuns, this.#ownRuns)) look.changes.any = true
    this.#ownRuns = ownRuns
    for (const run of runs) this.#see(foundLog(run), planned, look)
    const { path, agent, kind } = planned
    return { path, agent, kind, isMissing, notes: [], planned }
  }

  *#seeAll(below: FoundBelow, root: PlannedRoot, look: Look): Generator<void, void> {
    for (const found of below.logs) {
      this.#see(found, root, look)
      yield
    }
  }

  #see(found: FoundLog, root: PlannedRoot, { there, changes, isRetried, isWhole, isThere }: Look): void {
    if (there.has(found.path)) return
    const before = this.#logs.at(found.path)
    const { bytes, modified } = before?.facts ?? { bytes: -1, modified: -1 }
    const log = this.#logs.see(found, isWhole ? root : (before?.root ?? root), isThere)
    if (log === null) return
    there.add(found.path)
    if (log.facts.bytes !== bytes || log.facts.modified !== modified) changes.any = true
    if (KnownLogs.isStale(log, isRetried)) changes.stale.add(log)
  }
}

export function runsRoot({ folder }: OwnRuns): PlannedRoot {
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

function isSame(a: ReadonlyMap<string, OwnRun>, b: ReadonlyMap<string, OwnRun>): boolean {
  return a.size === b.size && [...a].every(([path, run]) => JSON.stringify(run) === JSON.stringify(b.get(path)))
}
