import { access, constants } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { type FileFacts, factsAt, isSameFile, isUnchanged } from './file-facts.ts'
import { FilePrint } from './file-print.ts'
import { FolderWatch } from './folder-watch.ts'
import type { LogSource } from './log-source.ts'
import { systemPath } from './system-path.ts'

/** What is seen of a log's file when it is looked at. */
export interface Sight {
  /**
   * `gone`: nothing stands under its path; `unreadable`: something does, and may not be read. What was opened stays readable as long as
   * the system lets it.
   */
  readonly state: 'there' | 'gone' | 'unreadable'
  /** How many bytes can be read: of the open file, which may grow also while nothing stands under its path. */
  readonly bytes: number
  /**
   * Not null: what was read is no longer the beginning of the file under this path, so it has to be opened (`LogSource.given`) and read
   * anew. `truncated`: shorter than it was. `replaced`: another file stands under the path, after a rotation, or an editor that
   * writes a new file. `rewritten`: the same file, but bytes that it had have changed. Only while `there`.
   */
  readonly fresh: Fresh | null
  /** It will have to be read anew, but who writes it is not done: nothing of it should be read until then. */
  readonly changing: boolean
}

export type Fresh = 'truncated' | 'replaced' | 'rewritten'

/** What people are told of it. */
export const freshNotes: Record<Fresh, string> = {
  truncated: 'The file was truncated and was read again.',
  replaced: 'The file was replaced and was read again.',
  rewritten: 'The file was rewritten and was read again.'
}

export interface LogWatchOptions {
  /** How long after a change to look whether there is more that the system did not tell of; at rest eight times as long. */
  readonly pollMs?: number
  /** How long a file that has to be read anew must be left alone before that is said: who writes it may not be done. */
  readonly quietMs?: number
}

/** Between two calls of `onStir`. */
const stirMs = 20
/** A file that is never left alone is read anew all the same, after so many times `quietMs`. */
const maxQuietWaits = 20
/** At rest polls are so many times rarer. */
const restPolls = 8

/** What a path was found to lead to: a file, or a reason why there is none. */
type Found = FileFacts | 'gone' | 'unreadable'

/** What a file that has to be read anew looked like. */
interface Unrest {
  readonly since: number
  seen: FileFacts
  seenAt: number
}

/** Watches the file of an open source. Never writes to it, never keeps the process alive. */
export class LogWatch {
  readonly #source: LogSource
  readonly #onStir: () => void
  readonly #pollMs: number
  readonly #quietMs: number
  readonly #print = new FilePrint()
  /** By path. */
  readonly #watches = new Map<string, FolderWatch>()
  #looks: Promise<unknown> = Promise.resolve()
  /** As of the last look. */
  #found: Found
  #bytes: number
  #unrest: Unrest | null = null
  /** The system told of a change since the last poll. */
  #told = false
  #stirTimer: NodeJS.Timeout | null = null
  #stirAt = 0
  #pollTimer: NodeJS.Timeout | null = null
  #pollIn: number
  #closed = false

  /** Calls `onStir` when the file should be looked at: at most every 20 ms, and at least once after the last change. */
  constructor(source: LogSource, onStir: () => void, { pollMs = 250, quietMs }: LogWatchOptions = {}) {
    this.#source = source
    this.#onStir = onStir
    this.#pollMs = pollMs
    // Unpacking a log anew costs more than reading it.
    this.#quietMs = quietMs ?? (source.packed ? 1000 : 60)
    this.#found = source.opened
    this.#bytes = source.packed ? 0 : source.opened.bytes
    this.#pollIn = pollMs
    // Before it is read: what is rewritten while it is read shows at the first look.
    if (!source.packed) this.#looks = this.#print.holds(source, source.opened.bytes).catch(() => {})
    this.#watch()
    this.#pollSoon()
  }

  /** Looks at the file. `readTo`: bytes read so far, at most as many as a look has said there are. Never rejects. */
  async look(readTo: number): Promise<Sight> {
    const look = this.#looks.then(() => this.#look(readTo))
    this.#looks = look
    return await look
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#stirTimer ?? undefined)
    clearTimeout(this.#pollTimer ?? undefined)
    for (const watch of this.#watches.values()) watch.close()
    this.#watches.clear()
  }

  async #look(readTo: number): Promise<Sight> {
    const found = await this.#find()
    this.#found = found
    this.#bytes = await this.#bytesOf(found)
    if (typeof found === 'string') return this.#seen(found, this.#bytes)
    try {
      const fresh = await this.#freshness(found, readTo)
      if (fresh === null) return this.#seen('there', this.#bytes)
      // What is being written anew is neither what was read nor what it will be.
      if (!this.#isQuiet(found)) return { state: 'there', bytes: readTo, fresh: null, changing: true }
      return { state: 'there', bytes: this.#bytes, fresh, changing: false }
    } catch {
      return this.#seen('unreadable', this.#bytes)
    }
  }

  #seen(state: Sight['state'], bytes: number): Sight {
    this.#unrest = null
    return { state, bytes, fresh: null, changing: false }
  }

  async #find(): Promise<Found> {
    try {
      const facts = await factsAt(this.#source.given)
      if (!facts.regular) return 'unreadable'
      await access(await systemPath(this.#source.given), constants.R_OK)
      return facts
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP' ? 'gone' : 'unreadable'
    }
  }

  async #bytesOf(found: Found): Promise<number> {
    const { opened, packed } = this.#source
    if (!packed && typeof found !== 'string' && isSameFile(found, opened)) return found.bytes
    try {
      return await this.#source.size()
    } catch {
      return this.#bytes
    }
  }

  /** Rejects where the open file cannot be read. */
  async #freshness(found: FileFacts, readTo: number): Promise<Fresh | null> {
    const { opened, packed } = this.#source
    if (!isSameFile(found, opened)) return 'replaced'
    if (packed) return isUnchanged(found, opened) ? null : 'rewritten'
    if (this.#bytes < Math.max(readTo, this.#print.bytes)) return 'truncated'
    return (await this.#print.holds(this.#source, this.#bytes)) ? null : 'rewritten'
  }

  /** Whether a file that has to be read anew is left alone; stirs again where it has to be seen. */
  #isQuiet(found: FileFacts): boolean {
    const now = performance.now()
    this.#unrest ??= { since: now, seen: found, seenAt: now }
    const unrest = this.#unrest
    if (!isUnchanged(found, unrest.seen)) {
      unrest.seen = found
      unrest.seenAt = now
    }
    const missing = Math.min(unrest.seenAt + this.#quietMs - now, unrest.since + this.#quietMs * maxQuietWaits - now)
    if (missing <= 0) return true
    this.#stirIn(Math.max(missing, stirMs))
    return false
  }

  #stirIn(ms: number): void {
    const at = performance.now() + ms
    if (this.#closed || (this.#stirTimer && this.#stirAt <= at)) return
    clearTimeout(this.#stirTimer ?? undefined)
    this.#stirAt = at
    this.#stirTimer = setTimeout(() => {
      this.#stirTimer = null
      this.#pollIn = this.#pollMs
      this.#pollSoon()
      this.#onStir()
    }, Math.ceil(ms))
    this.#stirTimer.unref()
  }

  #pollSoon(): void {
    clearTimeout(this.#pollTimer ?? undefined)
    if (this.#closed) return
    this.#pollTimer = setTimeout(() => void this.#poll(), this.#pollIn)
    this.#pollTimer.unref()
  }

  async #poll(): Promise<void> {
    const found = await this.#find()
    // How much of a packed log is unpacked is none of its changes.
    const grown = !this.#source.packed && (await this.#bytesOf(found)) !== this.#bytes
    const changed = grown || !isAsFound(found, this.#found)
    if (this.#closed) return
    if (changed && !this.#told) for (const watch of this.#watches.values()) watch.expire()
    this.#told = false
    this.#watch()
    this.#pollIn = changed ? this.#pollMs : Math.min(this.#pollIn * 2, this.#pollMs * restPolls)
    this.#pollSoon()
    // Who could not open the file anew tries again.
    if (changed || this.#unrest) this.#stirIn(stirMs)
  }

  /** Starts the watchers that are missing. */
  #watch(): void {
    const { given, path } = this.#source
    const inFolders = [...new Set([given, path])].map((file) => this.#watchOne(dirname(file), basename(file)))
    // Elsewhere the system tells of names in a folder, and late or not at all of what is written to its files.
    if (process.platform !== 'linux' || inFolders.includes(false)) this.#watchOne(path, null)
  }

  #watchOne(path: string, name: string | null): boolean {
    const known = this.#watches.get(path)
    if (known?.alive) return true
    known?.close()
    const watch = FolderWatch.start(path, name, () => {
      this.#told = true
      this.#stirIn(stirMs)
    })
    if (watch) this.#watches.set(path, watch)
    else this.#watches.delete(path)
    return watch !== null
  }
}

function isAsFound(a: Found, b: Found): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  return isUnchanged(a, b) && a.changed === b.changed
}
