import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, expect, test } from 'vitest'
import type { SessionPreview } from '#core/library/session-card.ts'
import { OpenLibrary } from '../../../test/open-library.ts'
import { KnownLogs } from './known-logs.ts'
import { LibraryDatabase, type LockWaits } from './library-database.ts'
import { ReadBytes } from './read-bytes.ts'
import { plannedRoots } from './library-roots.ts'
import type { LibraryLog } from './library-log.ts'
import { readLogHead } from './read-log-head.ts'

const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'playhead-library-database-')))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

let count = 0
function newCache(): string {
  const cache = join(folder, `cache-${count++}`)
  fs.mkdirSync(cache)
  return cache
}

/** Another program writes, and is not done until the end of it is called. */
function held(cache: string): () => void {
  const other = new Database(join(cache, 'library.db'))
  other.exec('BEGIN IMMEDIATE')
  return () => {
    other.exec('ROLLBACK')
    other.close()
  }
}

const never: LockWaits = { first: 0, later: 0, between: Infinity }
const always: LockWaits = { first: 0, later: 0, between: 0 }

const system = { home: folder, platform: 'linux', variables: {} } as const
const [root] = plannedRoots({ system, roots: [join(folder, 'logs')], added: [] })
if (root === undefined) throw new Error('There is no root.')
const logs = root

async function known(cache: string, waits: LockWaits): Promise<{ known: KnownLogs; problems: string[] }> {
  const problems: string[] = []
  const database = await LibraryDatabase.open(cache, (sentence) => problems.push(sentence), waits)
  return { known: new KnownLogs(database), problems }
}

async function tell(into: KnownLogs, name: string): Promise<LibraryLog> {
  const facts = { device: '1', inode: '0', bytes: 1, modified: 1, changed: 1 }
  const path = join(logs.path, name)
  const log = into.onFound({ path, facts, folder: logs.path }, logs, () => false)
  if (log === null) throw new Error(`${name} stands elsewhere.`)
  const reading = { bytes: new ReadBytes(), format: null, likely: logs.formats, before: null }
  into.setHead(log, await readLogHead(path, facts, reading))
  return log
}

const preview: SessionPreview = {
  ...{ firstPrompt: 'Do it', lastAnswer: null, todos: [], failed: [], files: [], filesTotal: 0, filesAtLeast: false }
}

/** What the next start finds. */
async function next(cache: string): Promise<KnownLogs> {
  const { known: found, problems } = await known(cache, always)
  expect(problems).toEqual([])
  for (const _ of found.load([logs]));
  return found
}

test.each(['new', 'known'])(
  'a library goes on while another program holds its database, which is %s',
  async (which) => {
    const home = fs.mkdtempSync(join(folder, 'home-'))
    const cache = newCache()
    if (which === 'known') {
      const before = new OpenLibrary({ home, cache })
      await before.idle()
      await before.library.close()
    }
    const project = join(home, '.claude/projects/-work-app')
    fs.mkdirSync(project, { recursive: true })
    const fixture = new URL(
      '../../../test/fixtures/formats/claude-transcript/usage-2.1.56/input.jsonl',
      import.meta.url
    )
    for (const name of ['a', 'b', 'c']) fs.copyFileSync(fixture, join(project, `${name}.jsonl`))
    const release = held(cache)
    const one = new OpenLibrary({ home, cache })
    await one.idle()
    const cards = await one.cards()
    expect(cards).toHaveLength(3)
    expect(cards.filter(({ counts }) => counts === null)).toEqual([])
    release()
    await one.library.close()
    const two = new OpenLibrary({ home, cache })
    await two.idle()
    expect(await two.cards()).toEqual(cards)
    expect(two.bytes.read).toBe(0)
    expect([...one.problems, ...two.problems]).toEqual([])
    await two.library.close()
  }
)

test('what is put off is not tried again at once, but when it is closed', async () => {
  const cache = newCache()
  const { known: one } = await known(cache, never)
  const release = held(cache)
  await tell(one, 'a.jsonl')
  one.flush()
  release()
  one.flush()
  expect((await next(cache)).size).toBe(0)
  one.close()
  expect((await next(cache)).size).toBe(1)
})

test('what is put off is written when it is flushed after the lock', async () => {
  const cache = newCache()
  const release = held(cache)
  const { known: one, problems } = await known(cache, always)
  one.setRootsInUse([logs], 1)
  const gone = await tell(one, 'a.jsonl')
  await tell(one, 'b.jsonl')
  one.flush()
  // One that is back is kept.
  one.forget(gone, false)
  await tell(one, 'a.jsonl')
  release()
  one.flush()
  expect([...(await next(cache)).all()].map(({ path }) => path).sort()).toEqual(
    ['a.jsonl', 'b.jsonl'].map((name) => join(logs.path, name))
  )
  expect(problems).toEqual([])
  one.close()
})

test('of many sessions that are counted under a lock only previews are dropped', async () => {
  const cache = newCache()
  const { known: one } = await known(cache, never)
  const release = held(cache)
  const all: LibraryLog[] = []
  for (let i = 0; i < 1200; i++) {
    const log = await tell(one, `${i}.jsonl`)
    one.setCounted(log, { fingerprint: `fingerprint ${i}`, counts: null, end: 'done' }, preview)
    all.push(log)
  }
  release()
  one.close()
  const found = await next(cache)
  expect(all.filter(({ path }) => found.at(path)?.counted?.end !== 'done')).toEqual([])
  const previewed = all.filter((log, i) => found.preview(log, `fingerprint ${i}`) !== null)
  expect(previewed.length).toBeLessThanOrEqual(500)
  expect(previewed.at(-1)).toBe(all.at(-1))
})
