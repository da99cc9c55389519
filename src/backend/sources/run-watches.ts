import { type Reset, LogWatch } from './log-watch.ts'
import type { Run } from './run.ts'
import { RunWatch } from './run-watch.ts'

/** The state of a session's files. */
export interface RunState {
  /** Of the main file, see `FileState`. */
  readonly state: 'there' | 'gone' | 'unreadable'
  readonly reset: Reset | null
  /** The other files have changed: new ones, another identity, or a reset. */
  readonly differs: boolean
  /** A file is being rewritten: read nothing until it is done. */
  readonly changing: boolean
}

/** There may be hundreds of other files, so they are polled less often. */
const otherPollMs = 2000

/** Watches all files of an open session. */
export class RunWatches {
  readonly #run: Run
  readonly #main: LogWatch
  readonly #others: readonly LogWatch[]
  readonly #files: RunWatch
  /** Indexes of other files to check. */
  readonly #changed = new Set<number>()
  /** Indexes of files that are being rewritten. */
  readonly #changing = new Set<number>()
  #filesChanged = false
  #differs = false

  /** Calls `onChange` when `look` should be called. */
  constructor(run: Run, onChange: () => void) {
    this.#run = run
    this.#main = new LogWatch(run.main.source, onChange)
    this.#others = run.files.slice(1).map(({ source }, i) => {
      const changed = (): void => {
        this.#changed.add(i + 1)
        onChange()
      }
      return new LogWatch(source, changed, { pollMs: otherPollMs })
    })
    this.#files = new RunWatch(run, () => {
      this.#filesChanged = true
      onChange()
    })
  }

  /** The next `look` checks every file. */
  lookAtAll(): void {
    this.#others.forEach((_, i) => this.#changed.add(i + 1))
    this.#filesChanged = true
  }

  /** Never rejects. */
  async look(): Promise<RunState> {
    const { state, reset, changing } = await this.#main.look(this.#run.main.bytesRead)
    for (const number of this.#changed) {
      this.#changed.delete(number)
      const other = await this.#others[number - 1]?.look(this.#run.files[number]?.bytesRead ?? 0)
      if (other && other.reset !== null) this.#differs = true
      if (other?.changing) this.#changing.add(number)
      else this.#changing.delete(number)
    }
    if (this.#filesChanged) {
      this.#filesChanged = false
      if (await this.#files.look()) this.#differs = true
    }
    return { state, reset, differs: this.#differs, changing: changing || this.#changing.size > 0 }
  }

  /** Whether the session would be read with another format or more files. Never rejects. */
  async isAnother(): Promise<boolean> {
    return await this.#files.look()
  }

  close(): void {
    this.#main.close()
    for (const watch of this.#others) watch.close()
    this.#files.close()
  }
}
