import { HostError, messageOf } from '#contract/host-error.ts'
import type { LogForSql, SqlTable, SqlValue } from '#core/query/sql-table.ts'
import { sqlTables } from '#core/query/sql-tables.ts'
import { codeOf, loadDatabase } from '../tasks/task-database.ts'

/** SQLite takes at most this much memory, for tables and for answering. */
const maxGb = 2
/** Entries that one statement inserts. */
const entriesAtOnce = 50
const createAnswer = 'CREATE VIEW answer AS '
/** Ms between two requests to stop a statement: SQLite forgets one that comes while none runs. */
const stopAgainMs = 100

/** A connection whose statements are compiled and run by a thread of the driver, so that they can be stopped. Its types have none of this. */
interface Connection {
  prepare(sql: string): Promise<Statement>
  exec(sql: string): Promise<void>
  interrupt(): void
  close(): void
}

interface Statement {
  raw(isRaw: boolean): Statement
  safeIntegers(areSafe: boolean): Statement
  columns(): readonly { readonly name: string }[]
  run(values?: readonly SqlValue[]): void
  iterate(): Promise<IterableIterator<readonly unknown[]>>
  all(): Promise<readonly (readonly unknown[])[]>
}

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
  /** The names of the answer's columns. */
  readonly columns: readonly string[]
  readonly #db: Connection
  /** The columns that the statement reads, by table. */
  readonly #needed: ReadonlyMap<SqlTable, readonly string[]>
  #sessions = 0

  private constructor(db: Connection, columns: readonly string[], needed: ReadonlyMap<SqlTable, readonly string[]>) {
    this.#db = db
    this.columns = columns
    this.#needed = needed
  }

  /** Throws a `StatementError`, before any log is read. */
  static async for(statement: string): Promise<SqlDatabase> {
    await loadDatabase(['Logs cannot be asked with SQL', ''])
    const { default: Database } = await import('libsql/promise')
    const db: Connection = new Database(':memory:', {})
    try {
      for (const { name, columns } of sqlTables) {
        const typed = columns.map((column) => `${column.name} ${column.type}`)
        await db.exec(`CREATE TABLE ${name} (session INTEGER, ${typed.join(', ')})`)
      }
      await db.exec(`PRAGMA hard_heap_limit = ${maxGb * 2 ** 30}; PRAGMA trusted_schema = OFF`)
      await createView(db, statement)
      const columns = (await db.prepare('SELECT * FROM answer')).columns().map(({ name }) => name)
      return new SqlDatabase(db, columns, await neededBy(db, statement))
    } catch (error) {
      db.close()
      throw error
    }
  }

  /** Adds a log as the next session. `onEntry` gets the number of table entries so far, now and then. */
  async add(log: LogForSql, onEntries: (entries: number) => void): Promise<void> {
    this.#sessions++
    let entries = 0
    await this.#db.exec('BEGIN')
    for (const [table, columns] of this.#needed) {
      const into = `INSERT INTO ${table.name} (${['session', ...columns].join(', ')}) VALUES `
      const places = `(${['session', ...columns].map(() => '?').join(', ')})`
      const insertMany = await this.#db.prepare(into + Array<string>(entriesAtOnce).fill(places).join(', '))
      const insertOne = await this.#db.prepare(into + places)
      let waiting: SqlValue[][] = []
      for await (const values of table.values(log, columns)) {
        waiting.push([this.#sessions, ...values])
        if (waiting.length < entriesAtOnce) continue
        answered(() => insertMany.run(waiting.flat()))
        waiting = []
        onEntries((entries += entriesAtOnce))
      }
      for (const values of waiting) answered(() => insertOne.run(values))
    }
    await this.#db.exec('COMMIT')
  }

  /**
   * The entries of the answer, one at a time. All are found before the first: only what SQLite runs in one go can be stopped, and any entry may
   * be the one without an end. Throws `unavailable` if that takes longer than `limitMs`.
   */
  async *answer(limitMs: number): AsyncGenerator<readonly AnsweredValue[]> {
    // The driver ends the process at a text that is not UTF-8, so it is given bytes. The offset has each value computed once.
    const values = this.columns.map((name) => {
      const value = `"${name.replaceAll('"', '""')}"`
      return `CASE typeof(${value}) WHEN 'text' THEN CAST(${value} AS BLOB) WHEN 'blob' THEN hex(${value}) ELSE ${value} END`
    })
    const select = `SELECT ${values.join(', ')} FROM (SELECT * FROM answer LIMIT -1 OFFSET 0)`
    await this.#within(limitMs, async () => {
      // A failure is told with the first entry, of which there is none.
      const create = await this.#db.prepare(`CREATE TABLE answered AS ${select}`)
      ;(await create.iterate()).next()
    })
    const found = await this.#db.prepare('SELECT * FROM answered')
    for (const entry of await found.raw(true).safeIntegers(true).iterate())
      yield (entry as readonly (AnsweredValue | Uint8Array)[]).map(exact)
  }

  async #within(limitMs: number, work: () => Promise<void>): Promise<void> {
    let again: NodeJS.Timeout | null = null
    const limit = setTimeout(() => {
      this.#db.interrupt()
      again = setInterval(() => this.#db.interrupt(), stopAgainMs)
    }, limitMs)
    try {
      await work()
    } catch (error) {
      throw sqliteError(error, limitMs)
    } finally {
      clearTimeout(limit)
      clearInterval(again ?? undefined)
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
function answered(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw sqliteError(error)
  }
}

function sqliteError(error: unknown, limitMs = 0): unknown {
  const code = codeOf(error)
  if (code === '') return error
  if (code === 'SQLITE_INTERRUPT') {
    const after = `${limitMs / 1000} s`
    return new HostError(
      'unavailable',
      `The statement was stopped after ${after}. Give it longer with --timeout SECONDS.`
    )
  }
  const what = code === 'SQLITE_NOMEM' ? `it needs more than ${maxGb} GB of memory` : messageOf(error)
  return new HostError('unavailable', `SQLite cannot answer this statement: ${what}`)
}

async function createView(db: Connection, statement: string): Promise<void> {
  const problem = await problemOf(db, statement)
  if (problem !== null) throw new StatementError(problem, await placeOf(problem, statement, db))
  const [[sql] = []] = await rowsOf(db, "SELECT sql FROM sqlite_schema WHERE name = 'answer'")
  // SQLite reads one statement and leaves the rest.
  const end = String(sql).length - createAnswer.length
  const rest = /^(?:[\s;]|--.*|\/\*[^]*?\*\/)*/.exec(statement.slice(end))?.[0] ?? ''
  const more = end + rest.length
  if (more < statement.length) throw new StatementError('give one statement', [more, statement.length])
}

/** What SQLite says of a statement; null: it takes it, and the view exists. */
async function problemOf(db: Connection, statement: string): Promise<string | null> {
  try {
    await db.exec('DROP VIEW IF EXISTS answer')
    ;(await db.prepare(createAnswer + statement)).run()
    await db.prepare('SELECT * FROM answer')
    return null
  } catch (error) {
    return messageOf(error).replace('no such table: main.', 'no such table: ')
  }
}

/** SQLite names an error without its place. The place is the last token of the shortest start with that error. */
async function placeOf(problem: string, statement: string, db: Connection): Promise<readonly [number, number]> {
  if (problem === 'incomplete input') return [statement.length, statement.length]
  const [, text] = /^(?:near|unrecognized token:) "([^]*)"/.exec(problem) ?? []
  if (text !== undefined) {
    for (let at = statement.indexOf(text); at >= 0; at = statement.indexOf(text, at + 1)) {
      if ((await problemOf(db, statement.slice(0, at + text.length))) === problem) return [at, at + text.length]
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
async function neededBy(db: Connection, statement: string): Promise<Map<SqlTable, readonly string[]>> {
  // The program holds bytes of the statement as text, which the driver does not read.
  await problemOf(
    db,
    statement.replace(token, (found) => (/^x'/i.test(found) ? "x''" : found))
  )
  const tables = await rowsOf(db, "SELECT rootpage, name FROM sqlite_schema WHERE type = 'table'")
  const roots = new Map(tables.map(([root, name]) => [root, name]))
  const cursors = new Map<unknown, SqlTable>()
  const needed = new Map<SqlTable, Set<string>>()
  for (const [, operation, cursor, at] of await rowsOf(db, 'EXPLAIN SELECT * FROM answer')) {
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
  await problemOf(db, statement)
  return new Map(
    [...needed].map(([table, columns]) => [
      table,
      table.columns.map(({ name }) => name).filter((name) => columns.has(name))
    ])
  )
}

async function rowsOf(db: Connection, sql: string): Promise<readonly (readonly unknown[])[]> {
  return await (await db.prepare(sql)).raw(true).all()
}
