import { DuckDBInstance } from '@duckdb/node-api'

export type AnsweredRow = Record<string, unknown>

/** Asks DuckDB about the data set in a folder. `setup`: statements that name the tables. */
export async function askedOf(setup: string, statements: readonly string[]): Promise<AnsweredRow[][]> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await connection.run("SET TimeZone = 'UTC'")
    await connection.run(setup)
    const answers: AnsweredRow[][] = []
    for (const statement of statements) {
      const rows = (await connection.runAndReadAll(statement)).getRowObjectsJson()
      answers.push(
        rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, numbered(cell)])))
      )
    }
    return answers
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** DuckDB writes 64-bit numbers as strings. */
function numbered(cell: unknown): unknown {
  return typeof cell === 'string' && /^-?\d+$/.test(cell) ? Number(cell) : cell
}
