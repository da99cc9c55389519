import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { type Cell, type CellType, sessionTables, type TableName } from '#core/export/session-tables.ts'
import type { OutputFile } from './output-file.ts'

/** Rows of a row group, and characters of its texts, after which it is written. */
const maxRows = 1 << 16
const maxCharacters = 8 << 20

type Schema = ConstructorParameters<typeof ParquetWriter>[0]['schema']

const elements = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  count: { type: 'INT32' },
  large: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  flag: { type: 'BOOLEAN' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }
} as const satisfies Record<CellType, Omit<Schema[number], 'name'>>

const isBig: ReadonlySet<CellType> = new Set(['large', 'time'])
/** Whole numbers of these; others are unknown. */
const limits: Readonly<Partial<Record<CellType, number>>> = {
  count: 2 ** 31 - 1,
  large: Number.MAX_SAFE_INTEGER,
  time: 8.64e15
}

/** Writes the rows of a table as one Parquet file, a row group at a time, so memory is bounded. */
export class ParquetTable {
  readonly #file: OutputFile
  readonly #columns: readonly (readonly [string, CellType])[]
  readonly #bytes = new ByteWriter()
  readonly #parquet: ParquetWriter
  #cells: (Cell | bigint)[][]
  #rows = 0
  #characters = 0

  /** `version`: of Playhead. */
  constructor(table: TableName, file: OutputFile, version: string) {
    this.#file = file
    this.#columns = Object.entries(sessionTables[table])
    this.#cells = this.#columns.map(() => [])
    const schema: Schema = [
      { name: 'root', num_children: this.#columns.length },
      ...this.#columns.map(([name, type]) => ({ name, repetition_type: 'OPTIONAL' as const, ...elements[type] }))
    ]
    this.#parquet = new ParquetWriter({ writer: this.#bytes, schema, createdBy: `playhead ${version}` })
  }

  add(cells: readonly Cell[]): void {
    for (const [at, [, type]] of this.#columns.entries()) {
      const cell = cells[at] ?? null
      this.#cells[at]?.push(stored(cell, type))
      if (typeof cell === 'string') this.#characters += cell.length
    }
    this.#rows++
    if (this.#rows >= maxRows || this.#characters >= maxCharacters) this.#writeGroup()
  }

  async flush(): Promise<void> {
    await this.#file.output.flush()
  }

  /** After it, the file is complete under its name. */
  async finish(): Promise<void> {
    if (this.#rows > 0) this.#writeGroup()
    void this.#parquet.finish()
    this.#drain()
    await this.#file.output.flush()
    await this.#file.finish()
  }

  async discard(): Promise<void> {
    await this.#file.discard()
  }

  #writeGroup(): void {
    const columnData = this.#columns.map(([name, type], at) => ({
      name,
      data: this.#cells[at] ?? [],
      // Of texts a dictionary seldom pays, and statistics never help to find a row.
      ...(type === 'text' && longTexts.has(name) && { encoding: 'PLAIN' as const, statistics: false })
    }))
    void this.#parquet.write({ columnData, rowGroupSize: maxRows })
    this.#cells = this.#columns.map(() => [])
    this.#rows = 0
    this.#characters = 0
    this.#drain()
  }

  #drain(): void {
    this.#file.output.bytes(this.#bytes.getBytes())
    this.#bytes.index = 0
  }
}

const longTexts: ReadonlySet<string> = new Set(['text', 'input_json', 'todo_json', 'target', 'item'])

function stored(cell: Cell, type: CellType): Cell | bigint {
  if (typeof cell !== 'number' || type === 'number') return cell
  const whole = Math.round(cell)
  if (!(Math.abs(whole) <= (limits[type] ?? 0))) return null
  return isBig.has(type) ? BigInt(whole) : whole
}
