import { randomUUID } from 'node:crypto'
import { closeSync, linkSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type Libsql from 'libsql'
import { HostError } from '#contract/host-error.ts'
import { makeFolderNow } from '../make-folder.ts'
import { otherStateFolder, stateWriteFailure } from '../write-failure.ts'

/** A connection to the database of tasks. */
export type Connection = Libsql.Database

/** The constructor of connections: a program of its own for each platform, which not all have. */
export type ConnectionClass = typeof Libsql

/** How a database is connected to. */
export interface Connecting {
  readonly Database: ConnectionClass
  readonly path: string
  /** So long is waited for another program to be done with what it writes, in ms. */
  readonly waitMs: number
  /** Is told in a sentence that a file was put aside. */
  readonly say: (sentence: string) => void
}

/** Ours, "PLHD": tells the file from the databases of other programs. */
const applicationId = 0x50_4c_48_44

/** One for each version of the tables; what is here is never changed, only added to. `user_version` counts them. */
const migrations = [
  `
  CREATE TABLE tasks (
    id TEXT NOT NULL PRIMARY KEY,
    session_id TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed')),
    description TEXT,
    sort_order INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('sdk', 'user')),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tasks_of_session ON tasks (session_id, source, sort_order);
  CREATE TABLE tool_results (
    session_id TEXT NOT NULL,
    tool_use_id TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    change INTEGER NOT NULL,
    cut INTEGER NOT NULL,
    is_error INTEGER NOT NULL,
    source TEXT NOT NULL CHECK (source IN ('hook', 'agent')),
    updated_at INTEGER NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (session_id, tool_use_id)
  ) STRICT;
  CREATE INDEX results_by_change ON tool_results (change, bytes);
  CREATE TABLE agent_tasks (
    session_id TEXT NOT NULL,
    task_id TEXT NOT NULL,
    content TEXT,
    status TEXT,
    active_form TEXT,
    PRIMARY KEY (session_id, task_id)
  ) STRICT;
  CREATE TABLE sessions (session_id TEXT NOT NULL PRIMARY KEY, tasks_change INTEGER NOT NULL) STRICT;
  CREATE INDEX sessions_by_change ON sessions (tasks_change);
  CREATE TABLE clock (change INTEGER NOT NULL) STRICT;
  INSERT INTO clock VALUES (0);
  `
] as const

/** The least page. */
const minBytes = 512

const tables = ['agent_tasks', 'clock', 'sessions', 'tasks', 'tool_results']

/** A lock of a program that ended without giving it back. */
const staleLockMs = 15_000
/** What is left in the file of the log of changes after they were taken over. */
const keptLogBytes = 4 << 20

/** Loads SQLite. Throws `unavailable` where this machine has none: everything but tasks works without. */
export async function loadDatabase(): Promise<ConnectionClass> {
  try {
    return (await import('libsql')).default
  } catch {
    throw new HostError(
      'unavailable',
      `Tasks and tool results are not saved, because SQLite is not installed for ${process.platform}-${process.arch} (package libsql). Reinstall Playhead with its optional packages, or use it without tasks.`
    )
  }
}

/** The file is damaged, or is no database of ours: it is to be put aside. */
class NotOurs extends Error {}

/**
 * Opens the database and brings it to this version; begins one where there is none. What is there and is none of ours, or damaged, is put aside
 * under its own name with `.aside-1` (and so on), which `say` is told in a sentence. Throws `unavailable` where the file may not be used, or
 * where a newer Playhead wrote it.
 */
export function connect(connecting: Connecting): Connection {
  try {
    return ready(connecting)
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error
  }
  // Another program may have put it aside meanwhile.
  return locked(`${connecting.path}.lock`, () => readyOrBegun(connecting))
}

/** Puts a file aside that turned out to be damaged when it was used, unless another program has done so, and opens what is there then. */
export function connectAnew(connecting: Connecting, damaged: string): Connection {
  return locked(`${connecting.path}.lock`, () => {
    if (fileAt(connecting.path) === damaged) sayAside(connecting, 'is damaged')
    return readyOrBegun(connecting)
  })
}

/** Which file is at a path: another one after it was put aside. Empty where none is. */
export function fileAt(path: string): string {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file === undefined ? '' : `${file.dev}:${file.ino}`
}

function readyOrBegun(connecting: Connecting): Connection {
  try {
    return ready(connecting)
  } catch (error) {
    if (!(error instanceof NotOurs)) throw error
    sayAside(connecting, error.message)
    return ready(connecting)
  }
}

function sayAside({ path, say }: Connecting, what: string): void {
  let aside: string
  try {
    aside = putAside(path)
  } catch (error) {
    // Where a file that is open cannot be renamed.
    const again = `Close the programs that use it and restart Playhead, or rename the file (${codeOf(error)}).`
    throw new HostError('unavailable', `The task database ${path} ${what} and cannot be moved aside. ${again}`)
  }
  say(`${path} ${what}. It was moved to ${aside}, and a new one was created.`)
}

/** What went wrong with the database, as an error for people; null: it is damaged, and is to be connected to anew. */
export function databaseError(error: unknown, path: string): Error | null {
  const code = codeOf(error)
  if (isDamage(code)) return null
  if (code === '') return error instanceof Error ? error : new Error(String(error))
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return new HostError('unavailable', `${path} is in use by another program. Try again.`)
  }
  const why = code.startsWith('SQLITE_FULL')
    ? 'the disk is full'
    : code.startsWith('SQLITE_READONLY')
      ? 'permission denied'
      : code
  const next = code.startsWith('SQLITE_READONLY') ? ` ${otherStateFolder(dirname(path))}` : ''
  return new HostError('unavailable', `The task database ${path} cannot be used: ${why}.${next}`)
}

function ready(connecting: Connecting): Connection {
  const { path, waitMs } = connecting
  begin(path)
  const db = open(connecting)
  try {
    db.pragma(`busy_timeout = ${waitMs}`)
    bringUp(db, connecting)
    // In the log of changes a program that is killed leaves what it had finished, and nothing else.
    if (text(db, 'journal_mode') !== 'wal') patiently(() => db.pragma('journal_mode = WAL'), waitMs)
    db.pragma('synchronous = NORMAL')
    db.pragma(`journal_size_limit = ${keptLogBytes}`)
    return db
  } catch (error) {
    db.close()
    if (error instanceof NotOurs || error instanceof HostError) throw error
    throw databaseError(error, path) ?? new NotOurs('is damaged')
  }
}

/**
 * An empty file is a database that nothing was written to. Nobody else may read it, nor what SQLite puts beside it. The file itself is never
 * opened here: closing it would take away the locks that other threads of this process have on it.
 */
function begin(path: string): void {
  try {
    makeFolderNow(dirname(path))
    const there = statSync(path, { throwIfNoEntry: false })
    if (there?.isDirectory()) throw new NotOurs('is a folder')
    // SQLite itself would write over a file that is shorter than any database.
    if (there !== undefined && there.size > 0 && there.size < minBytes) throw new NotOurs('is not a database')
    if (there === undefined) beginEmpty(path)
  } catch (error) {
    if (error instanceof NotOurs) throw error
    throw new HostError('unavailable', `Tasks cannot be kept: ${stateWriteFailure(dirname(path), path, error).message}`)
  }
}

export function beginEmpty(path: string): void {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    closeSync(openSync(draft, 'wx', 0o600))
    link(draft, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function link(draft: string, path: string): void {
  try {
    linkSync(draft, path)
  } catch {
    // Somebody else began it, or there are no links here, and SQLite makes the file itself.
  }
}

function open({ Database, path, waitMs }: Connecting): Connection {
  try {
    return new Database(path, { timeout: waitMs })
  } catch (error) {
    throw databaseError(error, path) ?? new NotOurs('is damaged')
  }
}

function bringUp(db: Connection, { path, waitMs }: Connecting): void {
  const isEmpty = (): boolean => names(db).length === 0
  if (!isEmpty()) refuseOthers(db, path)
  if (number(db, 'user_version') === migrations.length) return
  patiently(() => db.exec('BEGIN IMMEDIATE'), waitMs)
  try {
    // Another program may have done it meanwhile.
    if (!isEmpty()) refuseOthers(db, path)
    for (const step of migrations.slice(number(db, 'user_version'))) db.exec(step)
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${migrations.length}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function refuseOthers(db: Connection, path: string): void {
  if (number(db, 'application_id') !== applicationId) throw new NotOurs('is not a Playhead database')
  if (number(db, 'user_version') > migrations.length) {
    throw new HostError(
      'unavailable',
      `${path} was written by a newer version of Playhead. Update Playhead to see and change tasks.`
    )
  }
  const found = new Set(names(db))
  if (!tables.every((table) => found.has(table))) throw new NotOurs('has missing tables')
}

function names(db: Connection): string[] {
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[]
  return rows.map(({ name }) => name)
}

/** The new name. What SQLite keeps beside the file goes with it: it belongs to that one. */
function putAside(path: string): string {
  let count = 1
  while (statSync(`${path}.aside-${count}`, { throwIfNoEntry: false })) count++
  const aside = `${path}.aside-${count}`
  for (const beside of ['-wal', '-shm', '']) {
    if (statSync(path + beside, { throwIfNoEntry: false })) renameSync(path + beside, aside + beside)
  }
  return aside
}

/** One program at a time puts a file aside: the second would take away what the first began. */
export function locked<T>(lock: string, work: () => T): T {
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      // Where no folder can be made, none will ever be.
      if (codeOf(error) !== 'EEXIST') throw error
      const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
      if (since !== undefined && Date.now() - since > staleLockMs) rmSync(lock, { recursive: true, force: true })
      else pause(20)
    }
  }
  try {
    return work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

/** SQLite does not always wait by itself: of two that turn on the log of changes at once, one is told to come again. */
export function patiently<T>(work: () => T, waitMs: number): T {
  const end = Date.now() + waitMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || Date.now() > end) throw error
      pause(20)
    }
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function text(db: Connection, pragma: string): unknown {
  const [row] = db.pragma(pragma) as Record<string, unknown>[]
  return Object.values(row ?? {})[0]
}

/** The value of a pragma that is a number. */
export function number(db: Connection, pragma: string): number {
  return Number(text(db, pragma))
}

export function isDamage(code: string): boolean {
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
