import { join } from 'node:path'
import { messageOf } from '#contract/host-error.ts'
import { RecordingReader } from '#core/bridge/recording-reader.ts'
import { RunStream } from '#core/bridge/run-stream.ts'
import { formatById } from '#core/formats/registry.ts'
import { writeFailure } from '../write-failure.ts'
import { CallWatch, type Clocks, machineClocks } from './call-watch.ts'
import type { FeedFacts, FeedOutcome, FeedStart } from './feed-messages.ts'
import { GrowingFile } from './growing-file.ts'
import { addHostNotes } from './host-notes.ts'
import { type HookLine, HookLines } from './hook-lines.ts'
import { NoteKeeper } from './live-notes.ts'
import { finalOutcome } from './run-outcome.ts'
import { SessionCopy } from './session-copy.ts'
import { StderrText } from './stderr-text.ts'
import { StreamFile } from './stream-file.ts'
import { type Consumed, nothingConsumed } from './stream-wire.ts'
import { type TaskListener, TaskSync } from './task-sync.ts'

/** Callbacks of a feed. */
export interface StreamListener extends TaskListener {
  /** A file that only the feed knows has grown: `readOn` has something to read. */
  grown?(): void
  streamed(bytes: number): void
}

const chunkBytes = 1 << 18
/** Bytes of a read until the run's session is known, which is at the beginning. */
const pieceBytes = 512
const firstBytes = 1 << 16

/** Reads a run's output into its stream and the task store. To continue a stream, its sources are read again. */
export class Feed {
  readonly #files: { readonly stdout: GrowingFile; readonly stderr: GrowingFile; readonly hooks: GrowingFile }
  readonly #stream: RunStream
  readonly #reader: RecordingReader
  readonly #hooks: HookLines
  readonly #notes: NoteKeeper | null
  /** Writes the recording. Null: the agent does. */
  readonly #copy: SessionCopy | null
  readonly #stderr: StderrText
  readonly #file: StreamFile | null
  readonly #streamPath: string
  readonly #hooksPath: string
  readonly #tasks: TaskSync
  readonly #listener: StreamListener
  readonly #clocks: Clocks
  /** Null: no agent runs, or nobody can be told. */
  #watch: CallWatch | null
  /** What was read last. */
  #source: GrowingFile
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
    listener: StreamListener,
    { signal, clocks }: { readonly signal: AbortSignal; readonly clocks: Clocks }
  ) {
    const format = formatById(start.format)
    if (format === undefined) throw new Error(`there is no format ${start.format}`)
    const { recording, folder, timeLimitMs, interactive = false, logs } = start
    this.#files = {
      stdout: new GrowingFile(recording),
      stderr: new GrowingFile(join(folder, 'stderr.txt')),
      hooks: new GrowingFile(join(folder, 'hooks.jsonl'))
    }
    this.#stream = new RunStream(format, timeLimitMs, interactive)
    this.#reader = new RecordingReader(format, this.#stream)
    this.#hooks = new HookLines(this.#files.hooks)
    const problem = listener.problem.bind(listener)
    this.#notes =
      logs === null || !format.liveNotes ? null : new NoteKeeper(format.liveNotes, { recording, logs, problem })
    const grown = (): void => listener.grown?.()
    this.#copy =
      logs === null || !format.sessionLog
        ? null
        : new SessionCopy(format.sessionLog, { recording, logs, grown, problem })
    this.#stderr = new StderrText(this.#files.stderr, file?.consumed.stderr ?? 0)
    this.#file = file
    this.#streamPath = join(folder, 'stream.sse')
    this.#hooksPath = join(folder, 'hooks.jsonl')
    this.#isOver = file?.isOver ?? false
    this.#clocks = clocks
    this.#watch = start.isOver === true || file === null || this.#isOver ? null : new CallWatch(this.#stream, clocks)
    this.#source = this.#files.stdout
    this.#broken = file === null
    this.#signal = signal
    this.#tasks = tasks
    this.#listener = listener
  }

  /** Resolves when the position of the previous feed is reached. `signal` stops reading; then call `close`. */
  static async open(
    start: FeedStart,
    listener: StreamListener,
    signal: AbortSignal,
    clocks = machineClocks
  ): Promise<Feed> {
    let file: StreamFile | null = null
    const path = join(start.folder, 'stream.sse')
    try {
      file = await StreamFile.open(path)
    } catch (error) {
      listener.problem(`${writeFailure(path, error).message} Programs that follow this run receive no events.`)
    }
    const feed = new Feed(start, file, await TaskSync.open(start.tasks, listener), listener, { signal, clocks })
    await feed.#attempt(async () => await feed.#catchUpWith(file?.consumed ?? nothingConsumed))
    return feed
  }

  get facts(): FeedFacts {
    return {
      ...this.#stream.facts,
      tornAt: this.#reader.tornAt,
      uncopied: this.#copy?.uncopied ?? null,
      stdoutBytes: this.#read,
      stderrBytes: this.#stderr.consumed,
      streamBytes: this.#file?.bytes ?? 0
    }
  }

  /** Writing the stream failed. */
  get isBroken(): boolean {
    return this.#broken
  }

  /** When `readOn` has a late call to tell, in ms from now; null: never, as it stands. */
  get wakeInMs(): number | null {
    return this.#watch?.wakeInMs ?? null
  }

  /** Reads all new output, and tells the calls that are late. */
  async readOn(): Promise<void> {
    const readAtMs = this.#clocks.now()
    await this.#attempt(async () => await this.#readOutput())
    await this.#attempt(async () => await this.#readStderr())
    await this.#tellLate(readAtMs)
  }

  /** No call of the agent runs any more. */
  agentEnded(): void {
    this.#watch = null
  }

  /** The run is over: reads the rest and ends the stream. Only `close` may follow. */
  async end(outcome: FeedOutcome): Promise<void> {
    this.agentEnded()
    await this.readOn()
    await this.#copy?.sync()
    // One block from here on, so that the end is written completely or not at all.
    await this.#flush('order')
    this.#reader.end()
    await this.#attempt(async () => await this.#endStderr())
    const { exitCode, signal } = outcome
    const { finishReason, message } = finalOutcome(outcome, this.facts)
    this.#stream.end({ finishReason, message, exitCode, signal })
    await this.#flush('end')
    await this.#file
      ?.sync()
      .catch((error: unknown) => this.#listener.problem(writeFailure(this.#streamPath, error).message))
  }

  async close(): Promise<void> {
    for (const file of Object.values(this.#files)) await file.close()
    await this.#notes?.close()
    await this.#copy?.close()
    await this.#file?.close()
    this.#tasks.close()
  }

  /** Reports a system error; the next call tries again. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Error && 'syscall' in error)) throw error
      this.#listener.problem(`A file of this run cannot be read: ${messageOf(error)}.`)
    }
  }

  /** Reads the sources of the existing stream again, and discards the events. */
  async #catchUpWith({ stdout, hooks }: Consumed): Promise<void> {
    if (this.#notes !== null) this.#reader.note(await this.#notes.kept())
    while (this.#read < stdout && !this.#signal.aborted && (await this.#readTo(stdout))) await this.#discard()
    for (let line = await this.#hooks.first(); line !== null && line.end <= hooks; line = await this.#hooks.first()) {
      this.#takeHook(line)
      await this.#discard()
    }
  }

  /** Drops what the stream has already, but for its calls, which may still run. */
  async #discard(): Promise<void> {
    const { calls } = this.#stream.drain()
    await this.#watch?.take(calls, this.#source)
  }

  /** Orders hooks between the lines that were printed before and after them. */
  async #readOutput(): Promise<void> {
    while (!this.#signal.aborted) {
      // Hooks first: output that precedes a hook is in the recording by then.
      const line = await this.#hooks.first()
      await this.#copy?.readOn()
      const size = await this.#files.stdout.size()
      const to = Math.min(await this.#noted(size), line?.stdoutBytes ?? size)
      if (this.#read < to) {
        if (!(await this.#readTo(to))) return
        await this.#flush()
      } else if (line !== null) {
        await this.#flush('order')
        this.#takeHook(line)
        await this.#flush('order')
      } else return
    }
  }

  /** Notes what only the clock knows, so that another feed reads the same. */
  async #tellLate(readAtMs: number): Promise<void> {
    const late = this.#watch?.late(readAtMs) ?? []
    if (late.length === 0) return
    try {
      addHostNotes(
        this.#hooksPath,
        this.#read,
        late.map((call) => ({ kind: 'tool-timeout', ...call }))
      )
    } catch (error) {
      const { message } = writeFailure(this.#hooksPath, error)
      this.#listener.problem(`${message} Programs that follow this run get no reports of long calls.`)
    }
    await this.#attempt(async () => await this.#readOutput())
  }

  #takeHook({ hook, dialogue, end }: HookLine): void {
    this.#source = this.#files.hooks
    if (hook !== null) this.#stream.hook(hook)
    if (dialogue?.kind === 'session') this.#copy?.of(dialogue.session)
    if (dialogue !== null) this.#stream.dialogue(dialogue)
    this.#hooksRead = end
    this.#hooks.shift()
  }

  /** Reads notes for the recording. Returns how far it may be read: without a session id there are no notes yet. */
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

  /** Reads the rest, including an incomplete character. */
  async #endStderr(): Promise<void> {
    for (let text = await this.#stderr.next(true); text !== null; text = await this.#stderr.next(true))
      this.#stream.output(text)
  }

  /** Reads a piece of the recording. False: the file is shorter now. */
  async #readTo(to: number): Promise<boolean> {
    const room = this.#chunk.subarray(0, Math.min(chunkBytes, to - this.#read))
    const bytes = await this.#files.stdout.read(room, this.#read)
    this.#read += bytes.length
    this.#source = this.#files.stdout
    this.#reader.push(bytes)
    return bytes.length > 0
  }

  /** Stores tasks, then writes events. An `order` block marks each change of source, so that the stream can be rebuilt. */
  async #flush(why: 'events' | 'order' | 'end' = 'events'): Promise<void> {
    const pending = this.#stream.drain()
    if (this.#isOver) return
    await this.#watch?.take(pending.calls, this.#source)
    this.#tasks.store(pending)
    if (this.#file === null || this.#broken || (why === 'events' && pending.events.length === 0)) return
    const consumed = { stdout: this.#reader.position, stderr: this.#stderr.consumed, hooks: this.#hooksRead }
    if (why === 'order' && pending.events.length === 0 && isSame(consumed, this.#file.consumed)) return
    try {
      await this.#file.append(pending.events, consumed, why === 'end')
      this.#listener.streamed(this.#file.bytes)
    } catch (error) {
      // Another feed can write the rest.
      this.#broken = true
      this.#listener.problem(
        `${writeFailure(this.#streamPath, error).message} Programs that follow this run receive no further events.`
      )
    }
  }
}

function isSame(one: Consumed, other: Consumed): boolean {
  return one.stdout === other.stdout && one.stderr === other.stderr && one.hooks === other.hooks
}
