import { cardOf } from '#backend/library/card-of.ts'
import { Output } from '#backend/export/output.ts'
import { type AnsweredValue, SqlDatabase, StatementError } from '#backend/query/sql-database.ts'
import type { QueriedLog } from '#backend/query/queried-log.ts'
import type { RunOptions } from '#backend/sources/run.ts'
import { oneLine } from '#core/index/one-line.ts'
import type { LogForSql } from '#core/query/sql-table.ts'
import { sqlTables } from '#core/query/sql-tables.ts'
import type { PriceTable } from '#core/requests/prices.ts'
import { type Command, exitFine, exitNothing, parseCommandLine, UsageError } from './command.ts'
import type { Environment } from './environment.ts'
import { pricesDetails, pricesOf, pricesOptions } from './prices-option.ts'
import { Progress } from './progress.ts'
import { keepMemorySteady } from './steady-memory.ts'
import { columnsOf } from './terminal.ts'
import { columnsOfText, cutEnd, padded } from './text-columns.ts'
import { fileDetails, logOf, logOptions } from './typed-log.ts'
import { placedError, sayNotesOf, withLog } from './where.ts'

const options = { json: { type: 'boolean' }, timeout: { type: 'string' }, ...pricesOptions, ...logOptions } as const

const defaultSeconds = 60
/** A day, as timers have a limit. */
const maxSeconds = 86_400

export const sql: Command = {
  usage: 'sql FILE… STATEMENT [--json] [--timeout SECONDS] [--prices FILE] [--single] [--format ID]',
  summary: 'answer a SELECT about the events of logs',
  details: [
    "STATEMENT is one argument: 'select tool, count(*) from calls group by tool'. docs/sql.md describes the columns.",
    ...sqlTables.map(
      ({ name, columns }) => `  ${name}: ${['session', ...columns.map((column) => column.name)].join(', ')}`
    ),
    '--json  Print one JSON object per row.',
    `--timeout SECONDS  Stop a statement that takes longer. Default: ${defaultSeconds}. Reading the logs does not count.`,
    pricesDetails,
    'Exit codes: 0 rows, 1 no rows, 2 wrong use, or a file could not be read.',
    '',
    ...fileDetails
  ],
  async run(args, environment) {
    const { values, positionals } = parseCommandLine({ args, options, allowPositionals: true })
    const files = positionals.slice(0, -1)
    const statement = positionals.at(-1)
    if (statement === undefined || files.length === 0)
      throw new UsageError("give a FILE and a STATEMENT, such as 'select count(*) from calls'")
    const limitMs = limitMsOf(values.timeout)
    const prices = await pricesOf(values, environment)
    const database = await databaseFor(statement)
    try {
      const sources: RunOptions[] = []
      for (const file of files) sources.push(await logOf([file], values, environment))
      keepMemorySteady()
      let exit = exitFine
      for (const source of sources) exit = Math.max(exit, await add(database, source, prices, environment))
      const print = values.json === true ? printJson : printTable
      const found = await print(database, limitMs, environment)
      return exit === exitFine && found === 0 ? exitNothing : exit
    } finally {
      database.close()
    }
  }
}

function limitMsOf(timeout: string | undefined): number {
  const seconds = timeout === undefined ? defaultSeconds : Number(timeout)
  if (seconds > 0 && seconds <= maxSeconds) return seconds * 1000
  throw new UsageError(`--timeout ${timeout}: give a number of seconds, at most ${maxSeconds}`)
}

async function databaseFor(statement: string): Promise<SqlDatabase> {
  try {
    return await SqlDatabase.for(statement)
  } catch (error) {
    throw error instanceof StatementError ? placedError(statement, error) : error
  }
}

/** Returns the exit code. */
async function add(
  database: SqlDatabase,
  source: RunOptions,
  prices: PriceTable | null,
  environment: Environment
): Promise<number> {
  return await withLog(source, environment, async (log) => {
    const progress = new Progress(environment, 'filling tables', true)
    const { rows } = log.index.rows
    await database
      .add(logForSql(source, log, prices), (entries) => progress.at(entries, rows))
      .finally(() => progress.end())
    return sayNotesOf(log, environment)
  })
}

function logForSql({ path }: RunOptions, log: QueriedLog, prices: PriceTable | null): LogForSql {
  const { format, files } = log.run
  let card: ReturnType<LogForSql['card']> | null = null
  return {
    path,
    format: format.id,
    bytes: files.reduce((sum, { bytesRead }) => sum + bytesRead, 0),
    index: log.index,
    prices,
    read: async (row) => await log.read(row),
    card: async () => await (card ??= cardOf(path, format.id))
  }
}

/** Each prints the answer and returns the number of its rows. */
type Print = (database: SqlDatabase, limitMs: number, environment: Environment) => Promise<number>

const printJson: Print = async (database, limitMs, { stdout }) => {
  const output = new Output(stdout)
  const { columns } = database
  let rows = 0
  for await (const values of database.answer(limitMs)) {
    rows++
    const members = columns.map((name, i) => `${JSON.stringify(name)}:${jsonOf(values[i] ?? null)}`)
    output.line(`{${members.join(',')}}`)
    if (output.isFull) await output.flush()
  }
  await output.flush()
  return rows
}

function jsonOf(value: AnsweredValue): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
}

/** The widths of columns follow these first rows. */
const measuredRows = 1000
const maxWidth = 60

const printTable: Print = async (database, limitMs, { stdout }) => {
  const output = new Output(stdout)
  const width = columnsOf(stdout)
  let waiting: (readonly AnsweredValue[])[] | null = []
  let widths: readonly number[] = []
  let rows = 0
  const printRow = (cells: readonly string[], values: readonly AnsweredValue[]): void => {
    const line = cells.map((cell, i) => aligned(cell, widths[i] ?? 0, typeof values[i] === 'number')).join('  ')
    output.line((width === null ? line : cutEnd(line, width)).trimEnd())
  }
  const printWaiting = (): void => {
    if (waiting === null || waiting.length === 0) return
    const lines = [database.columns.map((name) => oneLine(name)), ...waiting.map((values) => values.map(cellOf))]
    widths = database.columns.map((_, i) =>
      Math.min(maxWidth, Math.max(...lines.map((line) => columnsOfText(line[i] ?? ''))))
    )
    for (const [i, line] of lines.entries()) printRow(line, waiting[i - 1] ?? [])
    waiting = null
  }
  for await (const values of database.answer(limitMs)) {
    rows++
    if (waiting === null) printRow(values.map(cellOf), values)
    else if (waiting.push(values) === measuredRows) printWaiting()
    if (output.isFull) await output.flush()
  }
  printWaiting()
  await output.flush()
  return rows
}

function cellOf(value: AnsweredValue): string {
  return value === null ? 'NULL' : oneLine(String(value))
}

function aligned(cell: string, width: number, isNumber: boolean): string {
  const shown = cutEnd(cell, width)
  return isNumber ? shown.padStart(width) : padded(shown, width)
}
