import type { JsonObject, JsonValue } from '../json.ts'

/** A value of a column. Texts that are not UTF-8 are decoded as far as they are, and bytes are such texts: agents store text as bytes. */
export type StoredValue = string | number | null

export type StoredRow = Readonly<Record<string, StoredValue>>

/** How an agent keeps sessions in an SQLite database. Pure: the caller asks the database. Each session is a log of lines. */
export interface SessionDatabase {
  /** The tables with the columns that are read. A database without them is another program's. */
  readonly tables: Readonly<Record<string, readonly string[]>>
  /** Tables that only newer versions have. Statements may name those in `has`. */
  readonly newer?: readonly string[]
  /**
   * A `SELECT` of `id`, `modified` (as `momentOf` reads it) and `state` of each session. The state is a number that is another after a change
   * within the same `modified`. It is asked for often: it may use indexes, and must not read all rows.
   */
  sessions(has: ReadonlySet<string>): string
  /** A `SELECT` of the `bytes` of a session by its id, about. */
  readonly size: string
  /** The records of a session, in order. */
  records(has: ReadonlySet<string>): readonly StoredRecords[]
}

/** A part of a session's records. */
export interface StoredRecords {
  /** A `SELECT` of the keys of records, in order, by the session's id: the column `k`. */
  readonly keys: string
  /** The keys in the bytes that `keys` gives. Absent: what it gives is a key. */
  keysIn?(bytes: Uint8Array): readonly string[]
  /** The row of a record. */
  readonly row: StoredRows
  /** Rows that belong to it: their `key` is the member `of` of its row. */
  readonly parts?: StoredRows & { readonly of: string; readonly order: string }
  /** Must not throw. */
  record(row: StoredRow, parts: readonly StoredRow[]): JsonObject
}

/** Rows of a table, found by a column. All columns are read, or those named. */
export interface StoredRows {
  readonly table: string
  readonly columns?: readonly string[]
  readonly key: string
}

/** Separates a database and a session in the address of a log. */
const separator = '#'

/** The address of a session's log: `/home/ada/.crush/crush.db#2f1c`. The name has no separators of folders. */
export function sessionAddress(database: string, session: string): string {
  const name = encodeURIComponent(session).replace(/[.]/g, '%2E')
  return `${database}${separator}${name}`
}

/** The parts of an address; null: it is the path of a file. */
export function sessionIn(address: string): { readonly database: string; readonly session: string } | null {
  const at = address.lastIndexOf(separator)
  if (at <= 0 || /[\\/]/.test(address.slice(at))) return null
  try {
    return { database: address.slice(0, at), session: decodeURIComponent(address.slice(at + 1)) }
  } catch {
    return null
  }
}

/** Whether a file may be a database, by its name. */
export function isDatabaseName(path: string): boolean {
  return /\.db$/i.test(path)
}

/** A record that is a row: its columns as they are, and those in `json` parsed. */
export function rowRecord(table: string, row: StoredRow, json: readonly string[]): JsonObject {
  const columns = Object.entries(row)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name, json.includes(name) ? storedJson(value) : value] as const)
  return { table, row: Object.fromEntries<JsonValue>(columns) }
}

/** The JSON of a column; the value itself if it is none. */
export function storedJson(value: StoredValue | undefined): JsonValue {
  if (typeof value !== 'string') return value ?? null
  try {
    return JSON.parse(value) as JsonValue
  } catch {
    return value
  }
}
