import { basename } from 'node:path'
import type { ReadLine } from '#core/formats/line-folder.ts'
import type { FoldedEvent, LineMark } from '#core/formats/log-format.ts'
import type { RunReader } from '#core/formats/run-reader.ts'
import { soloIdentity } from '#core/formats/solo-identity.ts'
import { stamp } from '#core/formats/stamp.ts'
import { EventIndex } from '#core/index/event-index.ts'
import { snapshotOf } from '#core/replay/snapshot-of.ts'
import { TodoHistory } from '#core/replay/todo-history.ts'
import { HostError, type LogStatus, type Params, type Result } from '#contract/methods.ts'
import { Run } from '../sources/run.ts'
import { BlockCache } from './block-cache.ts'
import { findOffsets, rowsHolding } from './find.ts'
import type { IndexerTask, LogAnswers, LogMethod } from './indexer-messages.ts'
import { LogPages } from './log-pages.ts'
import type { CreateWorker, LogListener } from './log-worker.ts'
import { readMainOf } from './parallel-slices.ts'

const progressInterval = 100

/**
 * One open log inside its thread, with the other files of its run: reads them once from begin to end, keeps the index and the todo
 * lists, and answers the page meanwhile. Everything it gives is bounded, whatever the log holds, since the host's main thread
 * passes it on.
 */
export class IndexedLog {
  readonly #task: IndexerTask
  readonly #listener: LogListener
  readonly #createHelper: CreateWorker
  readonly #index = new EventIndex()
  readonly #todos = new TodoHistory()
  #run: Run | null = null
  #reader: RunReader | null = null
  #pages: LogPages | null = null
  #phase: LogStatus['phase'] = 'reading'
  #error: LogStatus['error'] = null
  /** Of each file of the run, as far as it is known. */
  #sizes: number[] = []
  /** By the name of a file its number in the `file` column. */
  #fileNumbers = new Map<string | undefined, number>()
  #reported = -Infinity
  #finds = 0
  #hits = new Uint32Array()

  /** A status is given once the format is known, after the first rows, then about ten times a second, and at the end. */
  constructor(task: IndexerTask, listener: LogListener, createHelper: CreateWorker) {
    this.#task = task
    this.#listener = listener
    this.#createHelper = createHelper
  }

  /** Reads the log to its end. Never rejects: a failure is a status, and what was read stays usable. */
  async read(): Promise<void> {
    try {
      this.#run = await Run.open({ path: this.#task.path, format: this.#task.format, single: false })
      await this.#readAll(this.#run)
      this.#finish(this.#run)
    } catch (error) {
      this.#fail(error)
    }
  }

  async answer<M extends LogMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    return await this.#answers[method](params)
  }

  async close(): Promise<void> {
    await this.#run?.close()
  }

  readonly #answers: LogAnswers = {
    'log.columns': async ({ from, count }) => this.#columns(from, count),
    'log.rows': async ({ rows }) => await this.#open().rows(rows),
    'log.event': async ({ row, limit }) => await this.#open().event(row, limit),
    'log.raw': async ({ row, from, count }) => await this.#open().raw(row, from, count),
    'log.todoColumns': async ({ from }) => this.#open().todoColumns(from),
    'log.todos': async ({ from, count }) => this.#open().todos(from, count),
    'log.issues': async ({ from, count }) => this.#open().issues(from, count),
    'log.find': async ({ text, caseSensitive }) => this.#find(text, caseSensitive),
    'log.hits': async ({ find, from, count }) => {
      const hits = find === this.#finds ? this.#hits.slice(from, from + count) : new Uint32Array()
      return { rows: hits.buffer }
    },
    'log.endFind': async ({ find }) => {
      if (find === this.#finds) this.#finds++
      return {}
    }
  }

  async #readAll(run: Run): Promise<void> {
    this.#sizes = await Promise.all(run.files.map(({ source }) => source.size()))
    this.#fileNumbers = new Map(run.files.map(({ name }, number) => [name, number]))
    const bytes = new BlockCache(new Map(run.files.map(({ name, source }) => [name, source])))
    const framingOf = (file: string | undefined) => run.framingOf(file)
    this.#pages = new LogPages(bytes, run.chosen.format, framingOf, this.#index, this.#todos)
    this.#reader = run.reader({
      line: (line) => this.#addLine(line),
      end: (events, marks) => this.#addLast(events, marks)
    })
    // Said before the first chunk is parsed: a page that shows a long first line knows the format meanwhile.
    this.#listener.status(this.#status())
    for await (const _ of run.feed(this.#reader, readMainOf(run, this.#createHelper))) {
      if (this.#reportIsDue()) {
        // It grows while a compressed log is unpacked.
        this.#sizes[0] = await run.main.source.size()
        this.#listener.status(this.#status())
      }
      await new Promise((resume) => setImmediate(resume))
    }
  }

  #addLine(line: ReadLine): void {
    if (!line.at.terminated) this.#pages?.endsInside(line.at)
    const seq = this.#index.events
    this.#index.addLine(line)
    line.events.forEach((event, i) => this.#addTodos(event, seq + i))
  }

  #addLast(events: readonly FoldedEvent[], marks: readonly LineMark[]): void {
    for (const event of events) {
      this.#addTodos(event, this.#index.events)
      this.#index.addEvent(event)
    }
    this.#index.addMarks(marks)
  }

  #addTodos(folded: FoldedEvent, seq: number): void {
    // Only todo lists are kept whole; stamping every event would be work for nothing.
    if (folded.draft.type !== 'todo_list' || !this.#run) return
    const { agentType } = this.#run.chosen.format
    const snapshot = snapshotOf(stamp(folded, agentType, soloIdentity(agentType)), seq, folded.at)
    if (snapshot) this.#todos.add(snapshot)
  }

  #finish(run: Run): void {
    this.#sizes = run.files.map(({ bytesRead }) => bytesRead)
    this.#phase = 'done'
    this.#listener.status(this.#status())
  }

  #fail(error: unknown): void {
    this.#phase = 'failed'
    this.#error =
      error instanceof HostError
        ? { code: error.code, message: error.message }
        : {
            code: 'internal',
            message: 'Reading this log failed inside Playhead. What was read so far stays usable; please report it.'
          }
    this.#listener.status(this.#status())
  }

  #reportIsDue(): boolean {
    const now = performance.now()
    if (now - this.#reported < progressInterval) return false
    this.#reported = now
    return true
  }

  #status(): LogStatus {
    const index = this.#index
    const run = this.#run
    const files = run?.files.flatMap(({ name, bytesRead }, i) => {
      if (name === undefined) return []
      const lines = this.#reader?.linesOf(i) ?? 0
      return [{ name, bytes: Math.max(this.#sizes[i] ?? 0, bytesRead), bytesRead, lines }]
    })
    const bytesRead = run?.main.bytesRead ?? 0
    return {
      log: this.#task.log,
      path: this.#task.path,
      name: basename(this.#task.path),
      phase: this.#phase,
      error: this.#error,
      format: run?.chosen.format.id ?? null,
      formatTitle: run?.chosen.format.title ?? '',
      formatNote: run?.chosen.note ?? null,
      notes: [...(run?.notes ?? [])],
      files: files ?? [],
      bytes: Math.max(this.#sizes[0] ?? 0, bytesRead),
      bytesRead,
      lines: this.#reader?.linesOf(0) ?? 0,
      rows: index.rows,
      events: index.events,
      generation: 1,
      generationNote: null,
      settled: { rows: index.rows, events: index.events, todoSnapshots: this.#todos.length },
      fileState: 'there',
      grownAt: null,
      waitingBytes: 0,
      savedRows: 0,
      marked: index.marked,
      todoSnapshots: this.#todos.length,
      issues: { ...index.issues.counts },
      firstTimestamp: index.firstTimestamp,
      lastTimestamp: index.lastTimestamp,
      model: index.model,
      sessionId: index.sessionId,
      tools: [...index.tools],
      tracks: [...index.tracks]
    }
  }

  #open(): LogPages {
    if (this.#pages) return this.#pages
    throw new HostError('unavailable', this.#error?.message ?? 'The log is still being opened; ask again.')
  }

  #columns(from: number, count: number): Result<'log.columns'> {
    const columns = this.#index.columns(from, count)
    const file = new Uint16Array(columns.count)
    if (this.#fileNumbers.size > 1) {
      for (let i = 0; i < file.length; i++) {
        file[i] = this.#fileNumbers.get(this.#index.place(columns.from + i).file) ?? 0
      }
    }
    return { ...columns, file: file.buffer }
  }

  #find(text: string, caseSensitive: boolean): Result<'log.find'> {
    const find = ++this.#finds
    this.#hits = new Uint32Array()
    void this.#search(find, text, caseSensitive)
    return { find }
  }

  async #search(find: number, text: string, caseSensitive: boolean): Promise<void> {
    const superseded = () => find !== this.#finds
    const offsetsOf = new Map<string | undefined, Float64Array>()
    for (const { name, source, bytesRead } of this.#run?.files ?? []) {
      const framing = this.#run?.framingOf(name) ?? 'lines'
      const searched = { framing, chunks: () => source.chunks({ to: bytesRead }) }
      const offsets = await findOffsets(searched, text, caseSensitive, superseded)
      if (!offsets) return
      if (offsets.length > 0) offsetsOf.set(name, offsets)
    }
    const rows = await rowsHolding(this.#index, offsetsOf, superseded)
    if (!rows) return
    this.#hits = rows
    const bytes = this.#run?.files.reduce((sum, { bytesRead }) => sum + bytesRead, 0) ?? 0
    this.#listener.found({
      log: this.#task.log,
      find,
      generation: 1,
      searching: false,
      hits: rows.length,
      bytesSearched: bytes,
      bytes,
      error: null
    })
  }
}
