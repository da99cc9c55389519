import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LibraryFound, LibraryHit } from '#contract/library.ts'
import { EventIndex } from '#core/index/event-index.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import type { SessionCard } from '#core/library/session-card.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { type FinderProgress, LogFinder } from '#queries/find/log-finder.ts'
import type { Query } from '#queries/find/search.ts'
import { corpusLogs, corpusPath } from '../../../test/conformance/corpus.ts'
import { allFixtures } from '../../../test/conformance/fixtures.ts'
import { every } from '../../../test/thorough.ts'
import { findThreads } from '../find/start-find-thread.ts'
import { createWorker } from '../indexer/create-worker.ts'
import { Run } from '../sources/run.ts'
import { LibrarySearch, type LibrarySearchOptions } from './library-search.ts'
import type { SearchedSession } from './search/batches.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-library-search-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const literal = (text: string, caseSensitive = false): Query => ({ text, regex: false, caseSensitive })
const regex = (text: string, caseSensitive = false): Query => ({ text, regex: true, caseSensitive })

/** All that a search reads of a card. */
function sessionAt(path: string, bytes = 0): SearchedSession {
  return { card: { id: path.slice(-64), path, bytes } as SessionCard, subagents: [] }
}

let heard: LibraryFound[] = []
/** Of most tests: each of its own would start five threads. */
const usual = made()
let search = usual
beforeEach(() => {
  heard = []
  search = usual
})
afterEach(async () => {
  for (const { find } of heard) search.endFind(find)
  if (search !== usual) await search.close()
})
afterAll(async () => await usual.close())

function made(options: Partial<LibrarySearchOptions> = {}): LibrarySearch {
  return new LibrarySearch({
    createWorker,
    cache: null,
    found: (progress) => void heard.push(progress),
    problem: () => {},
    patienceMs: Infinity,
    ...options
  })
}

async function end(find: number): Promise<LibraryFound> {
  for (;;) {
    const last = heard.findLast((progress) => progress.find === find)
    if (last?.searching === false) return last
    await new Promise((resume) => setTimeout(resume, 2))
  }
}

async function texts(paths: readonly string[], query: Query): Promise<string[]> {
  const hits = await hitsOf(
    paths.map((path) => sessionAt(path, readFileSync(path).length)),
    query
  )
  return [...hits.values()].flat().map(({ text }) => text)
}

let written = 0
function logOf(content: string | Uint8Array): string {
  const path = join(folder, `log-${written++}.jsonl`)
  writeFileSync(path, content)
  return path
}

async function hitsOf(sessions: readonly SearchedSession[], query: Query): Promise<Map<string, LibraryHit[]>> {
  const { find } = search.find(sessions, lines(query))
  await end(find)
  const hits = new Map<string, LibraryHit[]>()
  for (let from = 0; ; from += 200) {
    const { sessions: found } = await search.hits({ find, from, count: 200, perSession: 500 })
    if (found.length === 0) return hits
    for (const { card, shown, hits: count } of found) {
      const all = [...shown]
      while (all.length < count) {
        const more = await search.sessionHits({ find, session: card.id, from: all.length, count: 500 })
        all.push(...more.hits)
      }
      expect(all).toHaveLength(count)
      hits.set(card.path, all)
    }
  }
}

/** Lines that hold a text, and each of `also`, and none of `without`. */
function lines(text: Query, also: readonly Query[] = [], without: readonly Query[] = []) {
  return { texts: [text, ...also], without: [...without] }
}

/** One for all logs: a thread for each of a hundred would be the whole test. */
const finders = new FinderCrew(findThreads(createWorker), { size: 1 })

/** A log as it is opened, to be searched by the find field's own search. */
class OpenedLog {
  readonly path: string
  readonly index = new EventIndex()
  readonly #run: Run
  readonly #finder: LogFinder<{ descriptor: number } | { path: string | Uint8Array; opened: never }>
  #heard: FinderProgress[] = []
  /** By offset, the first row of the line. */
  readonly #firstRows = new Map<number, number>()

  private constructor(path: string, run: Run) {
    this.path = path
    this.#run = run
    const files = (): unknown =>
      run.files.map(({ name, source, bytesRead }) => ({
        name,
        handle: source.shared(),
        framing: run.framingOf(name),
        bytes: bytesRead,
        bytesRead
      }))
    const log = (): never =>
      ({ generation: 1, isReading: false, index: this.index, settledRows: this.index.rows, files: files() }) as never
    this.#finder = new LogFinder(
      () => finders as never,
      log,
      (progress) => void this.#heard.push(progress)
    )
  }

  static async open(path: string): Promise<OpenedLog> {
    const run = await Run.open({ path, format: null, single: false })
    const log = new OpenedLog(path, run)
    const reader = run.reader({
      line: (line) => log.index.addLine(line),
      end: (events, marks) => {
        for (const event of events) log.index.addEvent(event)
        log.index.addMarks(marks)
      }
    })
    try {
      for await (const _ of run.feed(reader));
    } catch {
      // What could be read is searched.
    }
    for (let row = log.index.rows - 1; row >= 0; row--) {
      const { file, offset } = log.index.place(row)
      if (file === undefined) log.#firstRows.set(offset, row)
    }
    return log
  }

  /** The lines of the main file that have what is looked for. */
  async lines(query: Query): Promise<{ line: number; offset: number; rows: number[] }[]> {
    const { find } = this.#finder.find(query)
    for (;;) {
      const last = this.#heard.findLast((progress) => progress.find === find)
      if (last?.searching === false) break
      await new Promise((resume) => setTimeout(resume, 1))
    }
    const rows = [...new Uint32Array(this.#finder.hits({ find, from: 0, count: 1_000_000 }).rows)]
    const lines = new Map<number, { line: number; offset: number; rows: number[] }>()
    for (const row of rows) {
      const { file, line, offset } = this.index.place(row)
      if (file !== undefined) continue
      const one = lines.get(offset) ?? { line, offset, rows: [] }
      one.rows.push(row)
      lines.set(offset, one)
    }
    return [...lines.values()].sort((a, b) => a.offset - b.offset)
  }

  /** What the timeline says of a row. */
  row(row: number): Pick<LibraryHit, 'seq' | 'kind' | 'tool' | 'at'> {
    const columns = this.index.columns(row, 1)
    const seq = new Int32Array(columns.seq)[0] ?? -1
    const tool = new Uint16Array(columns.tool)[0] ?? 0
    const at = new Float64Array(columns.time)[0] ?? NaN
    return {
      seq: seq < 0 ? null : seq,
      kind: rowKinds[new Uint8Array(columns.kind)[0] ?? 0] ?? '',
      tool: this.index.tools[tool - 1] ?? null,
      at: Number.isNaN(at) ? null : at
    }
  }

  async close(): Promise<void> {
    await this.#finder.leave()
    await this.#run.close()
  }
}

const packed = fileURLToPath(new URL('../../../test/fixtures/compressed/rollout.jsonl.zst', import.meta.url))

const queries: readonly Query[] = [
  literal('e'),
  literal('"type"'),
  literal('TODO'),
  literal('the ', true),
  literal('\n'),
  literal('é'),
  literal('日本'),
  literal('"\n'),
  literal('zebra crossing'),
  regex('tool.{1,20}name'),
  regex('^\\{"[a-z]+":"[^"]*user'),
  regex('todo|error'),
  regex('^$')
]

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001f\u007f]/

async function expectSame(paths: readonly string[], queries: readonly Query[]): Promise<void> {
  const sessions = paths.map((path) => sessionAt(path, readFileSync(path).length))
  const logs = await Promise.all(paths.map((path) => OpenedLog.open(path)))
  for (const query of queries) {
    const hits = await hitsOf(sessions, query)
    for (const log of logs) {
      const found = hits.get(log.path) ?? []
      const lines = await log.lines(query)
      const name = `${log.path} ${JSON.stringify(query)}`
      expect([name, ...found.map(({ line }) => line)]).toEqual([name, ...lines.map(({ line }) => line)])
      for (const [i, { rows }] of lines.entries()) {
        const hit = found[i]!
        const { seq, kind, tool, at } = hit
        const told = { seq, kind, tool, at }
        // `expect` itself takes many times as long, and there are many thousand lines.
        if (!rows.some((row) => isDeepStrictEqual(log.row(row), told)))
          expect([name, rows.map((row) => log.row(row))]).toEqual([name, expect.arrayContaining([told])])
        if (hit.text.length > 300 || (hit.match?.[0] ?? 0) > 40 || control.test(hit.text))
          expect([name, hit]).toBe('a short line without control characters, with its match near the start')
      }
    }
  }
  await Promise.all(logs.map((log) => log.close()))
}

describe('a search of the library', () => {
  test('finds in each log the lines that a search in that log finds: fixtures', async () => {
    await expectSame([...every(6, allFixtures()).map(({ input }) => fileURLToPath(input)), packed], queries)
  })

  const corpus = corpusLogs()
  test.skipIf(corpus.length === 0)('finds in each log the lines that a search in that log finds: corpus', async () => {
    const few = [literal('the '), literal('é"'), regex('tool.{1,20}name')]
    const small = corpus.map(corpusPath).filter((path) => readFileSync(path).length < 2 << 20)
    const some = every(6, small)
    for (let from = 0; from < some.length; from += 40) await expectSame(some.slice(from, from + 40), few)
  })

  test('finds lines with several texts, and without others: in lines and in documents', async () => {
    const texts = ['red and blue', 'blue, green', 'Blue', 'red', 'blue and RED and green', 'red blue é']
    const records = texts.map((text) => JSON.stringify({ text }))
    const paths = [logOf(records.join('\n')), logOf(`[\n${records.join(',\n')}\n]`), logOf(`[${records.join(',')}]`)]
    const found = async (query: ReturnType<typeof lines>): Promise<unknown> => {
      const sessions = paths.map((path) => sessionAt(path, 300))
      const { find } = search.find(sessions, query)
      await end(find)
      const all = (await search.hits({ find, from: 0, count: 10, perSession: 50 })).sessions
      return all.map(({ shown }) => shown.map(({ text }) => text))
    }
    const each = (...wanted: string[]): unknown => paths.map(() => wanted)
    const [red, green] = [literal('red'), literal('green')]
    expect(await found(lines(literal('blue'), [red]))).toEqual(
      each('red and blue', 'blue and RED and green', 'red blue é')
    )
    expect(await found(lines(literal('blue'), [], [red, green]))).toEqual(each('Blue'))
    expect(await found(lines(regex('b.ue'), [red], [green]))).toEqual(each('red and blue', 'red blue é'))
    expect(await found(lines(red, [regex('blue|é')], [regex('a.d')]))).toEqual(each('red blue é'))
    expect(await found(lines(literal('é'), [literal('blue')]))).toEqual(each('red blue é'))
  })

  test('whose further expression finds no end is stopped too', async () => {
    search = made({ lookInterval: 50 })
    const path = logOf(`{"a":"${'a'.repeat(60)}!"}\n`)
    const { find } = search.find([sessionAt(path, 70)], lines(literal('a'), [], [regex('(a+)+\\1b')]))
    expect((await end(find)).error).toContain('the expression takes too long in a line')
  })

  test('lists the sessions with hits in the order they were given, with their subagents, and says how far it is', async () => {
    const [first, second, third] = [logOf('{"a":"one word"}\n'), logOf('{}\n'), logOf('{"a":"word"}\n\n{"word":1}\n')]
    const sessions = [sessionAt(third, 30), { ...sessionAt(second, 3), subagents: [sessionAt(first, 17).card] }]
    const { find } = search.find(sessions, lines(literal('WORD')))
    expect(heard[0]).toMatchObject({ find, searching: true, hits: 0, sessions: 2, bytes: 50 })
    expect(await end(find)).toEqual({
      find,
      searching: false,
      hits: 3,
      sessionsWithHits: 2,
      sessionsSearched: 2,
      sessions: 2,
      bytesSearched: 50,
      bytes: 50,
      isCut: false,
      error: null
    })
    const { sessions: found } = await search.hits({ find, from: 0, count: 10, perSession: 1 })
    expect(found.map(({ card, hits, shown }) => [card.path, hits, shown.length])).toEqual([
      [third, 2, 1],
      [second, 1, 1]
    ])
    expect(found[1]?.shown[0]).toMatchObject({ path: first, line: 1, text: 'one word', match: [4, 8] })
    const { hits } = await search.sessionHits({ find, session: third.slice(-64), from: 1, count: 5 })
    expect(hits).toMatchObject([{ line: 3, text: '{"word":1}', match: [2, 6] }])
    search.endFind(find)
    await expect(search.hits({ find, from: 0, count: 10, perSession: 1 })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('is not held up by another one, whatever the expression of that does, and ends alone', async () => {
    const paths = Array.from({ length: 10 }, () => logOf(`{"a":"${'a'.repeat(60)}!"}\n`))
    // More than there are threads for.
    const sessions = paths.map((path) => sessionAt(path, 5 << 20))
    const { find: lost } = search.find(sessions, lines(regex('(a+)+\\1b')))
    await new Promise((resume) => setTimeout(resume, 100))
    const { find } = search.find(sessions, lines(regex('a!')))
    expect(await end(find)).toMatchObject({ hits: 10, error: null })
    expect(await search.hits({ find, from: 0, count: 20, perSession: 1 })).toMatchObject({ sessions: { length: 10 } })
    search.endFind(lost)
    const reported = heard.length
    const { sessions: found } = await search.hits({ find, from: 0, count: 20, perSession: 1 })
    expect(found.map(({ shown }) => shown.length)).toEqual(Array(10).fill(1))
    expect([heard.length, heard.findLast((progress) => progress.find === lost)?.searching]).toEqual([reported, true])
  })

  test('finds all, beside three others at once', async () => {
    const paths = Array.from({ length: 40 }, (_, i) => logOf(`{"a":"word ${i}"}\n{"b":"other"}\n`.repeat(1 + i)))
    const sessions = paths.map((path) => sessionAt(path, 1 << 20))
    const finds = ['word', 'other', 'a', 'b"'].map((text) => search.find(sessions, lines(literal(text))).find)
    for (const find of finds) {
      expect(await end(find)).toMatchObject({ sessionsWithHits: 40, error: null })
      const { sessions: found } = await search.hits({ find, from: 0, count: 200, perSession: 1 })
      expect(found.map(({ card }) => card.path)).toEqual(paths)
    }
  })

  test('is ended where four others were begun after it, and says why', async () => {
    const path = logOf('{"a":"word"}\n')
    const [first = 0, ...others] = Array.from(
      { length: 5 },
      () => search.find([sessionAt(path, 13)], lines(literal('word'))).find
    )
    expect(await end(first)).toMatchObject({
      error: 'This search was stopped, because 4 newer ones were started. Search again.'
    })
    const asked = { from: 0, count: 1, perSession: 1 }
    await expect(search.hits({ find: first, ...asked })).rejects.toMatchObject({ code: 'not-found' })
    for (const find of others) {
      expect(await end(find)).toMatchObject({ hits: 1, error: null })
      expect((await search.hits({ find, ...asked })).sessions).toHaveLength(1)
    }
  })

  test('whose expression finds no end is stopped with a sentence, and keeps what it found', async () => {
    search = made({ lookInterval: 50 })
    const paths = [logOf('{"a":"aab"}\n'), logOf(`{"a":"${'a'.repeat(60)}!"}\n`)]
    const { find } = search.find(
      paths.map((path) => sessionAt(path, 5 << 20)),
      lines(regex('(a+)+\\1b'))
    )
    const { error, hits } = await end(find)
    expect(error).toContain(`the expression takes too long in a line after byte 0 of ${paths[1]}. Try a simpler one.`)
    expect(hits).toBe(1)
    const { find: next } = search.find([sessionAt(paths[1]!, 70)], lines(literal('a!')))
    expect(await end(next)).toMatchObject({ hits: 1, error: null })
  })

  test('for what is no regular expression is refused with the reason', () => {
    expect(() => search.find([], lines(regex('(a')))).toThrow('Invalid regular expression: Unterminated group.')
  })

  test('of nothing is over at once', async () => {
    expect(await end(search.find([], lines(literal('a'))).find)).toMatchObject({ hits: 0, sessions: 0 })
  })

  test('stops at the most lines there may be, and says so', async () => {
    search = made({ maxHits: 10 })
    const paths = [logOf('word\n'.repeat(7)), logOf('word\n'.repeat(7)), logOf('word\n')]
    const { find } = search.find(
      paths.map((path) => sessionAt(path, 35)),
      lines(literal('word'))
    )
    expect(await end(find)).toMatchObject({ hits: 10, isCut: true, sessionsWithHits: 2 })
    const { sessions } = await search.hits({ find, from: 0, count: 10, perSession: 10 })
    expect(sessions.map(({ hits }) => hits)).toEqual([7, 3])
  })

  test('takes each file as it is when its turn comes: longer, shorter, gone, no file', async () => {
    const grown = logOf('{"a":"word 1"}\n')
    appendFileSync(grown, '{"a":"word 2"}\n{"a":"word 3"}')
    const empty = logOf('')
    const inFolder = join(folder, 'folder.jsonl')
    mkdirSync(inFolder)
    const sessions = [grown, join(folder, 'gone.jsonl'), empty].map((path) => sessionAt(path, 100_000_000))
    const hits = await hitsOf(sessions, literal('word'))
    expect([...hits.values()].flat().map(({ text }) => text)).toEqual(['word 1', 'word 2', 'word 3'])
    expect(heard.at(-1)?.error).toBeNull()
    const { find } = search.find([sessionAt(inFolder, 10), sessionAt(grown, 10)], lines(literal('word')))
    expect(await end(find)).toMatchObject({
      hits: 3,
      error: `${inFolder} could not be read completely. Matches may be missing.`
    })
  })

  test('leaves out what was cut off before its text is asked for', async () => {
    const path = logOf('{"a":"word 1"}\n{"a":"word 2"}\n')
    const { find } = search.find([sessionAt(path, 30)], lines(literal('word')))
    await end(find)
    truncateSync(path, 15)
    const { sessions } = await search.hits({ find, from: 0, count: 1, perSession: 10 })
    expect(sessions).toMatchObject([{ hits: 2, shown: [{ text: 'word 1', line: 1 }] }])
  })

  test('says of a packed log that is damaged that there may be more in it', async () => {
    const path = logOf(readFileSync(packed).subarray(0, -200))
    const { find } = search.find([sessionAt(path, 1000)], lines(literal('"type"')))
    const { error } = await end(find)
    expect(error).toBe(`${path} could not be read completely. Matches may be missing.`)
  })

  test('finds each line once where a log is searched in pieces', async () => {
    const line = `{"a":"${'-'.repeat(500)} word ${'-'.repeat(500)} word"}\n`
    const path = logOf(line.repeat(60_000))
    const { find } = search.find([sessionAt(path, line.length * 60_000)], lines(literal('word')))
    expect(await end(find)).toMatchObject({ hits: 60_000, isCut: false })
    const { hits } = await search.sessionHits({ find, session: path.slice(-64), from: 59_990, count: 20 })
    expect(hits.map((hit) => hit.line)).toEqual(Array.from({ length: 10 }, (_, i) => 59_991 + i))
  })

  test('counts in an answer no lines that are found while it is put together', async () => {
    const line = `{"a":"word ${'-'.repeat(2000)}"}\n`
    const path = logOf(line.repeat(12_000))
    const { find } = search.find([sessionAt(path, line.length * 12_000)], lines(regex('w[o]rd')))
    const seen = new Set<number>()
    for (let isOver = false; !isOver;) {
      isOver = heard.some((progress) => progress.find === find && !progress.searching)
      const { sessions } = await search.hits({ find, from: 0, count: 1, perSession: 20_000 })
      for (const { hits, shown } of sessions) {
        expect(hits).toBe(shown.length)
        seen.add(hits)
      }
      await new Promise((resume) => setTimeout(resume, 1))
    }
    // It was asked on the way, too.
    expect(seen.size).toBeGreaterThan(1)
    expect(Math.max(...seen)).toBe(12_000)
  })

  test('tells of events later where that takes longer than somebody waits', async () => {
    search = made({ patienceMs: 0 })
    const path = logOf('{"a":"word"}\n')
    const { find } = search.find([sessionAt(path, 13)], lines(literal('word')))
    await end(find)
    const ask = async (): Promise<LibraryHit | undefined> =>
      (await search.hits({ find, from: 0, count: 1, perSession: 1 })).sessions[0]?.shown[0]
    expect(await ask()).toMatchObject({ text: 'word', kind: '', seq: null })
    while ((await ask())?.kind === '') await new Promise((resume) => setTimeout(resume, 5))
    expect(await ask()).toMatchObject({ text: 'word', kind: 'record', seq: null })
  })
})

describe('the text of a hit', () => {
  test('is what the record means where the match lies in a text, else the line', async () => {
    const said = (text: string): string => logOf(`${JSON.stringify({ type: 'x', text })}\n`)
    expect(await texts([said('first\nsecond\t"quoted"')], literal('second\t"q'))).toEqual(['first second "quoted"'])
    expect(await texts([said('a')], literal('"type":"x"'))).toEqual(['{"type":"x","text":"a"}'])
    expect(await texts([said('a')], literal('tex'))).toEqual(['{"type":"x","text":"a"}'])
    expect(await texts([logOf('{"a":"\\u00e9t\\u00e9 \\ud83d\\ude00"}')], literal('Été 😀'))).toEqual(['été 😀'])
    expect(await texts([logOf('no json \u0007 here')], literal('here'))).toEqual(['no json   here'])
  })

  test('is cut so that the match lies at its beginning', async () => {
    for (const before of ['-', '\n', 'é', '😀', '"', '\\']) {
      for (const length of [0, 10, 39, 40, 41, 500, 5000]) {
        const path = logOf(`${JSON.stringify({ text: `${before.repeat(length)}word${before.repeat(length)}` })}\n`)
        const [hit] = [...(await hitsOf([sessionAt(path)], literal('word'))).values()].flat()
        const { text = '', match } = hit ?? {}
        expect(text.slice(...(match ?? [0, 0]))).toBe('word')
        expect(match?.[0]).toBeLessThanOrEqual(40)
        expect(text.length).toBeLessThanOrEqual(300)
        expect(text).not.toMatch(/\p{Surrogate}/u)
        const shown = text.replaceAll('…', '').split('word')
        expect(
          shown.every((part) => part === (before === '\n' ? ' ' : before).repeat(part.length / before.length))
        ).toBe(true)
      }
    }
  })
})
