import { rm, stat } from 'node:fs/promises'
import type { LiveRun, RunRequest } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { LookAtDisk } from '../disk-space.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { systemCode, writeFailure } from '../write-failure.ts'
import { AgentProcess, type ProcessEnd } from './agent-process.ts'
import { agentPrograms } from './agent-programs.ts'
import type { FeedFacts } from './feed-messages.ts'
import { lastWords, saysDiskFull } from './last-words.ts'
import { RunFeed, type FeedListener } from './run-feed.ts'
import { RunDisks } from './run-disks.ts'
import type { RunFiles } from './run-folder.ts'
import { type ProcessMark, type RunManifest, type RunOwner, writeManifest } from './run-manifest.ts'
import { finalOutcome, runOutcome, type RunEnding } from './run-outcome.ts'

/** How long lies between two notices of a run that comes further, in ms, and how many characters of its prompt a notice carries in a ms. */
const noticeMs = 250
const promptCharactersPerMs = 200
/** How long lies between two writings of what a run has told so far, in ms. */
const keepMs = 2000
/** How often it is asked whether a run has closed its output, in ms. */
const outputMs = 1000
/** What ends closes its output first, and may take a while on a busy machine: so many times one after the other it has to have. */
const closedLooks = 5

/** What a run of this host needs of it. */
export interface OwnRunOptions {
  readonly request: RunRequest
  /** As it is when it begins. */
  readonly run: LiveRun
  readonly files: RunFiles
  readonly owner: RunOwner
  readonly createWorker: CreateWorker
  /** The database of tasks; null: there is none. */
  readonly tasks: string | null
  readonly now: () => number
  /** It is another one than it was. */
  readonly changed: (run: LiveRun) => void
  readonly listener: Omit<FeedListener, 'facts'>
  readonly lookAtDisk?: LookAtDisk | undefined
}

/** What is started. */
export interface OwnRunCommand {
  readonly command: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** A live run that this host started, from its process to the end of its stream. */
export class OwnRun {
  /** The run once nothing of it is left and all that it printed is read. Never rejects. */
  readonly ended: Promise<LiveRun>
  readonly #options: OwnRunOptions
  /** By a clock that nobody sets. */
  readonly #began = performance.now()
  #run: LiveRun
  #process: AgentProcess | null = null
  #mark: ProcessMark | null = null
  #stopped: RunEnding['stopped'] = null
  #settle: (run: LiveRun) => void = () => {}
  #closedLooks = 0
  #lowDisk = ''
  /** What there is to say while it runs. */
  readonly #notes = { output: '', disk: '' }
  readonly #disks: RunDisks
  #timers: NodeJS.Timeout[] = []
  #notice: NodeJS.Timeout | null = null
  #toldAt = -Infinity
  #keeping: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: OwnRunOptions) {
    this.#options = options
    this.#run = options.run
    this.ended = new Promise((resolve) => (this.#settle = resolve))
    this.#disks = new RunDisks({
      recording: options.run.recording,
      folder: options.files.folder,
      look: options.lookAtDisk,
      low: (sentence) => this.#note({ disk: sentence }),
      stop: (reason) => {
        this.#lowDisk = reason
        this.stop('low-disk')
      }
    })
  }

  /** As it is now. */
  get run(): LiveRun {
    return this.isOver ? this.#run : { ...this.#run, elapsedMs: this.#elapsedMs }
  }

  get isOver(): boolean {
    return this.#run.endedAt !== null
  }

  /** Resolves when the manifest says that the run is about to start. Rejects where the folder cannot be written. */
  async announce(): Promise<void> {
    await writeManifest(this.#options.files.manifest, this.#manifest())
    this.#tell()
  }

  /** Starts the process. Resolves when it runs, or has failed to start, which is a state of the run. */
  async start({ command, arguments: words, environment }: OwnRunCommand): Promise<void> {
    const { files, run } = this.#options
    try {
      this.#process = await AgentProcess.start({
        run: run.run,
        command,
        arguments: words,
        cwd: run.cwd,
        environment,
        stdin: files.prompt,
        stdout: run.recording,
        stderr: files.stderr,
        grace: agentPrograms[run.agent].grace
      })
    } catch (error) {
      return await this.fail(
        error instanceof HostError ? error.message : `The agent could not be started: ${String(error)}`
      )
    }
    const { pid, startTime, ended } = this.#process
    this.#mark = { pid, startTime }
    const feed = new RunFeed(
      this.#options.createWorker,
      {
        run: run.run,
        folder: files.folder,
        recording: run.recording,
        format: run.format,
        timeLimitMs: run.timeLimitMs,
        logs: agentPrograms[run.agent].logs(environment),
        tasks: this.#options.tasks,
        shrinks: true
      },
      { ...this.#options.listener, facts: (facts) => this.#take(facts) }
    )
    void ended
      .then(async (end) => await this.#end(end, feed))
      .catch(() => this.#over({ message: 'Playhead lost track of the agent.' }))
    // It may have been asked to end before it began.
    this.#change({ state: this.#stopped === null ? 'running' : 'stopping' })
    await this.#keep()
    if (this.isOver) return
    await this.#disks.watch()
    if (this.#stopped !== null) this.#process.stop()
    if (run.timeLimitMs !== null) this.#timers.push(setTimeout(() => this.stop('time-limit'), run.timeLimitMs))
    this.#timers.push(setInterval(() => this.#lookAtOutput(), outputMs))
  }

  /** There never was a process. */
  async fail(message: string): Promise<void> {
    const { files, run, listener } = this.#options
    const { writeFailedStream } = await import('./failed-stream.ts')
    await writeFailedStream(files.stream, run.format, message).catch((error: unknown) =>
      listener.problem?.(writeFailure(files.stream, error).message)
    )
    await this.#freeReserve()
    this.#change({ state: 'failed', ...this.#endNow(), finishReason: 'error', message })
    await this.#keep()
    this.#settle(this.#run)
  }

  /** Asks it to end, then makes it end. Nothing happens where it has. */
  stop(why: Exclude<RunEnding['stopped'], null>): void {
    if (this.isOver || this.#stopped !== null) return
    this.#stopped = why
    this.#process?.stop()
    if (this.#run.state === 'running') this.#change({ state: 'stopping' })
    this.#keepLater()
  }

  /** As `stop`, but whatever it is asked to do it gets no time for. */
  kill(): void {
    this.stop('by-person')
    this.#process?.kill()
  }

  /** The program's version is known, perhaps only after the run is over. */
  knowVersion(version: string): void {
    this.#change({ version })
    if (this.isOver) void this.#keep()
    else this.#keepLater()
  }

  #lookAtOutput(): void {
    const isClosed = this.#process?.hasClosedOutput === true && this.#run.state === 'running'
    this.#closedLooks = isClosed ? this.#closedLooks + 1 : 0
    const output =
      this.#closedLooks >= closedLooks
        ? 'The agent closed its output but is still running. Stop it if it does not exit.'
        : ''
    this.#note({ output })
  }

  #note(notes: { output?: string; disk?: string }): void {
    if (this.isOver) return
    const { output, disk } = Object.assign(this.#notes, notes)
    const message = [disk, output].filter((sentence) => sentence !== '').join(' ') || null
    if (message !== this.#run.message) this.#change({ message })
  }

  #take(facts: FeedFacts): void {
    if (this.isOver) return
    const { sessionId, stdoutBytes, stderrBytes, tokens, todo, denied } = facts
    this.#change({ sessionId, stdoutBytes, stderrBytes, tokens, todo, denied }, noticeMs)
    this.#keepLater()
  }

  async #end({ exitCode, signal, leftBehind, notSaved }: ProcessEnd, feed: RunFeed): Promise<void> {
    this.#stopTimers()
    const { files, run } = this.#options
    const seen = await this.#disks.end()
    await this.#freeReserve()
    const program = agentPrograms[run.agent]
    const [stdoutBytes, stderrBytes] = await Promise.all([lengthOf(run.recording), lengthOf(files.stderr)])
    const outcome = runOutcome({
      title: program.title,
      stopped: this.#stopped,
      timeLimitMs: run.timeLimitMs,
      exitCode,
      signal,
      stdoutBytes,
      lastWords: await lastWords(files.stderr, program.smallTalk),
      leftBehind,
      lowDisk: this.#lowDisk,
      disk: { ...seen, notSaved, saidFull: await saysDiskFull(files.stderr) }
    })
    // Its end is known now; that all of it is read may take a moment longer.
    const ended = this.#endNow()
    const facts = await feed.end(outcome)
    const { sessionId, tokens, todo, denied } = facts
    await this.#over({
      ...{ ...ended, exitCode, signal, stdoutBytes, stderrBytes, sessionId, tokens, todo, denied },
      ...finalOutcome(outcome, facts)
    })
  }

  #endNow(): Pick<LiveRun, 'endedAt' | 'elapsedMs'> {
    return { endedAt: this.#options.now(), elapsedMs: this.#elapsedMs }
  }

  get #elapsedMs(): number {
    return Math.round(performance.now() - this.#began)
  }

  async #over(facts: Partial<LiveRun>): Promise<void> {
    this.#stopTimers()
    this.#change({ state: 'ended', ...this.#endNow(), finishReason: 'error', ...facts })
    await this.#keep()
    this.#settle(this.#run)
  }

  /** What is written at the end has room also where the disk is full. */
  async #freeReserve(): Promise<void> {
    await rm(this.#options.files.reserve, { force: true }).catch(() => {})
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }

  /** Tells of it at once, or, where `patience` ms are given, not more often than that. */
  #change(facts: Partial<LiveRun>, patience = 0): void {
    this.#run = { ...this.#run, ...facts }
    if (patience === 0) return this.#tell()
    const interval = Math.max(patience, this.#run.prompt.length / promptCharactersPerMs)
    this.#notice ??= setTimeout(() => this.#tell(), Math.max(0, this.#toldAt + interval - performance.now()))
  }

  #tell(): void {
    if (this.#notice !== null) clearTimeout(this.#notice)
    this.#notice = null
    this.#toldAt = performance.now()
    this.#options.changed(this.run)
  }

  #keepLater(): void {
    this.#keeping ??= setTimeout(() => void this.#keep(), keepMs)
  }

  /** Writes what is known now. A disk that is full does not end a run. */
  async #keep(): Promise<void> {
    if (this.#keeping !== null) clearTimeout(this.#keeping)
    this.#keeping = null
    this.#writing = this.#writing
      .then(async () => await writeManifest(this.#options.files.manifest, this.#manifest()))
      .catch((error: unknown) => {
        const isRemoved = this.isOver && systemCode(error) === 'ENOENT'
        const { listener, files } = this.#options
        if (!isRemoved) listener.problem?.(writeFailure(files.manifest, error).message)
      })
    await this.#writing
  }

  #manifest(): RunManifest {
    const { own: _own, prompt: _prompt, ...run } = this.run
    return { manifest: 1, ...run, owner: this.#options.owner, process: this.#mark }
  }
}

async function lengthOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0
  )
}
