import { statSync } from 'node:fs'
import { rm, stat, writeFile } from 'node:fs/promises'
import { defaultDialogueLimits, type LiveRun, type RunRequest } from '#contract/live-runs.ts'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { LookAtDisk } from '../disk-space.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import type { AgentProtocol } from '#core/dialogue/agent-protocol.ts'
import type { AgentDialogue } from '#core/formats/agent-program.ts'
import { systemCode, writeFailure } from '../write-failure.ts'
import { AgentProcess, type ProcessEnd } from './agent-process.ts'
import { formatById } from '#core/formats/registry.ts'
import { SessionLogFile } from './session-log-file.ts'
import { agentPrograms } from '#core/formats/agent-programs.ts'
import { logsFolder } from './live-notes.ts'
import { DialogueHost } from './dialogue-host.ts'
import type { FeedFacts, FeedOutcome } from './feed-messages.ts'
import { addHostNotes } from './host-notes.ts'
import { diskFullWords, stderrSays, stderrTail } from './stderr-tail.ts'
import { RunFeed, type FeedListener } from './run-feed.ts'
import { RunChanges } from './run-changes.ts'
import { RunDisks } from './run-disks.ts'
import { openFailure } from './recording-files.ts'
import { printedOf } from './recording-of.ts'
import type { RunFiles } from './run-folder.ts'
import { type ProcessIdentity, type RunManifest, type RunOwner, writeManifest } from './run-manifest.ts'
import { finalOutcome, runOutcome, type RunEnding } from './run-outcome.ts'
import { tooOldProblem, tooOldText } from './too-old.ts'

/** Minimum time between progress notices, and the characters of the prompt that a notice may carry per ms. */
const noticeMs = 250
const promptCharactersPerMs = 200
/** Delay of writes of the manifest. */
const saveDelayMs = 2000
const outputPollMs = 1000
/** stdout closes before exit; warn only after this many polls in a row. */
const closedPollsToWarn = 5

/** How the agent of an interactive run is spoken to. */
export interface OwnRunDialogue {
  readonly agent: AgentDialogue
  readonly protocol: AgentProtocol
  readonly mode: string
}

export interface OwnRunOptions {
  readonly request: RunRequest
  /** The initial state. */
  readonly run: LiveRun
  readonly files: RunFiles
  readonly owner: RunOwner
  readonly createWorker: CreateWorker
  /** The task database; null: none. */
  readonly tasks: string | null
  readonly now: () => number
  /** Called after each change. */
  readonly changed: (run: LiveRun) => void
  readonly listener: Omit<FeedListener, 'facts'>
  readonly lookAtDisk?: LookAtDisk | undefined
  /** Null: the run is not interactive. */
  readonly dialogue: OwnRunDialogue | null
}

export interface OwnRunCommand {
  readonly command: string
  readonly arguments: readonly string[]
  readonly environment: Readonly<Record<string, string>>
}

/** A live run of this host, from the process to the end of its stream. */
export class OwnRun {
  /** Resolves when no process is left and all output is read. Never rejects. */
  readonly ended: Promise<LiveRun>
  readonly #options: OwnRunOptions
  /** Monotonic. */
  readonly #began = performance.now()
  #run: LiveRun
  #process: AgentProcess | null = null
  #dialogue: DialogueHost | null = null
  #changes: RunChanges | null = null
  /** The dialogue had the process ended. */
  #isEndedByDialogue = false
  #identity: ProcessIdentity | null = null
  #stopped: RunEnding['stopped'] = null
  #resolveEnded: (run: LiveRun) => void = () => {}
  #closedPolls = 0
  #lowDisk = ''
  /** Its version cannot be talked to: sentences. */
  #tooOld: string | null = null
  /** Messages while it runs. */
  readonly #notes = { output: '', disk: '' }
  readonly #disks: RunDisks
  #timers: NodeJS.Timeout[] = []
  #notice: NodeJS.Timeout | null = null
  #notifiedAt = -Infinity
  #saveTimer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(options: OwnRunOptions) {
    this.#options = options
    this.#run = options.run
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve))
    this.#disks = new RunDisks({
      recording: options.run.recording,
      folder: options.files.folder,
      look: options.lookAtDisk,
      low: (sentence) => this.#note({ disk: sentence }),
      scarce: (sentence) => this.#dialogue?.pause(sentence),
      stop: (reason) => {
        this.#lowDisk = reason
        this.stop('low-disk')
      }
    })
  }

  get run(): LiveRun {
    return this.isOver ? this.#run : { ...this.#run, elapsedMs: this.#elapsedMs }
  }

  get isOver(): boolean {
    return this.#run.endedAt !== null
  }

  /** Resolves when the first manifest is written. Rejects if the folder is not writable. */
  async announce(): Promise<void> {
    await writeManifest(this.#options.files.manifest, this.#manifest())
    this.#notify()
  }

  /** Starts the process. Resolves when it runs or failed to start, which is a state of the run. */
  async start({ command, arguments: words, environment }: OwnRunCommand): Promise<void> {
    const { files, run } = this.#options
    // Before the agent can change anything.
    if (run.keepsChanges === true) this.#changes = await RunChanges.begin(run.cwd, files.folder, this.#options.now)
    const printed = printedOf(run, files)
    const copy = printed === run.recording ? null : run.recording
    let isCreated = false
    try {
      if (copy !== null) await createCopy(copy)
      isCreated = true
      this.#dialogue = this.#hostedDialogue(environment)
      this.#process = await AgentProcess.start({
        run: run.run,
        command,
        arguments: words,
        cwd: run.cwd,
        environment,
        stdin: this.#dialogue === null ? files.prompt : null,
        stdout: printed,
        stderr: files.stderr,
        grace: agentPrograms[run.agent].grace
      })
    } catch (error) {
      this.#dialogue?.discard()
      if (copy !== null && isCreated) await rm(copy, { force: true })
      return await this.fail(
        error instanceof HostError ? error.message : `The agent could not be started: ${messageOf(error)}`
      )
    }
    const { pid, startTime, ended } = this.#process
    this.#identity = { pid, startTime }
    const feed = new RunFeed(
      this.#options.createWorker,
      {
        run: run.run,
        folder: files.folder,
        recording: run.recording,
        format: run.format,
        timeLimitMs: toolLimitOf(run),
        interactive: this.#dialogue !== null,
        logs: logsFolder(run.agent, environment),
        tasks: this.#options.tasks,
        shrinks: true
      },
      { ...this.#options.listener, facts: (facts) => this.#onFacts(facts) }
    )
    void ended
      .then(async (end) => await this.#end(end, feed))
      .catch(() => this.#over({ message: 'Playhead lost track of the agent.' }))
    // `stop` may have been called before the start.
    this.#change({ state: this.#stopped === null ? 'running' : 'stopping' })
    if (this.#stopped === null) this.#dialogue?.begin(this.#process)
    await this.#save()
    if (this.isOver) return
    await this.#disks.watch()
    if (this.#stopped !== null) this.#process.stop()
    // The state machine of an interactive run has its own clock, which stands while somebody is asked.
    if (run.timeLimitMs !== null && this.#dialogue === null)
      this.#timers.push(setTimeout(() => this.stop('time-limit'), run.timeLimitMs))
    this.#timers.push(setInterval(() => this.#pollOutput(), outputPollMs))
  }

  /** Ends a run whose process never started. */
  async fail(message: string): Promise<void> {
    const { files, run, listener } = this.#options
    const { writeFailedStream } = await import('./failed-stream.ts')
    await writeFailedStream(files.stream, run.format, message).catch((error: unknown) =>
      listener.problem?.(writeFailure(files.stream, error).message)
    )
    await this.#freeReserve()
    const dialogue = this.#run.dialogue && { ...this.#run.dialogue, turn: 'ended' as const }
    this.#change({ state: 'failed', ...this.#endNow(), finishReason: 'error', message, dialogue })
    await this.#save()
    this.#resolveEnded(this.#run)
  }

  /** Stops the process with the agent's waits. Ignored after the end. */
  stop(why: Exclude<RunEnding['stopped'], null>): void {
    if (this.isOver || this.#stopped !== null) return
    this.#stopped = why
    // Before the agent hears it, and ends its calls.
    if (why === 'time-limit') this.#noteTimeUp()
    if (this.#dialogue === null || why === 'low-disk' || why === 'not-reading') this.#process?.stop()
    else this.#dialogue.stop()
    if (this.#run.state === 'running') this.#change({ state: 'stopping' })
    this.#saveSoon()
  }

  #noteTimeUp(): void {
    const { files, run, listener } = this.#options
    try {
      addHostNotes(files.hooks, statSync(run.recording, { throwIfNoEntry: false })?.size ?? 0, [{ kind: 'time-up' }])
    } catch (error) {
      listener.problem?.(writeFailure(files.hooks, error).message)
    }
  }

  /** The dialogue of an interactive run. Throws 'unavailable'. */
  get dialogue(): DialogueHost {
    if (this.isOver) throw new HostError('unavailable', 'This run is over.')
    if (this.#options.dialogue === null)
      throw new HostError('unavailable', 'This run is not interactive: its agent gets no more input.')
    if (this.#dialogue === null) throw new HostError('unavailable', 'The agent is starting. Try again in a moment.')
    return this.#dialogue
  }

  #hostedDialogue(environment: NodeJS.ProcessEnv): DialogueHost | null {
    const { dialogue, request, run, files, now, listener } = this.#options
    if (dialogue === null) return null
    const sessionLog = formatById(run.format)?.sessionLog
    const logs = logsFolder(run.agent, environment)
    return new DialogueHost({
      ...dialogue,
      prompt: request.prompt,
      mayBecomeDangerous: request.mayBecomeDangerous === true,
      limits: request.limits ?? defaultDialogueLimits,
      timeLimitMs: run.timeLimitMs,
      files,
      printed: printedOf(run, files),
      ownLog: sessionLog === undefined || logs === null ? null : new SessionLogFile(sessionLog, logs),
      now,
      changed: () => this.#onDialogue(),
      endProcess: () => {
        if (this.#dialogue?.facts.failedBy === 'run-limit') this.#stopped ??= 'time-limit'
        this.#isEndedByDialogue = true
        this.#process?.stop()
      },
      cannotNote: (why) => {
        this.#lowDisk = why
        this.stop('low-disk')
      },
      doesNotRead: () => this.stop('not-reading'),
      problem: (message) => listener.problem?.(message)
    })
  }

  #onDialogue(): void {
    if (this.#dialogue === null || this.isOver) return
    const { limits, state: dialogue } = this.#dialogue
    const before = this.#run.dialogue
    if (before?.turn !== 'idle' && dialogue.turn === 'idle') void this.#changes?.take()
    const isEnding = dialogue.turn === 'stopping' && this.#run.state === 'running'
    const isNews =
      before?.turn !== dialogue.turn || before.asks.length !== dialogue.asks.length || before.notice !== dialogue.notice
    const facts = { dialogue, limits, ...(isEnding ? { state: 'stopping' as const } : {}) }
    this.#change(facts, isNews ? 0 : noticeMs)
    // Other hosts list asks.
    if (isNews) void this.#save()
    else this.#saveSoon()
  }

  /** Kills at once. */
  kill(): void {
    this.stop('by-person')
    this.#process?.kill()
  }

  /** The program's version, which may arrive after the end. */
  setVersion(version: string): void {
    this.#change({ version })
    if (this.#options.dialogue !== null && !this.isOver && this.#stopped === null) {
      this.#tooOld = tooOldProblem(agentPrograms[this.#run.agent], version)
      // It would be talked to in vain, or leave no rows.
      if (this.#tooOld !== null) this.#process?.stop()
    }
    if (this.isOver) void this.#save()
    else this.#saveSoon()
  }

  #pollOutput(): void {
    const isClosed = this.#process?.hasClosedOutput === true && this.#run.state === 'running'
    this.#closedPolls = isClosed ? this.#closedPolls + 1 : 0
    const output =
      this.#closedPolls >= closedPollsToWarn
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

  #onFacts(facts: FeedFacts): void {
    if (this.isOver) return
    const { stdoutBytes, stderrBytes, tokens, todo, denied } = facts
    const sessionId = facts.sessionId ?? this.#dialogue?.facts.session ?? null
    this.#change({ sessionId, stdoutBytes, stderrBytes, tokens, todo, denied }, noticeMs)
    this.#saveSoon()
  }

  async #end({ exitCode, signal, leftBehind, notSaved }: ProcessEnd, feed: RunFeed): Promise<void> {
    this.#stopTimers()
    feed.agentEnded()
    await this.#dialogue?.end()
    await this.#changes?.take(this.#dialogue !== null)
    const { files, run } = this.#options
    const seen = await this.#disks.end()
    await this.#freeReserve()
    const program = agentPrograms[run.agent]
    const [printedBytes, stderrBytes] = await Promise.all([lengthOf(printedOf(run, files)), lengthOf(files.stderr)])
    const outcome = runOutcome({
      title: program.title,
      stopped: this.#stopped,
      timeLimitMs: run.timeLimitMs,
      exitCode,
      signal,
      stdoutBytes: printedBytes,
      stderrTail: await stderrTail(files.stderr, program.ignoredStderrLines),
      lacksSession:
        run.resumes !== null && exitCode !== 0 && (await stderrSays(files.stderr, program.sessions.unknown)),
      leftBehind,
      tooOld: this.#tooOld ?? (await this.#saysTooOld()) ?? undefined,
      lowDisk: this.#lowDisk,
      dialogue: this.#dialogue && { ...this.#dialogue.facts, wasEnded: this.#isEndedByDialogue },
      disk: { ...seen, notSaved, saidFull: await stderrSays(files.stderr, diskFullWords) }
    })
    // The end is now; reading the rest may take longer.
    const ended = this.#endNow()
    const facts = await feed.end(outcome)
    const { tokens, todo, denied } = facts
    const sessionId = facts.sessionId ?? this.#dialogue?.facts.session ?? null
    const stdoutBytes = await lengthOf(run.recording)
    await this.#over({
      ...{ ...ended, exitCode, signal, stdoutBytes, stderrBytes, sessionId, tokens, todo, denied },
      ...this.#final(outcome, facts, printedBytes > 0 && stdoutBytes === 0 && facts.uncopied === null)
    })
  }

  /** What an agent says that does not know how it was started or spoken to. Null: nothing of the kind. */
  async #saysTooOld(): Promise<string | null> {
    const { files, run } = this.#options
    const program = agentPrograms[run.agent]
    const { failure = null, failedBy = null } = this.#dialogue?.facts ?? {}
    if (failedBy !== 'handshake') return null
    const { tooOld } = program.dialogue
    const isSaid = tooOld.test(failure ?? '') || (await stderrSays(files.stderr, tooOld))
    return isSaid ? tooOldText(program, this.#run.version) : null
  }

  /** `isMissing`: the agent's own log was not found. */
  #final(outcome: FeedOutcome, facts: FeedFacts, isMissing: boolean): ReturnType<typeof finalOutcome> {
    const final = finalOutcome(outcome, facts)
    if (!isMissing) return final
    const missing = `The agent's own log of this session was not found, so no rows are shown. What it printed is in ${printedOf(this.#run, this.#options.files)}.`
    return { ...final, message: [final.message, missing].filter((sentence) => sentence !== null).join(' ') }
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
    await this.#save()
    this.#resolveEnded(this.#run)
  }

  /** Frees space for the final writes, even on a full disk. */
  async #freeReserve(): Promise<void> {
    await rm(this.#options.files.reserve, { force: true }).catch(() => {})
  }

  #stopTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }

  /** Applies a change and reports it: at once, or at most every `intervalMs`. */
  #change(facts: Partial<LiveRun>, intervalMs = 0): void {
    this.#run = { ...this.#run, ...facts }
    if (intervalMs === 0) return this.#notify()
    const interval = Math.max(intervalMs, this.#run.prompt.length / promptCharactersPerMs)
    this.#notice ??= setTimeout(() => this.#notify(), Math.max(0, this.#notifiedAt + interval - performance.now()))
  }

  #notify(): void {
    if (this.#notice !== null) clearTimeout(this.#notice)
    this.#notice = null
    this.#notifiedAt = performance.now()
    this.#options.changed(this.run)
  }

  #saveSoon(): void {
    this.#saveTimer ??= setTimeout(() => void this.#save(), saveDelayMs)
  }

  /** Writes the manifest. A full disk does not end the run. */
  async #save(): Promise<void> {
    if (this.#saveTimer !== null) clearTimeout(this.#saveTimer)
    this.#saveTimer = null
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
    return { manifest: 1, ...run, owner: this.#options.owner, process: this.#identity }
  }
}

/** Creates the recording that is a copy of the agent's own log, empty. Throws a `HostError`. */
async function createCopy(recording: string): Promise<void> {
  await writeFile(recording, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw openFailure(recording, error)
  })
}

/** A tool that takes longer is reported. */
export function toolLimitOf({ timeLimitMs, limits }: Pick<RunRequest, 'timeLimitMs' | 'limits'>): number | null {
  return limits?.toolMs ?? timeLimitMs
}

async function lengthOf(file: string): Promise<number> {
  return await stat(file).then(
    ({ size }) => size,
    () => 0
  )
}
