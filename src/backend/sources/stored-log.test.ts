import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { type DatabaseFixture, makeDatabase, openDatabase } from '../../../test/database-fixture.ts'
import { openLog } from './open-log.ts'
import { readLog } from './read-log.ts'
import { OpenDatabase } from './session-databases.ts'
import { StoredLog } from './stored-log.ts'

const all = mkdtempSync(join(tmpdir(), 'playhead-stored-'))
let folder = ''
let made = 0

beforeEach(() => {
  folder = join(all, String(made++))
  mkdirSync(folder)
})
afterAll(() => rmSync(all, { recursive: true, force: true }))

const main: Readonly<Record<DatabaseFixture, string>> = {
  opencode: 'ses_0001',
  crush: '6f1c0001',
  goose: '20260801_1',
  'cursor-chat': 'f1ff7b74-0a28-4dd4-a452-e01ae080eb20'
}
const fixtures = Object.keys(main) as DatabaseFixture[]

async function textOf(path: string): Promise<string> {
  const source = await openLog(path)
  try {
    return (await source.read(0, await source.size())).toString()
  } finally {
    await source.close()
  }
}

async function eventsOf(path: string): Promise<string[]> {
  const events: string[] = []
  await readLog({ path, format: null, single: true }, { event: ({ type }) => events.push(type) })
  return events
}

/** Everything of a folder that a reader could change, but when it was read. */
function traceOf(path: string): string[] {
  return readdirSync(path).map((name) => {
    const { size, mtimeNs, ctimeNs, ino } = statSync(join(path, name), { bigint: true })
    // As root, SQLite gives the files beside a database its owner, also if they have it.
    const changed = /-(?:wal|shm)$/.test(name) && process.getuid?.() === 0 ? '' : ctimeNs
    const digest = createHash('sha1')
      .update(readFileSync(join(path, name)))
      .digest('hex')
    return `${name} ${size} ${mtimeNs} ${changed} ${ino} ${digest}`
  })
}

describe.each(fixtures)('%s', (fixture) => {
  const session = main[fixture]

  test('its format is told by its records, and nothing is unknown', async () => {
    const path = join(folder, 'a.db')
    makeDatabase(path, fixture)
    const issues: string[] = []
    const read = await readLog(
      { path: `${path}#${session}`, format: null, single: true },
      { line: ({ issues: found }) => issues.push(...found.map(({ message }) => message)) }
    )
    expect(read.format.id).toBe(fixture)
    expect(issues).toEqual([])
    expect(await eventsOf(`${path}#${session}`)).toContain('todo_list')
  })

  test.each(['', 'PRAGMA journal_mode = WAL;'])(
    'reading leaves no trace in the folder of a database at rest %s',
    async (before) => {
      makeDatabase(join(folder, 'a.db'), fixture, before)
      const trace = traceOf(folder)
      await textOf(join(folder, `a.db#${session}`))
      expect(traceOf(folder)).toEqual(trace)
    }
  )

  test.each([
    ['with', ['a.db', 'a.db-wal', 'a.db-shm']],
    ['without', ['a.db', 'a.db-wal']]
  ])('a database that its agent left open after a crash, %s its index: reading leaves no trace', async (_, names) => {
    const database = openDatabase(join(folder, 'live', 'a.db'), fixture, 'PRAGMA journal_mode = WAL;')
    mkdirSync(join(folder, 'left'))
    for (const name of names) copyFileSync(join(folder, 'live', name), join(folder, 'left', name))
    database.close()
    const trace = traceOf(join(folder, 'left'))
    expect(await textOf(join(folder, 'left', `a.db#${session}`))).toBe(
      await textOf(join(folder, 'live', `a.db#${session}`))
    )
    expect(traceOf(join(folder, 'left'))).toEqual(trace)
  })
})

test('a database that its agent writes: changes in its log are seen, and no file is made or written', async () => {
  const path = join(folder, 'goose.db')
  const agent = openDatabase(path, 'goose', 'PRAGMA journal_mode = WAL;')
  const source = await StoredLog.open(`${path}#20260801_2`)
  const before = await source?.size()
  agent.exec(
    `INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES ('20260801_2', 'assistant', '[{"type":"text","text":"Hello."}]', 1785567601)`
  )
  const [database, log] = [readFileSync(path), readFileSync(`${path}-wal`)]
  await source?.current()
  expect(source?.isOutdated).toBe(false)
  expect((await source?.read(before ?? 0, 1000))?.toString()).toContain('Hello.')
  expect(readdirSync(folder).toSorted()).toEqual(['goose.db', 'goose.db-shm', 'goose.db-wal'])
  // The index of the log is memory that all readers share: here the reader is in the agent's process.
  expect(readFileSync(path).equals(database) && readFileSync(`${path}-wal`).equals(log)).toBe(true)
  expect(await textOf(`${path}#20260801_2`)).toBe((await source?.read(0, await source.size()))?.toString())
  agent.close()
  await source?.close()
})

test('a change of what was read makes the log outdated, and keeps its text', async () => {
  const path = join(folder, 'a.db')
  const agent = openDatabase(path, 'crush', 'PRAGMA journal_mode = WAL;')
  const source = await StoredLog.open(`${path}#6f1c0001`)
  const text = await textOf(`${path}#6f1c0001`)
  agent.exec(`UPDATE messages SET parts = replace(parts, 'no rule', 'a rule') WHERE id = 'm4'`)
  await source?.current()
  expect(source?.isOutdated).toBe(true)
  expect((await source?.read(0, text.length * 2))?.toString()).toBe(text)
  expect(await textOf(`${path}#6f1c0001`)).toContain('There is a rule.')
  agent.close()
  await source?.close()
})

test('a database that was replaced while it is open', async () => {
  const path = join(folder, 'a.db')
  makeDatabase(path, 'goose')
  makeDatabase(join(folder, 'b.db'), 'goose')
  const other = new Database(join(folder, 'b.db'))
  other.exec(`UPDATE messages SET role = 'assistant' WHERE id = 1`)
  other.close()
  const source = await StoredLog.open(`${path}#20260801_1`)
  renameSync(join(folder, 'b.db'), path)
  await source?.current()
  expect(source?.isOutdated).toBe(true)
  rmSync(path)
  await source?.close()
  await expect(openLog(`${path}#20260801_1`)).rejects.toThrow('does not exist')
})

test('a session that was deleted', async () => {
  const path = join(folder, 'a.db')
  const agent = openDatabase(path, 'goose')
  const source = await StoredLog.open(`${path}#20260801_2`)
  agent.exec(`DELETE FROM messages WHERE session_id = '20260801_2'; DELETE FROM sessions WHERE id = '20260801_2'`)
  agent.close()
  await expect(source?.current()).rejects.toThrow('does not exist')
  await source?.close()
  await expect(openLog(`${path}#20260801_2`)).rejects.toThrow('has no session')
})

test('of a database with one session its path suffices; else it names one', async () => {
  makeDatabase(join(folder, 'one.db'), 'cursor-chat')
  makeDatabase(join(folder, 'many.db'), 'goose')
  expect(await textOf(join(folder, 'one.db'))).toContain('agentId')
  await expect(openLog(join(folder, 'many.db'))).rejects.toThrow(
    /2 sessions; add one to the path, such as many\.db#20260801_2/
  )
})

describe('hostile databases', () => {
  /** A database of Goose, changed by `sql`. */
  function changed(sql: string): string {
    const path = join(folder, 'a.db')
    const database = openDatabase(path, 'goose')
    database.exec(sql)
    database.close()
    return `${path}#20260801_1`
  }

  test.each([
    [
      'DROP TABLE messages; CREATE VIEW messages AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, i AS session_id, i AS role, i AS content_json, i AS created_timestamp FROM n'
    ],
    [
      'DROP TABLE messages; CREATE VIRTUAL TABLE messages USING fts5(id, session_id, role, content_json, created_timestamp)'
    ],
    ['ALTER TABLE messages DROP COLUMN role'],
    [
      `ALTER TABLE sessions RENAME TO other; CREATE TABLE sessions (id TEXT, working_dir TEXT, created_at TEXT AS (zeroblob(1000000000)), updated_at TEXT)`
    ]
  ])('views, virtual tables and computed columns are not read: %s', async (sql) => {
    await expect(openLog(changed(sql))).rejects.toThrow('of no agent that Playhead knows')
  })

  test('values of other types, texts that are not UTF-8, and NUL', async () => {
    const path = changed(`
      INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES
        ('20260801_1', CAST(x'ff41' AS TEXT), x'ff00', 'never'), ('20260801_1', 7, 1.5, 9e999), ('20260801_1', 'user', '[{"type":"text","text":"a' || char(0) || '"}]', -1);
      INSERT INTO sessions (id, working_dir) VALUES (CAST(x'ff' AS TEXT), '/'), ('', '/');`)
    const text = await textOf(path)
    expect(text).toContain(String.raw`"role":"\ufffdA"`.replace(String.raw`\ufffd`, '\ufffd'))
    expect(
      text
        .trimEnd()
        .split('\n')
        .every((line) => typeof JSON.parse(line) === 'object')
    ).toBe(true)
    expect(await eventsOf(path)).toContain('todo_list')
    const ids = await OpenDatabase.read(path.split('#')[0] ?? '', async (database) =>
      database.sessions().map(({ id }) => id)
    )
    expect(ids.toSorted()).toEqual(['20260801_1', '20260801_2'])
  })

  test('triggers never run, and a name with quotes is a name', async () => {
    const path = changed(
      `CREATE TRIGGER t BEFORE INSERT ON messages BEGIN SELECT RAISE(FAIL, 'no'); END; ALTER TABLE messages ADD COLUMN "a""b" TEXT DEFAULT 'c'`
    )
    expect(await textOf(path)).toContain(String.raw`"a\"b":"c"`)
  })

  test('a long value is named, and not read', async () => {
    const path = changed(`UPDATE messages SET content_json = zeroblob(${33 << 20}) WHERE id = 2`)
    expect(await textOf(path)).toContain(`[${33 << 20} bytes are not read]`)
  })

  test('a record of more rows than are read says so', async () => {
    const path = join(folder, 'o.db')
    const database = openDatabase(path, 'opencode')
    database.exec(`
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
      INSERT INTO part SELECT 'prt_x' || i, 'msg_0002', 'ses_0001', 0, 0, '{"type":"text","text":"x"}' FROM n`)
    database.close()
    const lines = (await textOf(`${path}#ses_0001`)).trimEnd().split('\n')
    const at = lines.indexOf('[a record of more than 10000 rows: the others are not read]')
    expect(JSON.parse(lines[at - 1] ?? '').parts).toHaveLength(10_000)
    expect(at).toBe(lines.length - 1)
  })

  test('a locked database', async () => {
    const path = changed('SELECT 1')
    const agent = new Database(path.split('#')[0] ?? '')
    agent.exec(`BEGIN EXCLUSIVE; UPDATE messages SET role = 'user'`)
    await expect(openLog(path)).rejects.toThrow('is in use by its agent')
    agent.exec('ROLLBACK')
    agent.close()
    expect(await textOf(path)).toContain('content_json')
  })

  test('damage anywhere: an error or a text, and never more', async () => {
    const path = changed('SELECT 1')
    const [file = ''] = path.split('#')
    const bytes = readFileSync(file)
    for (let at = 0; at < bytes.length; at += 97) {
      const damaged = Buffer.from(bytes)
      damaged.fill(at % 2 === 0 ? 0xff : 0x00, at, at + 60)
      writeFileSync(file, damaged)
      const text = await textOf(path).catch((error: unknown) => error)
      if (text instanceof Error) expect(text.name).toBe('HostError')
      else expect(typeof text).toBe('string')
    }
    for (const length of [16, 100, 512, 5000]) {
      writeFileSync(file, bytes.subarray(0, length))
      await expect(openLog(path)).rejects.toMatchObject({ name: 'HostError' })
    }
  })
})
