import { constants, existsSync } from 'node:fs'
import { access, mkdtemp, open, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LiveRun, promptProblem, type RunRequest } from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Notice, NoticeName, Params, Result } from '#contract/methods.ts'
import type { LookAtDisk } from '../disk-space.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { isDiskFull, stateWriteFailure } from '../write-failure.ts'
import { makeFolder } from '../make-folder.ts'
import { agentPrograms, dangersOf, reservedIn } from './agent-programs.ts'
import { Agents } from './agents.ts'
import { lacksSecret, withoutSecrets } from './command-line.ts'
import { asOthersSee, type KeptRun, KeptRuns, maxRuns } from './kept-runs.ts'
import { recoverRun } from './lost-run.ts'
import { OwnRun, type OwnRunCommand } from './own-run.ts'
import { processStart } from './process-start.ts'
import { GrowingFile } from './growing-file.ts'
import { RunArchive, type RunFolder } from './run-archive.ts'
import { RemadeStreams } from './remade-streams.ts'
import { checkDisks } from './run-disks.ts'
import type { FeedListener } from './run-feed.ts'
import { createRunFiles, newRunId, runFiles, type RunFiles, runsFolder } from './run-folder.ts'
import type { RunManifest, RunOwner } from './run-manifest.ts'
import { checkFolder } from './start-failure.ts'

export interface LiveRunsOptions {
  /** The state folder, which several hosts may share. */
  readonly state: string
  readonly createWorker: CreateWorker
  /** A command line for `sh` that takes Claude's tool results, `playhead hook`; null: there is none. */
  readonly hook: string | null
  /** The database of tasks; null: there is none. */
  readonly tasks: string | null
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** What does not work, a sentence for whoever watches over the host. */
  readonly problem?: (message: string) => void
  readonly variables?: NodeJS.ProcessEnv
  readonly now?: () => number
  /** How much room a disk has; absent: what its system says. */
  readonly lookAtDisk?: LookAtDisk
  /** How often other hosts' runs are looked at, in ms. */
  readonly lookEveryMs?: number
}

/** How a run is to be started, beside what a person asks for. */
export interface StartOptions {
  /** The person agreed to what is dangerous in the request. */
  readonly confirmed: boolean
  /** The person agreed to start though there is little room for the recording. */
  readonly lowDisk?: boolean
  /** Where the recording goes; absent: into the folder of the run. Nothing may be there. */
  readonly recording?: string
}

/** A stream of server-sent events as it is being written. */
export interface RunStream {
  /** Where it is written while the run goes on. */
  readonly file: string
  /** Its bytes: of a run that is over mostly made anew. To be closed. */
  open(): GrowingFile
  /** This host writes it: `onStreamed` tells how far it is. Another host's has to be looked at. */
  readonly own: boolean
  /** It is written to its end, `done`, unless its last feed failed. */
  readonly isOver: boolean
}

const lookEveryMs = 2000
/** An agent gets its grace times first, and then what it leaves behind. */
const closingMs = 20_000

/** The live runs of this host, and what is known of those of others that share its state folder. */
export class LiveRuns {
  readonly agents: Agents
  readonly #options: LiveRunsOptions
  readonly #kept: KeptRuns
  readonly #archive: RunArchive
  readonly #own = new Map<string, { readonly run: OwnRun; readonly files: RunFiles }>()
  readonly #streams: RemadeStreams
  /** Threads that shrink the stream of a run that is over. */
  readonly #leaving = new Set<Promise<void>>()
  readonly #streamed = new Map<string, Set<(bytes: number) => void>>()
  readonly #recovering = new Map<string, Promise<void>>()
  /** Others' runs as they were told last. */
  readonly #told = new Map<string, { readonly manifest: RunManifest; readonly text: string }>()
  #hasLooked = false
  /** Folders of runs that could not be kept in the state folder. */
  readonly #temporary: string[] = []
  readonly #starting = new Set<Promise<unknown>>()
  readonly #owner: RunOwner = { pid: process.pid, startTime: processStart(process.pid), host: hostname() }
  #looking: NodeJS.Timeout | null = null
  #closed = false

  constructor(options: LiveRunsOptions) {
    this.#options = options
    this.#streams = new RemadeStreams(options.createWorker)
    this.#kept = new KeptRuns(options.state, (message) => options.problem?.(message))
    this.#archive = new RunArchive(options.state)
    this.agents = new Agents({ state: options.state, variables: options.variables ?? process.env })
  }

  /** Brings lost runs to their end, and tells from now on what becomes of other hosts' runs. */
  watch(): void {
    if (this.#looking !== null || this.#closed) return
    const look = async (): Promise<void> => {
      await this.#lookAtOthers().catch((error: unknown) =>
        this.#options.problem?.(`Other runs cannot be listed: ${String(error)}`)
      )
      if (this.#closed) return
      this.#looking = setTimeout(() => void look(), this.#options.lookEveryMs ?? lookEveryMs)
      this.#looking.unref()
    }
    this.#looking = setTimeout(() => void look())
    void this.#archive.finishRemovals()
  }

  /**
   * Starts an agent. Resolves once its process runs, or has failed to start (`state`). Throws 'not-confirmed', 'low-disk', or 'bad-params' with a
   * message for people, as the contract says; 'unavailable' where the state folder cannot be written.
   */
  async start(request: RunRequest, options: StartOptions): Promise<LiveRun> {
    if (this.#closed) throw new HostError('closed', 'Playhead is closing.')
    const started = this.#start(request, options)
    this.#starting.add(started)
    return await started.finally(() => this.#starting.delete(started))
  }

  /** The latest first: `count` of them (200), older than the run `before`. */
  async list({ before, count = maxRuns }: Params<'run.list'> = {}): Promise<LiveRun[]> {
    const ids = [...new Set([...this.#own.keys(), ...(await this.#kept.ids())])].sort().reverse()
    const runs: LiveRun[] = []
    for (const run of before === undefined ? ids : ids.filter((id) => id < before)) {
      if (runs.length === count) break
      const known = this.#own.get(run)?.run.run ?? (await this.#other(run))
      if (known !== null) runs.push(known)
    }
    return runs
  }

  /** As the method `run.list`. */
  async page(page: Params<'run.list'>): Promise<Result<'run.list'>> {
    const runs = await this.list(page)
    const folders = await this.#archive.folders()
    const sizes = new Map(folders.map(({ run, bytes }) => [run, bytes]))
    const isReadable = ({ run, manifest }: RunFolder): boolean => manifest !== null || this.#own.has(run)
    return {
      runs,
      sizes: runs.map(({ run }) => sizes.get(run) ?? 0),
      total: folders.filter(isReadable).length,
      bytes: bytesOf(folders),
      unreadable: folders.filter((folder) => !isReadable(folder)).map(({ run, bytes }) => ({ run, bytes }))
    }
  }

  /** As the method `run.removable`. */
  async removable(prune: Params<'run.removable'>): Promise<Result<'run.removable'>> {
    const { runs, spared } = await this.#archive.plan(prune)
    return { runs: runs.map(({ run }) => run), bytes: bytesOf(runs), spared: [...spared] }
  }

  /** How many runs of this host are not over. */
  get working(): number {
    return [...this.#own.values()].filter(({ run }) => !run.isOver).length
  }

  /** Asks it to end, then makes it end. Throws 'not-found', and 'unavailable' where another host would have to do it. */
  async stop(run: string): Promise<LiveRun> {
    const own = this.#own.get(run)?.run
    if (own === undefined) {
      const other = await this.#found(run)
      if (other.endedAt !== null || other.state === 'lost') return other
      throw new HostError('unavailable', 'Another Playhead started this run. Stop it there.')
    }
    own.stop('by-person')
    return own.run
  }

  /** Ends it without giving it time, also where it was asked to end before. Nothing happens with one that is not of this host, or is over. */
  kill(run: string): void {
    this.#own.get(run)?.run.kill()
  }

  /** Resolves with the run once nothing of it is left and all of it is read. Throws 'not-found' for one that is not of this host. */
  async ended(run: string): Promise<LiveRun> {
    const own = this.#own.get(run)?.run
    if (own === undefined) throw new HostError('not-found', 'This Playhead did not start this run.')
    return await own.ended
  }

  async stderr(run: string, from: number, count: number): Promise<Result<'run.stderr'>> {
    const files = await this.#files(run)
    try {
      const file = await open(files.stderr, 'r')
      try {
        const { size } = await file.stat()
        const bytes = new Uint8Array(Math.max(0, Math.min(count, size - from)))
        const { bytesRead } = bytes.length === 0 ? { bytesRead: 0 } : await file.read(bytes, 0, bytes.length, from)
        return { from, length: size, bytes: bytes.buffer.slice(0, bytesRead) }
      } finally {
        await file.close()
      }
    } catch {
      // It has not begun, or never did.
      return { from, length: 0, bytes: new ArrayBuffer(0) }
    }
  }

  /** As the method `run.remove`. */
  async remove(runs: readonly string[], named = true): Promise<Result<'run.remove'>> {
    const { removed, spared } = await this.#archive.remove(runs, { named, removed: ({ run }) => this.#forget(run) })
    return { removed: removed.map(({ run }) => run), bytes: bytesOf(removed), spared }
  }

  /** Where the events of a run stand. Throws 'not-found'. */
  async stream(run: string): Promise<RunStream> {
    const own = this.#own.get(run)
    if (own !== undefined) return this.#streamOf(run, own.files, true, own.run.isOver)
    const { manifest, files } = await this.#keptRun(run)
    return this.#streamOf(run, files, false, manifest.endedAt !== null)
  }

  #streamOf(run: string, files: RunFiles, own: boolean, isOver: boolean): RunStream {
    const open = (): GrowingFile => new GrowingFile(async () => await this.#streams.open(run, files))
    return { file: files.stream, open, own, isOver }
  }

  /** Calls `listener` with the length of a run's stream whenever more is written, until what is returned is called. */
  onStreamed(run: string, listener: (bytes: number) => void): () => void {
    const listeners = this.#streamed.get(run) ?? new Set()
    this.#streamed.set(run, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#streamed.delete(run)
    }
  }

  /** Stops what runs, and waits until nothing of it is left; after a while at all events, since the watchdogs see to the rest. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#looking !== null) clearTimeout(this.#looking)
    this.agents.close()
    let waiting: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => (waiting = setTimeout(resolve, closingMs)))
    await Promise.race([this.#stopAll(), late])
    clearTimeout(waiting)
    this.#streams.close()
    for (const folder of this.#temporary) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }

  async #stopAll(): Promise<void> {
    const stop = (): void => this.#own.forEach(({ run }) => run.stop('closing'))
    stop()
    await Promise.allSettled(this.#starting)
    stop()
    // Also of one that has ended just now: its end is still being written down.
    await Promise.all([...this.#own.values()].map(({ run }) => run.ended))
    await Promise.allSettled(this.#recovering.values())
    await Promise.all(this.#leaving)
  }

  async #start(request: RunRequest, { confirmed, lowDisk, recording }: StartOptions): Promise<LiveRun> {
    await checkRequest(request)
    const dangers = dangersOf(request)
    if (dangers.length > 0 && !confirmed) {
      const message = `${agentPrograms[request.agent].title} could do anything without asking, because of ${dangers.join(' and ')}.`
      throw new HostError('not-confirmed', message)
    }
    if (!lowDisk) await this.#checkRoom(recording)
    const { title, format } = agentPrograms[request.agent]
    const agent = await this.agents.find(request.agent)
    const startedAt = this.#now()
    const run = newRunId(startedAt)
    const { files, isKept } = await this.#newFiles(run, request.prompt, recording !== undefined)
    const command = this.#command(request, agent.command ?? agent.program, files)
    const own = new OwnRun({
      request,
      run: {
        ...request,
        run,
        extraArguments: withoutSecrets(request.extraArguments),
        version: null,
        commandLine: withoutSecrets([command.command, ...command.arguments]),
        state: 'starting',
        own: true,
        startedAt,
        endedAt: null,
        elapsedMs: null,
        finishReason: null,
        exitCode: null,
        signal: null,
        unfinished: false,
        denied: null,
        message: null,
        incomplete: null,
        recording: recording ?? files.stdout,
        format,
        sessionId: null,
        stdoutBytes: 0,
        stderrBytes: 0,
        tokens: null,
        todo: null
      },
      files,
      owner: this.#owner,
      createWorker: this.#options.createWorker,
      tasks: isKept ? this.#options.tasks : null,
      now: () => this.#now(),
      changed: (changed) => this.#options.notify('run.changed', changed),
      listener: this.#listener(run),
      lookAtDisk: this.#options.lookAtDisk
    })
    this.#own.set(run, { run: own, files })
    this.#forgetOldest()
    await own.announce().catch(async (error: unknown) => {
      this.#own.delete(run)
      await rm(files.folder, { recursive: true, force: true }).catch(() => {})
      throw this.#cannotRecord(error)
    })
    if (agent.command === null) {
      await own.fail(agent.problem ?? `${title} is not installed.`)
      return own.run
    }
    void this.agents.version(agent).then((version) => version !== null && own.knowVersion(version))
    await own.start(command)
    return own.run
  }

  /**
   * Where the recording goes elsewhere, a run needs no folder that is kept: without one that can be written, its files lie in a temporary folder until
   * Playhead is closed.
   */
  async #newFiles(
    run: string,
    prompt: string,
    isRecordedElsewhere: boolean
  ): Promise<{ files: RunFiles; isKept: boolean }> {
    try {
      return { files: await createRunFiles(this.#options.state, run, prompt), isKept: true }
    } catch (error) {
      if (!isRecordedElsewhere || isDiskFull(error)) throw this.#cannotRecord(error)
      const { message } = stateWriteFailure(this.#options.state, this.#options.state, error)
      this.#options.problem?.(
        `Only the recording of this run is kept. It is not listed, and its prompt, standard error and tasks are not kept. ${message}`
      )
      const folder = await mkdtemp(join(tmpdir(), 'playhead-run-'))
      this.#temporary.push(folder)
      return { files: await createRunFiles(folder, run, prompt), isKept: false }
    }
  }

  /** Throws 'low-disk' where the person has to agree first. */
  async #checkRoom(recording: string | undefined): Promise<void> {
    const runs = runsFolder(this.#options.state)
    // A disk that is read-only mostly has no room either: that nobody can write there is what helps to know.
    const isThere = await canWriteIn(runs).then(
      () => true,
      (error: unknown) => {
        if (recording === undefined || isDiskFull(error)) throw this.#cannotRecord(error)
        return false
      }
    )
    const folder = isThere ? runs : tmpdir()
    await checkDisks(recording ?? join(runs, 'stdout.jsonl'), folder, this.#options.lookAtDisk)
  }

  #cannotRecord(error: unknown): HostError {
    const { message } = stateWriteFailure(this.#options.state, this.#options.state, error)
    return new HostError('unavailable', `The run cannot be recorded: ${message}`, { cause: error })
  }

  /** What is over and no longer listed is known from its folder. */
  #forgetOldest(): void {
    const over = [...this.#own].filter(([, { run }]) => run.isOver)
    for (const [id] of over.slice(0, Math.max(0, this.#own.size - maxRuns))) this.#own.delete(id)
  }

  #command(request: RunRequest, command: string, files: RunFiles): OwnRunCommand {
    const program = agentPrograms[request.agent]
    const variables = this.agents.environment(command)
    const setting = { hook: this.#options.hook, isRoot: process.getuid?.() === 0, variables }
    const environment = {
      ...variables,
      // Of the app, and of an agent that Playhead itself was started by.
      ELECTRON_RUN_AS_NODE: undefined,
      PLAYHEAD_HOOKS: setting.hook === null ? undefined : files.hooks,
      PWD: request.cwd,
      ...program.environment(request, setting)
    }
    const set = Object.entries(environment).filter((pair): pair is [string, string] => pair[1] !== undefined)
    return { command, arguments: program.arguments(request, setting), environment: Object.fromEntries(set) }
  }

  #listener(run: string): FeedListener {
    const { notify, problem } = this.#options
    return {
      facts: () => {},
      tasks: (session) => notify('task.changed', { session }),
      result: (session, tool) => notify('tool.reported', { session, tool }),
      streamed: (bytes) => this.#streamed.get(run)?.forEach((listener) => listener(bytes)),
      problem: (message) => problem?.(message),
      leaving: (gone) => void this.#leaving.add(gone.finally(() => this.#leaving.delete(gone)))
    }
  }

  /** Of the latest ones: what is older does not change any more. */
  async #lookAtOthers(): Promise<void> {
    const ids = (await this.#kept.ids()).slice(0, maxRuns)
    const isGone = (run: string): boolean =>
      !ids.includes(run) && !existsSync(runFiles(runsFolder(this.#options.state), run).folder)
    const over = [...this.#own].filter(([, { run }]) => run.isOver).map(([run]) => run)
    for (const run of [...this.#told.keys(), ...over].filter(isGone)) this.#forget(run)
    for (const id of ids) {
      const kept = this.#own.has(id) || this.#closed ? null : await this.#kept.get(id)
      if (kept === null) continue
      const { manifest } = kept
      const before = this.#told.get(id)
      if (manifest.endedAt !== null && before?.manifest === manifest) continue
      if (kept.isLost) this.#recover(id, kept)
      // Those that were over before anybody looked are no news.
      await this.#tellOther(kept, this.#hasLooked || manifest.endedAt === null)
    }
    this.#hasLooked = true
  }

  /** It is not there any more. */
  #forget(run: string): void {
    this.#own.delete(run)
    this.#told.delete(run)
    this.#options.notify('run.removed', { run })
  }

  /** Tells of another host's run if it is another one than it was. */
  async #tellOther(kept: KeptRun, isNews: boolean): Promise<void> {
    const run = await asOthersSee(kept)
    const text = JSON.stringify({ ...run, prompt: '' })
    const before = this.#told.get(run.run)
    this.#told.set(run.run, { manifest: kept.manifest, text })
    if (before?.text !== text && isNews) this.#options.notify('run.changed', run)
  }

  /** A run of another host; one that is lost is brought to its end meanwhile. */
  async #other(run: string): Promise<LiveRun | null> {
    const kept = await this.#kept.get(run)
    if (kept === null) return null
    if (kept.isLost) this.#recover(run, kept)
    return await asOthersSee(kept)
  }

  #recover(run: string, kept: KeptRun): void {
    if (this.#recovering.has(run) || this.#closed) return
    const { createWorker, tasks, problem } = this.#options
    const options = { createWorker, tasks, owner: this.#owner, now: () => this.#now(), listener: this.#listener(run) }
    const recovered = recoverRun(kept, options)
      .then(async (isDone) => {
        const now = isDone ? await this.#kept.get(run) : null
        if (now !== null) await this.#tellOther(now, true)
      })
      .catch((error: unknown) => problem?.(`The lost run ${run} cannot be settled: ${String(error)}`))
      .finally(() => this.#recovering.delete(run))
    this.#recovering.set(run, recovered)
  }

  async #files(run: string): Promise<RunFiles> {
    return this.#own.get(run)?.files ?? (await this.#keptRun(run)).files
  }

  async #found(run: string): Promise<LiveRun> {
    await this.#keptRun(run)
    const other = await this.#other(run)
    if (other === null) throw new HostError('not-found', 'This run no longer exists.')
    return other
  }

  async #keptRun(run: string): Promise<KeptRun> {
    const kept = await this.#kept.get(run)
    if (kept === null) throw new HostError('not-found', 'This run no longer exists.')
    return kept
  }

  #now(): number {
    return (this.#options.now ?? Date.now)()
  }
}

/** Makes the folder where it is not there. Rejects where nothing can be written in it. */
async function canWriteIn(folder: string): Promise<void> {
  await makeFolder(folder)
  await access(folder, constants.W_OK)
}

function bytesOf(folders: readonly RunFolder[]): number {
  return folders.reduce((sum, { bytes }) => sum + bytes, 0)
}

/** Throws 'bad-params' for what no agent could be started with. */
async function checkRequest(request: RunRequest): Promise<void> {
  const { cwd, mode, extraArguments, prompt } = request
  const { title, modes } = agentPrograms[request.agent]
  const bad = (message: string): HostError => new HostError('bad-params', message)
  if (mode !== null && !modes.some(({ id }) => id === mode)) {
    throw bad(`${title} has no mode ${JSON.stringify(mode)}. Its modes are ${modes.map(({ id }) => id).join(', ')}.`)
  }
  const unreadable = promptProblem(prompt)
  if (unreadable !== null) throw bad(unreadable)
  const [reserved] = reservedIn(request)
  if (reserved !== undefined)
    throw bad(`Remove the argument ${reserved}. Playhead sets it to read the output of ${title}.`)
  if (extraArguments.some(lacksSecret)) throw bad('A secret was removed from an argument. Enter it again.')
  const texts = [cwd, ...extraArguments, request.model ?? '']
  if (texts.some((text) => text.includes('\0'))) throw bad('Arguments and paths cannot contain zero bytes.')
  await checkFolder(cwd)
}
