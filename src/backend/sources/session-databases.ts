import {
  copyFileSync,
  constants,
  existsSync,
  lstatSync,
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
import type {
  SessionDatabase,
  StoredRecords,
  StoredRow,
  StoredRows,
  StoredValue
} from '#core/formats/session-database.ts'
import { logFormats } from '#core/formats/registry.ts'
import { HostError } from '#contract/host-error.ts'
import { codeOf, type Connection, type ConnectionClass, loadDatabase } from '../tasks/task-database.ts'
import { databaseVersion } from './database-file.ts'
import { fileError } from './log-file.ts'

/** A session in a database. */
export interface StoredSession {
  readonly id: string
  /** Its last change, in ms since the epoch; null: not stated. The fraction is another after a change within the same moment. */
  readonly modified: number | null
}

/** Limits, as a database may be made to harm. */
export const maxSessions = 100_000
const maxRecords = 1_000_000
const maxRowsOfRecord = 10_000
const maxValueBytes = 32 << 20
/** Records that are read at once. */
const recordsOfBlock = 16
/** Of a longer record, only short values are read. */
const maxRecordBytes = 64 << 20
const shortBytes = 1 << 10
const maxCopiedBytes = 1 << 30
const maxReadMs = 60_000
/** The longest wait for an agent that locks its database. */
const waitMs = 500
const decoder = new TextDecoder()

/** The databases that agents write, by the tables in them. */
const known: readonly SessionDatabase[] = logFormats.flatMap(({ store }) => store?.database ?? [])

/**
 * An agent's database, read as one moment, and never written: docs/decisions/session-databases.md. Every value is asked for as bytes, because
 * libsql ends the process at a text that is not UTF-8.
 */
export class OpenDatabase {
  readonly #path: string
  readonly #db: Connection
  readonly #isKept: boolean
  readonly #agent: SessionDatabase
  readonly #has: ReadonlySet<string>
  /** Columns by table. */
  readonly #columns: ReadonlyMap<string, readonly string[]>
  readonly #statements = new Map<string, ReturnType<Connection['prepare']>>()
  readonly #until = performance.now() + maxReadMs

  private constructor(path: string, { db, isKept = false }: Opened) {
    this.#path = path
    this.#db = db
    this.#isKept = isKept
    try {
      db.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON')
      if (!isKept) db.exec('BEGIN')
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
      const opened = connect(Database, path, before)
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
    if (!this.#isKept) this.#db.close()
  }

  /** The sessions, latest first; `maxSessions` and one more at most. */
  sessions(): StoredSession[] {
    const sql = `${this.#agent.sessions(this.#has)} ORDER BY modified DESC LIMIT ${maxSessions + 1}`
    const rows = this.#ask(sql, ['id', 'modified', 'state'], [])
    return rows.flatMap(({ id, modified, state }) => {
      const name = textOf(id)
      if (name === null || name === '') return []
      const moment = momentOf(storedValue(modified)) ?? 0
      const fraction = typeof state === 'number' ? (Math.abs(state) % 1000) / 1000 : 0
      return [{ id: name, modified: moment > 0 ? Math.floor(moment) + fraction : null }]
    })
  }

  /** Of what is stored of a session, about. */
  bytesOf(session: string): number {
    const [found] = this.#ask(this.#agent.size, ['bytes'], [session])
    return typeof found?.['bytes'] === 'number' ? found['bytes'] : 0
  }

  /** The lines of a session: one for each record. What is not read, because it is too much, is a line that says so. */
  lines(session: string): SessionLines {
    let left = false
    const records = this.#agent.records(this.#has).flatMap((part) => {
      const found = this.#ask(`${part.keys} LIMIT ${maxRecords + 1}`, ['k'], [session])
      const keys = found.flatMap(({ k }): readonly Key[] => {
        if (part.keysIn !== undefined) return k instanceof ArrayBuffer ? part.keysIn(new Uint8Array(k)) : []
        const key = keyOf(k)
        return key === null ? [] : [key]
      })
      left ||= keys.length > maxRecords
      return keys.slice(0, maxRecords).map((key) => ({ part, key }))
    })
    const count = records.length + (left ? 1 : 0)
    let block: readonly Buffer[] = []
    let from = 0
    const line = (at: number): Buffer => {
      if (at === records.length) return Buffer.from(lineOfRest(`more than ${maxRecords} records`))
      if (at < from || at >= from + block.length) {
        from = at - (at % recordsOfBlock)
        block = this.#guarded(() => this.#linesOf(records.slice(from, from + recordsOfBlock)))
      }
      return block[at - from] ?? Buffer.alloc(0)
    }
    return { count, line }
  }

  #linesOf(records: readonly Keyed[]): Buffer[] {
    const lines: Buffer[] = []
    for (let at = 0; at < records.length;) {
      const rest = records.slice(at)
      const [{ part }] = rest as [Keyed, ...Keyed[]]
      const other = rest.findIndex((record) => record.part !== part)
      const keys = (other < 0 ? rest : rest.slice(0, other)).map(({ key }) => key)
      lines.push(...this.#recordsOf(part, keys).map((text) => Buffer.from(text)))
      at += keys.length
    }
    return lines
  }

  /** A text for each key: all at once, or in halves if they are too long. */
  #recordsOf(part: StoredRecords, keys: readonly Key[]): string[] {
    const halves = (): string[] => {
      const half = keys.length >> 1
      return [...this.#recordsOf(part, keys.slice(0, half)), ...this.#recordsOf(part, keys.slice(half))]
    }
    const rows = this.#rowsBy(part.row, keys)
    if (rows === null) return halves()
    const { parts } = part
    const firsts = keys.map((key) => rows.get(key)?.[0])
    const wanted = parts === undefined ? [] : firsts.flatMap((row) => keyOf(row?.[parts.of]) ?? [])
    const below = parts === undefined ? new Map<Key, StoredRow[]>() : this.#rowsBy(parts, wanted, keys.length === 1)
    if (below === null) return halves()
    return firsts.map((row) => {
      if (row === undefined) return ''
      const own = below.get(keyOf(row[parts?.of ?? '']) ?? '') ?? []
      const line = `${JSON.stringify(part.record(row, own.slice(0, maxRowsOfRecord)))}\n`
      return own.length > maxRowsOfRecord ? line + lineOfRest(`a record of more than ${maxRowsOfRecord} rows`) : line
    })
  }

  /** The rows by key. Null: together they are too much. Of one key, only short values are read then. */
  #rowsBy(
    { table, columns = this.#columns.get(table) ?? [], key, order }: StoredRows & { readonly order?: string },
    keys: readonly Key[],
    isOne = keys.length === 1
  ): Map<Key, StoredRow[]> | null {
    const found = new Map<Key, StoredRow[]>()
    if (keys.length === 0) return found
    const names = columns.map((column) => `"${column.replaceAll('"', '""')}"`)
    const by = order === undefined ? '' : `ORDER BY "${order}"`
    const chosen = `FROM "${table}" WHERE "${key}" IN (SELECT value FROM json_each(?)) ${by} LIMIT ${maxRowsOfRecord + 1}`
    const values = [JSON.stringify(keys)]
    const sizes = names.map((name) => `coalesce(octet_length(${name}), 0)`).join(' + ')
    const size = `SELECT count(*) AS rows, sum(bytes) AS bytes FROM (SELECT ${sizes} AS bytes ${chosen})`
    const [{ rows: count, bytes } = {}] = this.#ask(size, ['rows', 'bytes'], values)
    const isLong = typeof bytes === 'number' && bytes > maxRecordBytes
    if (!isOne && (isLong || typeof count !== 'number' || count > maxRowsOfRecord)) return null
    const sql = `SELECT "${key}" AS k, ${names.map((name, at) => `${name} AS c${at}`).join(', ')} ${chosen}`
    const asked = ['k', ...columns.map((_, at) => `c${at}`)]
    for (const row of this.#ask(sql, asked, values, isLong ? shortBytes : maxValueBytes)) {
      const at = keyOf(row['k'])
      if (at === null) continue
      const stored = Object.fromEntries(columns.map((column, index) => [column, storedValue(row[`c${index}`])]))
      const same = found.get(at)
      if (same === undefined) found.set(at, [stored])
      else same.push(stored)
    }
    return found
  }

  /** The rows of a statement, with texts as bytes, and none that is longer than `most`. */
  #ask(
    sql: string,
    columns: readonly string[],
    values: readonly (string | number)[],
    most: number = maxValueBytes
  ): RawRow[] {
    return this.#guarded(() => {
      const safe = columns.map(
        (name) =>
          `CASE WHEN octet_length(${name}) > ${most} THEN CAST('[' || octet_length(${name}) || ' bytes are not read]' AS BLOB) ` +
          `WHEN typeof(${name}) = 'text' THEN CAST(${name} AS BLOB) ELSE ${name} END AS ${name}`
      )
      const asked = `SELECT ${safe.join(', ')} FROM (${sql})`
      const statement = this.#statements.get(asked) ?? this.#db.prepare(asked)
      this.#statements.set(asked, statement)
      return statement.all([...values]) as RawRow[]
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

/** No JSON, so that it is shown as what cannot be read. */
function lineOfRest(what: string): string {
  return `[${what}: the others are not read]\n`
}

type Key = string | number

/** The key of a record, and what it is of. */
interface Keyed {
  readonly part: StoredRecords
  readonly key: Key
}

function keyOf(value: RawRow[string]): Key | null {
  if (value instanceof ArrayBuffer) return decoder.decode(value)
  return value ?? null
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
  /** A copy, which nobody changes, and others may read at the same time. */
  readonly isKept?: boolean
  /** Writers wait, or their changes are not seen. */
  readonly isLocked: boolean
}

/** Opens without a trace in the agent's folder: SQLite may not make a file there, nor change one. */
function connect(Database: ConnectionClass, path: string, version: string): Opened {
  const open = (file: string, options: string): Connection => {
    try {
      return new Database(`${pathToFileURL(file).href}?mode=ro${options}`, { timeout: waitMs })
    } catch {
      throw new HostError('unavailable', `${path} cannot be opened as a database; check its permissions`)
    }
  }
  for (const suffix of ['-wal', '-shm', '-journal']) checkBeside(path + suffix)
  const wal = statSync(`${path}-wal`, { throwIfNoEntry: false })
  if (wal !== undefined && existsSync(`${path}-shm`)) return { db: open(path, '&readonly_shm=1'), isLocked: true }
  if (wal !== undefined) return { db: copyOf(path, version, (file) => open(file, '')), isLocked: false, isKept: true }
  if (existsSync(`${path}-journal`) && !isWal(path)) return { db: open(path, ''), isLocked: true }
  return { db: open(path, '&immutable=1'), isLocked: false }
}

/** SQLite would follow a link out of the folder, and wait for who writes into a pipe. */
function checkBeside(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile())
    throw new HostError('unavailable', `${path} is a link or no file, so its database is not opened; remove it`)
}

/** The last copy, as the sessions of one database are mostly read one after the other. */
let lastCopy: { readonly path: string; readonly version: string; readonly db: Connection } | null = null
let dropping: NodeJS.Timeout | undefined
const keptMs = 10_000

/** A log of changes without its index was copied, or left by a crash. SQLite would write one beside it, so a copy is read. */
function copyOf(path: string, version: string, open: (file: string) => Connection): Connection {
  clearTimeout(dropping)
  // It is closed when nobody reads it any more.
  dropping = setTimeout(() => (lastCopy = null), keptMs).unref()
  if (lastCopy?.path === path && lastCopy.version === version) return lastCopy.db
  if (statSync(path).size + statSync(`${path}-wal`).size > maxCopiedBytes) {
    throw new HostError(
      'unavailable',
      `${path} was left open by its agent. Start the agent once, and open the session again`
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'playhead-database-'))
  try {
    const file = join(folder, 'copy.db')
    for (const suffix of ['', '-wal']) copyFileSync(path + suffix, file + suffix, constants.COPYFILE_FICLONE)
    const db = open(file)
    lastCopy = { path, version, db }
    // Opens all its files, which then need no names.
    db.prepare('SELECT count(*) FROM sqlite_schema').all()
    return db
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? fileError(path, error) : error
  } finally {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // Windows cannot delete what is open, and empties the folder for temporary files itself.
    }
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
