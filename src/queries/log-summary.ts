import type { RunIndex } from '#core/index/run-index.ts'
import type { JsonObject } from '#core/json.ts'
import { forkState } from '#core/state/fork-state.ts'
import { RunCounts } from '#core/summary/run-counts.ts'
import { ChangedFiles } from '#core/tools/changed-files.ts'
import { HostError } from '#contract/host-error.ts'
import type { RunSummary } from '#contract/methods.ts'

/** So long one answer counts rows, and reads calls: the same thread draws the timeline. */
const countingMs = 25
const readingMs = 25
/** Rows between two looks at the clock. */
const someRows = 5000
/** Files that are told apart, as in the library's cards; and those that one answer lists. */
const maxFiles = 5000
const maxListed = 500

/**
 * Counts a run for its summary, a little with each answer, and goes on where it stopped: by the columns of its index, but for the files that
 * calls changed, for which every call is read again. What may be taken back is counted apart, by a copy.
 */
export class LogSummary {
  readonly #inputOf: (shown: RunIndex, row: number) => Promise<JsonObject | null>
  readonly #counts = new RunCounts()
  readonly #files: CountedFiles = { changed: new ChangedFiles(maxFiles), rows: 0, problem: null }
  /** Two that ask at once would read the same calls. */
  #last: Promise<unknown> = Promise.resolve()

  /** `inputOf`: of the call in a row, read again; null where the row is none. */
  constructor(inputOf: (shown: RunIndex, row: number) => Promise<JsonObject | null>) {
    this.#inputOf = inputOf
  }

  /** `settled`: what stays of what is shown; the same where nothing will be taken back. */
  async goOn(shown: RunIndex, settled: RunIndex): Promise<RunSummary> {
    const answer = this.#last.then(() => this.#goOn(shown, settled))
    this.#last = answer.catch(() => null)
    return await answer
  }

  async #goOn(shown: RunIndex, settled: RunIndex): Promise<RunSummary> {
    const end = Math.min(settled.rows.rows, shown.rows.rows)
    const until = performance.now() + countingMs
    while (this.#counts.rows < end && performance.now() < until) {
      this.#counts.count(shown.rows, Math.min(end, this.#counts.rows + someRows))
    }
    await this.#readCalls(shown, this.#files, this.#counts.rows)
    if (shown === settled || this.#counts.rows < end) return this.#answer(shown, this.#counts, this.#files)
    const counts = forkState(this.#counts)
    counts.count(shown.rows, shown.rows.rows)
    const files = forkState(this.#files)
    if (files.rows === end) await this.#readCalls(shown, files, shown.rows.rows)
    return this.#answer(shown, counts, files)
  }

  async #readCalls(shown: RunIndex, files: CountedFiles, end: number): Promise<void> {
    files.problem = null
    const until = performance.now() + readingMs
    for (; files.rows < end; files.rows++) {
      const isCall = shown.rows.isCall(files.rows)
      if ((isCall || files.rows % someRows === 0) && performance.now() >= until) return
      if (!isCall) continue
      try {
        files.changed.call((await this.#inputOf(shown, files.rows)) ?? {})
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        files.problem = error.message
        return
      }
    }
  }

  #answer(shown: RunIndex, counts: RunCounts, { changed, rows, problem }: CountedFiles): RunSummary {
    const { todos, cost } = shown
    const list = todos.indexAt(Infinity)
    const progress = list < 0 ? null : todos.progress(list, 1)
    const completed = new Uint16Array(progress?.completed ?? new ArrayBuffer(0))[0]
    const total = new Uint16Array(progress?.total ?? new ArrayBuffer(0))[0]
    const most = [...changed.byPath].toSorted(
      ([, a], [, b]) => b.added + b.deleted - a.added - a.deleted || b.calls - a.calls
    )
    return {
      counted: counts.rows,
      rows: shown.rows.rows,
      turns: counts.turns,
      begin: counts.begin,
      time: counts.times,
      calls: { ...counts.all, byTool: [...counts.byTool] },
      subagents: shown.rows.tracks.flatMap((_, track) => (track === 0 ? [] : [{ track, ...counts.track(track) }])),
      longest: [...counts.longest],
      files: {
        counted: rows,
        changed: most.slice(0, maxListed).map(([path, file]) => ({ path, ...file })),
        total: changed.byPath.size,
        more: changed.further > 0,
        problem
      },
      todos: completed === undefined || total === undefined || total === 0 ? null : { completed, total },
      costUsd: cost.usd
    }
  }
}

/** The files that calls changed, of so many rows. */
interface CountedFiles {
  readonly changed: ChangedFiles
  rows: number
  problem: string | null
}
