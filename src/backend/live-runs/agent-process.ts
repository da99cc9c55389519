import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { HostError } from '#contract/host-error.ts'
import { endProcesses } from './end-processes.ts'
import { type ProcessRow, processRow } from './process-table.ts'
import { startText } from './process-start.ts'
import { RecordingFiles } from './recording-files.ts'
import { type KnownProcess, RunProcesses, runVariable } from './run-processes.ts'
import { sendSignal } from './send-signal.ts'
import { checkFolder, checkProgram, checkRoom, startFailure } from './start-failure.ts'
import { Watchdog } from './watchdog.ts'

const minScanIntervalMs = 1000

export interface ProcessStart {
  /** The id of the live run, which all processes inherit in their environment. */
  readonly run: string
  /** The program's file; it is started without a shell. */
  readonly command: string
  readonly arguments: readonly string[]
  readonly cwd: string
  /** The complete environment; only the run's id is added. */
  readonly environment: Readonly<Record<string, string>>
  /** The file for standard input; null: a pipe, for `write`. */
  readonly stdin: string | null
  /** Output files, which must not exist yet. */
  readonly stdout: string
  readonly stderr: string
  /** Waits after an interrupt and after a terminate signal. */
  readonly grace: { readonly interruptMs: number; readonly terminateMs: number }
}

export interface ProcessEnd {
  /** Null: ended by a signal. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** Descendants that outlived the agent and were ended. */
  readonly leftBehind: number
  /** The system's error code if the recording may not be on the disk; null: it is. */
  readonly notSaved: string | null
}

/**
 * A running agent in its own process session, which writes its recording. When it or Playhead ends, all descendants that
 * `RunProcesses` finds are ended. On Windows only those with living parents, and none after Playhead was killed, as an id
 * may belong to a later process.
 */
export class AgentProcess {
  readonly pid: number
  /** Distinguishes it from a later process with the same id, for `endLeftovers`. */
  readonly startTime: string
  /** Resolves when no process is left and the recording is on the disk. Never rejects. */
  readonly ended: Promise<ProcessEnd>
  readonly #child: ChildProcess
  readonly #files: RecordingFiles
  readonly #watchdog: Watchdog
  readonly #processes: RunProcesses
  readonly #grace: ProcessStart['grace']
  readonly #exited: Promise<unknown>
  /** Aborted: all waits end. */
  readonly #killNow = new AbortController()
  #scanTimer: NodeJS.Timeout | undefined
  #scanMs = 0
  #stopping = false
  #outputIsClosed = false

  private constructor(
    start: ProcessStart,
    child: ChildProcess,
    pid: number,
    files: RecordingFiles,
    watchdog: Watchdog
  ) {
    const identity = identityOf(pid)
    this.pid = pid
    this.startTime = identity.started === 0 ? '' : startText(identity.started)
    this.#child = child
    this.#files = files
    this.#watchdog = watchdog
    this.#grace = start.grace
    this.#processes = new RunProcesses(start.run, identity)
    watchdog.watch(identity)
    // The agent closed it or ended; its end is seen elsewhere.
    child.stdin?.on('error', () => {})
    this.#exited = once(child, 'exit')
    this.ended = this.#untilNothingIsLeft()
    this.#scanLater()
  }

  /** Starts an agent. Throws a `HostError` for the user; then no process and no file is left. */
  static async start(start: ProcessStart): Promise<AgentProcess> {
    await checkFolder(start.cwd)
    await checkProgram(start.command)
    const files = await RecordingFiles.open(start)
    let watchdog: Watchdog | null = null
    try {
      checkRoom()
      watchdog = await Watchdog.start(start.run, start.grace.terminateMs)
      const child = spawnAgent(start, files)
      // A child without a pid emits an error at once.
      if (child.pid === undefined) throw (await once(child, 'error'))[0]
      const agent = new AgentProcess(start, child, child.pid, files, watchdog)
      await files.closeInput()
      return agent
    } catch (error) {
      await watchdog?.dismiss()
      await files.discard()
      throw error instanceof HostError ? error : await startFailure(start.command, error)
    }
  }

  /** Text for standard input, if it is a pipe. Ignored after its end. */
  write(text: string): void {
    if (this.#child.stdin?.writable === true) this.#child.stdin.write(text)
  }

  /** Bytes that the agent has not read yet. */
  get unreadBytes(): number {
    return this.#child.stdin?.writableLength ?? 0
  }

  /** The end of standard input, after all that was written. */
  closeInput(): void {
    this.#child.stdin?.end()
  }

  /** Sends interrupt, terminate and kill, with the waits between. `ended` reports the result. */
  stop(): void {
    if (this.#stopping || this.hasExited) return
    this.#stopping = true
    void this.#stop()
  }

  /** Kills at once, also after `stop`. */
  kill(): void {
    this.#killNow.abort()
    this.stop()
  }

  /** Whether no process can write to the recording any more while the agent runs. Known on Linux only, else false. */
  get hasClosedOutput(): boolean {
    if (process.platform !== 'linux' || this.hasExited) return false
    // A closed descriptor cannot be opened again.
    this.#outputIsClosed ||= !this.#files.isWrittenBy(this.pid) && !this.#isWrittenByAny()
    return this.#outputIsClosed
  }

  get hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  #isWrittenByAny(): boolean {
    try {
      return this.#processes.find().some(({ pid }) => this.#files.isWrittenBy(pid))
    } catch {
      return true
    }
  }

  async #stop(): Promise<void> {
    // A process found before the signal stays known when its parent ends.
    this.#scan()
    this.#signalGroup('SIGINT')
    if (await this.#exitsWithin(this.#grace.interruptMs)) return
    this.#signalAll('SIGTERM')
    if (await this.#exitsWithin(this.#grace.terminateMs)) return
    this.#signalAll('SIGKILL')
  }

  async #untilNothingIsLeft(): Promise<ProcessEnd> {
    await this.#exited
    this.#child.stdin?.destroy()
    clearTimeout(this.#scanTimer)
    const leftBehind = await endProcesses(this.#processes, this.#grace.terminateMs, this.#killNow.signal)
    const notSaved = await this.#files.finish()
    await this.#watchdog.dismiss()
    return { exitCode: this.#child.exitCode, signal: this.#child.signalCode, leftBehind, notSaved }
  }

  /** The id stays the agent's until it is reaped. */
  #signalGroup(signal: NodeJS.Signals): void {
    if (this.hasExited) return
    if (process.platform === 'win32') endTree(this.pid, signal === 'SIGKILL')
    else sendSignal(-this.pid, signal)
  }

  /** The group first, in one call, so that its members cannot start others; then the rest. */
  #signalAll(signal: NodeJS.Signals): void {
    const others = this.#scan().filter(({ group }) => group !== this.pid)
    this.#signalGroup(signal)
    for (const { pid } of others) sendSignal(pid, signal)
  }

  /** Scans regularly, so that processes stay known when their parents end. Takes 1/200 of the time at most. */
  #scanLater(): void {
    this.#scanTimer = setTimeout(
      () => {
        const began = performance.now()
        this.#watchdog.setKnown(this.#scan())
        this.#scanMs = performance.now() - began
        this.#scanLater()
      },
      Math.max(minScanIntervalMs, this.#scanMs * 200)
    )
    this.#scanTimer.unref()
  }

  #scan(): readonly ProcessRow[] {
    try {
      return this.#processes.find()
    } catch {
      return []
    }
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    const timer = new AbortController()
    const signal = AbortSignal.any([timer.signal, this.#killNow.signal])
    const late = pause(ms, false, { signal }).catch(() => false)
    const exited = await Promise.race([this.#exited.then(() => true), late])
    timer.abort()
    return exited
  }
}

/** Of a new child. It is listed even if it has ended, as Node reaps it in a later turn of the event loop. */
function identityOf(pid: number): KnownProcess {
  try {
    return { pid, started: processRow(pid)?.started ?? 0 }
  } catch {
    return { pid, started: 0 }
  }
}

function spawnAgent(start: ProcessStart, files: RecordingFiles): ChildProcess {
  return spawn(start.command, start.arguments, {
    cwd: start.cwd,
    // A process session and group of its own: terminal signals do not reach it, and the group can be signalled.
    detached: process.platform !== 'win32',
    env: { ...start.environment, [runVariable]: start.run },
    stdio: files.descriptors,
    windowsHide: true
  })
}

/** Ends a Windows process with descendants of living parents. Without `force`, programs without a window ignore it. */
function endTree(pid: number, force: boolean): void {
  const child = spawn('taskkill', ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])], {
    stdio: 'ignore',
    windowsHide: true
  })
  // If taskkill cannot be started, the agent itself is ended.
  child.on('error', () => {
    if (force) sendSignal(pid, 'SIGKILL')
  })
}
