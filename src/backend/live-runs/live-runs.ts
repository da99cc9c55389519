import { open, realpath, rm } from 'node:fs/promises'
import { homedir, hostname } from 'node:os'
import { basename, dirname } from 'node:path'
import {
  type AgentId,
  type LiveRun,
  type OpenAsk,
  type Resumable,
  type Resumed,
  type RunRequest
} from '#contract/live-runs.ts'
import { HostError } from '#contract/host-error.ts'
import type { Notice, NoticeName, Params, Result } from '#contract/methods.ts'
import type { LookAtDisk } from '../disk-space.ts'
import type { CreateWorker } from '../indexer/log-worker.ts'
import { agentPrograms, dangerText } from '#core/formats/agent-programs.ts'
import type { StoreSystem } from '#core/formats/log-store.ts'
import { Agents } from './agents.ts'
import { type KeptRun, KeptRuns, maxRuns } from './kept-runs.ts'
import type { DialogueHost } from './dialogue-host.ts'
import { NewRunFolders } from './new-run-folders.ts'
import { OtherRuns } from './other-runs.ts'
import type { OwnRun } from './own-run.ts'
import { processStart } from './process-start.ts'
import { GrowingFile } from './growing-file.ts'
import { RunArchive, type RunFolder } from './run-archive.ts'
import { RebuiltStreams } from './rebuilt-streams.ts'
import { changesOf } from './run-changes.ts'
import type { FeedListener } from './run-feed.ts'
import { newRunId, type RunFiles } from './run-folder.ts'
import type { RunOwner } from './run-manifest.ts'
import { checkFolder } from './start-failure.ts'

export interface LiveRunsOptions {
  /** May be shared by several hosts. */
  readonly state: string
  readonly createWorker: CreateWorker
  /** The shell command for an agent's tool results, `playhead hook`; null: none. */
  readonly hook: string | null
  /** The task database; null: none. */
  readonly tasks: string | null
  /** Of Playhead; agents that can be talked to are told. */
  readonly version?: string
  readonly notify: <N extends NoticeName>(name: N, payload: Notice<N>) => void
  /** Reports an error, a sentence for the operator of the host. */
  readonly problem?: (message: string) => void
  readonly variables?: NodeJS.ProcessEnv
  /** The user's home folder; absent: the system's. */
  readonly home?: string
  readonly now?: () => number
  /** Replaces the system's disk space, for tests. */
  readonly lookAtDisk?: LookAtDisk
  /** Poll interval for other hosts' runs. */
  readonly lookEveryMs?: number
}

/** Options of a start, beside the request. */
export interface StartOptions {
  /** The user accepted the dangers of the request. */
  readonly confirmed: boolean
  /** The user accepted low disk space. */
  readonly lowDisk?: boolean
  /** Path of the recording, which must not exist; absent: in the run's folder. */
  readonly recording?: string
}

/** A stream of server-sent events. */
export interface RunStream {
  /** The file while the run is active. */
  readonly file: string
  /** Opens the stream, rebuilt for most finished runs. The caller closes it. */
  open(): GrowingFile
  /** This host writes it and calls `onStreamed`; another host's stream must be polled. */
  readonly own: boolean
  /** Complete up to `done`, unless its feed failed. */
  readonly isOver: boolean
}

/** Longer than the agent's waits and those for its descendants. */
const closingMs = 20_000

/** The live runs of this host, and those of other hosts in the same state folder. */
export class LiveRuns {
  readonly agents: Agents
  readonly #options: LiveRunsOptions
  readonly #kept: KeptRuns
  readonly #others: OtherRuns
  readonly #folders: NewRunFolders
  readonly #archive: RunArchive
  readonly #own = new Map<string, { readonly run: OwnRun; readonly files: RunFiles }>()
  readonly #streams: RebuiltStreams
  /** Threads that shrink the streams of finished runs. */
  readonly #shrinking = new Set<Promise<void>>()
  readonly #streamed = new Map<string, Set<(bytes: number) => void>>()
  readonly #starting = new Set<Promise<unknown>>()
  /** The sessions that starting runs go on with. */
  readonly #resuming = new Set<string>()
  readonly #owner: RunOwner = { pid: process.pid, startTime: processStart(process.pid), host: hostname() }
  #closed = false

  constructor(options: LiveRunsOptions) {
    this.#options = options
    this.#streams = new RebuiltStreams(options.createWorker)
    const problem = (message: string): void => options.problem?.(message)
    this.#kept = new KeptRuns(options.state, problem)
    this.#folders = new NewRunFolders(options.state, problem, options.lookAtDisk)
    this.#others = new OtherRuns({
      state: options.state,
      kept: this.#kept,
      createWorker: options.createWorker,
      tasks: options.tasks,
      owner: this.#owner,
      own: this.#own,
      now: () => this.#now(),
      listener: (run) => this.#listener(run),
      changed: (run) => options.notify('run.changed', run),
      removed: (run) => this.#forget(run),
      problem,
      lookEveryMs: options.lookEveryMs
    })
    this.#archive = new RunArchive(options.state)
    this.agents = new Agents({ state: options.state, variables: options.variables ?? process.env, problem })
  }

  /** Recovers lost runs and starts to report changes of other hosts' runs. */
  watch(): void {
    if (this.#others.watch()) void this.#archive.finishRemovals()
  }

  /** Resolves when the process runs or failed to start (`state`). Throws as in the contract. */
  async start(request: RunRequest, options: StartOptions): Promise<LiveRun> {
    if (this.#closed) throw new HostError('closed', 'Playhead is closing.')
    const { agent, resumes } = request
    const session = resumes === null ? null : `${agent} ${resumes.session}`
    if (session !== null && this.#resuming.has(session)) throw busy(agent)
    if (session !== null) this.#resuming.add(session)
    const started = this.#start(request, options)
    this.#starting.add(started)
    return await started.finally(() => {
      this.#starting.delete(started)
      if (session !== null) this.#resuming.delete(session)
    })
  }

  /** Latest first: `count` runs (200) older than the run `before`. */
  async list({ before, count = maxRuns }: Params<'run.list'> = {}): Promise<LiveRun[]> {
    const ids = [...new Set([...this.#own.keys(), ...(await this.#kept.ids())])].sort().reverse()
    const runs: LiveRun[] = []
    for (const run of before === undefined ? ids : ids.filter((id) => id < before)) {
      if (runs.length === count) break
      const known = this.#own.get(run)?.run.run ?? (await this.#others.get(run))
      if (known !== null) runs.push(known)
    }
    return runs
  }

  /** Handles `run.list`. */
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

  /** Handles `run.removable`. */
  async removable(prune: Params<'run.removable'>): Promise<Result<'run.removable'>> {
    const { runs, spared } = await this.#archive.plan(prune)
    return { runs: runs.map(({ run }) => run), bytes: bytesOf(runs), spared: [...spared] }
  }

  /** Handles `run.resumable`. */
  async resumable(path: string): Promise<Resumable> {
    const { resumable } = await import('./resumable.ts')
    const file = await realpath(path).catch(() => path)
    const [listed, own] = await Promise.all([this.list(), this.#runOf(file)])
    const answer = await resumable(file, own === null ? listed : [own, ...listed], this.#system())
    await this.#latestWith(answer.request.agent, answer.request.resumes.session)
    return answer
  }

  /** The run whose folder holds the file; null: none. It may be too old for the list. */
  async #runOf(file: string): Promise<LiveRun | null> {
    const run = basename(dirname(file))
    return this.#own.get(run)?.run.run ?? (await this.#others.get(run))
  }

  /** Number of active runs of this host. */
  get working(): number {
    return [...this.#own.values()].filter(({ run }) => !run.isOver).length
  }

  /** Stops a run. Throws 'not-found', or 'unavailable' for another host's run. */
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

  /** Handles the calls of a person in an interactive run. Throws as in the contract. */
  async talk(run: string, call: (dialogue: DialogueHost) => void): Promise<LiveRun> {
    call(await this.#dialogue(run))
    return this.#own.get(run)?.run.run ?? (await this.#found(run))
  }

  /** Handles `run.ask`. */
  async ask(run: string, ask: string): Promise<OpenAsk> {
    return (await this.#dialogue(run)).ask(ask)
  }

  /** Handles `run.queued`. */
  async queued(run: string, id: string): Promise<string> {
    return (await this.#dialogue(run)).queued(id)
  }

  async #dialogue(run: string): Promise<DialogueHost> {
    const own = this.#own.get(run)?.run
    if (own !== undefined) return own.dialogue
    const other = await this.#found(run)
    if (other.endedAt !== null || other.state === 'lost') throw new HostError('unavailable', 'This run is over.')
    throw new HostError('not-own', 'Another Playhead started this run. Answer and prompt it there.')
  }

  /** Kills a run at once, also after `stop`. Ignores finished runs and those of other hosts. */
  kill(run: string): void {
    this.#own.get(run)?.run.kill()
  }

  /** Resolves when all processes have ended and all output is read. Throws 'not-found' for another host's run. */
  async ended(run: string): Promise<LiveRun> {
    const own = this.#own.get(run)?.run
    if (own === undefined) throw new HostError('not-found', 'This Playhead did not start this run.')
    return await own.ended
  }

  /** Handles `run.changes`. */
  async changes(run: string, turn: number | null): Promise<Result<'run.changes'>> {
    return await changesOf((await this.#files(run)).folder, turn)
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
      // It does not exist yet, or never did.
      return { from, length: 0, bytes: new ArrayBuffer(0) }
    }
  }

  /** Handles `run.remove`. */
  async remove(runs: readonly string[], named = true): Promise<Result<'run.remove'>> {
    const { removed, spared } = await this.#archive.remove(runs, { named, removed: ({ run }) => this.#forget(run) })
    return { removed: removed.map(({ run }) => run), bytes: bytesOf(removed), spared }
  }

  /** The event stream of a run. Throws 'not-found'. */
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

  /** Calls `listener` with the stream's size after each write. Returns a function that unsubscribes. */
  onStreamed(run: string, listener: (bytes: number) => void): () => void {
    const listeners = this.#streamed.get(run) ?? new Set()
    this.#streamed.set(run, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0) this.#streamed.delete(run)
    }
  }

  /** Stops all runs and waits until they have ended, with a timeout: watchdogs end the rest. */
  async close(): Promise<void> {
    this.#closed = true
    this.#others.close()
    this.agents.close()
    let waiting: NodeJS.Timeout | undefined
    const late = new Promise((resolve) => (waiting = setTimeout(resolve, closingMs)))
    await Promise.race([this.#stopAll(), late])
    clearTimeout(waiting)
    this.#streams.close()
    await this.#folders.close()
  }

  async #stopAll(): Promise<void> {
    const stop = (): void => this.#own.forEach(({ run }) => run.stop('closing'))
    stop()
    await Promise.allSettled(this.#starting)
    stop()
    // Also for finished runs, whose end may still be written.
    await Promise.all([...this.#own.values()].map(({ run }) => run.ended))
    await this.#others.settled()
    await Promise.all(this.#shrinking)
  }

  async #start(request: RunRequest, { confirmed, lowDisk, recording }: StartOptions): Promise<LiveRun> {
    // Half of a server's code, and only a start needs it.
    const { checkRequest, commandOf, dialogueOf, firstState } = await import('./prepare-run.ts')
    const { OwnRun } = await import('./own-run.ts')
    await checkRequest(request)
    const danger = dangerText(request)
    if (danger !== null && !confirmed) throw new HostError('not-confirmed', danger)
    const resumes = request.resumes === null ? null : await this.#resumed(request, request.resumes)
    if (!lowDisk) await this.#folders.checkRoom(recording)
    const dialogue = dialogueOf(request, this.#options.version ?? '0')
    const { title, format: printed } = agentPrograms[request.agent]
    const format = dialogue?.agent.format ?? printed
    const agent = await this.agents.find(request.agent)
    const startedAt = this.#now()
    const run = newRunId(startedAt)
    const { files, isKept } = await this.#folders.create(run, request.prompt, recording)
    const program = agent.command ?? agent.program
    const variables = this.agents.environment(program)
    const { hook } = this.#options
    const command = commandOf(request, program, files, { hook, variables })
    const own = new OwnRun({
      request,
      run: firstState(request, { run, resumes, startedAt, format, dialogue, command, hook, files, recording }),
      dialogue,
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
      throw this.#folders.cannotRecord(error)
    })
    if (agent.command === null) {
      await own.fail(agent.problem ?? `${title} is not installed.`)
      return own.run
    }
    void this.agents.version(agent).then((version) => version !== null && own.setVersion(version))
    await own.start(command)
    return own.run
  }

  /** Throws 'not-found', 'busy', or 'bad-params' for another folder than the session's. */
  async #resumed({ agent, cwd, interactive }: RunRequest, { session, run }: Resumed): Promise<Resumed> {
    const { agentSession, checkDamage, checkSessionFolder } = await import('./agent-session.ts')
    const latest = await this.#latestWith(agent, session)
    const kept = await agentSession(agent, session, this.#system())
    const own = kept?.cwd ?? latest?.cwd
    await (own === undefined ? checkFolder(cwd) : checkSessionFolder(own, cwd))
    if (interactive === true && kept !== null) checkDamage(agent, kept.path)
    return { session, run: run ?? latest?.run ?? null }
  }

  /** The latest run of a session. Throws 'busy' if one is active. */
  async #latestWith(agent: AgentId, session: string): Promise<LiveRun | null> {
    const runs = (await this.list()).filter(
      (run) => run.agent === agent && (run.sessionId === session || run.resumes?.session === session)
    )
    if (runs.some(({ endedAt, state }) => endedAt === null && state !== 'lost')) throw busy(agent)
    return runs.find(({ sessionId }) => sessionId === session) ?? null
  }

  /** The machine as an agent sees it. */
  #system(): StoreSystem {
    const { variables = process.env, home = homedir() } = this.#options
    return { home, platform: process.platform, variables }
  }

  /** Finished runs beyond the list are read from their folders. */
  #forgetOldest(): void {
    const over = [...this.#own].filter(([, { run }]) => run.isOver)
    for (const [id] of over.slice(0, Math.max(0, this.#own.size - maxRuns))) this.#own.delete(id)
  }

  #listener(run: string): FeedListener {
    const { notify, problem } = this.#options
    return {
      facts: () => {},
      tasks: (session) => notify('task.changed', { session }),
      result: (session, tool) => notify('tool.reported', { session, tool }),
      streamed: (bytes) => this.#streamed.get(run)?.forEach((listener) => listener(bytes)),
      problem: (message) => problem?.(message),
      leaving: (gone) => void this.#shrinking.add(gone.finally(() => this.#shrinking.delete(gone)))
    }
  }

  /** The folder was removed. */
  #forget(run: string): void {
    this.#own.delete(run)
    this.#others.forget(run)
    this.#options.notify('run.removed', { run })
  }

  async #files(run: string): Promise<RunFiles> {
    return this.#own.get(run)?.files ?? (await this.#keptRun(run)).files
  }

  async #found(run: string): Promise<LiveRun> {
    await this.#keptRun(run)
    const other = await this.#others.get(run)
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

function bytesOf(folders: readonly RunFolder[]): number {
  return folders.reduce((sum, { bytes }) => sum + bytes, 0)
}

function busy(agent: AgentId): HostError {
  const { title } = agentPrograms[agent]
  return new HostError('busy', `A run of ${title} with this session is active. Wait until it ends, or stop it.`)
}
