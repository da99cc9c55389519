import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SessionCard } from '#core/library/session-card.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import type { Query } from '#queries/find/search.ts'
import { corpusLogs, corpusPath } from '../../../../test/conformance/corpus.ts'
import { allFixtures, bytesOfFixture } from '../../../../test/conformance/fixtures.ts'
import { asFindThread } from '../../find/start-find-thread.ts'
import { createWorker } from '../../indexer/create-worker.ts'
import { LibrarySearch } from '../library-search.ts'
import type { ScanJob, ScanPart } from './scan-jobs.ts'
import { SessionSearch } from './session-search.ts'
import { TextIndex } from './text-index.ts'
import { times } from '../../../../test/thorough.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-text-index-'))
afterAll(() => rmSync(folder, { recursive: true }))

let crew: FinderCrew<ScanJob, ScanPart>
let logs: string
let cache: string
beforeEach(() => {
  crew = new FinderCrew(
    asFindThread(() => createWorker({ workerData: { role: 'library-search' }, name: 'library-search' })),
    { size: 1 }
  )
  logs = mkdtempSync(join(folder, 'logs-'))
  cache = mkdtempSync(join(folder, 'cache-'))
})
afterEach(async () => await crew.close())

/** Written long ago: what was written just now is not noted. */
function age(path: string): void {
  utimesSync(path, 1_700_000_000, 1_700_000_000)
}

function write(name: string, content: string | Uint8Array): string {
  const path = join(logs, name)
  writeFileSync(path, content)
  age(path)
  return path
}

async function fill(paths: readonly string[], signal = new AbortController().signal): Promise<void> {
  const search = new LibrarySearch({
    createWorker,
    cache,
    found: () => {},
    problem: () => {},
    indexedFromBytes: 0,
    minIndexedBytes: 0
  })
  const sessions = paths.map((path) => ({ card: { id: path, path, bytes: 1 << 20 } as SessionCard, subagents: [] }))
  await search.fill(sessions, signal)
  await search.close()
}

/** Where a query is found: by path the offsets of lines. */
async function found(paths: readonly string[], query: Query, index: string | null): Promise<unknown> {
  const all = paths.map((path, session) => ({ session, path, bytes: 100_000 }))
  const search = new SessionSearch(
    all,
    all.length,
    { regex: query.regex, main: query, also: [], without: [] },
    { crew, report: () => {}, maxHits: 100_000, index }
  )
  await search.run()
  expect(search.progress.error).toBeNull()
  return search.found.map((one) => one.logs.map(({ path, offsets }) => [path, offsets]))
}

async function expectSame(paths: readonly string[], query: Query): Promise<void> {
  const [scanned, indexed] = [await found(paths, query, null), await found(paths, query, cache)]
  if (!isDeepStrictEqual(indexed, scanned)) expect(indexed, JSON.stringify(query)).toEqual(scanned)
}

/** The same numbers each time. */
function random(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const alphabet = [...'abcdefghijklmnopqrstuvwxyzABCDEFÉéßςσΣ日本語🙂🚀"\\\n\t{}:,.-_/ 0123456789ſK']

/** Texts of 3 to 40 characters: from the logs, as they are written or as they are meant, and of any characters. */
function queriesOf(paths: readonly string[], count: number, seed: number): Query[] {
  const next = random(seed)
  const texts = paths.filter((path) => !path.endsWith('.zst')).map((path) => readFileSync(path, 'utf8'))
  const strings = texts.flatMap((text) =>
    (text.match(/"(?:[^"\\]|\\.){3,4000}"/g) ?? []).flatMap((one) => {
      try {
        return [JSON.parse(one) as string]
      } catch {
        return []
      }
    })
  )
  const pieceOf = (text: string, length: number): string => {
    const at = next(Math.max(1, text.length - length))
    return text.slice(at, at + length)
  }
  return Array.from({ length: count }, (_, i) => {
    const length = 3 + next(38)
    const any = Array.from({ length }, () => alphabet[next(alphabet.length)] ?? '').join('')
    const from = [strings, strings, texts][i % 4] ?? []
    const text = i % 4 === 3 ? any : pieceOf(from[next(from.length)] ?? any, length)
    return { text: text === '' ? any : text, regex: false, caseSensitive: next(2) === 0 }
  })
}

function someLogs(): string[] {
  const fixtures = allFixtures().map((fixture, i) =>
    write(`f${i}-${fixture.input.href.split('.').at(-1)}`, bytesOfFixture(fixture))
  )
  const corpus = corpusLogs()
    .map(corpusPath)
    .filter((path) => statSync(path).size < 1 << 20)
    .filter((_, i) => i % 6 === 0)
  return [...fixtures, ...corpus.map((path, i) => write(`c${i}`, readFileSync(path)))]
}

const spoken = [
  '日本語のテキスト',
  'Größe straße',
  'ПРИВЕТ мир',
  'Kelvin \u212a and ſ',
  '🙂🚀',
  'tab\tand\nline "quoted" \\ back'
].join(' ')

describe('the index of texts', () => {
  test('changes nothing in what is found', async () => {
    const paths = [
      ...someLogs(),
      write('plain', `${JSON.stringify({ text: spoken })}\n`.repeat(3000)),
      write(
        'escaped',
        `${JSON.stringify({ text: spoken }).replaceAll(/[^\x20-\x7e]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
      ),
      write(
        'packed.zst',
        readFileSync(new URL('../../../../test/fixtures/compressed/rollout.jsonl.zst', import.meta.url))
      ),
      write('empty', ''),
      write('two', 'ab')
    ]
    await fill(paths)
    for (const query of queriesOf(paths, times(30, 250), 1)) await expectSame(paths, query)
    for (const text of ['[A-Z]rror: .{3}', 'tool.name', '^.{0,4}type', 'привет', 'GRÖ.E']) {
      await expectSame(paths, { text, regex: true, caseSensitive: false })
    }
    for (const text of ['ПРИВЕТ', '日本', 'größe', 'é', '\n', '"quoted"', 'ab']) {
      await expectSame(paths, { text, regex: false, caseSensitive: false })
    }
  })

  test('rules out nearly all that need not be searched', async () => {
    const paths = someLogs()
    await fill(paths)
    const index = new TextIndex(cache)
    index.refresh()
    const known = paths.filter((path) => index.candidates(path, { text: '"type"', regex: false, caseSensitive: false }))
    expect(known.length).toBe(paths.length)
    const wanted = paths.filter((path) => {
      const { ranges } = index.candidates(path, { text: 'zebra crossing', regex: false, caseSensitive: false })!
      return ranges.length > 0
    })
    expect(wanted.length).toBeLessThan(paths.length / 10)
    expect(readdirSync(index.folder).map((name) => statSync(join(index.folder, name)).mode & 0o777)).toEqual([0o600])
  })

  test('says nothing of what was added, written anew or removed since, until it is filled again', async () => {
    const next = random(7)
    const texts = ['alpha beta', 'gamma delta', 'epsilon zeta', 'eta theta']
    const line = (): string => `{"text":"${texts[next(4)]} ${next(1000)}"}\n`
    const paths = Array.from({ length: 12 }, (_, i) => write(`log-${i}`, line().repeat(1 + next(2000))))
    for (let round = 0; round < 12; round++) {
      if (round % 3 === 0) await fill(paths)
      const path = paths[next(paths.length)]!
      const what = next(4)
      if (what === 0) appendFileSync(path, line())
      else if (what === 1) write(path.slice(logs.length + 1), line())
      else if (what === 2) rmSync(path, { force: true })
      else {
        // As long as it was, and its time set back: the system still says that something changed.
        const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 10 }
        write(path.slice(logs.length + 1), line().repeat(2000).slice(0, size))
      }
      for (const text of [...texts, 'ta 1', 'zeta 99', 'text":"eta']) {
        await expectSame(paths, { text, regex: false, caseSensitive: true })
      }
    }
  })

  test('finds what lies across the borders of its blocks, and once', async () => {
    const next = random(3)
    const parts = Array.from(
      { length: 4000 },
      (_, i) => `{"n":${i},"text":"${'x'.repeat(next(600))} needle${i % 50} ${'y'.repeat(next(400))}"}\n`
    )
    const path = write('long', parts.join(''))
    await fill([path])
    for (let i = 0; i < 50; i++) await expectSame([path], { text: `needle${i} yy`, regex: false, caseSensitive: true })
    await expectSame([path], { text: 'x needle7 y{3}', regex: true, caseSensitive: true })
    await expectSame([path], { text: `${'x'.repeat(500)} needle`, regex: false, caseSensitive: true })
  })

  test('does without files that are damaged, and stops when it is told to', async () => {
    const path = write('log', `{"text":"word"}\n`.repeat(100))
    const stopped = new AbortController()
    stopped.abort()
    await fill([path], stopped.signal)
    expect(() => readdirSync(join(cache, 'library-text'))).toThrow('ENOENT')
    await fill([path])
    const at = join(cache, 'library-text')
    const [name = ''] = readdirSync(at)
    const whole = readFileSync(join(at, name))
    for (const length of [0, 5, 20, 1000, whole.length - 1]) {
      writeFileSync(join(at, name), whole.subarray(0, length))
      await expectSame([path], { text: 'word', regex: false, caseSensitive: true })
      await crew.close()
    }
    mkdirSync(join(at, '000000000009-0.trigrams'))
    await expectSame([path], { text: 'word', regex: false, caseSensitive: true })
  })

  test('drops nothing, and throws nothing, where its folder or a file of it goes meanwhile', async () => {
    const paths = [write('a', '{"text":"word"}\n'), write('b', '{"text":"word"}\n')]
    await fill(paths)
    const index = new TextIndex(cache)
    index.refresh()
    symlinkSync(join(cache, 'gone'), join(index.folder, 'other.trigrams.tmp'))
    index.dropStale()
    rmSync(index.folder, { recursive: true })
    index.dropStale()
    await expectSame(paths, { text: 'word', regex: false, caseSensitive: true })
    await fill(paths)
    expect(readdirSync(index.folder)).toHaveLength(1)
  })
})
