import { messageOf } from '#contract/host-error.ts'
import type { Params, Result } from '#contract/methods.ts'
import { changeOf, doubtOf, isChange, isDeletion, isStated, createdCode } from '#core/files/step-code.ts'
import { firstWhere } from '#core/first-where.ts'
import { pathKey, placePath } from '#core/paths/log-path.ts'
import { isSameFile } from '#core/paths/path-names.ts'
import type { FileEffect } from '#core/formats/file-effect.ts'
import { grown } from './grown.ts'
import { Listeners } from './listeners.ts'
import type { LogColumns } from './log-columns.ts'

type FilesPage = Result<'log.files'>

const pageSteps = 100_000
const firstCapacity = 256
/** Pause between requests while rows are looked at, and while the log grows. */
const pauseMs = 20
const growthPauseMs = 500

/** What is known of all files at an event, by file. */
export interface FileStates {
  readonly reads: Uint32Array
  readonly edits: Uint32Array
  /** 1: an event says that the file did not exist before. */
  readonly created: Uint8Array
  readonly deleted: Uint8Array
  /** The last event about it; -1: none yet. */
  readonly last: Int32Array
  /** The first event since that may have changed it; -1: none. */
  readonly doubt: Int32Array
}

/** An event about a file that can be gone to. */
export interface FileVersionStep {
  readonly seq: number
  readonly row: number
  readonly what: FileEffect['what']
  readonly isChange: boolean
}

/** Which events are about which files (`log.files`), as typed arrays. They are loaded while they are watched. */
export class TouchedFiles {
  readonly changes = new Listeners()
  readonly paths: string[] = []
  /** Of the session. */
  folder: string | null = null
  /** Effects that are not here. */
  further = 0
  steps = 0
  doubts = 0
  /** How far the host is. */
  read = 0
  rows = 0
  /** The read error, as a sentence. */
  error: string | null = null
  /** Whether all steps of the rows read so far are here. */
  isComplete = false
  #stepFile = new Uint32Array(firstCapacity)
  #stepRow = new Uint32Array(firstCapacity)
  #stepKind = new Uint8Array(firstCapacity)
  #doubtSeq = new Uint32Array(firstCapacity)
  #doubtKind = new Uint8Array(firstCapacity)
  readonly #fetch: (from: Omit<Params<'log.files'>, 'log'>) => Promise<FilesPage>
  readonly #columns: Pick<LogColumns, 'seq' | 'rows'>
  #numbers = new Map<string, number>()
  #settled = { files: 0, steps: 0, doubts: 0 }
  #wanted = 0
  #isRequesting = false
  #grown = true
  #disposed = false
  #states: { readonly seq: number; readonly version: number; readonly states: FileStates } | null = null
  #versions: { readonly file: number; readonly version: number; readonly list: readonly FileVersionStep[] } | null =
    null

  /** `columns`: of the rows of the log. */
  constructor(
    fetch: (from: Omit<Params<'log.files'>, 'log'>) => Promise<FilesPage>,
    columns: Pick<LogColumns, 'seq' | 'rows'>
  ) {
    this.#fetch = fetch
    this.#columns = columns
  }

  readonly watch = (): (() => void) => {
    this.#wanted++
    this.#goOn()
    return () => void this.#wanted--
  }

  /** Rows were added or replaced. */
  readonly onGrown = (): void => {
    this.#grown = true
    // The rows of events are known only now.
    this.#states = null
    this.#versions = null
    this.#goOn()
  }

  readonly retry = (): void => {
    this.error = null
    this.onGrown()
  }

  dispose(): void {
    this.#disposed = true
  }

  /** The number of a file by its path, or of a file of an event whose path ends so; -1: none. */
  numberOf(path: string, row: number | null = null): number {
    const known = this.#numbers.get(pathKey(placePath(path, this.folder)))
    if (known !== undefined || row === null) return known ?? -1
    let other = -1
    for (let at = firstWhere(this.steps, (step) => (this.#stepRow[step] ?? 0) >= row); at < this.steps; at++) {
      if (this.#stepRow[at] !== row) break
      if (!isStated(this.#stepKind[at] ?? 0)) continue
      const file = this.#stepFile[at] ?? -1
      if (isSameFile(this.paths[file] ?? '', path, this.folder)) return file
      other = file
    }
    return other
  }

  /** What is known of all files after event `seq`. The same object for the same state. */
  at(seq: number): FileStates {
    const version = this.changes.getVersion()
    if (this.#states?.seq === seq && this.#states.version === version) return this.#states.states
    const count = this.paths.length
    const states: FileStates = {
      ...{ reads: new Uint32Array(count), edits: new Uint32Array(count) },
      ...{ created: new Uint8Array(count), deleted: new Uint8Array(count) },
      ...{ last: new Int32Array(count).fill(-1), doubt: new Int32Array(count).fill(-1) }
    }
    for (let at = 0; at < this.steps; at++) {
      const of = this.#seqOf(at)
      if (of < 0 || of > seq) break
      const file = this.#stepFile[at] ?? 0
      const kind = this.#stepKind[at] ?? 0
      if (doubtOf(kind) !== null && (states.doubt[file] ?? -1) < 0) states.doubt[file] = of
      if (!isStated(kind)) continue
      const counts = isChange(kind) ? states.edits : states.reads
      counts[file] = (counts[file] ?? 0) + 1
      if (kind === createdCode) states.created[file] = 1
      states.deleted[file] = isDeletion(kind) ? 1 : 0
      states.last[file] = of
      states.doubt[file] = -1
    }
    for (let file = 0; file < count; file++) {
      const last = states.last[file] ?? -1
      if (last < 0 || states.deleted[file] === 1) continue
      const next = firstWhere(this.doubts, (at) => (this.#doubtSeq[at] ?? 0) >= last)
      const doubt = next < this.doubts ? (this.#doubtSeq[next] ?? 0) : Infinity
      const own = states.doubt[file] ?? -1
      if (doubt <= seq) states.doubt[file] = own < 0 ? doubt : Math.min(own, doubt)
    }
    this.#states = { seq, version, states }
    return states
  }

  /** The events about a file, in log order, one for each event. */
  versionsOf(file: number): readonly FileVersionStep[] {
    const version = this.changes.getVersion()
    if (this.#versions?.file === file && this.#versions.version === version) return this.#versions.list
    const list: FileVersionStep[] = []
    for (let at = 0; at < this.steps; at++) {
      const kind = this.#stepKind[at] ?? 0
      const what = changeOf(kind)
      if (this.#stepFile[at] !== file || what === null || !isStated(kind)) continue
      const seq = this.#seqOf(at)
      if (seq < 0) break
      const step = { seq, row: this.#stepRow[at] ?? 0, what, isChange: isChange(kind) }
      // Of several effects of one call, what changed the file counts.
      if (list.at(-1)?.seq !== seq) list.push(step)
      else if (step.isChange) list[list.length - 1] = step
    }
    this.#versions = { file, version, list }
    return list
  }

  /**
   * The last event up to `seq` that says something of a file, or that may have changed it: since then its content and its
   * certainty are the same. -1: none.
   */
  stateSeq(file: number, seq: number): number {
    const after = firstWhere(this.doubts, (at) => (this.#doubtSeq[at] ?? 0) > seq)
    let last = after > 0 ? (this.#doubtSeq[after - 1] ?? -1) : -1
    for (let at = 0; at < this.steps; at++) {
      if (this.#stepFile[at] !== file) continue
      const of = this.#seqOf(at)
      if (of < 0 || of > seq) break
      last = Math.max(last, of)
    }
    return last
  }

  /** -1: the row is not loaded. */
  #seqOf(step: number): number {
    const row = this.#stepRow[step] ?? 0
    return row < this.#columns.rows ? (this.#columns.seq[row] ?? -1) : -1
  }

  #goOn(): void {
    if (this.#wanted === 0 || this.#disposed || this.error !== null || this.#isRequesting || !this.#grown) return
    this.#isRequesting = true
    void this.#load()
  }

  async #load(): Promise<void> {
    this.#grown = false
    let isPartial = false
    try {
      let from = this.#settled
      for (;;) {
        const page = await this.#fetch({
          ...{ file: from.files, step: from.steps, doubt: from.doubts },
          count: pageSteps
        })
        if (this.#disposed) return
        this.#take(from, page)
        from = { files: this.paths.length, steps: this.steps, doubts: this.doubts }
        if (page.problem !== null) throw new Error(page.problem)
        isPartial = page.read < page.rows
        const { total } = page
        if (from.files >= total.files && from.steps >= total.steps && from.doubts >= total.doubts) break
      }
      this.isComplete = !isPartial
    } catch (error) {
      this.error = messageOf(error)
    }
    if (this.#disposed) return
    this.#states = null
    this.changes.notify()
    await new Promise((resume) => setTimeout(resume, isPartial ? pauseMs : growthPauseMs))
    this.#isRequesting = false
    if (isPartial) this.#grown = true
    this.#goOn()
  }

  #take(from: { readonly files: number; readonly steps: number; readonly doubts: number }, page: FilesPage): void {
    for (const path of this.paths.slice(from.files)) this.#numbers.delete(keyOf(path))
    this.paths.length = from.files
    for (const path of page.paths) {
      this.#numbers.set(keyOf(path), this.paths.length)
      this.paths.push(path)
    }
    const steps = new Uint32Array(page.stepFile)
    this.steps = from.steps + steps.length
    this.#stepFile = putInto(this.#stepFile, new Uint32Array(page.stepFile), from.steps)
    this.#stepRow = putInto(this.#stepRow, new Uint32Array(page.stepRow), from.steps)
    this.#stepKind = putInto(this.#stepKind, new Uint8Array(page.stepKind), from.steps)
    const doubts = new Uint32Array(page.doubtSeq)
    this.doubts = from.doubts + doubts.length
    this.#doubtSeq = putInto(this.#doubtSeq, doubts, from.doubts)
    this.#doubtKind = putInto(this.#doubtKind, new Uint8Array(page.doubtKind), from.doubts)
    this.#settled = {
      files: Math.min(page.settled.files, this.paths.length),
      steps: Math.min(page.settled.steps, this.steps),
      doubts: Math.min(page.settled.doubts, this.doubts)
    }
    this.folder = page.folder
    this.further = page.further
    this.read = page.read
    this.rows = page.rows
  }
}

/** Of a path as the host gives it, which is whole. */
function keyOf(path: string): string {
  return pathKey(placePath(path, null))
}

function putInto<T extends Uint32Array | Uint8Array>(into: T, values: T, from: number): T {
  const room = from + values.length
  const large = room <= into.length ? into : (grown(into, emptyLike(into, Math.max(room, 2 * into.length))) as T)
  large.set(values, from)
  return large
}

function emptyLike(array: Uint32Array | Uint8Array, length: number): Uint32Array | Uint8Array {
  return array instanceof Uint8Array ? new Uint8Array(length) : new Uint32Array(length)
}
