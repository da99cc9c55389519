import { basename } from 'node:path'
import type { FoldedEvent } from '#core/formats/log-format.ts'
import type { ReadLine } from '#core/formats/line-folder.ts'
import { LogReader } from '#core/formats/log-reader.ts'
import { soloIdentity } from '#core/formats/solo-identity.ts'
import { stamp } from '#core/formats/stamp.ts'
import { EventIndex } from '#core/index/event-index.ts'
import { snapshotOf } from '#core/replay/snapshot-of.ts'
import { TodoHistory } from '#core/replay/todo-history.ts'
import { HostError, type LogStatus, type Params, type Result } from '#contract/methods.ts'
import { type ChosenFormat, chooseFormat } from '../sources/choose-format.ts'
import { LogFile } from '../sources/log-file.ts'
import { findOffsets, rowsHolding } from './find.ts'
import type { IndexerTask, LogAnswers, LogMethod } from './indexer-messages.ts'
import { LogPages } from './log-pages.ts'

const progressInterval = 100
/** How much is parsed between two looks at what the page asks: a few milliseconds of work, a page needs two or three looks. */
const sliceBytes = 1 << 17

/**
 * One open log inside its thread: reads it once from begin to end, keeps the index and the todo lists, and answers the
 * page meanwhile. Everything it gives is bounded, whatever the log holds, since the host's main thread passes it on.
 */
export class IndexedLog {
  readonly #task: IndexerTask
  readonly #onStatus: (status: LogStatus) => void
  readonly #index = new EventIndex()
  readonly #todos = new TodoHistory()
  #file: LogFile | null = null
  #chosen: ChosenFormat | null = null
  #reader: LogReader | null = null
  #pages: LogPages | null = null
  #phase: LogStatus['phase'] = 'reading'
  #error: LogStatus['error'] = null
  #bytes = 0
  #bytesRead = 0
  #reported = -Infinity
  #finds = 0

  /** `onStatus` is called once the format is known, after the first rows, then about ten times a second, and at the end. */
  constructor(task: IndexerTask, onStatus: (status: LogStatus) => void) {
    this.#task = task
    this.#onStatus = onStatus
  }

  /** Reads the log to its end. Never rejects: a failure is a status, and what was read stays usable. */
  async read(): Promise<void> {
    try {
      this.#file = await LogFile.open(this.#task.path)
      await this.#readOn(this.#file)
      // Following a growing log attaches here: wait for more bytes and `#readOn` again, from `#bytesRead`, before `#finish`.
      this.#finish()
    } catch (error) {
      this.#fail(error)
    }
  }

  async answer<M extends LogMethod>(method: M, params: Params<M>): Promise<Result<M>> {
    return await this.#answers[method](params)
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }

  readonly #answers: LogAnswers = {
    'log.columns': async ({ from, count }) => this.#index.columns(from, count),
    'log.rows': async ({ rows }) => await this.#open().rows(rows),
    'log.event': async ({ row, limit }) => await this.#open().event(row, limit),
    'log.raw': async ({ row, from, count }) => await this.#open().raw(row, from, count),
    'log.todoColumns': async ({ from }) => this.#open().todoColumns(from),
    'log.todos': async ({ from, count }) => this.#open().todos(from, count),
    'log.issues': async ({ from, count }) => this.#open().issues(from, count),
    'log.find': async ({ text, caseSensitive }) => await this.#find(text, caseSensitive)
  }

  async #readOn(file: LogFile): Promise<void> {
    this.#bytes = await file.size()
    for await (const chunk of file.chunks(this.#bytesRead)) {
      const reader = this.#readerFor(file, chunk)
      for (let at = 0; at < chunk.length; at += sliceBytes) {
        const slice = chunk.subarray(at, at + sliceBytes)
        reader.push(slice)
        this.#bytesRead += slice.length
        this.#bytes = Math.max(this.#bytes, this.#bytesRead)
        this.#report()
        await new Promise((resume) => setImmediate(resume))
      }
    }
    if (!this.#reader) this.#readerFor(file, new Uint8Array(0))
  }

  #readerFor(file: LogFile, firstBytes: Uint8Array): LogReader {
    if (this.#reader) return this.#reader
    this.#chosen = chooseFormat(file.name, firstBytes, this.#task.format)
    const { format } = this.#chosen
    this.#pages = new LogPages(file, format, this.#index, this.#todos)
    this.#reader = new LogReader(format, {
      line: (line) => this.#addLine(line),
      end: (events) => events.forEach((event) => this.#addEvent(event))
    })
    // Said before the first chunk is parsed: a page that shows a long first line knows the format meanwhile.
    this.#onStatus(this.#status())
    return this.#reader
  }

  #addLine(line: ReadLine): void {
    if (!line.at.terminated) this.#pages?.endsInside(line.at.offset)
    const seq = this.#index.events
    this.#index.addLine(line)
    line.events.forEach((event, i) => this.#addTodos(event, seq + i))
  }

  #addEvent(event: FoldedEvent): void {
    this.#addTodos(event, this.#index.events)
    this.#index.addEvent(event)
  }

  #addTodos(folded: FoldedEvent, seq: number): void {
    // Only todo lists are kept whole; stamping every event would be work for nothing.
    if (folded.draft.type !== 'todo_list' || !this.#chosen) return
    const { agentType } = this.#chosen.format
    const snapshot = snapshotOf(stamp(folded, agentType, soloIdentity(agentType)), seq, folded.at.line)
    if (snapshot) this.#todos.add(snapshot)
  }

  #finish(): void {
    this.#reader?.end()
    this.#phase = 'done'
    this.#onStatus(this.#status())
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
    this.#onStatus(this.#status())
  }

  #report(): void {
    const now = performance.now()
    if (now - this.#reported < progressInterval) return
    this.#reported = now
    this.#onStatus(this.#status())
  }

  #status(): LogStatus {
    const index = this.#index
    return {
      log: this.#task.log,
      path: this.#task.path,
      name: basename(this.#task.path),
      phase: this.#phase,
      error: this.#error,
      format: this.#chosen?.format.id ?? null,
      formatTitle: this.#chosen?.format.title ?? '',
      formatNote: this.#chosen?.note ?? null,
      bytes: this.#bytes,
      bytesRead: this.#bytesRead,
      lines: index.lines,
      rows: index.rows,
      events: index.events,
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

  async #find(text: string, caseSensitive: boolean): Promise<Result<'log.find'>> {
    const find = ++this.#finds
    const superseded = () => find !== this.#finds
    const offsets = this.#file && (await findOffsets(this.#file, text, caseSensitive, superseded))
    const rows = offsets && (await rowsHolding(this.#index, offsets, superseded))
    return rows ? { rows: rows.buffer, superseded: false } : { rows: new ArrayBuffer(0), superseded: true }
  }
}
