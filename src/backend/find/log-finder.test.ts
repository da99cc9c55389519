import { appendFileSync, closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { EventIndex } from '#core/index/event-index.ts'
import { LineSplitter } from '#core/lines/line-splitter.ts'
import { FinderCrew } from '#queries/find/finder-crew.ts'
import { type FinderProgress, LogFinder } from '#queries/find/log-finder.ts'
import { RunIndex } from '#core/index/run-index.ts'
import { unrecognized } from '#core/formats/unrecognized.ts'
import type { LogToQuery } from '#queries/find/query-search.ts'
import type { Query } from '#queries/find/search.ts'
import { createWorker } from '../indexer/create-worker.ts'
import type { SharedFile } from '../sources/log-source.ts'
import { findThreads } from './start-find-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'playhead-find-'))
afterAll(() => rmSync(folder, { recursive: true }))

const nothingAsked = {
  index: new RunIndex(unrecognized),
  format: '',
  read: async () => await Promise.reject(new Error('none'))
}

/** A log of one file with a row for each line, read as far as a test says. */
class GrowingLog {
  readonly path = join(mkdtempSync(join(folder, 'log-')), 'log.jsonl')
  readonly descriptor: number
  index = new EventIndex()
  bytesRead = 0
  isReading = true
  generation = 1
  settledRows = 0

  constructor() {
    writeFileSync(this.path, '')
    this.descriptor = openSync(this.path, 'r')
  }

  write(bytes: string | Uint8Array): void {
    appendFileSync(this.path, bytes)
  }

  /** Reads all there is; of a last line without line end there is a row only if `asEnd`, as of one that is taken back later. */
  read(asEnd: boolean): void {
    const bytes = readFileSync(this.path)
    this.bytesRead = bytes.length
    this.index = new EventIndex()
    const splitter = new LineSplitter(({ line, offset, length, terminated }) => {
      const at = { line, offset, length, terminated }
      this.index.addLine({ at, text: '', blank: length === 0, events: [], issues: [] })
    })
    splitter.push(bytes)
    this.settledRows = this.index.rows
    if (asEnd) splitter.end()
  }

  get now(): LogToQuery<SharedFile> {
    const { index, bytesRead, isReading, generation, settledRows, descriptor } = this
    const file = { name: undefined, handle: { descriptor }, framing: 'lines' as const, bytes: bytesRead, bytesRead }
    return { generation, isReading, index, settledRows, files: [file], asked: nothingAsked }
  }

  /** The rows of the lines that a test holds of. */
  rowsWith(holds: (line: string) => boolean): number[] {
    const text = readFileSync(this.path, 'utf8')
    return text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line, row) => (holds(line) ? [row] : []))
  }

  close(): void {
    closeSync(this.descriptor)
  }
}

let log: GrowingLog
let finder: LogFinder<SharedFile>
let heard: FinderProgress[]
beforeEach(() => {
  log = new GrowingLog()
  begin()
})
afterEach(async () => {
  await finder.leave()
  log.close()
})

interface FinderOptions {
  readonly threads?: number
  readonly pieceBytes?: number
  readonly lookInterval?: number
}

function begin({ threads = 2, pieceBytes, lookInterval }: FinderOptions = {}): void {
  heard = []
  finder = new LogFinder(
    () => new FinderCrew(findThreads(createWorker), { size: threads, lookInterval }),
    () => log.now,
    (progress) => void heard.push(progress),
    pieceBytes
  )
}

const literal = (text: string): Query => ({ text, regex: false, caseSensitive: true })
const regex = (text: string): Query => ({ text, regex: true, caseSensitive: true })

function rowsOf(find: number): number[] {
  return [...new Uint32Array(finder.hits({ find, from: 0, count: 1_000_000 }).rows)]
}

async function until(find: number, holds: (progress: FinderProgress) => boolean): Promise<FinderProgress> {
  for (;;) {
    const last = heard.findLast((progress) => progress.find === find)
    if (last && holds(last)) return last
    await new Promise((resume) => setTimeout(resume, 2))
  }
}

const over = ({ searching }: FinderProgress): boolean => !searching

describe('a search of an open log', () => {
  test('says that it begins, what it finds and when it is over', async () => {
    log.write('alpha\n\nbeta\nalphabet')
    log.read(true)
    log.isReading = false
    const { find } = finder.find(literal('alpha'))
    expect(heard).toEqual([
      { find, as: 'find', generation: 1, searching: true, hits: 0, bytesSearched: 0, bytes: 20, error: null }
    ])
    expect(await until(find, over)).toMatchObject({ hits: 2, bytesSearched: 20, bytes: 20 })
    expect(rowsOf(find)).toEqual([0, 2])
    expect([...new Uint32Array(finder.hits({ find, from: 1, count: 1 }).rows)]).toEqual([2])
  })

  test('ends an earlier one, and can be ended', async () => {
    log.write('alpha\nbeta\n')
    log.read(false)
    const { find: first } = finder.find(literal('alpha'))
    await until(first, ({ hits }) => hits === 1)
    const { find: second } = finder.find(literal('beta'))
    expect(rowsOf(first)).toEqual([])
    await until(second, ({ hits }) => hits === 1)
    finder.endFind({ find: first })
    expect(rowsOf(second)).toEqual([1])
    finder.endFind({ find: second })
    expect(rowsOf(second)).toEqual([])
  })

  test('goes on beside others of other names, which end and begin on their own', async () => {
    log.write('alpha\nbeta\nalpha beta\n')
    log.read(true)
    log.isReading = false
    const { find } = finder.find(literal('alpha'))
    const { find: first } = finder.find({ ...literal('beta'), as: 'first' })
    const { find: second } = finder.find({ ...regex('^alpha$'), as: 'second' })
    await Promise.all([find, first, second].map((each) => until(each, over)))
    expect([find, first, second].map(rowsOf)).toEqual([[0, 2], [1, 2], [0]])
    expect(heard.findLast((progress) => progress.find === second)).toMatchObject({ as: 'second' })
    finder.endFind({ find: first })
    const { find: next } = finder.find(literal('beta'))
    await until(next, over)
    expect([find, first, second, next].map(rowsOf)).toEqual([[], [], [0], [1, 2]])
    log.write('alpha\n')
    log.read(true)
    finder.grew()
    await until(second, ({ hits }) => hits === 2)
  })

  test('of a name is the same for everybody who looks for the same, and is told again', async () => {
    log.write('alpha\n')
    log.read(true)
    log.isReading = false
    const query = { ...literal('alpha'), as: 'kept' }
    const { find } = finder.find(query)
    const told = await until(find, over)
    heard.length = 0
    expect(finder.find(query)).toEqual({ find })
    expect(heard).toEqual([told])
    expect(finder.find({ ...query, text: 'beta' })).not.toEqual({ find })
  })

  test('of one name more is refused until another one ends', () => {
    log.write('alpha\n')
    log.read(true)
    const finds = Array.from({ length: 64 }, (_, at) => finder.find({ ...literal('a'), as: `search ${at}` }).find)
    expect(() => finder.find(literal('a'))).toThrow('A log can have 64 searches at a time')
    finder.endFind({ find: finds[3]! })
    expect(() => finder.find(literal('a'))).not.toThrow()
  })

  test('goes on while the log is read, and with what is added when it was over', async () => {
    const { find } = finder.find(literal('word'))
    log.write('a word\nno\nwo')
    log.read(false)
    finder.grew()
    expect(await until(find, ({ hits }) => hits > 0)).toMatchObject({ searching: true, hits: 1 })
    log.write('rd\n')
    log.read(false)
    log.isReading = false
    finder.grew()
    expect(await until(find, over)).toMatchObject({ hits: 2 })
    expect(rowsOf(find)).toEqual([0, 2])
    log.write('and a wo')
    log.read(true)
    finder.grew()
    log.write('rd')
    log.read(true)
    finder.grew()
    await until(find, ({ hits, searching }) => hits === 3 && !searching)
    expect(rowsOf(find)).toEqual([0, 2, 3])
  })

  test('takes rows back that are shown no longer, and says so, though as many are found', async () => {
    log.isReading = false
    log.write('the end\nthe end')
    log.read(true)
    const { find } = finder.find(regex('end$'))
    await until(find, ({ hits, searching }) => hits === 2 && !searching)
    heard = []
    log.write(' is not here\nbut at this end\n')
    log.read(true)
    finder.grew()
    await until(find, ({ hits, searching }) => hits === 2 && !searching)
    expect(rowsOf(find)).toEqual([0, 2])
  })

  test('is over when another generation of the log begins', async () => {
    log.write('alpha\n')
    log.read(false)
    const { find } = finder.find(literal('alpha'))
    await until(find, ({ hits }) => hits === 1)
    log.generation = 2
    await finder.leave()
    expect(heard.at(-1)).toMatchObject({ find, generation: 1, searching: false, hits: 0 })
    expect(rowsOf(find)).toEqual([])
  })

  test('whose expression is slow in a line is matched in linear time, where that can be', async () => {
    await finder.leave()
    begin({ lookInterval: 250, pieceBytes: 1000 })
    log.write('aaab\n'.repeat(200) + `${'a'.repeat(60)}!\n`.repeat(40) + 'aaab\n')
    log.read(true)
    log.isReading = false
    const { find } = finder.find(regex('^(?:a+)+b'))
    expect(await until(find, over)).toMatchObject({ hits: 201, error: null })
  })

  test('whose expression finds no end is stopped, with a sentence, and keeps what it found', async () => {
    await finder.leave()
    begin({ lookInterval: 250, pieceBytes: 1000 })
    log.write('aaab\n'.repeat(2000))
    log.read(true)
    log.isReading = false
    const { find } = finder.find(regex('^(a+)+\\1b'))
    expect(await until(find, over)).toMatchObject({ hits: 2000, error: null })
    log.write(`${'a'.repeat(60)}!\naaab\n`)
    log.read(true)
    finder.grew()
    const { hits, error } = await until(find, (progress) => progress.error !== null)
    expect(error).toMatch(
      /^The search was stopped: the expression takes too long in a line after byte [\d,]+\. Try a simpler one\.$/
    )
    expect([hits, rowsOf(find).length]).toEqual([2000, 2000])
    // Others go on as ever.
    const { find: next } = finder.find(literal('!'))
    expect(await until(next, over)).toMatchObject({ hits: 1, error: null })
  })

  test('whose expression finds no end gives way to the next one', async () => {
    log.write(`${'a'.repeat(60)}!\n`)
    log.read(true)
    log.isReading = false
    finder.find(regex('^(a+)+\\1b'))
    await new Promise((resume) => setTimeout(resume, 100))
    const { find } = finder.find(regex('a!'))
    expect(await until(find, over)).toMatchObject({ hits: 1, error: null })
  })

  test('for what is no regular expression is refused with the reason', () => {
    expect(() => finder.find(regex('(a'))).toThrow('Invalid regular expression: Unterminated group.')
    expect(() => finder.find(literal('(a'))).not.toThrow()
  })

  test('of a file that cannot be read any more says so', async () => {
    log.write('alpha\n')
    log.read(false)
    log.isReading = false
    const gone = { ...log.now, files: log.now.files.map((file) => ({ ...file, handle: { descriptor: 99_999 } })) }
    const lost = new LogFinder(
      () => new FinderCrew(findThreads(createWorker), { size: 1 }),
      () => gone,
      (progress) => void heard.push(progress)
    )
    const { find } = lost.find(literal('alpha'))
    expect(await until(find, over)).toMatchObject({
      error: 'The search was stopped: the log could not be read (EBADF).'
    })
    await lost.leave()
  })

  test('finds the same whatever the pieces and threads, and however the log grows meanwhile', async () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'é', '\n', 'ab', '\n\n'), { maxLength: 60 })
    const steps = fc.array(fc.record({ text: words.map((parts) => parts.join('')), asEnd: fc.boolean() }), {
      minLength: 1,
      maxLength: 6
    })
    const queries = [
      { query: literal('ab'), holds: (line: string) => line.includes('ab') },
      { query: regex('b$'), holds: (line: string) => line.endsWith('b') }
    ]
    await fc.assert(
      fc.asyncProperty(steps, fc.constantFrom(...queries), async (growth, { query, holds }) => {
        await finder.leave()
        log.close()
        log = new GrowingLog()
        begin({ threads: 2, pieceBytes: 7 })
        const { find } = finder.find(query)
        for (const { text, asEnd } of growth) {
          log.write(text)
          log.read(asEnd)
          finder.grew()
          if (asEnd) await new Promise((resume) => setTimeout(resume, 5))
        }
        log.isReading = false
        log.read(true)
        finder.grew()
        await until(find, over)
        expect(rowsOf(find)).toEqual(log.rowsWith(holds))
      }),
      { numRuns: 15 }
    )
  })
})
