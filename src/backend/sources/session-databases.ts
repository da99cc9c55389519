import {
  copyFileSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  closeSync,
  readSync,
  rmSync,
  statSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { momentOf } from '#core/formats/plain-record.ts'
import type { SessionDatabase, StoredRow, StoredRows, StoredValue } from '#core/formats/session-database.ts'
import { logFormats } from '#core/formats/registry.ts'
import { HostError } from '#contract/host-error.ts'
import { codeOf, type Connection, type ConnectionClass, loadDatabase } from '../tasks/task-database.ts'
import { fileError } from './log-file.ts'

/** A session in a database. */
export interface StoredSession {
  readonly id: string
  /** Its last change, in ms since the epoch; 0: not stated. */
  readonly modified: number
  /** Of what is stored, about. */
  readonly bytes: number
}

/** Limits, as a database may be made to harm. */
const maxSessions = 100_000
const maxRecords = 1_000_000
const maxRowsOfRecord = 10_000
const maxValueBytes = 32 << 20
const maxCopiedBytes = 1 << 30
const maxReadMs = 60_000
/** The longest wait for an agent that locks its database. */
const waitMs = 500
const magic = 'SQLite format 3\0'
const decoder = new TextDecoder()

/** The databases that agents write, by the tables in them. */
const known: readonly SessionDatabase[] = logFormats.flatMap(({ store }) => store?.database ?? [])

/** Whether a file is an SQLite database. */
export function isDatabase(path: string): boolean {
  try {
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const bytes = Buffer.alloc(magic.length)
      return readSync(file, bytes, 0, bytes.length, 0) === bytes.length && isDatabaseStart(bytes)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}

/** Whether a file that begins so is an SQLite database. */
export function isDatabaseStart(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, magic.length) === magic
}

/** What shows a change of a database: its file and the log of its last changes. */
export function databaseVersion(path: string): string {
  return ['', '-wal', '-journal'].map((suffix) => versionOf(path + suffix)).join(' ')
}

function versionOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? '-' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`
}

/**
 * An agent's database, read as one moment, and never written: docs/decisions/session-databases.md. Every value is asked for as bytes, because
 * libsql ends the process at a text that is not UTF-8.
 */
export class OpenDatabase {
  readonly #path: string
  readonly #db: Connection
  readonly #folder: string | null
  readonly #agent: SessionDatabase
  readonly #has: ReadonlySet<string>
  /** Columns by table. */
  readonly #columns: ReadonlyMap<string, readonly string[]>
  readonly #until = performance.now() + maxReadMs

  private constructor(path: string, { db, folder }: Opened) {
    this.#path = path
    this.#db = db
    this.#folder = folder
    try {
      db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON; BEGIN')
      const tables = this.#tables()
      const agent = known.find(({ tables: wanted }) => Object.keys(wanted).every((table) => tables.has(table)))
      if (agent === undefined) throw notOfAgent(path)
      this.#agent = agent
      const newer = (agent.newer ?? []).filter((table) => tables.has(table))
      this.#has = new Set(newer)
      this.#columns = new Map([...Object.keys(agent.tables), ...newer].map((table) => [table, this.#columnsOf(table)]))
      for (const [table, columns] of Object.entries(agent.tables)) {
        if (columns.some((column) => this.#columns.get(table)?.includes(column) !== true)) throw notOfAgent(path)
      }
    } catch (error) {
      this.close()
      throw this.#failure(error)
    }
  }

  /** Calls `work` with the database as it is at one moment. Throws a `HostError` with advice. */
  static async read<T>(path: string, work: (database: OpenDatabase) => Promise<T>): Promise<T> {
    const Database = await loadDatabase(['Sessions in databases cannot be read', ''])
    for (let tries = 0; ; tries++) {
      const before = databaseVersion(path)
      if (before.startsWith('-')) throw fileError(path, Object.assign(new Error('gone'), { code: 'ENOENT' }))
      const opened = connect(Database, path)
      let result: T | undefined
      let failure: unknown
      try {
        const database = new OpenDatabase(path, opened)
        try {
          result = await work(database)
        } catch (error) {
          failure = database.#failure(error)
        } finally {
          database.close()
        }
      } catch (error) {
        failure = error
      }
      // Without locks, a change during the read may show in a part of it.
      if (opened.isLocked || databaseVersion(path) === before) {
        if (failure !== undefined) throw failure
        return result as T
      }
      if (tries >= 4) throw failure ?? busy(path)
    }
  }

  close(): void {
    this.#db.close()
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true })
  }

  /** All sessions. */
  sessions(): StoredSession[] {
    const rows = this.#ask(
      `SELECT * FROM (${this.#agent.sessions(this.#has)}) LIMIT ${maxSessions}`,
      ['id', 'modified', 'bytes'],
      []
    )
    return rows.flatMap(({ id, modified, bytes }) => {
      const name = textOf(id)
      if (name === null || name === '') return []
      return [
        { id: name, modified: momentOf(storedValue(modified)) ?? 0, bytes: typeof bytes === 'number' ? bytes : 0 }
      ]
    })
  }

  /** The lines of a session: one for each record. */
  lines(session: string): SessionLines {
    const records = this.#agent.records(this.#has).flatMap((part) => {
      const found = this.#ask(`${part.keys} LIMIT ${maxRecords}`, ['k'], [session])
      const keys = found.flatMap(({ k }): readonly (string | number)[] => {
        if (part.keysIn !== undefined) return k instanceof ArrayBuffer ? part.keysIn(new Uint8Array(k)) : []
        return k === null || k === undefined ? [] : [k instanceof ArrayBuffer ? decoder.decode(k) : k]
      })
      return keys.slice(0, maxRecords).map((key) => ({ part, key }))
    })
    const lineOf = (at: number): Buffer => {
      const one = records[at]
      if (one === undefined) return Buffer.alloc(0)
      const { row, parts, record } = one.part
      const [first] = this.#rows(row, one.key)
      if (first === undefined) return Buffer.alloc(0)
      return Buffer.from(`${JSON.stringify(record(first, parts === undefined ? [] : this.#rows(parts, one.key)))}\n`)
    }
    return { count: records.length, line: (at) => this.#guarded(() => lineOf(at)) }
  }

  #rows({ table, columns = this.#columns.get(table) ?? [], where }: StoredRows, key: string | number): StoredRow[] {
    const named = columns.map((column, at) => `"${column.replaceAll('"', '""')}" AS c${at}`)
    const sql = `SELECT ${named.join(', ')} FROM "${table}" WHERE ${where} LIMIT ${maxRowsOfRecord}`
    const rows = this.#ask(
      sql,
      columns.map((_, at) => `c${at}`),
      [key]
    )
    return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, storedValue(row[`c${at}`])])))
  }

  /** The rows of a statement, with texts as bytes, and none that is too long. */
  #ask(sql: string, columns: readonly string[], values: readonly (string | number)[]): RawRow[] {
    return this.#guarded(() => {
      const safe = columns.map(
        (name) =>
          `CASE WHEN octet_length(${name}) > ${maxValueBytes} THEN CAST('[' || octet_length(${name}) || ' bytes are not read]' AS BLOB) ` +
          `WHEN typeof(${name}) = 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END AS ${name}`
      )
      return this.#db.prepare(`SELECT ${safe.join(', ')} FROM (${sql})`).all([...values]) as RawRow[]
    })
  }

  /** Real tables only: a view may take any time. */
  #tables(): ReadonlySet<string> {
    const rows = this.#ask(`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`, ['name'], [])
    return new Set(rows.flatMap(({ name }) => textOf(name) ?? []))
  }

  /** Without columns that are computed. */
  #columnsOf(table: string): readonly string[] {
    const rows = this.#ask(`SELECT name FROM pragma_table_xinfo('${table}') WHERE hidden = 0`, ['name'], [])
    return rows.flatMap(({ name }) => (name instanceof ArrayBuffer ? (utf8(name) ?? []) : []))
  }

  #guarded<T>(work: () => T): T {
    if (performance.now() > this.#until)
      throw new HostError('unavailable', `${this.#path} takes longer than a minute to read, so it is not shown`)
    try {
      return work()
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): HostError {
    if (error instanceof HostError) return error
    const code = codeOf(error)
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return busy(this.#path)
    return new HostError(
      'unavailable',
      `${this.#path} cannot be read as a database (${code === '' ? 'damaged' : code})`
    )
  }
}

/** The lines of a session, in order; an empty one for a record that is gone. */
export interface SessionLines {
  readonly count: number
  line(at: number): Buffer
}

type RawRow = Readonly<Record<string, string | number | ArrayBuffer | null | undefined>>

function storedValue(value: RawRow[string]): StoredValue {
  if (value instanceof ArrayBuffer) return decoder.decode(value)
  return value === undefined || (typeof value === 'number' && !Number.isFinite(value)) ? null : value
}

function textOf(value: RawRow[string]): string | null {
  return value instanceof ArrayBuffer ? utf8(value) : null
}

/** Null: it is not UTF-8. */
function utf8(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

interface Opened {
  readonly db: Connection
  /** A private folder with a copy; null: the agent's own file. */
  readonly folder: string | null
  /** Writers wait, or their changes are not seen. */
  readonly isLocked: boolean
}

/** Opens without a trace in the agent's folder: SQLite may not make a file there, nor change one. */
function connect(Database: ConnectionClass, path: string): Opened {
  const open = (file: string, options: string): Connection => {
    try {
      return new Database(`${pathToFileURL(file).href}?mode=ro${options}`, { timeout: waitMs })
    } catch {
      throw new HostError('unavailable', `${path} cannot be opened as a database; check its permissions`)
    }
  }
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (wal !== undefined && existsSync(`${path}-shm`))
    return { db: open(path, '&readonly_shm=1'), folder: null, isLocked: true }
  if (wal !== undefined && wal.size > 0) return { ...copied(path, (file) => open(file, '')), isLocked: false }
  if (existsSync(`${path}-journal`) && !isWal(path)) return { db: open(path, ''), folder: null, isLocked: true }
  return { db: open(path, '&immutable=1'), folder: null, isLocked: false }
}

/** A log of changes without its index is left by a crash. SQLite would write one beside it, so a copy is read. */
function copied(path: string, open: (file: string) => Connection): { db: Connection; folder: string } {
  if (statSync(path).size > maxCopiedBytes) {
    throw new HostError(
      'unavailable',
      `${path} was left open by its agent. Start the agent once, and open the session again`
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'playhead-database-'))
  try {
    const file = join(folder, 'copy.db')
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, file + suffix, constants.COPYFILE_FICLONE)
    return { db: open(file), folder }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error instanceof HostError ? error : fileError(path, error)
  }
}

/** Whether the database keeps changes in a log beside it. */
function isWal(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(1)
    readSync(file, bytes, 0, 1, 18)
    return bytes[0] === 2
  } finally {
    closeSync(file)
  }
}

function busy(path: string): HostError {
  return new HostError('unavailable', `${path} is in use by its agent. Try again in a moment`)
}

function notOfAgent(path: string): HostError {
  return new HostError('bad-params', `${path} is a database, but of no agent that Playhead knows`)
}
