import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { SessionCard } from '#core/library/session-card.ts'
import { corpusIsHere } from '../../../test/conformance/corpus.ts'
import { fillHome, projectFolders } from '../../../test/corpus-home.ts'
import { claudeBesideRun, codexRun } from '../../../test/invented-runs.ts'
import { OpenLibrary } from '../../../test/open-library.ts'
import { readLog } from '../sources/read-log.ts'

const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'playhead-library-')))
afterAll(() => fs.rmSync(root, { recursive: true, force: true }))

let count = 0
let home = ''
let cache = ''
const open: OpenLibrary[] = []
beforeEach(() => {
  home = join(root, `home-${count}`)
  cache = join(root, `cache-${count++}`)
  fs.mkdirSync(home)
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.library.close()
})

type Given = Partial<ConstructorParameters<typeof OpenLibrary>[0]>

function opened(given: Given = {}): OpenLibrary {
  const library = new OpenLibrary({ cache, home, ...given })
  open.push(library)
  return library
}

async function closed(library: OpenLibrary): Promise<void> {
  await library.library.close()
}

const hours = (h: number, second: number): string => new Date(Date.UTC(2026, 0, 2, h, 0, second)).toISOString()

/** Lines of a transcript of Claude Code. */
function transcript(session: string, prompt: string, answers: number, hour = 3): string {
  const base = (second: number): object => ({
    ...{ isSidechain: false, userType: 'external', cwd: '/work/app', sessionId: session, version: '2.1.56' },
    ...{
      gitBranch: 'main',
      uuid: `${session}-${second}`,
      parentUuid: second === 0 ? null : `${session}-${second - 1}`
    },
    timestamp: hours(hour, second)
  })
  const lines: object[] = [{ ...base(0), type: 'user', message: { role: 'user', content: prompt } }]
  for (let i = 1; i <= answers; i++) {
    const content = [{ type: 'text', text: `answer ${i} ${'x'.repeat(200)}` }]
    const message = {
      id: `msg_${i}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-4-5',
      content,
      stop_reason: 'end_turn'
    }
    lines.push({ ...base(i), type: 'assistant', message })
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function put(path: string, text: string | Uint8Array, at = Date.UTC(2026, 0, 2, 5)): string {
  const file = join(home, path)
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(file, text)
  fs.utimesSync(file, new Date(at), new Date(at))
  return file
}

const inProject = (name: string): string => `.claude/projects/-work-app/${name}.jsonl`

/** What a folder holds: names, contents by their lengths, and times. */
function stateOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs, ino } = fs.lstatSync(join(folder, name))
      return `${name} ${size} ${mtimeMs} ${ino}`
    })
    .sort()
}

test('a session is counted with the files of its subagents, as it is read', async () => {
  codexRun(join(home, '.codex'))
  claudeBesideRun(join(home, '.claude/projects/-work-app'))
  const one = opened()
  await one.idle()
  const cards = await one.cards()
  const found: Record<string, number> = {}
  for (const { path, counts, sessionId } of cards) {
    const { events, files } = await readLog({ path, format: null, single: false }, {})
    found[sessionId ?? ''] = files.length
    expect([path, counts?.events]).toEqual([path, events])
  }
  expect(found).toMatchObject({ other: 0, parent: 2, 'session-1': 2 })
})

describe.skipIf(!corpusIsHere)('a home full of real logs', () => {
  test.each(Object.keys(projectFolders) as (keyof typeof projectFolders)[])(
    'each session is listed once, subagents under their parents: %s',
    async (platform) => {
      const placed = fillHome(home, platform)
      const before = stateOf(home)
      const one = opened()
      await one.library.pause({ isPaused: true })
      const status = await one.until(({ phase }) => phase === 'counts')
      const sessions = await one.cards()
      const subagents = []
      for (const { id, subagents: has } of sessions) {
        if (has > 0) subagents.push(...(await one.library.all()).filter(({ parent }) => parent === id))
      }
      expect(status.sessions).toBe(sessions.length)
      expect([...sessions, ...subagents].map(({ path }) => path).sort()).toEqual(placed.map(({ path }) => path).sort())
      expect(sessions.filter((card) => !SessionCard.safeParse(card).success)).toEqual([])
      const formats = new Map(placed.map(({ path, format }) => [path, format]))
      for (const { path, format } of sessions) expect([path, format]).toEqual([path, formats.get(path)])
      const mains = new Set(sessions.map(({ path }) => path))
      // Of one the parent is not in the corpus.
      const alone = placed.filter(({ path, isSubagent }) => isSubagent && mains.has(path)).map(({ from }) => from)
      expect(alone).toEqual([])
      expect(
        sessions.filter(({ title }) => title !== null && /^<[a-z_-]+>/.test(title)).map(({ title }) => title)
      ).toEqual([])
      expect(stateOf(home)).toEqual(before)
    }
  )

  test('all is counted, and a second start reads nothing and shows the same', async () => {
    fillHome(home, 'linux')
    const first = opened()
    await first.idle()
    const cards = await first.cards()
    expect(cards.filter(({ counts }) => counts === null).map(({ path, problem }) => [path, problem])).toEqual([])
    await closed(first)
    const second = opened()
    await second.idle()
    expect(await second.cards()).toEqual(cards)
    expect(second.bytes.read).toBe(0)
    expect(second.problems).toEqual([])
    for (const name of fs.readdirSync(cache)) expect(fs.statSync(join(cache, name)).mode & 0o777).toBe(0o600)
  })
})

describe('files', () => {
  test('what is no log does no harm', async () => {
    put(inProject('good'), transcript('good', 'Do it', 3))
    put(inProject('empty'), '')
    put(inProject('blank'), '\n\n  \n')
    put(inProject('text'), 'this is no JSON\n'.repeat(10))
    const sparse = put(inProject('sparse'), '')
    fs.truncateSync(sparse, 2 * 2 ** 30)
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(home, inProject('pipe'))])
    fs.symlinkSync('.', join(home, '.claude/projects/-work-app/loop'))
    fs.symlinkSync('gone.jsonl', join(home, inProject('broken')))
    fs.symlinkSync('self.jsonl', join(home, inProject('self')))
    fs.symlinkSync('good.jsonl', join(home, inProject('again')))
    fs.linkSync(join(home, inProject('good')), join(home, inProject('hard')))
    fs.mkdirSync(join(home, inProject('folder')))
    const one = opened()
    const status = await one.idle()
    const cards = await one.cards({ sort: 'title' })
    const reported = cards.map(({ path, state, problem }) => [
      path.slice(join(home, '.claude/projects/-work-app/').length),
      state,
      problem !== null
    ])
    expect(reported.sort()).toEqual([
      ['blank.jsonl', 'empty', false],
      ['empty.jsonl', 'empty', false],
      ['good.jsonl', 'done', false],
      ['sparse.jsonl', 'unreadable', true],
      ['text.jsonl', 'unreadable', true]
    ])
    expect(status.roots.find(({ path }) => path === join(home, '.claude/projects'))).toMatchObject({
      isMissing: false,
      sessions: 5,
      notes: ['2 broken links were skipped.', '1 pipe, socket or device was skipped.']
    })
    expect(status.roots.filter(({ isMissing }) => isMissing).length).toBeGreaterThan(1)
  })

  test.skipIf(process.platform !== 'linux')('what has a name that is not UTF-8 is left out, and said', async () => {
    put(inProject('good'), transcript('good', 'Do it', 3))
    put(inProject('ok-\ufffd'), transcript('ok', 'This name is UTF-8', 3))
    const below = (...names: (string | number)[]): Buffer =>
      Buffer.concat([
        Buffer.from(`${join(home, '.claude/projects')}/`),
        ...names.map((name) => (typeof name === 'number' ? Buffer.of(name) : Buffer.from(name)))
      ])
    fs.writeFileSync(below('-work-app/bad-', 0xff, '.jsonl'), transcript('bad', 'Odd', 3))
    fs.writeFileSync(below('-work-app/bad-', 0xff, '.txt'), 'no log')
    fs.mkdirSync(below('-odd-', 0xe4))
    fs.writeFileSync(below('-odd-', 0xe4, '/a.jsonl'), transcript('a', 'Deep', 3))
    const one = opened()
    const { roots } = await one.idle()
    const reported = (await one.cards()).map(({ title }) => title).sort()
    expect(reported).toEqual(['Do it', 'This name is UTF-8'])
    const projects = join(home, '.claude/projects')
    expect(roots.find(({ path }) => path === projects)?.notes).toEqual([
      '1 folder was skipped: its name is not UTF-8.',
      '1 file was skipped: its name is not UTF-8.'
    ])
    expect(await one.library.unreadFolders()).toEqual([join(projects, '-odd-\ufffd')])
  })

  test('one file in two roots is one session', async () => {
    put(inProject('good'), transcript('good', 'Do it', 3))
    fs.symlinkSync(join(home, '.claude'), join(home, 'elsewhere'))
    const one = opened({ roots: [join(home, '.claude'), join(home, 'elsewhere/projects'), home] })
    await one.idle()
    expect((await one.cards()).map(({ path }) => path)).toEqual([join(home, inProject('good'))])
  })

  test('no link that leads out of a root is followed, and each root tells how many there are', async () => {
    put(inProject('good'), transcript('good', 'Do it', 3))
    put('other/secret.jsonl', transcript('secret', 'What nobody may read', 3))
    fs.symlinkSync(join(home, 'other/secret.jsonl'), join(home, inProject('linked')))
    fs.symlinkSync(join(home, 'other'), join(home, '.claude/projects/-other'))
    const one = opened()
    const { roots } = await one.idle()
    expect((await one.cards()).map(({ title }) => title)).toEqual(['Do it'])
    expect(roots.flatMap(({ notes }) => notes)).toEqual(['2 links that lead out of the folder were not followed.'])
  })

  test('any folder has logs of all kinds, and files that are none are counted', async () => {
    put('any/a/one.jsonl', transcript('one', 'First', 1))
    put('any/package.json', '{"name": "x"}')
    put('any/b/readme.json', '[1, 2]')
    put('any/c/notes.txt', 'text')
    put('any/node_modules/x/log.jsonl', transcript('two', 'Second', 1))
    put(
      'any/b/1/subagents/agent-7.jsonl',
      transcript('one', 'Help', 1).replaceAll('"isSidechain":false', '"isSidechain":true')
    )
    const one = opened({ roots: [join(home, 'any'), join(home, 'nothing')] })
    const { roots } = await one.idle()
    expect((await one.cards()).map(({ path, subagents }) => [path, subagents])).toEqual([
      [join(home, 'any/a/one.jsonl'), 0],
      [join(home, 'any/b/1/subagents/agent-7.jsonl'), 0]
    ])
    expect(roots).toMatchObject([
      { agent: null, isMissing: false, sessions: 2, notes: ['2 files are not logs of a supported agent.'] },
      { isMissing: true, sessions: 0 }
    ])
  })
})

describe('what is kept', () => {
  test('an append has its tail read, and gives what a whole reading would', async () => {
    const file = put(inProject('long'), transcript('long', 'A long one', 2000))
    put(inProject('other'), transcript('other', 'Another', 2000))
    const one = opened()
    await one.idle()
    const [before] = await one.cards({ where: 'long.jsonl' })
    await closed(one)
    fs.appendFileSync(file, transcript('long', 'More', 3, 4))
    const two = opened()
    await two.library.pause({ isPaused: true })
    await two.until(({ phase }) => phase === 'counts')
    expect(two.bytes.read).toBeLessThanOrEqual(65_536)
    const [after] = await two.cards({ where: 'long.jsonl' })
    expect(after).toMatchObject({
      title: before?.title,
      endedAt: Date.parse(hours(4, 3)),
      bytes: fs.statSync(file).size
    })
    await closed(two)
    const anew = opened({ cache: `${cache}-anew` })
    await anew.library.pause({ isPaused: true })
    await anew.until(({ phase }) => phase === 'counts')
    const [whole] = await anew.cards({ where: 'long.jsonl' })
    expect(whole).toEqual({ ...after, counts: null, cost: null, costGaps: null })
  })

  test('a log that is rewritten, truncated, renamed or deleted', async () => {
    const rewritten = put(inProject('a'), transcript('a', 'Before', 500))
    const cut = put(inProject('b'), transcript('b', 'Cut', 500))
    const renamed = put(inProject('c'), transcript('c', 'Renamed', 500))
    const deleted = put(inProject('d'), transcript('d', 'Deleted', 500))
    const one = opened()
    await one.idle()
    one.library.watch({ isShown: true })
    fs.writeFileSync(rewritten, transcript('a', 'After', 600))
    fs.truncateSync(cut, 2000)
    fs.renameSync(renamed, join(home, inProject('e')))
    fs.rmSync(deleted)
    await one.until(async ({ phase }) => {
      const cards = await one.cards({ sort: 'title', descending: false })
      const titles = cards.map(({ title, path }) => `${title} ${path.at(-7)}`).sort()
      return phase === 'idle' && titles.join() === 'After a,Cut b,Renamed e'
    })
    await closed(one)
    const two = opened()
    await two.idle()
    expect(
      (await two.cards({ sort: 'title', descending: false })).map(({ title, counts }) => [title, counts?.events])
    ).toEqual([
      ['After', 1201],
      ['Cut', expect.any(Number)],
      ['Renamed', 1001]
    ])
  })

  test('a new log and a growing one are seen while a page shows the library', async () => {
    const file = put(inProject('a'), transcript('a', 'First', 5))
    const one = opened()
    await one.idle()
    one.library.watch({ isShown: true })
    fs.appendFileSync(
      file,
      `${JSON.stringify({ type: 'user', sessionId: 'a', cwd: '/work/app', uuid: 'u9', parentUuid: 'a-5', timestamp: hours(5, 0), message: { role: 'user', content: 'Go on' } })}\n`
    )
    await one.until(async () => (await one.cards()).some(({ state }) => state === 'live'))
    put('.claude/projects/-other/b.jsonl', transcript('b', 'Second', 1))
    await one.until(async () => (await one.cards()).length === 2)
  })

  test('a folder that came is watched at once', async () => {
    put(inProject('a'), transcript('a', 'First', 1))
    // No time goes by, so that nothing is looked through but what the system says is another.
    const now = Date.now()
    const one = opened({ now: () => now })
    const { lookedAt } = await one.idle()
    await one.library.watch({ isShown: true })
    fs.mkdirSync(join(home, '.claude/projects/-new'))
    put(inProject('b'), transcript('b', 'Second', 1))
    await one.until(({ sessions }) => sessions === 2)
    put('.claude/projects/-new/c.jsonl', transcript('c', 'Third', 1))
    await one.until(({ sessions }) => sessions === 3)
    expect((await one.cards()).map(({ title }) => title).sort()).toEqual(['First', 'Second', 'Third'])
    expect((await one.library.status()).lookedAt).toBe(lookedAt)
  })

  test('a database that is damaged, of another version or gone is begun anew, and said once', async () => {
    put(inProject('a'), transcript('a', 'First', 5))
    const file = join(cache, 'library.db')
    const one = opened()
    await one.idle()
    const cards = await one.cards()
    await closed(one)
    // A database can be read from its log of changes alone.
    for (const beside of ['-wal', '-shm']) fs.rmSync(file + beside, { force: true })
    fs.writeFileSync(file, 'x'.repeat(100_000))
    const two = opened()
    await two.idle()
    expect(await two.cards()).toEqual(cards)
    expect(two.problems).toEqual([expect.stringContaining('is damaged')])
    await closed(two)
    const { default: Database } = await import('libsql')
    const db = new Database(file)
    db.pragma('user_version = 99')
    db.close()
    const three = opened()
    await three.idle()
    expect(three.problems).toEqual([expect.stringContaining('another version')])
    await closed(three)
    // A byte of a row is another one: SQLite does not see that.
    const torn = new Database(file)
    torn.exec("UPDATE logs SET told = '{' || told")
    torn.close()
    const between = opened()
    await between.idle()
    expect(await between.cards()).toEqual(cards)
    expect(between.problems).toEqual([expect.stringContaining('is damaged')])
    await closed(between)
    // Somebody takes it away while it is in use.
    const last = opened()
    await last.idle()
    fs.rmSync(file)
    put(inProject('b'), transcript('b', 'Second', 5))
    last.library.lookAgain()
    await last.until(({ phase, sessions }) => phase === 'idle' && sessions === 2)
    const all = await last.cards()
    await closed(last)
    const four = opened()
    await four.idle()
    expect(await four.cards()).toEqual(all)
    expect(four.bytes.read).toBe(0)
    expect(four.problems).toEqual([])
  })

  test('a session that grows while it is previewed is not read whole again at once', async () => {
    const file = put(inProject('a'), transcript('a', 'First', 400))
    // No time goes by after it was read.
    const now = Date.now()
    const one = opened({ now: () => now })
    await one.idle()
    const [card] = await one.cards()
    const before = one.bytes.read
    for (let turn = 0; turn < 5; turn++) {
      fs.appendFileSync(file, '\n')
      one.library.lookAgain()
      const bytes = fs.statSync(file).size
      await one.until(async () => (await one.cards())[0]?.bytes === bytes)
      expect((await one.library.session({ session: card?.id ?? '' })).preview.firstPrompt).toContain('First')
    }
    expect(one.bytes.read - before).toBeLessThan(3 * fs.statSync(file).size)
  })

  test('a file time that is to come makes no session live', async () => {
    const file = put(inProject('a'), transcript('a', 'First', 5))
    const open = {
      type: 'user',
      sessionId: 'a',
      cwd: '/work/app',
      uuid: 'u9',
      parentUuid: 'a-5',
      timestamp: hours(5, 0)
    }
    fs.appendFileSync(file, `${JSON.stringify({ ...open, message: { role: 'user', content: 'Go on' } })}\n`)
    fs.utimesSync(file, new Date('2099-01-01'), new Date('2099-01-01'))
    const one = opened()
    await one.idle()
    expect((await one.cards()).map(({ state }) => state)).toEqual(['interrupted'])
  })

  test('two libraries use one database at once', async () => {
    for (let i = 0; i < 60; i++) put(inProject(`s${i}`), transcript(`s${i}`, `Session ${i}`, 20))
    const both = [opened(), opened()]
    await Promise.all(both.map((one) => one.idle()))
    const [a, b] = await Promise.all(both.map((one) => one.cards()))
    expect(a).toEqual(b)
    expect(a).toHaveLength(60)
    expect(both.flatMap(({ problems }) => problems)).toEqual([])
    for (const one of both) await closed(one)
    const third = opened()
    await third.idle()
    expect(await third.cards()).toEqual(a)
    expect(third.bytes.read).toBe(0)
  })
})

describe('folders that a person adds', () => {
  test('are looked into, kept, and removed', async () => {
    const state = join(root, `state-${count}`)
    put('any/one.jsonl', transcript('one', 'First', 1))
    const one = opened({ state })
    await one.idle()
    expect(await one.cards()).toEqual([])
    await expect(one.library.addFolder({ path: '~/nowhere' })).rejects.toMatchObject({ code: 'not-found' })
    await expect(one.library.addFolder({ path: '~/any/one.jsonl' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await one.library.addFolder({ path: '~/any' })).toEqual({ path: join(home, 'any') })
    await one.until(({ sessions, phase }) => sessions === 1 && phase === 'idle')
    expect(fs.statSync(join(state, 'library-folders.json')).mode & 0o777).toBe(0o600)
    await closed(one)
    const two = opened({ state })
    await two.idle()
    expect((await two.cards()).map(({ title }) => title)).toEqual(['First'])
    await two.library.removeFolder({ path: join(home, 'any') })
    await two.until(({ sessions }) => sessions === 0)
  })

  test.each([
    { order: ['any', 'any/in'], removed: 'any', before: { any: 2, 'any/in': 0 }, after: { 'any/in': 1 } },
    { order: ['any/in', 'any'], removed: 'any/in', before: { 'any/in': 1, any: 1 }, after: { any: 2 } },
    { order: ['any', 'any/in'], removed: 'any/in', before: { any: 2, 'any/in': 0 }, after: { any: 2 } },
    { order: ['any/in', 'any'], removed: 'any', before: { 'any/in': 1, any: 1 }, after: { 'any/in': 1 } }
  ])('one within another: $order, without $removed', async ({ order, removed, before, after }) => {
    const state = join(root, `state-${count}`)
    put('any/one.jsonl', transcript('one', 'Outer', 1))
    put('any/in/two.jsonl', transcript('two', 'Inner', 1))
    const one = opened({ state })
    await one.idle()
    const untilCounted = async (expected: Readonly<Record<string, number>>): Promise<void> => {
      const wanted = Object.entries(expected).map(([path, sessions]) => `${join(home, path)} ${sessions}`)
      await one.until(({ roots, phase }) => {
        const added = roots.filter(({ kind }) => kind === 'added')
        const reported = added.map(({ path, sessions }) => `${path} ${sessions}`)
        return phase === 'idle' && reported.sort().join() === wanted.sort().join()
      })
    }
    for (const path of order) await one.library.addFolder({ path: join(home, path) })
    await untilCounted(before)
    await one.library.removeFolder({ path: join(home, removed) })
    await untilCounted(after)
    expect(await one.cards()).toHaveLength(Object.values(after).reduce((sum, each) => sum + each, 0))
  })
})

test.each([3, 4])('a fault in the library ends all waiting for it: at look %i at the clock', async (at) => {
  put(inProject('a'), transcript('a', 'First', 1))
  let looks = 0
  const one = opened({
    now() {
      if (++looks === at) throw new RangeError('no time')
      return Date.now()
    }
  })
  const why = { code: 'internal', message: 'The library failed inside Playhead (RangeError). Please report this.' }
  const waiting = [one.library.listed(), one.library.all()].map((each) => expect(each).rejects.toMatchObject(why))
  await Promise.all(waiting)
  await expect(one.library.listed()).rejects.toMatchObject(why)
  expect(one.problems).toEqual([why.message])
})

test('a session has its preview, its subagents and what resumes it', async () => {
  put(inProject('s-1'), transcript('s-1', 'Do it', 3))
  put(
    '.claude/projects/-work-app/s-1/subagents/agent-1.jsonl',
    transcript('s-1', 'Help', 3).replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"1"')
  )
  const one = opened()
  await one.library.pause({ isPaused: true })
  await one.until(({ phase }) => phase === 'counts')
  const [card] = await one.cards()
  const session = await one.library.session({ session: card?.id ?? '' })
  expect(session.card.counts?.turns).toBe(1)
  expect(session.preview).toMatchObject({ firstPrompt: 'Do it', lastAnswer: expect.stringMatching(/^answer 3/) })
  expect(session.subagents.map(({ path, parent }) => [path.endsWith('agent-1.jsonl'), parent])).toEqual([
    [true, card?.id]
  ])
  expect(session.resume).toBe("cd '/work/app' && claude --resume s-1")
  await expect(one.library.session({ session: 'nothing' })).rejects.toMatchObject({ code: 'not-found' })
  await expect(one.library.pathOf('nothing')).rejects.toMatchObject({ code: 'not-found' })
})
