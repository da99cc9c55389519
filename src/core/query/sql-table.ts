import type { ReadCard } from '../library/read-card.ts'
import type { RunIndex } from '../index/run-index.ts'
import type { PriceTable } from '../requests/prices.ts'
import type { ReadRow } from './row-term.ts'

/** Unknown is null. */
export type SqlValue = string | number | null

/** What the tables are filled from. */
export interface LogForSql {
  readonly path: string
  /** Id of its format. */
  readonly format: string | null
  readonly bytes: number
  readonly index: RunIndex
  /** To estimate costs with; null: none. */
  readonly prices: PriceTable | null
  read(row: number): Promise<ReadRow>
  card(): Promise<ReadCard | null>
}

/** A table of `playhead sql`. docs/sql.md describes its columns. */
export interface SqlTable {
  readonly name: string
  readonly columns: readonly SqlColumn[]
  /** The values of these columns, entry by entry. Reads the log only where a column needs it. */
  values(log: LogForSql, columns: readonly string[]): AsyncGenerator<readonly SqlValue[]>
}

export interface SqlColumn {
  readonly name: string
  readonly type: 'INTEGER' | 'REAL' | 'TEXT'
}

type ValueOf<E> = (entry: E) => SqlValue | undefined | Promise<SqlValue | undefined>
type Columns<E, Name extends string> = (log: LogForSql) => Readonly<Record<Name, ValueOf<E>>>

export function table<E, Name extends string>(
  name: string,
  types: Readonly<Record<Name, SqlColumn['type']>>,
  entriesOf: (log: LogForSql) => Iterable<E>,
  columnsOf: Columns<E, Name>
): SqlTable {
  const names = Object.keys(types) as Name[]
  return {
    name,
    columns: names.map((column) => ({ name: column, type: types[column] })),
    async *values(log, wanted) {
      const columns = columnsOf(log)
      const read = names.filter((column) => wanted.includes(column)).map((column) => columns[column])
      for (const entry of entriesOf(log)) {
        const values: SqlValue[] = []
        for (const valueOf of read) {
          const value = valueOf(entry)
          values.push(known(value instanceof Promise ? await value : value))
        }
        yield values
      }
    }
  }
}

function known(value: SqlValue | undefined): SqlValue {
  return value === undefined || Number.isNaN(value) ? null : value
}
