import { chmodSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SessionCounts, SessionPreview } from '#core/library/session-card.ts'
import { makeFolderNow } from '../make-folder.ts'
import {
  beginEmpty,
  codeOf,
  type Connection,
  type ConnectionClass,
  fileAt,
  isDamage,
  locked,
  number,
  patiently
} from '../tasks/task-database.ts'
import { whyNotWritten } from '../write-failure.ts'
import type { ToldLog } from './told-log.ts'

/** What is kept of a log. */
export interface KeptLog {
  readonly path: string
  /** The folder below which it was found, as it was looked for. */
  readonly root: string
  readonly told: ToldLog
  readonly counted: CountedLog | null
}

/** What reading all of a session told. */
export interface CountedLog {
  /** Of which state of its files. */
  readonly print: string
  /** Null: it could not be read. */
  readonly counts: SessionCounts | null
  readonly end: 'done' | 'error' | 'interrupted' | 'open' | 'empty' | null
}

export type Counted = CountedLog & { readonly path: string; readonly preview: SessionPreview | null }

/** Raised with every change of the tables, or of what cards and counts say: what another version kept is not used. */
export const libraryVersion = 8
const name = 'library.db'
const keptLogBytes = 4 << 20
/** Of roots that nobody has looked into for so long nothing is kept. */
const forgottenMs = 30 * 24 * 3_600_000
const pageRows = 1000

/** How long another program is waited for that holds the database, in ms: each wait stops the thread. */
export interface LockWaits {
  readonly first: number
  /** Once it was found locked. */
  readonly later: number
  /** From one try to the next. */
  readonly between: number
}

const usualWaits: LockWaits = { first: 1000, later: 20, between: 5000 }

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

interface LogRow {
  readonly path: string
  readonly root: string
  readonly told: string
  readonly print: string | null
  readonly counts: string | null
  readonly turn_end: CountedLog['end']
}

/**
 * What the library knows of logs, kept from one time to the next: one SQLite file in the cache folder, which several Playheads use at once, and which may be
 * deleted at any time. What goes wrong with it is said once, and the library does without: nothing here throws. What another program holds up is put off:
 * whoever writes is told so by false, and comes again.
 */
export class LibraryDatabase {
  readonly #path: string
  readonly #Database: ConnectionClass | null
  readonly #problem: (sentence: string) => void
  #db: Connection | null = null
  #file = ''
  /** All that is known has to be written again: it was begun anew while it was in use. */
  #lost = false
  readonly #waits: LockWaits
  /** It could not be opened for a lock. */
  #isToOpen = false
  /** When another program was found to hold it, by `performance.now`; opening is reading. Null: it was free. */
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

  static async open(
    cache: string,
    problem: (sentence: string) => void,
    waits: LockWaits = usualWaits
  ): Promise<LibraryDatabase> {
    let Database: ConnectionClass | null = null
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

  /** Whether all has to be put here again; says so once. */
  takeLost(): boolean {
    const lost = this.#lost
    this.#lost = false
    return lost
  }

  /** Logs that were found below these roots, a page at a time. */
  *logsOf(roots: readonly string[]): Generator<KeptLog[]> {
    for (const root of roots) {
      for (let after = ''; ;) {
        const { rows, logs } = this.#use<{ rows: LogRow[]; logs: KeptLog[] }>('read', { rows: [], logs: [] }, (db) => {
          const select = prepared(db, 'SELECT * FROM logs WHERE root = ? AND path > ? ORDER BY path LIMIT ?')
          const page = select.all(root, after, pageRows) as LogRow[]
          // A row that is damaged is damage as any other.
          return { rows: page, logs: page.flatMap((row) => keptOf(row) ?? []) }
        })
        yield logs
        const last = rows.at(-1)
        if (last === undefined || rows.length < pageRows) break
        after = last.path
      }
    }
  }

  logAt(path: string): KeptLog | null {
    return this.#use('read', null, (db) => {
      const [row] = prepared(db, 'SELECT * FROM logs WHERE path = ?').all(path) as LogRow[]
      return row === undefined ? null : keptOf(row)
    })
  }

  /** In one transaction, as all changes. False, here and below: another program holds the database. */
  put(logs: readonly KeptLog[]): boolean {
    return this.#change((db) => {
      const insert = prepared(
        db,
        'INSERT OR REPLACE INTO logs (path, root, told, print, counts, turn_end) VALUES (?, ?, ?, ?, ?, ?)'
      )
      for (const { path, root, told, counted } of logs) {
        const counts = counted?.counts == null ? null : JSON.stringify(counted.counts)
        insert.run(path, root, JSON.stringify(told), counted?.print ?? null, counts, counted?.end ?? null)
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
      for (const { path, print, counts, end, preview } of all) {
        update.run(print, counts === null ? null : JSON.stringify(counts), end, path)
        if (preview !== null) insert.run(path, print, JSON.stringify(preview))
      }
    })
  }

  /** Null: none is kept of this state of the session. */
  preview(path: string, print: string): SessionPreview | null {
    return this.#use('read', null, (db) => {
      const rows = prepared(db, 'SELECT preview FROM previews WHERE path = ? AND print = ?').all(path, print)
      const [row] = rows as { preview: string }[]
      return row === undefined ? null : (JSON.parse(row.preview) as SessionPreview)
    })
  }

  /** These roots are in use; what was kept of others, long ago, goes. */
  lookedInto(roots: readonly string[], now: number): boolean {
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

  /** Tries what was locked at once, and waits for it as for the first time. */
  tryAgain(): void {
    this.#lockedAt = { read: null, write: null }
  }

  close(): void {
    try {
      this.#db?.close()
    } catch {
      // What was written stands there.
    }
    this.#db = null
    this.#isToOpen = false
    this.#lockedAt = { read: null, write: null }
  }

  /** False: another program holds the database. What is damaged or given up is not to be tried again. */
  #change(work: (db: Connection) => void): boolean {
    const isDone = this.#use('write', false, (db) => {
      db.exec('BEGIN IMMEDIATE')
      try {
        work(db)
        db.exec('COMMIT')
      } catch (error) {
        // Some failures have ended it already.
        if (db.inTransaction) db.exec('ROLLBACK')
        throw error
      }
      return true
    })
    return isDone || !(this.#isToOpen || this.#lockedAt.write !== null)
  }

  #use<T>(kind: 'read' | 'write', otherwise: T, work: (db: Connection) => T): T {
    this.#followFile()
    if (this.#isToOpen && this.#mayTry('read')) this.#open()
    const db = this.#db
    if (db === null || !this.#mayTry(kind)) return otherwise
    try {
      const result = patiently(() => work(db), this.#waitMs(kind))
      this.#lockedAt[kind] = null
      return result
    } catch (error) {
      if (isLocked(error)) this.#lockedAt[kind] = performance.now()
      else if (isDamage(codeOf(error)) || error instanceof SyntaxError) this.#beginAnew('is damaged')
      else this.#doWithout(error)
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

  /** Another Playhead, or a person, may have taken the file away. */
  #followFile(): void {
    if (this.#db === null || fileAt(this.#path) === this.#file) return
    this.close()
    this.#lost = true
    this.#open()
  }

  #open(): void {
    try {
      if (!patiently(() => this.#connect(), this.#waitMs('read'))) {
        this.#beginAnew('was written by another version of Playhead')
      }
    } catch (error) {
      if (isDamage(codeOf(error))) this.#beginAnew('is damaged')
      else this.#notOpened(error)
    }
  }

  /** False: it is of another version, or none of ours. Throws where it cannot be used. */
  #connect(): boolean {
    makeFolderNow(dirname(this.#path))
    const there = statSync(this.#path, { throwIfNoEntry: false })
    if (there === undefined) beginEmpty(this.#path)
    // On Windows a mode says nothing.
    else if ((there.mode & 0o077) !== 0 && process.platform !== 'win32') chmodSync(this.#path, 0o600)
    const Database = this.#Database as ConnectionClass
    const db = new Database(this.#path)
    try {
      // SQLite does not wait by itself: who uses it does.
      db.pragma('busy_timeout = 0')
      db.pragma('journal_mode = WAL')
      // It can be made anew: after a crash of the machine, too, it is only as it was a moment before.
      db.pragma('synchronous = NORMAL')
      db.pragma(`journal_size_limit = ${keptLogBytes}`)
      if (number(db, 'user_version') !== libraryVersion && !begun(db)) {
        db.close()
        return false
      }
    } catch (error) {
      db.close()
      throw error
    }
    // Where no empty file could be put there first, SQLite has made it for anybody to read.
    if (process.platform !== 'win32') {
      for (const beside of ['', '-wal', '-shm']) {
        if (statSync(this.#path + beside, { throwIfNoEntry: false })) chmodSync(this.#path + beside, 0o600)
      }
    }
    this.#db = db
    this.#file = fileAt(this.#path)
    this.#isToOpen = false
    this.#lockedAt = { read: null, write: null }
    return true
  }

  #beginAnew(why: string): void {
    const damaged = this.#db === null ? fileAt(this.#path) : this.#file
    this.close()
    this.#problem(`The library index ${this.#path} ${why}. It will be rebuilt. No log is lost.`)
    try {
      locked(`${this.#path}.lock`, () => {
        // Unless another Playhead has done so meanwhile.
        if (fileAt(this.#path) === damaged) {
          for (const beside of ['-wal', '-shm', '']) rmSync(this.#path + beside, { force: true })
        }
        this.#lost = true
        if (!patiently(() => this.#connect(), this.#waits.first)) throw new Error('another version of Playhead uses it')
      })
    } catch (error) {
      this.#notOpened(error)
    }
  }

  #notOpened(error: unknown): void {
    if (!isLocked(error)) return this.#doWithout(error)
    this.#isToOpen = true
    this.#lockedAt.read = performance.now()
  }

  #doWithout(error: unknown): void {
    this.close()
    this.#problem(
      `${this.#path} cannot be used: ${whyNotWritten(error)}. The library will be rebuilt at the next start.`
    )
  }
}

/** Those of each connection: to make one takes longer than to use it. */
const statements = new WeakMap<Connection, Map<string, Statement>>()

function prepared(db: Connection, sql: string): Statement {
  const known = statements.get(db) ?? new Map<string, Statement>()
  statements.set(db, known)
  const statement = known.get(sql) ?? (db.prepare(sql) as Statement)
  known.set(sql, statement)
  return statement
}

/** Makes the tables where there are none. False: there are others. */
function begun(db: Connection): boolean {
  db.exec('BEGIN IMMEDIATE')
  try {
    const isNew = db.prepare('SELECT name FROM sqlite_schema LIMIT 1').all().length === 0
    if (isNew) {
      db.exec(tables)
      db.pragma(`user_version = ${libraryVersion}`)
    }
    // Another program may have made them meanwhile.
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

function keptOf(row: LogRow): KeptLog | null {
  const told = JSON.parse(row.told) as ToldLog
  const { path, root, print, counts, turn_end: end } = row
  const counted =
    print === null ? null : { print, counts: counts === null ? null : (JSON.parse(counts) as SessionCounts), end }
  return { path, root, told, counted }
}
