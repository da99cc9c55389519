import type { MessagePort } from 'node:worker_threads'
import { HostError } from '#contract/host-error.ts'
import { framingOfHead, headBytes } from '#core/formats/head.ts'
import type { Framing } from '#core/formats/log-format.ts'
import { isBlank } from '#core/lines/blank.ts'
import { DocumentSplitter } from '#core/lines/document-splitter.ts'
import { failedAnswer, type FindAnswer, searchFor } from '#queries/find/find-jobs.ts'
import type { CreateScanner } from '#queries/find/scanner.ts'
import type { MatchGuard } from '#queries/find/match-guard.ts'
import type { Bytes, Found, OnWay, Piece, Query, Search } from '#queries/find/search.ts'
import { matchGuard } from '../../find/match-limit.ts'
import { VectorScanner } from '../../find/vector-scanner.ts'
import { systemCode } from '../../write-failure.ts'
import { factsText } from './index-segment.ts'
import { IndexFiller } from './index-filler.ts'
import { ExcerptReader } from './excerpt-reader.ts'
import { LineTests, type LineToMatch } from './line-match.ts'
import { LastRead, LineBytes } from './line-bytes.ts'
import { type LogBytes, openLogBytes } from './log-bytes.ts'
import type {
  ExcerptJob,
  ExcerptPart,
  FoundLines,
  IndexJob,
  IndexPart,
  RecordPlace,
  ScanJob,
  ScanPart
} from './scan-jobs.ts'
import { type Candidates, type CandidateRange, TextIndex } from './text-index.ts'

const answerIntervalMs = 50
const chunkBytes = 1 << 20

type Answer = FindAnswer<ScanPart> | FindAnswer<ExcerptPart> | FindAnswer<IndexPart>
type Job = ScanJob | ExcerptJob | IndexJob

/** Searches batches of logs, reads excerpts and fills the index, in a thread of the library's search. */
export function serveScanning(port: MessagePort): void {
  const post = (answer: Answer): void => port.postMessage(answer)
  const guard = matchGuard()
  const scanner = new LogScanner(post, guard)
  const excerpts = new ExcerptReader(post, guard)
  let filler: IndexFiller | null = null
  const serve = async (job: Job): Promise<void> => {
    try {
      if (job.kind !== 'index' && job.query.regex) await guard.begin(job.allowance)
      if (job.kind === 'scan') await scanner.serve(job)
      else if (job.kind === 'excerpts') await excerpts.serve(job)
      else {
        filler ??= new IndexFiller(job.cache)
        post({ kind: 'found', part: await filler.serve(job), isLast: true })
      }
    } catch (error) {
      post(failedAnswer(error))
    }
  }
  port.on('message', (job: Job) => void serve(job))
  post({ kind: 'ready', isGuarded: true })
}

/** Thrown to leave a search at the limit of hits. */
const enough = Symbol('enough')

/** Searches batches of logs, one job at a time. */
class LogScanner {
  readonly #post: (answer: FindAnswer<ScanPart>) => void
  readonly #guard: MatchGuard
  readonly #searches = new Map<string, Search>()
  #answered = 0
  #found: { log: number; lines: FoundLines }[] = []
  #unread: number[] = []
  #count = 0
  #index: TextIndex | null = null
  /** The text that lines are found by, as a cache key. */
  #queryKey = ''
  #tests: LineTests | null = null

  constructor(post: (answer: FindAnswer<ScanPart>) => void, guard: MatchGuard) {
    this.#post = post
    this.#guard = guard
  }

  /** Throws errors of the expression. An unreadable log is reported and skipped. */
  async serve(job: ScanJob): Promise<void> {
    this.#count = 0
    this.#queryKey = JSON.stringify(job.query.main)
    this.#tests = new LineTests(job.query, this.#guard)
    this.#post({ kind: 'at', offset: 0 })
    if (job.index === null) this.#index = null
    else this.#index ??= new TextIndex(job.index)
    this.#index?.refresh()
    for (const [log, { path }] of job.logs.entries()) {
      if (this.#count >= job.most) break
      if (performance.now() - this.#answered >= answerIntervalMs) this.#answer(log, false)
      const candidates = this.#index?.candidates(path, job.query.main) ?? null
      if (candidates?.ranges.length === 0) continue
      let bytes: LogBytes | null = null
      try {
        const opened = openLogBytes(path)
        bytes = opened instanceof Promise ? await opened : opened
      } catch (error) {
        if (!isGone(error)) this.#unread.push(log)
        continue
      }
      try {
        this.#scan(job, log, bytes, candidates)
        if (bytes.isCut) this.#unread.push(log)
      } catch (error) {
        if (!isSystemError(error)) throw error
        this.#unread.push(log)
      } finally {
        bytes.close()
      }
    }
    this.#answer(job.logs.length, true)
  }

  #scan({ query, logs, most }: ScanJob, log: number, bytes: LogBytes, candidates: Candidates | null): void {
    const { path, piece } = logs[log] ?? { path: '', piece: null }
    const pieces = piecesOf(piece ?? everything, candidates, bytes)
    const read = new LastRead(bytes)
    const tests = this.#tests
    const passing = tests === null || tests.isEmpty ? null : tests.passing.bind(tests)
    const lines = new LineFinder(bytes, read, most - this.#count, passing)
    const flush = (): void => {
      const offsets = lines.drain()
      if (offsets.length === 0) return
      this.#count += offsets.length
      this.#found.push({ log, lines: { offsets, records: null } })
    }
    // Framing is detected only after a match. A document is then searched again as a document.
    let framing: Framing | null = null
    const onWay: OnWay = (reached, [offsets = []]) => {
      if (offsets.length > 0) {
        framing ??= framingOf(bytes, read)
        if (framing === 'document') throw enough
        lines.add(offsets.splice(0))
        if (lines.isFull) throw enough
      }
      const now = performance.now()
      if (now - this.#answered < answerIntervalMs) return
      flush()
      if (this.#found.length > 0) this.#answer(log, false)
      else {
        this.#answered = now
        this.#post({ kind: 'at', offset: reached, file: path })
      }
    }
    for (const range of pieces) {
      if (query.regex) this.#post({ kind: 'at', offset: range.from, file: path })
      const found = unlessEnough(() => this.#searchOf(query.main, 'lines').piece(read, range, onWay))
      if (found === null) break
      const [offsets = new Float64Array()] = found.offsets
      if (offsets.length === 0) continue
      framing ??= framingOf(bytes, read)
      if (framing === 'document') break
      lines.add(offsets)
    }
    if (framing !== 'document') return flush()
    const places = pieces.flatMap((range) => [...this.#places(query.main, bytes, range, path)])
    const records = recordsWith(bytes, places, most - this.#count, passing)
    this.#count += records.offsets.length
    if (records.offsets.length > 0) this.#found.push({ log, lines: records })
  }

  #places(query: Query, bytes: Bytes, piece: Piece, path: string): Float64Array {
    const found = this.#searchOf(query, 'document').piece(bytes, piece, (reached) => {
      if (performance.now() - this.#answered < answerIntervalMs) return
      this.#answered = performance.now()
      this.#post({ kind: 'at', offset: reached, file: path })
    })
    return found.offsets[0] ?? new Float64Array()
  }

  #answer(to: number, isLast: boolean): void {
    this.#answered = performance.now()
    this.#post({
      kind: 'found',
      part: { to, found: this.#found, unread: this.#unread },
      isLast,
      spentMs: this.#guard.spentMs
    })
    this.#found = []
    this.#unread = []
  }

  /** Cached, as the next job mostly has the same query. */
  #searchOf(query: Query, framing: Framing): Search {
    const key = framing + this.#queryKey
    let search = this.#searches.get(key)
    if (search === undefined) {
      if (this.#searches.size >= 2) this.#searches.clear()
      const readText = (bytes: Uint8Array): string =>
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
      const scanner: CreateScanner = (patterns, windowBytes) => new VectorScanner(patterns, windowBytes)
      search = searchFor({ ...query, texts: [query.text] }, { framing, readText, scanner, guard: this.#guard })
      this.#searches.set(key, search)
    }
    return search
  }
}

const everything: CandidateRange = { from: 0, to: Infinity }

/** The requested range, limited to candidates if the log is still the indexed one. */
function piecesOf(asked: CandidateRange, candidates: Candidates | null, { size, facts }: LogBytes): Piece[] {
  const ranges = candidates !== null && candidates.facts === factsText(facts) ? candidates.ranges : [everything]
  return ranges.flatMap((range) => {
    const from = Math.max(asked.from, range.from)
    const to = Math.min(asked.to, range.to, size)
    return to > from ? [{ from, to, limit: size }] : []
  })
}

/** Null: the limit of hits was reached. */
function unlessEnough(search: () => Found): Found | null {
  try {
    return search()
  } catch (error) {
    if (error === enough) return null
    throw error
  }
}

/** Those lines that are meant, of those that were found. */
type PassingLines = LineTests['passing']
/** Bytes of lines that are tested at once. */
const testedBytes = 1 << 20

/** Finds the lines with rows, which are all but blank ones, around offsets. */
class LineFinder {
  readonly #lines: LineBytes
  readonly #most: number
  readonly #passing: PassingLines | null
  #found: number[] = []
  #count = 0
  /** Start of the line after the last one. */
  #next = 0

  constructor(bytes: LogBytes, read: LastRead, most: number, passing: PassingLines | null) {
    this.#lines = new LineBytes(bytes, bytes.size, read)
    this.#most = most
    this.#passing = passing
  }

  get isFull(): boolean {
    return this.#count >= this.#most
  }

  /** `places` ascend. */
  add(places: Iterable<number>): void {
    let waiting: LineToMatch[] = []
    let bytes = 0
    for (const place of places) {
      if (place < this.#next) continue
      if (this.isFull) return
      const start = this.#lines.startOf(place, this.#next)
      const first = this.#lines.byteAt(start)
      const end = this.#lines.endOf(place)
      this.#next = end + 1
      // A match in a byte order mark or a line end is in no line.
      if (place < start || place >= end || this.#isBlank(first, start, end)) continue
      if (this.#passing === null) {
        this.#found.push(start)
        this.#count++
        continue
      }
      waiting.push({ offset: start, bytes: this.#lines.line(start, end) })
      bytes += end - start
      if (bytes < testedBytes) continue
      this.#addPassing(waiting)
      waiting = []
      bytes = 0
    }
    this.#addPassing(waiting)
  }

  #addPassing(lines: readonly LineToMatch[]): void {
    for (const { offset } of this.#passing?.(lines) ?? []) {
      if (this.isFull) return
      this.#found.push(offset)
      this.#count++
    }
  }

  drain(): number[] {
    return this.#found.splice(0)
  }

  #isBlank(first: number, start: number, end: number): boolean {
    const isLetter = first > 0x20 && first < 0x7f
    return !isLetter && isBlank(this.#lines.line(start, end).toString())
  }
}

/** Shared, as a thread reads one log at a time. */
const headMemory = Buffer.allocUnsafeSlow(headBytes + 1)

function framingOf(bytes: LogBytes, read: LastRead): Framing {
  const region = read.at(0)
  const isHead = region !== null && region.from === 0 && region.bytes.length >= Math.min(bytes.size, headMemory.length)
  const head = isHead ? region.bytes : headMemory.subarray(0, bytes.read(headMemory, 0))
  return framingOfHead(head.subarray(0, headMemory.length))
}

/** The records of a document at these offsets, at most `most`. */
function recordsWith(
  bytes: LogBytes,
  places: readonly number[],
  most: number,
  passing: PassingLines | null
): FoundLines {
  const offsets: number[] = []
  const records: RecordPlace[] = []
  let next = 0
  const read = new LineBytes(bytes, bytes.size)
  const splitter = new DocumentSplitter(({ line, offset, length }) => {
    while (next < places.length && (places[next] ?? 0) < offset) next++
    if ((places[next] ?? Infinity) >= offset + length || offsets.length >= most) return
    const tested = passing?.([{ offset, bytes: read.line(offset, offset + length) }])
    if (tested?.length === 0) return
    offsets.push(offset)
    records.push({ line, length })
  })
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(bytes.size, 1)))
  for (let at = 0; at < bytes.size && next < places.length;) {
    const length = bytes.read(chunk.subarray(0, Math.min(chunk.length, bytes.size - at)), at)
    if (length === 0) break
    splitter.push(chunk.subarray(0, length))
    at += length
  }
  splitter.end()
  return { offsets, records }
}

/** The log was removed since it was listed, so nothing is missing. */
function isGone(error: unknown): boolean {
  return error instanceof HostError
    ? error.code === 'not-found'
    : ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')
}

function isSystemError(error: unknown): boolean {
  return /^E[A-Z]+$/.test(systemCode(error) ?? '')
}
