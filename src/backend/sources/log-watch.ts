import { basename, dirname } from 'node:path'
import { type FileFacts, isSameFile, isUnchanged } from './file-facts.ts'
import { FolderWatch } from './folder-watch.ts'
import type { LogSource } from './log-source.ts'
import { createHash } from 'node:crypto'

/** The state of a log's file. */
export interface FileState {
  /** `gone`: the path does not exist; `unreadable`: no permission. The open file mostly stays readable. */
  readonly state: 'there' | 'gone' | 'unreadable'
  /** Readable bytes of the open file, which may grow even without a path. */
  readonly bytes: number
  /** Not null: read the file again. `replaced`: another file has the path. `rewritten`: earlier bytes have changed. `updated`: a database has. */
  readonly reset: Reset | null
  /** A reset is due, but the file is still being written: read nothing until then. */
  readonly changing: boolean
}

export type Reset = 'truncated' | 'replaced' | 'rewritten' | 'updated'

/** Notes for the user; null: such changes are usual. */
export const resetNotes = {
  truncated: 'The file was truncated and was read again.',
  replaced: 'The file was replaced and was read again.',
  rewritten: 'The file was rewritten and was read again.',
  updated: null
} as const satisfies Record<Reset, string | null>

export interface LogWatchOptions {
  /** Poll interval after a change; it grows eight times while nothing changes. */
  readonly pollMs?: number
  /** A reset is reported after this time without a write. */
  readonly quietMs?: number
}

/** Minimum time between two calls of `onChange`. */
const minIntervalMs = 20
/** A file that is written all the time is reset after this many `quietMs`. */
const maxQuietWaits = 20
/** The poll interval grows up to this factor while nothing changes. */
const idlePollFactor = 8

/** The metadata under a path, or why there is none. */
type Found = FileFacts | 'gone' | 'unreadable'

/** A reset that waits until the file is quiet. */
interface PendingReset {
  readonly since: number
  seen: FileFacts
  seenAt: number
}

/** Watches the file of an open source. Does not keep the process alive. */
export class LogWatch {
  readonly #source: LogSource
  readonly #onChange: () => void
  readonly #pollMs: number
  readonly #quietMs: number
  readonly #fingerprint = new ContentFingerprint()
  /** By path and name. */
  readonly #watches = new Map<string, FolderWatch>()
  #looks: Promise<unknown> = Promise.resolve()
  /** From the last look. */
  #found: Found
  #bytes: number
  #pending: PendingReset | null = null
  /** A watcher reported a change since the last poll. */
  #wasNotified = false
  #callTimer: NodeJS.Timeout | null = null
  #callAt = 0
  #pollTimer: NodeJS.Timeout | null = null
  #pollIn: number
  #closed = false

  /** Calls `onChange` when the file should be checked: at most every 20 ms, and at least once after the last change. */
  constructor(source: LogSource, onChange: () => void, { pollMs = 250, quietMs }: LogWatchOptions = {}) {
    this.#source = source
    this.#onChange = onChange
    this.#pollMs = pollMs
    // Unpacking again is more expensive.
    this.#quietMs = quietMs ?? (source.packed ? 1000 : 60)
    this.#found = source.opened
    this.#bytes = source.packed ? 0 : source.opened.bytes
    this.#pollIn = pollMs
    // Before the log is read: a change during the read shows in the first look.
    if (!source.packed) this.#looks = this.#fingerprint.holds(source, source.opened.bytes).catch(() => {})
    this.#watch()
    this.#pollSoon()
  }

  /** Checks the file. `readTo`: bytes read so far, at most `bytes` of an earlier state. Never rejects. */
  async look(readTo: number): Promise<FileState> {
    const look = this.#looks.then(() => this.#look(readTo))
    this.#looks = look
    return await look
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#callTimer ?? undefined)
    clearTimeout(this.#pollTimer ?? undefined)
    for (const watch of this.#watches.values()) watch.close()
    this.#watches.clear()
  }

  async #look(readTo: number): Promise<FileState> {
    const found = await this.#find()
    this.#found = found
    this.#bytes = await this.#bytesOf(found)
    if (typeof found === 'string') return this.#settled(found, this.#bytes)
    try {
      const reset = await this.#resetOf(found, readTo)
      if (reset === null) return this.#settled('there', this.#bytes)
      // A half-written file is neither the old content nor the new.
      if (reset !== 'updated' && !this.#isQuiet(found))
        return { state: 'there', bytes: readTo, reset: null, changing: true }
      return { state: 'there', bytes: this.#bytes, reset, changing: false }
    } catch {
      return this.#settled('unreadable', this.#bytes)
    }
  }

  #settled(state: FileState['state'], bytes: number): FileState {
    this.#pending = null
    return { state, bytes, reset: null, changing: false }
  }

  async #find(): Promise<Found> {
    try {
      const facts = await this.#source.current()
      return facts.regular ? facts : 'unreadable'
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      return ['ENOENT', 'ENOTDIR', 'ELOOP', 'not-found'].includes(String(code)) ? 'gone' : 'unreadable'
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

  /** Rejects if the open file cannot be read. */
  async #resetOf(found: FileFacts, readTo: number): Promise<Reset | null> {
    const { opened, packed } = this.#source
    if (this.#source.isOutdated === true) return 'updated'
    if (!isSameFile(found, opened)) return 'replaced'
    if (packed) return isUnchanged(found, opened) ? null : 'rewritten'
    if (this.#bytes < Math.max(readTo, this.#fingerprint.bytes)) return 'truncated'
    return (await this.#fingerprint.holds(this.#source, this.#bytes)) ? null : 'rewritten'
  }

  /** Whether a pending reset may be reported; else schedules another call. */
  #isQuiet(found: FileFacts): boolean {
    const now = performance.now()
    this.#pending ??= { since: now, seen: found, seenAt: now }
    const pending = this.#pending
    if (!isUnchanged(found, pending.seen)) {
      pending.seen = found
      pending.seenAt = now
    }
    const missing = Math.min(pending.seenAt + this.#quietMs - now, pending.since + this.#quietMs * maxQuietWaits - now)
    if (missing <= 0) return true
    this.#callIn(Math.max(missing, minIntervalMs))
    return false
  }

  #callIn(ms: number): void {
    const at = performance.now() + ms
    if (this.#closed || (this.#callTimer && this.#callAt <= at)) return
    clearTimeout(this.#callTimer ?? undefined)
    this.#callAt = at
    this.#callTimer = setTimeout(() => {
      this.#callTimer = null
      this.#pollIn = this.#pollMs
      this.#pollSoon()
      this.#onChange()
    }, Math.ceil(ms))
    this.#callTimer.unref()
  }

  #pollSoon(): void {
    clearTimeout(this.#pollTimer ?? undefined)
    if (this.#closed) return
    this.#pollTimer = setTimeout(() => void this.#poll(), this.#pollIn)
    this.#pollTimer.unref()
  }

  async #poll(): Promise<void> {
    const found = await this.#find()
    // Unpacking a packed log is no change.
    const grown = !this.#source.packed && (await this.#bytesOf(found)) !== this.#bytes
    const changed = grown || !isAsFound(found, this.#found)
    if (this.#closed) return
    if (changed && !this.#wasNotified) for (const watch of this.#watches.values()) watch.expire()
    this.#wasNotified = false
    this.#watch()
    this.#pollIn = changed ? this.#pollMs : Math.min(this.#pollIn * 2, this.#pollMs * idlePollFactor)
    this.#pollSoon()
    // A pending reset may have failed to open the file.
    if (changed || this.#pending) this.#callIn(minIntervalMs)
  }

  /** Starts missing watchers. */
  #watch(): void {
    const { watched } = this.#source
    const inFolders = [...new Set(watched)].map((file) => this.#watchOne(dirname(file), basename(file)))
    // Other systems report names in a folder, but writes late or not at all.
    if (process.platform !== 'linux' || inFolders.includes(false))
      for (const file of watched) this.#watchOne(file, null)
  }

  #watchOne(path: string, name: string | null): boolean {
    const key = JSON.stringify([path, name])
    const known = this.#watches.get(key)
    if (known?.alive) return true
    known?.close()
    const watch = FolderWatch.start(path, name, () => {
      this.#wasNotified = true
      this.#callIn(minIntervalMs)
    })
    if (watch) this.#watches.set(key, watch)
    else this.#watches.delete(key)
    return watch !== null
  }
}

function isAsFound(a: Found, b: Found): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  return isUnchanged(a, b) && a.changed === b.changed
}

/** Size of the hashed ranges. */
const windowBytes = 1 << 15

interface Readable {
  read(offset: number, length: number): Promise<Uint8Array>
}

/** Detects changes of read bytes by hashes of the first and last 32 KiB, and the length. Others are not found. */
class ContentFingerprint {
  #bytes = 0
  #hash = ''

  /** The number of bytes covered. */
  get bytes(): number {
    return this.#bytes
  }

  /** False if covered bytes changed since the last call; then covers `bytes`. Rejects if the file is unreadable. */
  async holds(file: Readable, bytes: number): Promise<boolean> {
    // Before the check of the old hash: a write between the two shows now or in the next call.
    const next = bytes > this.#bytes ? await hashOf(file, bytes) : null
    if (this.#bytes > 0 && (await hashOf(file, this.#bytes)) !== this.#hash) return false
    if (next !== null) {
      this.#hash = next
      this.#bytes = bytes
    }
    return true
  }
}

async function hashOf(file: Readable, bytes: number): Promise<string> {
  const hash = createHash('sha1').update(await file.read(0, Math.min(bytes, windowBytes)))
  const tail = Math.max(windowBytes, bytes - windowBytes)
  if (bytes > tail) hash.update(await file.read(tail, bytes - tail))
  return hash.digest('base64')
}
