import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { HostError, messageOf } from '#contract/host-error.ts'
import type { KnownProcess } from './run-processes.ts'
import { pollsPerSecond, watchdogScript } from './watchdog-script.ts'

/** A watchdog that is ended this often is not started again. */
const maxStarts = 5
/** It exits at once after "done". */
const exitWaitMs = 1000

/** A process in its own session that ends a live run's processes if Playhead dies. It is restarted. Not on Windows. */
export class Watchdog {
  readonly #run: string
  readonly #terminateMs: number
  #child: ChildProcess | null = null
  #starting: Promise<void> = Promise.resolve()
  #agent: KnownProcess | null = null
  #known = ''
  #starts = 0
  #dismissed = false

  private constructor(run: string, terminateMs: number) {
    this.#run = run
    this.#terminateMs = terminateMs
  }

  /** Starts before the agent. `terminateMs`: the wait before remaining processes are killed. Throws a `HostError`. */
  static async start(run: string, terminateMs: number): Promise<Watchdog> {
    const watchdog = new Watchdog(run, terminateMs)
    if (process.platform === 'win32') return watchdog
    try {
      await watchdog.#start()
    } catch (error) {
      watchdog.#dismissed = true
      throw new HostError(
        'unavailable',
        `The agent was not started, because its watchdog failed: ${messageOf(error)}. Close logs or stop runs, and start again.`
      )
    }
    return watchdog
  }

  /** Null: not running. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** The agent has started, so its id is known. */
  watch(agent: KnownProcess): void {
    this.#agent = agent
    this.#sendAgent()
  }

  /** Passes on found processes, which may be unreachable later. */
  setKnown(processes: readonly KnownProcess[]): void {
    const known = processes.map(({ pid, started }) => `${pid}:${started}`).join(' ')
    if (process.platform !== 'linux' || known === this.#known) return
    this.#known = known
    // Skipped while the watchdog does not read, so that the pipe does not fill.
    if (this.#child?.stdin?.writableLength === 0) this.#child.stdin.write(`known ${known}\n`)
  }

  /** No process is left. Resolves when the watchdog has exited. */
  async dismiss(): Promise<void> {
    this.#dismissed = true
    await this.#starting
    if (this.#child === null) return
    const child = this.#child
    const closed = once(child, 'close')
    child.ref()
    child.stdin?.end('done\n')
    // It may be stopped by a signal.
    const kill = setTimeout(() => child.kill('SIGKILL'), exitWaitMs)
    await closed
    clearTimeout(kill)
  }

  async #start(): Promise<void> {
    this.#starts++
    const polls = Math.ceil((this.#terminateMs / 1000) * pollsPerSecond)
    const lister = process.platform === 'linux' ? 'proc' : 'ps'
    const child = spawn('/bin/sh', ['-c', watchdogScript, 'playhead-watchdog', this.#run, String(polls), lister], {
      cwd: '/',
      detached: true,
      // Without the run's variable, which marks its processes. System programs come first on PATH.
      env: { PATH: `/usr/bin:/bin:${process.env['PATH'] ?? ''}`, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['pipe', 'ignore', 'ignore']
    })
    // A write error; the close event follows.
    child.stdin?.on('error', () => {})
    child.once('close', () => this.#ended())
    child.unref()
    if (child.stdin instanceof Socket) child.stdin.unref()
    this.#child = child
    this.#sendAgent()
    try {
      await once(child, 'spawn')
    } catch (error) {
      this.#child = null
      throw error
    }
  }

  #sendAgent(): void {
    if (!this.#agent) return
    const { pid, started } = this.#agent
    const hasStart = process.platform === 'linux' && started > 0
    this.#child?.stdin?.write(hasStart ? `agent ${pid} ${started}\nknown ${this.#known}\n` : `agent ${pid}\n`)
  }

  #ended(): void {
    this.#child = null
    if (!this.#dismissed && this.#starts < maxStarts) this.#starting = this.#start().catch(() => {})
  }
}
