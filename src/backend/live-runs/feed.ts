import { join } from 'node:path'
import { RecordingReader } from '#core/bridge/recording-reader.ts'
import { RunStream } from '#core/bridge/run-stream.ts'
import { formatById } from '#core/formats/registry.ts'
import { writeFailure } from '../write-failure.ts'
import type { FeedFacts, FeedOutcome, FeedStart } from './feed-messages.ts'
import { GrowingFile } from './growing-file.ts'
import { HookLines } from './hook-lines.ts'
import { NoteKeeper } from './live-notes.ts'
import { finalOutcome } from './run-outcome.ts'
import { StderrText } from './stderr-text.ts'
import { StreamFile } from './stream-file.ts'
import { type Consumed, nothingConsumed } from './stream-wire.ts'
import { type TaskListener, TaskSync } from './task-sync.ts'

/** Who is told how far a feed is. */
export interface FeedHearer extends TaskListener {
  streamed(bytes: number): void
}

const chunkBytes = 1 << 18
/** So much is read at once until the run has named its session, in its first bytes. */
const pieceBytes = 512
const firstBytes = 1 << 16

/**
 * Reads what a run writes, as far as it has, into its stream and the task store. Where a stream was begun before, it goes on with it: what that
 * was made of is read again, so that everything is known, and not said again.
 */
export class Feed {
  readonly #files: { readonly stdout: GrowingFile; readonly stderr: GrowingFile; readonly hooks: GrowingFile }
  readonly #stream: RunStream
  readonly #reader: RecordingReader
  readonly #hooks: HookLines
  readonly #notes: NoteKeeper | null
  readonly #stderr: StderrText
  readonly #file: StreamFile | null
  readonly #streamPath: string
  readonly #tasks: TaskSync
  readonly #hear: FeedHearer
  readonly #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  readonly #isOver: boolean
  readonly #signal: AbortSignal
  #broken: boolean
  /** Bytes of the recording. */
  #read = 0
  #hooksRead = 0

  private constructor(
    start: FeedStart,
    file: StreamFile | null,
    tasks: TaskSync,
    hear: FeedHearer,
    signal: AbortSignal
  ) {
    const format = formatById(start.format)
    if (format === undefined) throw new Error(`there is no format ${start.format}`)
    const { recording, folder, timeLimitMs, logs } = start
    this.#files = {
      stdout: new GrowingFile(recording),
      stderr: new GrowingFile(join(folder, 'stderr.txt')),
      hooks: new GrowingFile(join(folder, 'hooks.jsonl'))
    }
    this.#stream = new RunStream(format, timeLimitMs)
    this.#reader = new RecordingReader(format, this.#stream)
    this.#hooks = new HookLines(this.#files.hooks)
    const problem = hear.problem.bind(hear)
    this.#notes =
      logs === null || !format.liveNotes ? null : new NoteKeeper(format.liveNotes, { recording, logs, problem })
    this.#stderr = new StderrText(this.#files.stderr, file?.consumed.stderr ?? 0)
    this.#file = file
    this.#streamPath = join(folder, 'stream.sse')
    this.#isOver = file?.isOver ?? false
    this.#broken = file === null
    this.#signal = signal
    this.#tasks = tasks
    this.#hear = hear
  }

  /** Resolves when it is where the feed before it stopped. `signal`: nothing more is read; `close` it then. */
  static async open(start: FeedStart, hear: FeedHearer, signal: AbortSignal): Promise<Feed> {
    let file: StreamFile | null = null
    const path = join(start.folder, 'stream.sse')
    try {
      file = await StreamFile.open(path)
    } catch (error) {
      hear.problem(`${writeFailure(path, error).message} Programs that follow this run receive no events.`)
    }
    const feed = new Feed(start, file, await TaskSync.open(start.tasks, hear), hear, signal)
    await feed.#attempt(async () => await feed.#catchUpWith(file?.consumed ?? nothingConsumed))
    return feed
  }

  get facts(): FeedFacts {
    return {
      ...this.#stream.facts,
      tornAt: this.#reader.tornAt,
      stdoutBytes: this.#read,
      stderrBytes: this.#stderr.consumed,
      streamBytes: this.#file?.bytes ?? 0
    }
  }

  /** A part of the stream could not be written. */
  get isBroken(): boolean {
    return this.#broken
  }

  /** Reads what there is. */
  async readOn(): Promise<void> {
    await this.#attempt(async () => await this.#readOutput())
    await this.#attempt(async () => await this.#readStderr())
  }

  /** The run is over: reads the rest, and ends the stream. Call once, and nothing but `close` after it. */
  async end(outcome: FeedOutcome): Promise<void> {
    await this.readOn()
    // From here on one block, so that all of its end is told or nothing.
    await this.#flush('order')
    this.#reader.end()
    await this.#attempt(async () => await this.#endStderr())
    const { exitCode, signal } = outcome
    const { finishReason, message } = finalOutcome(outcome, this.facts)
    this.#stream.end({ finishReason, message, exitCode, signal })
    await this.#flush('end')
    await this.#file
      ?.sync()
      .catch((error: unknown) => this.#hear.problem(writeFailure(this.#streamPath, error).message))
  }

  async close(): Promise<void> {
    for (const file of Object.values(this.#files)) await file.close()
    await this.#notes?.close()
    await this.#file?.close()
    this.#tasks.close()
  }

  /** What the system refuses is said, and tried again the next time. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      this.#hear.problem(`A file of this run cannot be read: ${error.message}.`)
    }
  }

  /** Reads again what the stream was made of; nothing of it is said. */
  async #catchUpWith({ stdout, hooks }: Consumed): Promise<void> {
    if (this.#notes !== null) this.#reader.note(await this.#notes.kept())
    while (this.#read < stdout && !this.#signal.aborted && (await this.#readTo(stdout))) this.#stream.take()
    for (let line = await this.#hooks.first(); line !== null && line.end <= hooks; line = await this.#hooks.first()) {
      if (line.hook !== null) this.#stream.hook(line.hook)
      this.#hooksRead = line.end
      this.#hooks.shift()
      this.#stream.take()
    }
  }

  /** A hook is told of between the lines that were printed before and after it ran. */
  async #readOutput(): Promise<void> {
    while (!this.#signal.aborted) {
      // Hooks first: what was printed before one ran is in the recording by then.
      const line = await this.#hooks.first()
      const size = await this.#files.stdout.size()
      const to = Math.min(await this.#noted(size), line?.stdoutBytes ?? size)
      if (this.#read < to) {
        if (!(await this.#readTo(to))) return
        await this.#flush()
      } else if (line !== null) {
        await this.#flush('order')
        if (line.hook !== null) this.#stream.hook(line.hook)
        this.#hooksRead = line.end
        this.#hooks.shift()
        await this.#flush('order')
      } else return
    }
  }

  /**
   * Reads what has to be noted for the recording as long as it is now. Gives how far it may be read: whose session is not known has no notes so far.
   */
  async #noted(size: number): Promise<number> {
    if (this.#notes === null) return size
    const { sessionId } = this.#stream.facts
    if (sessionId === null) return this.#read < firstBytes ? Math.min(size, this.#read + pieceBytes) : size
    this.#reader.note(await this.#notes.next(sessionId))
    return size
  }

  async #readStderr(): Promise<void> {
    while (!this.#signal.aborted) {
      await this.#flush('order')
      const text = await this.#stderr.next(false)
      if (text === null) return
      this.#stream.output(text)
      await this.#flush()
    }
  }

  /** Reads what is left of it: a character that is not whole. */
  async #endStderr(): Promise<void> {
    for (let text = await this.#stderr.next(true); text !== null; text = await this.#stderr.next(true))
      this.#stream.output(text)
  }

  /** Reads a piece of the recording, up to an offset. False: it is no longer that long. */
  async #readTo(to: number): Promise<boolean> {
    const room = this.#chunk.subarray(0, Math.min(chunkBytes, to - this.#read))
    const bytes = await this.#files.stdout.read(room, this.#read)
    this.#read += bytes.length
    this.#reader.push(bytes)
    return bytes.length > 0
  }

  /**
   * Stores and writes what was told. In this order: whoever hears of a list finds it stored. A block is of the recording, of standard error or of a
   * hook: before and after these the `order` is written down also where nothing was told, so that the stream can be made anew.
   */
  async #flush(why: 'told' | 'order' | 'end' = 'told'): Promise<void> {
    const told = this.#stream.take()
    if (this.#isOver) return
    this.#tasks.take(told)
    if (this.#file === null || this.#broken || (why === 'told' && told.events.length === 0)) return
    const consumed = { stdout: this.#reader.position, stderr: this.#stderr.consumed, hooks: this.#hooksRead }
    if (why === 'order' && told.events.length === 0 && isSame(consumed, this.#file.consumed)) return
    try {
      await this.#file.append(told.events, consumed, why === 'end')
      this.#hear.streamed(this.#file.bytes)
    } catch (error) {
      // What is missing can be made again by another feed.
      this.#broken = true
      this.#hear.problem(
        `${writeFailure(this.#streamPath, error).message} Programs that follow this run receive no further events.`
      )
    }
  }
}

function isSame(one: Consumed, other: Consumed): boolean {
  return one.stdout === other.stdout && one.stderr === other.stderr && one.hooks === other.hooks
}
