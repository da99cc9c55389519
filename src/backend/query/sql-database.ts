import { HostError, messageOf } from '#contract/host-error.ts'
import type { LogForSql, SqlTable, SqlValue } from '#core/query/sql-table.ts'
import { sqlTables } from '#core/query/sql-tables.ts'
import { codeOf, type Connection, loadDatabase } from '../tasks/task-database.ts'

/** SQLite takes at most this much memory, for tables and for answering. */
const maxGb = 2
/** Entries that one statement inserts. */
const entriesAtOnce = 50
const createAnswer = 'CREATE VIEW answer AS '

/** A value of an answer. An integer is a `bigint` where a number is not exact; bytes are hexadecimal digits. */
export type AnsweredValue = SqlValue | bigint

/** What is wrong with a statement, and where. */
export class StatementError extends Error {
  readonly from: number
  readonly to: number

  constructor(message: string, [from, to]: readonly [number, number]) {
    super(message)
    this.from = from
    this.to = to
  }
}

/**
 * A database in memory that answers one statement about logs. It holds only the columns that the statement reads. The statement is the body of
 * a view, and SQLite does not trust views here: that allows one `SELECT`, and no function or table that reaches outside of the database.
 */
export class SqlDatabase {
  readonly #db: Connection
  /** The columns that the statement reads, by table. */
  readonly #needed: ReadonlyMap<SqlTable, readonly string[]>
  #sessions = 0

  private constructor(db: Connection, statement: string) {
    this.#db = db
    for (const { name, columns } of sqlTables) {
      const typed = columns.map((column) => `${column.name} ${column.type}`)
      db.exec(`CREATE TABLE ${name} (session INTEGER, ${typed.join(', ')})`)
    }
    db.exec(`PRAGMA hard_heap_limit = ${maxGb * 2 ** 30}; PRAGMA trusted_schema = OFF`)
    createView(db, statement)
    this.#needed = neededBy(db, statement)
  }

  /** Throws a `StatementError`, before any log is read. */
  static async for(statement: string): Promise<SqlDatabase> {
    const Database = await loadDatabase(['Logs cannot be asked with SQL', ''])
    const db = new Database(':memory:')
    try {
      return new SqlDatabase(db, statement)
    } catch (error) {
      db.close()
      throw error
    }
  }

  /** The names of the answer's columns. */
  get columns(): readonly string[] {
    return this.#db
      .prepare('SELECT * FROM answer')
      .columns()
      .map(({ name }) => name)
  }

  /** Adds a log as the next session. `onEntry` gets the number of table entries so far, now and then. */
  async add(log: LogForSql, onEntries: (entries: number) => void): Promise<void> {
    this.#sessions++
    let entries = 0
    this.#db.exec('BEGIN')
    for (const [table, columns] of this.#needed) {
      const into = `INSERT INTO ${table.name} (${['session', ...columns].join(', ')}) VALUES `
      const places = `(${['session', ...columns].map(() => '?').join(', ')})`
      const insertMany = this.#db.prepare(into + Array<string>(entriesAtOnce).fill(places).join(', '))
      const insertOne = this.#db.prepare(into + places)
      let waiting: SqlValue[][] = []
      for await (const values of table.values(log, columns)) {
        waiting.push([this.#sessions, ...values])
        if (waiting.length < entriesAtOnce) continue
        sqlite(() => insertMany.run(waiting.flat()))
        waiting = []
        onEntries((entries += entriesAtOnce))
      }
      for (const values of waiting) sqlite(() => insertOne.run(values))
    }
    this.#db.exec('COMMIT')
  }

  /** The entries of the answer, one at a time. */
  *answer(): Generator<readonly AnsweredValue[]> {
    // The driver ends the process at a text that is not UTF-8, so it is given bytes. The offset has each value computed once.
    const values = this.columns.map((name) => {
      const value = `"${name.replaceAll('"', '""')}"`
      return `CASE typeof(${value}) WHEN 'text' THEN CAST(${value} AS BLOB) WHEN 'blob' THEN hex(${value}) ELSE ${value} END`
    })
    const select = `SELECT ${values.join(', ')} FROM (SELECT * FROM answer LIMIT -1 OFFSET 0)`
    const entries = sqlite(() => this.#db.prepare(select).raw(true).safeIntegers(true).iterate()) as IterableIterator<
      readonly (AnsweredValue | Uint8Array)[]
    >
    for (;;) {
      const next = sqlite(() => entries.next())
      if (next.done === true) return
      yield next.value.map(exact)
    }
  }

  close(): void {
    this.#db.close()
  }
}

function exact(value: AnsweredValue | Uint8Array): AnsweredValue {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString()
  return typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
}

/** Throws what SQLite says of an answer as a sentence. */
function sqlite<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (codeOf(error) === '') throw error
    const isMemory = codeOf(error) === 'SQLITE_NOMEM'
    const what = isMemory ? `it needs more than ${maxGb} GB of memory` : messageOf(error)
    throw new HostError('unavailable', `SQLite cannot answer this statement: ${what}`)
  }
}

function createView(db: Connection, statement: string): void {
  const problem = problemOf(db, statement)
  if (problem !== null) throw new StatementError(problem, placeOf(problem, statement, db))
  const [sql = ''] = db.prepare("SELECT sql FROM sqlite_schema WHERE name = 'answer'").raw(true).get() as [string?]
  // SQLite reads one statement and leaves the rest.
  const end = sql.length - createAnswer.length
  const rest = /^(?:[\s;]|--.*|\/\*[^]*?\*\/)*/.exec(statement.slice(end))?.[0] ?? ''
  const more = end + rest.length
  if (more < statement.length) throw new StatementError('give one statement', [more, statement.length])
}

/** What SQLite says of a statement; null: it takes it, and the view exists. */
function problemOf(db: Connection, statement: string): string | null {
  try {
    db.exec('DROP VIEW IF EXISTS answer')
    db.prepare(createAnswer + statement).run()
    db.prepare('SELECT * FROM answer')
    return null
  } catch (error) {
    return messageOf(error).replace('no such table: main.', 'no such table: ')
  }
}

/** SQLite names an error without its place. The place is the last token of the shortest start with that error. */
function placeOf(problem: string, statement: string, db: Connection): readonly [number, number] {
  if (problem === 'incomplete input') return [statement.length, statement.length]
  const [, text] = /^(?:near|unrecognized token:) "([^]*)"/.exec(problem) ?? []
  if (text !== undefined) {
    for (let at = statement.indexOf(text); at >= 0; at = statement.indexOf(text, at + 1)) {
      if (problemOf(db, statement.slice(0, at + text.length)) === problem) return [at, at + text.length]
    }
  }
  const [, name = ''] = /(?:: |of |function |table )"?([\w.]+)"?(?:\(\))?$/.exec(problem) ?? []
  for (const { 0: found, index } of statement.matchAll(token)) {
    if (found.toLowerCase() === name.toLowerCase()) return [index, index + found.length]
  }
  return [0, statement.length]
}

/** Bytes, a text, a name in quotes, a comment, or a name. */
const token = /x'[^']*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--.*|\/\*[^]*?\*\/|[\w.]+/gi

/** The columns that the view reads, by table: SQLite's program for it opens tables and reads columns of them. */
function neededBy(db: Connection, statement: string): Map<SqlTable, readonly string[]> {
  // The program holds bytes of the statement as text, which the driver does not read.
  problemOf(
    db,
    statement.replace(token, (found) => (/^x'/i.test(found) ? "x''" : found))
  )
  const roots = new Map(
    rowsOf(db, "SELECT rootpage, name FROM sqlite_schema WHERE type = 'table'").map(([root, name]) => [root, name])
  )
  const cursors = new Map<unknown, SqlTable>()
  const needed = new Map<SqlTable, Set<string>>()
  for (const [, operation, cursor, at] of rowsOf(db, 'EXPLAIN SELECT * FROM answer')) {
    if (operation === 'OpenRead') {
      const table = sqlTables.find(({ name }) => name === roots.get(at))
      if (table === undefined) continue
      cursors.set(cursor, table)
      needed.set(table, needed.get(table) ?? new Set())
    } else if (operation === 'Column') {
      const table = cursors.get(cursor)
      const column = table?.columns[Number(at) - 1]
      if (table && column) needed.get(table)?.add(column.name)
    }
  }
  problemOf(db, statement)
  return new Map(
    [...needed].map(([table, columns]) => [
      table,
      table.columns.map(({ name }) => name).filter((name) => columns.has(name))
    ])
  )
}

function rowsOf(db: Connection, sql: string): unknown[][] {
  return db.prepare(sql).raw(true).all() as unknown[][]
}
