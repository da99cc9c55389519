import { chmodSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { SessionCounts, SessionPreview } from '#core/library/session-card.ts'
import { makeFolderNow } from '../make-folder.ts'
import {
  createEmptyFile,
  codeOf,
  type Connection,
  type ConnectionClass,
  fileAt,
  isDamage,
  withFolderLock,
  number,
  retryWhileBusy
} from '../tasks/task-database.ts'
import { whyNotWritten } from '../write-failure.ts'
import { LogHead, SessionEnd } from './log-head.ts'

/** The stored row of a log. */
export interface StoredLog {
  readonly path: string
  /** The root below which it was found. */
  readonly root: string
  readonly head: LogHead
  readonly counted: CountedLog | null
}

/** The results of reading a whole session. */
export interface CountedLog {
  /** Of the session's files when they were read. */
  readonly fingerprint: string
  /** Null: unreadable. */
  readonly counts: SessionCounts | null
  readonly end: z.infer<typeof SessionEnd> | null
}

export type Counted = CountedLog & { readonly path: string; readonly preview: SessionPreview | null }

/** Raised with every change of the tables or of stored values: data of another version is discarded. */
export const libraryVersion = 18
const name = 'library.db'
const journalLimitBytes = 4 << 20
/** Rows of roots that were not scanned for this long are deleted. */
const forgottenMs = 30 * 24 * 3_600_000
const pageRows = 1000

/** Waits in ms while another program locks the database; each wait blocks the thread. */
export interface LockWaits {
  readonly first: number
  /** After the database was found locked. */
  readonly later: number
  /** Between tries. */
  readonly between: number
}

const defaultWaits: LockWaits = { first: 1000, later: 20, between: 5000 }

const tables = `
  CREATE TABLE logs (
    path TEXT NOT NULL PRIMARY KEY,
    root TEXT NOT NULL,
    told TEXT NOT NULL,
    print TEXT,
    counts TEXT,
    turn_end TEXT
  ) STRICT;
  CREATE INDEX logs_of_root ON logs (root, path);
  CREATE TABLE previews (path TEXT NOT NULL PRIMARY KEY, print TEXT NOT NULL, preview TEXT NOT NULL) STRICT;
  CREATE TABLE roots (root TEXT NOT NULL PRIMARY KEY, looked_at REAL NOT NULL) STRICT;
`

interface Statement {
  all(...values: unknown[]): unknown[]
  run(...values: unknown[]): unknown
}

const LogRow = z.object({
  path: z.string(),
  root: z.string(),
  told: z.string(),
  print: z.string().nullable(),
  counts: z.string().nullable(),
  turn_end: SessionEnd.nullable()
})
const PreviewRow = z.object({ preview: z.string() })

/**
 * The cards of logs, in a SQLite file of the cache folder that several processes share. Nothing throws: errors are reported
 * once, and the library works without the file. While it is locked, writes return false and must be repeated.
 */
export class LibraryDatabase {
  readonly #path: string
  readonly #Database: ConnectionClass | null
  readonly #problem: (sentence: string) => void
  #db: Connection | null = null
  #file = ''
  /** The database was created again during use, so everything must be written again. */
  #lost = false
  readonly #waits: LockWaits
  /** The database was locked when it was opened. */
  #mustOpen = false
  /** When a lock was found, by `performance.now`, where opening counts as reading; null: no lock. */
  #lockedAt: { read: number | null; write: number | null } = { read: null, write: null }

  private constructor(
    path: string,
    Database: ConnectionClass | null,
    problem: (sentence: string) => void,
    waits: LockWaits
  ) {
    this.#path = path
    this.#Database = Database
    this.#problem = problem
    this.#waits = waits
    if (Database !== null) this.#open()
  }

  /** `cache` null: nothing is stored. */
  static async open(
    cache: string | null,
    problem: (sentence: string) => void,
    waits: LockWaits = defaultWaits
  ): Promise<LibraryDatabase> {
    let Database: ConnectionClass | null = null
    if (cache === null) return new LibraryDatabase('', null, problem, waits)
    try {
      Database = (await import('libsql')).default
    } catch {
      const platform = `${process.platform}-${process.arch}`
      problem(
        `The library is rebuilt at every start, because SQLite is not installed for ${platform} (package libsql).`
      )
    }
    return new LibraryDatabase(join(cache, name), Database, problem, waits)
  }

  /** Whether everything must be written again; resets the flag. */
  consumeLost(): boolean {
    const lost = this.#lost
    this.#lost = false
    return lost
  }

  /** Pages of the logs below these roots. */
  *logsOf(roots: readonly string[]): Generator<StoredLog[]> {
    for (const root of roots) {
      for (let after = ''; ;) {
        const { last, logs } = this.#use<{ last: string | null; logs: StoredLog[] }>(
          'read',
          { last: null, logs: [] },
          (db) => {
            const select = prepared(db, 'SELECT * FROM logs WHERE root = ? AND path > ? ORDER BY path LIMIT ?')
            const rows = select.all(root, after, pageRows).map((row) => LogRow.parse(row))
            return { last: rows.length < pageRows ? null : (rows.at(-1)?.path ?? null), logs: rows.map(storedLog) }
          }
        )
        yield logs
        if (last === null) break
        after = last
      }
    }
  }

  logAt(path: string): StoredLog | null {
    return this.#use('read', null, (db) => {
      const [row] = prepared(db, 'SELECT * FROM logs WHERE path = ?').all(path)
      return row === undefined ? null : storedLog(LogRow.parse(row))
    })
  }

  /** Changes are transactions. False, here and below: the database is locked. */
  put(logs: readonly StoredLog[]): boolean {
    return this.#change((db) => {
      const insert = prepared(
        db,
        'INSERT OR REPLACE INTO logs (path, root, told, print, counts, turn_end) VALUES (?, ?, ?, ?, ?, ?)'
      )
      for (const { path, root, head, counted } of logs) {
        const counts = counted?.counts == null ? null : JSON.stringify(counted.counts)
        insert.run(path, root, JSON.stringify(head), counted?.fingerprint ?? null, counts, counted?.end ?? null)
      }
    })
  }

  remove(paths: readonly string[]): boolean {
    return this.#change((db) => {
      const remove = prepared(db, 'DELETE FROM logs WHERE path = ?')
      const removePreview = prepared(db, 'DELETE FROM previews WHERE path = ?')
      for (const path of paths) {
        remove.run(path)
        removePreview.run(path)
      }
    })
  }

  putCounted(all: readonly Counted[]): boolean {
    return this.#change((db) => {
      const update = prepared(db, 'UPDATE logs SET print = ?, counts = ?, turn_end = ? WHERE path = ?')
      const insert = prepared(db, 'INSERT OR REPLACE INTO previews (path, print, preview) VALUES (?, ?, ?)')
      for (const { path, fingerprint, counts, end, preview } of all) {
        update.run(fingerprint, counts === null ? null : JSON.stringify(counts), end, path)
        if (preview !== null) insert.run(path, fingerprint, JSON.stringify(preview))
      }
    })
  }

  /** Null: no preview for this fingerprint. */
  preview(path: string, fingerprint: string): SessionPreview | null {
    return this.#use('read', null, (db) => {
      const [row] = prepared(db, 'SELECT preview FROM previews WHERE path = ? AND print = ?').all(path, fingerprint)
      return row === undefined ? null : SessionPreview.parse(JSON.parse(PreviewRow.parse(row).preview))
    })
  }

  /** Deletes the rows of roots that were not in use for a long time. */
  setRootsInUse(roots: readonly string[], now: number): boolean {
    return this.#change((db) => {
      const insert = prepared(db, 'INSERT OR REPLACE INTO roots (root, looked_at) VALUES (?, ?)')
      for (const root of roots) insert.run(root, now)
      const old = 'SELECT root FROM roots WHERE looked_at < ?'
      prepared(db, `DELETE FROM previews WHERE path IN (SELECT path FROM logs WHERE root IN (${old}))`).run(
        now - forgottenMs
      )
      prepared(db, `DELETE FROM logs WHERE root IN (${old})`).run(now - forgottenMs)
      prepared(db, 'DELETE FROM roots WHERE looked_at < ?').run(now - forgottenMs)
    })
  }

  /** The next use tries a locked database at once, with the first wait. */
  resetLocks(): void {
    this.#lockedAt = { read: null, write: null }
  }

  close(): void {
    try {
      this.#db?.close()
    } catch {
      // Committed changes are in the file.
    }
    this.#db = null
    this.#mustOpen = false
    this.#lockedAt = { read: null, write: null }
  }

  /** False: the database is locked. True also if it cannot be used: a repetition would not help. */
  #change(work: (db: Connection) => void): boolean {
    const isDone = this.#use('write', false, (db) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        work(db)
        db.exec('COMMIT')
      } catch (error) {
        // Some errors end the transaction.
        if (db.inTransaction) db.exec('ROLLBACK')
        throw error
      }
      return true
    })
    return isDone || !(this.#mustOpen || this.#lockedAt.write !== null)
  }

  #use<T>(kind: 'read' | 'write', otherwise: T, work: (db: Connection) => T): T {
    this.#followFile()
    if (this.#mustOpen && this.#mayTry('read')) this.#open()
    const db = this.#db
    if (db === null || !this.#mayTry(kind)) return otherwise
    try {
      const result = retryWhileBusy(() => work(db), this.#waitMs(kind))
      this.#lockedAt[kind] = null
      return result
    } catch (error) {
      if (isLocked(error)) this.#lockedAt[kind] = performance.now()
      else if (isDamage(codeOf(error)) || error instanceof SyntaxError || error instanceof z.ZodError)
        this.#recreate('is damaged')
      else this.#giveUp(error)
      return otherwise
    }
  }

  #mayTry(kind: 'read' | 'write'): boolean {
    const at = this.#lockedAt[kind]
    return at === null || performance.now() - at >= this.#waits.between
  }

  #waitMs(kind: 'read' | 'write'): number {
    return this.#lockedAt[kind] === null ? this.#waits.first : this.#waits.later
  }

  /** Another process may have removed or replaced the file. */
  #followFile(): void {
    if (this.#db === null || fileAt(this.#path) === this.#file) return
    this.close()
    this.#lost = true
    this.#open()
  }

  #open(): void {
    try {
      if (!retryWhileBusy(() => this.#connect(), this.#waitMs('read'))) {
        this.#recreate('was written by another version of Playhead')
      }
    } catch (error) {
      if (isDamage(codeOf(error))) this.#recreate('is damaged')
      else this.#onOpenError(error)
    }
  }

  /** False: it is of another version or program. Throws if it cannot be used. */
  #connect(): boolean {
    makeFolderNow(dirname(this.#path))
    const there = statSync(this.#path, { throwIfNoEntry: false })
    if (there === undefined) createEmptyFile(this.#path)
    // On Windows the mode has no meaning.
    else if ((there.mode & 0o077) !== 0 && process.platform !== 'win32') chmodSync(this.#path, 0o600)
    const Database = this.#Database as ConnectionClass
    const db = new Database(this.#path)
    try {
      // SQLite must not wait itself: `retryWhileBusy` does.
      db.pragma('busy_timeout = 0')
      db.pragma('journal_mode = WAL')
      // The file is a cache: after a power failure the last changes may be missing.
      db.pragma('synchronous = NORMAL')
      db.pragma(`journal_size_limit = ${journalLimitBytes}`)
      if (number(db, 'user_version') !== libraryVersion && !hasTables(db)) {
        db.close()
        return false
      }
    } catch (error) {
      db.close()
      throw error
    }
    // If SQLite itself created the files, everybody can read them.
    if (process.platform !== 'win32') {
      for (const beside of ['', '-wal', '-shm']) {
        if (statSync(this.#path + beside, { throwIfNoEntry: false })) chmodSync(this.#path + beside, 0o600)
      }
    }
    this.#db = db
    this.#file = fileAt(this.#path)
    this.#mustOpen = false
    this.#lockedAt = { read: null, write: null }
    return true
  }

  #recreate(why: string): void {
    const damaged = this.#db === null ? fileAt(this.#path) : this.#file
    this.close()
    this.#problem(`The library index ${this.#path} ${why}. It will be rebuilt. No log is lost.`)
    try {
      withFolderLock(`${this.#path}.lock`, () => {
        // Unless another Playhead has done so.
        if (fileAt(this.#path) === damaged) {
          for (const beside of ['-wal', '-shm', '']) rmSync(this.#path + beside, { force: true })
        }
        this.#lost = true
        if (!retryWhileBusy(() => this.#connect(), this.#waits.first))
          throw new Error('another version of Playhead uses it')
      })
    } catch (error) {
      this.#onOpenError(error)
    }
  }

  #onOpenError(error: unknown): void {
    if (!isLocked(error)) return this.#giveUp(error)
    this.#mustOpen = true
    this.#lockedAt.read = performance.now()
  }

  #giveUp(error: unknown): void {
    this.close()
    this.#problem(
      `${this.#path} cannot be used: ${whyNotWritten(error)}. The library will be rebuilt at the next start.`
    )
  }
}

/** Prepared statements by connection: preparing takes longer than running. */
const statements = new WeakMap<Connection, Map<string, Statement>>()

function prepared(db: Connection, sql: string): Statement {
  const known = statements.get(db) ?? new Map<string, Statement>()
  statements.set(db, known)
  const statement = known.get(sql) ?? (db.prepare(sql) as Statement)
  known.set(sql, statement)
  return statement
}

/** Creates the tables in an empty database. False: it has other tables. */
function hasTables(db: Connection): boolean {
  db.exec('BEGIN IMMEDIATE')
  try {
    const isNew = db.prepare('SELECT name FROM sqlite_schema LIMIT 1').all().length === 0
    if (isNew) {
      db.exec(tables)
      db.pragma(`user_version = ${libraryVersion}`)
    }
    // Another program may have created them.
    const isOurs = isNew || number(db, 'user_version') === libraryVersion
    db.exec('COMMIT')
    return isOurs
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function isLocked(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

function storedLog({ path, root, told, print, counts, turn_end: end }: z.infer<typeof LogRow>): StoredLog {
  const head = LogHead.parse(JSON.parse(told))
  if (print === null) return { path, root, head, counted: null }
  const parsed = counts === null ? null : SessionCounts.parse(JSON.parse(counts))
  return { path, root, head, counted: { fingerprint: print, counts: parsed, end } }
}
