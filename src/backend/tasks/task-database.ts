import { randomUUID } from 'node:crypto'
import { closeSync, linkSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type Libsql from 'libsql'
import { HostError, messageOf } from '#contract/host-error.ts'
import { makeFolderNow } from '../make-folder.ts'
import { otherStateFolder, stateWriteFailure } from '../write-failure.ts'

export type Connection = Libsql.Database

/** libsql has a binary per platform, and none for some. */
export type ConnectionClass = typeof Libsql

export interface ConnectOptions {
  readonly Database: ConnectionClass
  readonly path: string
  /** Longest wait for other writers. */
  readonly waitMs: number
  /** Reports a moved file, as a sentence. */
  readonly warn: (message: string) => void
}

/** "PLHD": distinguishes the file from databases of other programs. */
const applicationId = 0x50_4c_48_44

/** One per version of the tables, counted by `user_version`. Only add; never change one. */
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

/** The smallest page of SQLite. */
const minBytes = 512

const tables = ['agent_tasks', 'clock', 'sessions', 'tasks', 'tool_results']

/** An older lock belongs to a process that died. */
const staleLockMs = 15_000
const maxWalBytes = 4 << 20

/** Loads SQLite. Throws `unavailable` if it is not installed. `lost`: what does not work then, and what to do instead. */
export async function loadDatabase(
  lost: readonly [what: string, instead: string] = ['Tasks and tool results are not saved', ', or use it without tasks']
): Promise<ConnectionClass> {
  try {
    return (await import('libsql')).default
  } catch {
    const [what, instead] = lost
    throw new HostError(
      'unavailable',
      `${what}, because SQLite is not installed for ${process.platform}-${process.arch} (package libsql). Reinstall Playhead with its optional packages${instead}.`
    )
  }
}

/** The file is damaged, or not a database of Playhead, and must be moved aside. */
class UnusableFile extends Error {}

/**
 * Opens, creates or migrates the database. A damaged or foreign file is renamed to `….aside-1` (-2, …) and reported to
 * `warn`. Throws `unavailable` if the file cannot be used, or was written by a newer version.
 */
export function connect(options: ConnectOptions): Connection {
  try {
    return openReady(options)
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
  }
  // Another process may have moved it meanwhile.
  return withFolderLock(`${options.path}.lock`, () => openOrReplace(options))
}

/** Moves the file `damaged` aside, unless another process did, and opens the database again. */
export function reconnect(options: ConnectOptions, damaged: string): Connection {
  return withFolderLock(`${options.path}.lock`, () => {
    if (fileAt(options.path) === damaged) replaceFile(options, 'is damaged')
    return openOrReplace(options)
  })
}

/** The identity of the file at a path; empty if there is none. */
export function fileAt(path: string): string {
  const file = statSync(path, { bigint: true, throwIfNoEntry: false })
  return file === undefined ? '' : `${file.dev}:${file.ino}`
}

function openOrReplace(options: ConnectOptions): Connection {
  try {
    return openReady(options)
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error
    replaceFile(options, error.message)
    return openReady(options)
  }
}

function replaceFile({ path, warn }: ConnectOptions, what: string): void {
  let aside: string
  try {
    aside = putAside(path)
  } catch (error) {
    // On Windows an open file cannot be renamed.
    const again = `Close the programs that use it and restart Playhead, or rename the file (${codeOf(error)}).`
    throw new HostError('unavailable', `The task database ${path} ${what} and cannot be moved aside. ${again}`)
  }
  warn(`${path} ${what}. It was moved to ${aside}, and a new one was created.`)
}

/** A database error for people; null: the file is damaged, so reconnect. */
export function databaseError(error: unknown, path: string): Error | null {
  const code = codeOf(error)
  if (isDamage(code)) return null
  if (code === '') return error instanceof Error ? error : new Error(messageOf(error))
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

function openReady(options: ConnectOptions): Connection {
  const { path, waitMs } = options
  ensureFile(path)
  const db = open(options)
  try {
    db.pragma(`busy_timeout = ${waitMs}`)
    migrate(db, options)
    // With WAL a killed process leaves only complete transactions.
    if (text(db, 'journal_mode') !== 'wal') retryWhileBusy(() => db.pragma('journal_mode = WAL'), waitMs)
    db.pragma('synchronous = NORMAL')
    db.pragma(`journal_size_limit = ${maxWalBytes}`)
    return db
  } catch (error) {
    db.close()
    if (error instanceof UnusableFile || error instanceof HostError) throw error
    throw databaseError(error, path) ?? new UnusableFile('is damaged')
  }
}

/** Creates an empty file for this user only. Existing files are not opened: closing would drop locks of other threads. */
function ensureFile(path: string): void {
  try {
    makeFolderNow(dirname(path))
    const there = statSync(path, { throwIfNoEntry: false })
    if (there?.isDirectory()) throw new UnusableFile('is a folder')
    // SQLite would overwrite a file shorter than a page.
    if (there !== undefined && there.size > 0 && there.size < minBytes) throw new UnusableFile('is not a database')
    if (there === undefined) createEmptyFile(path)
  } catch (error) {
    if (error instanceof UnusableFile) throw error
    throw new HostError('unavailable', `Tasks cannot be kept: ${stateWriteFailure(dirname(path), path, error).message}`)
  }
}

export function createEmptyFile(path: string): void {
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
    // Another process created it, or links are not supported; then SQLite creates the file.
  }
}

function open({ Database, path, waitMs }: ConnectOptions): Connection {
  try {
    return new Database(path, { timeout: waitMs })
  } catch (error) {
    throw databaseError(error, path) ?? new UnusableFile('is damaged')
  }
}

function migrate(db: Connection, { path, waitMs }: ConnectOptions): void {
  const isEmpty = (): boolean => names(db).length === 0
  if (!isEmpty()) checkTables(db, path)
  if (number(db, 'user_version') === migrations.length) return
  retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'), waitMs)
  try {
    // Another process may have migrated it meanwhile.
    if (!isEmpty()) checkTables(db, path)
    for (const step of migrations.slice(number(db, 'user_version'))) db.exec(step)
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${migrations.length}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function checkTables(db: Connection, path: string): void {
  if (number(db, 'application_id') !== applicationId) throw new UnusableFile('is not a Playhead database')
  if (number(db, 'user_version') > migrations.length) {
    throw new HostError(
      'unavailable',
      `${path} was written by a newer version of Playhead. Update Playhead to see and change tasks.`
    )
  }
  const found = new Set(names(db))
  if (!tables.every((table) => found.has(table))) throw new UnusableFile('has missing tables')
}

function names(db: Connection): string[] {
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[]
  return rows.map(({ name }) => name)
}

/** Renames the file with its `-wal` and `-shm` files, and returns the new name. */
function putAside(path: string): string {
  let count = 1
  while (statSync(`${path}.aside-${count}`, { throwIfNoEntry: false })) count++
  const aside = `${path}.aside-${count}`
  for (const beside of ['-wal', '-shm', '']) {
    if (statSync(path + beside, { throwIfNoEntry: false })) renameSync(path + beside, aside + beside)
  }
  return aside
}

/** A lock between processes: a second one must not move away the database that the first created. */
export function withFolderLock<T>(lock: string, work: () => T): T {
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
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

/** `busy_timeout` does not cover everything, such as two processes that switch to WAL at once. */
export function retryWhileBusy<T>(work: () => T, waitMs: number): T {
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

export function number(db: Connection, pragma: string): number {
  return Number(text(db, pragma))
}

export function isDamage(code: string): boolean {
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB'
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
