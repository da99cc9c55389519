import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { HostError } from '#contract/host-error.ts'
import { endProcesses } from './end-processes.ts'
import { type ProcessRow, processRow } from './process-table.ts'
import { startText } from './process-start.ts'
import { RecordingFiles } from './recording-files.ts'
import { type ProcessIdentity, RunProcesses, runVariable } from './run-processes.ts'
import { sendSignal } from './send-signal.ts'
import { checkFolder, checkProgram, checkRoom, startFailure } from './start-failure.ts'
import { Watchdog } from './watchdog.ts'
import { endTree } from './windows-tree.ts'

const shortestLookMs = 1000

export interface ProcessStart {
  /** The live run's id; stands in the environment of all that the agent starts. */
  readonly run: string
  /** The file of a program; no shell sees it. */
  readonly command: string
  readonly arguments: readonly string[]
  readonly cwd: string
  /** All of it: nothing of Playhead's own is added but the run's id. */
  readonly environment: Readonly<Record<string, string>>
  /** A file that it reads as standard input. */
  readonly stdin: string
  /** Files that it writes to, which must not be there yet. */
  readonly stdout: string
  readonly stderr: string
  /** After an interrupt, and after being asked to terminate, it has so long. */
  readonly grace: { readonly interruptMs: number; readonly terminateMs: number }
}

export interface ProcessEnd {
  /** null where a signal ended it. */
  readonly exitCode: number | null
  readonly signal: string | null
  /** Processes that it had started and that did not end with it: they were ended after it. */
  readonly leftBehind: number
  /** Why its recording may not all be on the disk, the system's code; null: it is. */
  readonly notSaved: string | null
}

/**
 * An agent that runs, in a session of its own, with what it starts. It writes its recording itself. However it ends, or Playhead does, all that it
 * started is ended after it; `RunProcesses` says what can be found.
 *
 * On Windows it is asked to end and then ended with those of its tree whose parents are alive. What it leaves behind when it ends by itself stays
 * there, and so does all of it when Playhead is killed: nothing there outlives Playhead, and no process can be told from a later one of its number.
 */
export class AgentProcess {
  readonly pid: number
  /** By which `endLeftovers` tells it from a later process of the same number. */
  readonly startTime: string
  /** When nothing of it is left, and its recording is on the disk. Never rejects. */
  readonly ended: Promise<ProcessEnd>
  readonly #child: ChildProcess
  readonly #files: RecordingFiles
  readonly #watchdog: Watchdog
  readonly #processes: RunProcesses
  readonly #grace: ProcessStart['grace']
  readonly #exited: Promise<unknown>
  /** Aborted: nothing has its grace any more. */
  readonly #hurry = new AbortController()
  #looking: NodeJS.Timeout | undefined
  #lookMs = 0
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
    this.#exited = once(child, 'exit')
    this.ended = this.#untilNothingIsLeft()
    this.#lookAgain()
  }

  /** Starts an agent. Throws a `HostError` that says why it cannot be and what to do; then nothing is left of it, nor of its files. */
  static async start(start: ProcessStart): Promise<AgentProcess> {
    await checkFolder(start.cwd)
    await checkProgram(start.command)
    const files = await RecordingFiles.open(start)
    let watchdog: Watchdog | null = null
    try {
      checkRoom()
      watchdog = await Watchdog.start(start.run, start.grace.terminateMs)
      const child = spawnAgent(start, files)
      // Without one it tells an error, at once.
      if (child.pid === undefined) throw (await once(child, 'error'))[0]
      const agent = new AgentProcess(start, child, child.pid, files, watchdog)
      await files.handedOver()
      return agent
    } catch (error) {
      await watchdog?.dismiss()
      await files.discard()
      throw error instanceof HostError ? error : await startFailure(start.command, error)
    }
  }

  /** Interrupts it, asks it to terminate, kills it: each after the one before had its grace. `ended` tells the rest. */
  stop(): void {
    if (this.#stopping || this.#hasExited) return
    this.#stopping = true
    void this.#stop()
  }

  /** As `stop`, without waiting for anything: also where it was asked to end before. */
  kill(): void {
    this.#hurry.abort()
    this.stop()
  }

  /** Whether nobody can write to its recording any more, though it runs. On Linux; elsewhere never known, so false. */
  get hasClosedOutput(): boolean {
    if (process.platform !== 'linux' || this.#hasExited) return false
    // Nobody who has it not can come to have it.
    this.#outputIsClosed ||= !this.#files.isWrittenBy(this.pid) && !this.#isWrittenByAny()
    return this.#outputIsClosed
  }

  get #hasExited(): boolean {
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
    // What is found now is known also when it loses its parent by the signal.
    this.#look()
    this.#signalGroup('SIGINT')
    if (await this.#exitsWithin(this.#grace.interruptMs)) return
    this.#signalAll('SIGTERM')
    if (await this.#exitsWithin(this.#grace.terminateMs)) return
    this.#signalAll('SIGKILL')
  }

  async #untilNothingIsLeft(): Promise<ProcessEnd> {
    await this.#exited
    clearTimeout(this.#looking)
    const leftBehind = await endProcesses(this.#processes, this.#grace.terminateMs, this.#hurry.signal)
    const notSaved = await this.#files.finish()
    await this.#watchdog.dismiss()
    return { exitCode: this.#child.exitCode, signal: this.#child.signalCode, leftBehind, notSaved }
  }

  /** Its number is its own, and its group's, as long as it has not been collected. */
  #signalGroup(signal: NodeJS.Signals): void {
    if (this.#hasExited) return
    if (process.platform === 'win32') endTree(this.pid, signal === 'SIGKILL')
    else sendSignal(-this.pid, signal)
  }

  /** Its group at once, so that nothing in it starts anything meanwhile; others one by one. */
  #signalAll(signal: NodeJS.Signals): void {
    const others = this.#look().filter(({ group }) => group !== this.pid)
    this.#signalGroup(signal)
    for (const { pid } of others) sendSignal(pid, signal)
  }

  /** What was found once is known when it has lost its parent, also if the agent dies of itself. Takes a two-hundredth of the time at most. */
  #lookAgain(): void {
    this.#looking = setTimeout(
      () => {
        const began = performance.now()
        this.#watchdog.know(this.#look())
        this.#lookMs = performance.now() - began
        this.#lookAgain()
      },
      Math.max(shortestLookMs, this.#lookMs * 200)
    )
    this.#looking.unref()
  }

  #look(): readonly ProcessRow[] {
    try {
      return this.#processes.find()
    } catch {
      return []
    }
  }

  async #exitsWithin(ms: number): Promise<boolean> {
    const timer = new AbortController()
    const signal = AbortSignal.any([timer.signal, this.#hurry.signal])
    const late = pause(ms, false, { signal }).catch(() => false)
    const exited = await Promise.race([this.#exited.then(() => true), late])
    timer.abort()
    return exited
  }
}

/** Of a process that was just started. It is listed also where it has ended already: it is not collected before this turn of the event loop is over. */
function identityOf(pid: number): ProcessIdentity {
  try {
    return { pid, started: processRow(pid)?.started ?? 0 }
  } catch {
    return { pid, started: 0 }
  }
}

function spawnAgent(start: ProcessStart, files: RecordingFiles): ChildProcess {
  return spawn(start.command, start.arguments, {
    cwd: start.cwd,
    // A session of its own: no terminal's signals reach it, and a group that it can be stopped by.
    detached: process.platform !== 'win32',
    env: { ...start.environment, [runVariable]: start.run },
    stdio: files.descriptors,
    windowsHide: true
  })
}
