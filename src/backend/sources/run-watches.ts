import { type Fresh, LogWatch } from './log-watch.ts'
import type { Run } from './run.ts'
import { RunWatch } from './run-watch.ts'

/** What has become of a run. */
export interface RunSight {
  /** As in `Sight`, of the main file. */
  readonly state: 'there' | 'gone' | 'unreadable'
  readonly fresh: Fresh | null
  /** Its other files are no longer those that were found, or what was read of one is no longer its beginning. */
  readonly differs: boolean
  /** One of its files is being written anew: nothing should be read on until that is done. */
  readonly changing: boolean
}

/** A file beside the main one is looked at less often where the system does not tell of changes: there may be hundreds. */
const pollBeside = 2000

/** Watches all that an open run consists of. */
export class RunWatches {
  readonly #run: Run
  readonly #main: LogWatch
  readonly #others: readonly LogWatch[]
  readonly #files: RunWatch
  /** Those of the files beside that should be looked at, by their numbers in the run. */
  readonly #stirred = new Set<number>()
  /** Those that are being written anew, by their numbers. */
  readonly #changing = new Set<number>()
  #filesStirred = false
  #differs = false

  /** Calls `onStir` when the run should be looked at. */
  constructor(run: Run, onStir: () => void) {
    this.#run = run
    this.#main = new LogWatch(run.main.source, onStir)
    this.#others = run.files.slice(1).map(({ source }, i) => {
      const stir = (): void => {
        this.#stirred.add(i + 1)
        onStir()
      }
      return new LogWatch(source, stir, { pollMs: pollBeside })
    })
    this.#files = new RunWatch(run, () => {
      this.#filesStirred = true
      onStir()
    })
  }

  /** The next look is at every file, also where nothing was heard of one. */
  lookAtAll(): void {
    this.#others.forEach((_, i) => this.#stirred.add(i + 1))
    this.#filesStirred = true
  }

  /** Never rejects. */
  async look(): Promise<RunSight> {
    const { state, fresh, changing } = await this.#main.look(this.#run.main.bytesRead)
    for (const number of this.#stirred) {
      this.#stirred.delete(number)
      const sight = await this.#others[number - 1]?.look(this.#run.files[number]?.bytesRead ?? 0)
      if (sight && sight.fresh !== null) this.#differs = true
      if (sight?.changing) this.#changing.add(number)
      else this.#changing.delete(number)
    }
    if (this.#filesStirred) {
      this.#filesStirred = false
      if (await this.#files.look()) this.#differs = true
    }
    return { state, fresh, differs: this.#differs, changing: changing || this.#changing.size > 0 }
  }

  /** Whether the run, read anew, would be one of another format or of more files. Never rejects. */
  async isAnother(): Promise<boolean> {
    return await this.#files.look()
  }

  close(): void {
    this.#main.close()
    for (const watch of this.#others) watch.close()
    this.#files.close()
  }
}
