import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { HostError } from '#contract/host-error.ts'
import type { ProcessIdentity } from './run-processes.ts'
import { looksPerSecond, watchdogScript } from './watchdog-script.ts'

/** Somebody who ends it again and again means it. */
const maxStarts = 5
/** It ends at once when it is told to. */
const patienceMs = 1000

/**
 * A small process that ends what is left of a live run if Playhead dies, in whatever way. It is in a session of its own, ignores what terminals
 * and people send, has nothing open but a pipe from here, and does not keep this process alive. If it is ended itself, another takes its place. There is none
 * on Windows.
 */
export class Watchdog {
  readonly #run: string
  readonly #terminateMs: number
  #child: ChildProcess | null = null
  #starting: Promise<void> = Promise.resolve()
  #agent: ProcessIdentity | null = null
  #known = ''
  #starts = 0
  #dismissed = false

  private constructor(run: string, terminateMs: number) {
    this.#run = run
    this.#terminateMs = terminateMs
  }

  /** Before the agent is started. `terminateMs`: how long what is left may take to end before it is killed. Throws a `HostError`. */
  static async start(run: string, terminateMs: number): Promise<Watchdog> {
    const watchdog = new Watchdog(run, terminateMs)
    if (process.platform === 'win32') return watchdog
    try {
      await watchdog.#start()
    } catch (error) {
      watchdog.#dismissed = true
      throw new HostError(
        'unavailable',
        `The agent was not started, because its watchdog failed: ${error instanceof Error ? error.message : String(error)}. Close logs or stop runs, and start again.`
      )
    }
    return watchdog
  }

  /** null: none is running. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** The agent runs: from now on it is known also by its number. */
  watch(agent: ProcessIdentity): void {
    this.#agent = agent
    this.#tell()
  }

  /** What was found of the run: some of it might not be found any more when it is looked for. */
  know(processes: readonly ProcessIdentity[]): void {
    const known = processes.map(({ pid, started }) => `${pid}:${started}`).join(' ')
    if (process.platform !== 'linux' || known === this.#known) return
    this.#known = known
    // One that does not read is told less, not more and more.
    if (this.#child?.stdin?.writableLength === 0) this.#child.stdin.write(`known ${known}\n`)
  }

  /** Nothing is left of the run. Resolves when the watchdog has ended. */
  async dismiss(): Promise<void> {
    this.#dismissed = true
    await this.#starting
    if (this.#child === null) return
    const child = this.#child
    const closed = once(child, 'close')
    child.ref()
    child.stdin?.end('done\n')
    // Somebody may have stopped it in its tracks.
    const kill = setTimeout(() => child.kill('SIGKILL'), patienceMs)
    await closed
    clearTimeout(kill)
  }

  async #start(): Promise<void> {
    this.#starts++
    const looks = Math.ceil((this.#terminateMs / 1000) * looksPerSecond)
    const lister = process.platform === 'linux' ? 'proc' : 'ps'
    const child = spawn('/bin/sh', ['-c', watchdogScript, 'playhead-watchdog', this.#run, String(looks), lister], {
      cwd: '/',
      detached: true,
      // Nothing of the run's own: by that its processes are found. The system's programs, not what a person has put before them.
      env: { PATH: `/usr/bin:/bin:${process.env['PATH'] ?? ''}`, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['pipe', 'ignore', 'ignore']
    })
    // Writing to one that was ended says no more than its end does.
    child.stdin?.on('error', () => {})
    child.once('close', () => this.#ended())
    child.unref()
    if (child.stdin instanceof Socket) child.stdin.unref()
    this.#child = child
    this.#tell()
    try {
      await once(child, 'spawn')
    } catch (error) {
      this.#child = null
      throw error
    }
  }

  #tell(): void {
    if (!this.#agent) return
    const { pid, started } = this.#agent
    const isTold = process.platform === 'linux' && started > 0
    this.#child?.stdin?.write(isTold ? `agent ${pid} ${started}\nknown ${this.#known}\n` : `agent ${pid}\n`)
  }

  #ended(): void {
    this.#child = null
    if (!this.#dismissed && this.#starts < maxStarts) this.#starting = this.#start().catch(() => {})
  }
}
