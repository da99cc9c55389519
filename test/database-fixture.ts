import { mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Database from 'libsql'

/** Names of the fixtures: databases of agents, as SQL. */
export type DatabaseFixture = 'opencode' | 'crush' | 'goose' | 'cursor-chat'

/** Makes a database and closes it. `before`: statements that come first. */
export function makeDatabase(path: string, fixture: DatabaseFixture, before = ''): void {
  const database = openDatabase(path, fixture, before)
  database.close()
}

/** Makes a database that stays open, as its agent has it. */
export function openDatabase(path: string, fixture: DatabaseFixture, before = ''): Database.Database {
  mkdirSync(dirname(path), { recursive: true })
  const database = new Database(path)
  database.exec(before + readFileSync(join(import.meta.dirname, `fixtures/databases/${fixture}.sql`), 'utf8'))
  return database
}
