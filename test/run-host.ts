import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Backend, createBackend, type HandlersOptions } from '#backend/handlers.ts'
import { createWorker } from '#backend/indexer/create-worker.ts'
import { type AgentId, LiveRun, type RunRequest } from '#contract/live-runs.ts'
import { type Handlers, LogStatus } from '#contract/methods.ts'
import type { LogMethod } from '#queries/log-answers.ts'

/** A host that starts agents, in this process, with a state folder of its own. */
export class RunHost {
  readonly state: string
  /** What it said of logs and of runs, in order. */
  readonly statuses: LogStatus[] = []
  readonly runs: LiveRun[] = []
  readonly #backend: Backend
  #listeners: (() => void)[] = []
  #starting: Promise<unknown> = Promise.resolve()

  constructor(options: Partial<HandlersOptions> = {}) {
    this.state = options.state ?? mkdtempSync(join(tmpdir(), 'playhead-runs-'))
    this.#backend = createBackend({
      createWorker,
      facts: { host: 'browser', version: '1.2.3', sample: null, drops: null, hook: null },
      state: this.state,
      notify: (name, payload) => {
        if (name === 'log.progress') this.statuses.push(LogStatus.parse(payload))
        else if (name === 'run.changed') this.runs.push(LiveRun.parse(payload))
        else return
        for (const listener of this.#listeners.splice(0)) listener()
      },
      ...options
    })
  }

  get handlers(): Handlers {
    return this.#backend.handlers
  }

  /** Starts an agent as a person does; `command` is the program that is started as it. */
  async start(agent: AgentId, command: string, over: Partial<RunRequest> = {}): Promise<LiveRun> {
    const asked = { agent, prompt: 'Count the sheep.', cwd: this.state, model: null, mode: null, ...over }
    const request = { extraArguments: [], timeLimitMs: null, resumes: null, ...asked }
    // What is set is set for all.
    const started = this.#starting.then(async () => {
      await this.handlers['agent.setCommand']({ agent, command })
      return await this.handlers['run.start']({ request, confirmed: true })
    })
    this.#starting = started.catch(() => {})
    return await started
  }

  /** The first that is said, from now or before, of a log that is as wanted. */
  async log(log: string, wanted: (status: LogStatus) => boolean): Promise<LogStatus> {
    return await this.#until(() => this.statuses.findLast((one) => one.log === log), wanted)
  }

  /** The same of a run. */
  async run(run: string, wanted: (run: LiveRun) => boolean): Promise<LiveRun> {
    return await this.#until(() => this.runs.findLast((one) => one.run === run), wanted)
  }

  /** The run once nothing of it is left. */
  async ended(run: string): Promise<LiveRun> {
    return await this.run(run, ({ endedAt }) => endedAt !== null)
  }

  /** The stream of a run, as far as it goes. */
  async stream(run: string): Promise<string> {
    const stream = (await this.#backend.runs?.stream(run))?.open()
    const bytes = await stream?.read(Buffer.alloc(await stream.size()), 0)
    await stream?.close()
    return bytes?.toString() ?? ''
  }

  async close(): Promise<void> {
    await this.#backend.close()
    rmSync(this.state, { recursive: true, force: true })
  }

  async #until<T>(last: () => T | undefined, wanted: (one: T) => boolean): Promise<T> {
    for (;;) {
      const one = last()
      if (one !== undefined && wanted(one)) return one
      await new Promise<void>((resolve) => this.#listeners.push(resolve))
    }
  }
}

/** All that a page can ask of a log. */
export async function contentOf(
  handlers: Pick<Handlers, LogMethod>,
  { log, rows, todoSnapshots }: LogStatus
): Promise<object> {
  const columns = await handlers['log.columns']({ log, from: 0, count: 100_000 })
  const events: unknown[] = []
  for (let row = 0; row < rows; row++) events.push(await handlers['log.event']({ log, row, limit: 1000 }))
  const { issues } = await handlers['log.issues']({ log, from: 0, count: 1000 })
  const todos = todoSnapshots === 0 ? [] : await handlers['log.todos']({ log, from: 0, count: todoSnapshots })
  const numbers = Object.entries(columns).map(([name, value]) => [
    name,
    value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : value
  ])
  return { columns: Object.fromEntries(numbers) as object, events, issues, todos }
}
