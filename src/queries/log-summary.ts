import type { AgentEvent } from '#core/events/agent-event.ts'
import { EqualFailures } from '#core/index/equal-failures.ts'
import { failureLine } from '#core/index/failed-call.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import type { RunIndex } from '#core/index/run-index.ts'
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
/** Files that are told apart, as in the library's cards; those that one answer lists, and as many failures. */
const maxFiles = 5000
const maxListed = 500

const failedKind = rowKinds.indexOf('tool-error')

/**
 * Counts a run for its summary, a little with each answer, and goes on where it stopped: by the columns of its index, but for the files that
 * calls changed and what failed calls say, for which every call and every failed result is read again. What may be taken back is counted
 * apart, by a copy.
 */
export class LogSummary {
  readonly #eventOf: (shown: RunIndex, row: number) => Promise<AgentEvent | null>
  readonly #counts = new RunCounts()
  readonly #read: ReadRows = {
    changed: new ChangedFiles(maxFiles),
    failures: new EqualFailures(maxListed),
    rows: 0,
    problem: null
  }
  /** Two that ask at once would read the same calls. */
  #last: Promise<unknown> = Promise.resolve()

  /** `eventOf`: of a row, read again. */
  constructor(eventOf: (shown: RunIndex, row: number) => Promise<AgentEvent | null>) {
    this.#eventOf = eventOf
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
    await this.#readOn(shown, this.#read, this.#counts.rows)
    if (shown === settled || this.#counts.rows < end) return this.#answer(shown, this.#counts, this.#read)
    const counts = forkState(this.#counts)
    counts.count(shown.rows, shown.rows.rows)
    const read = forkState(this.#read)
    if (read.rows === end) await this.#readOn(shown, read, shown.rows.rows)
    return this.#answer(shown, counts, read)
  }

  async #readOn(shown: RunIndex, read: ReadRows, end: number): Promise<void> {
    read.problem = null
    const until = performance.now() + readingMs
    for (; read.rows < end; read.rows++) {
      const isWanted = shown.rows.isCall(read.rows) || isFailure(shown, read.rows)
      if ((isWanted || read.rows % someRows === 0) && performance.now() >= until) return
      if (!isWanted) continue
      try {
        addRow(read, shown, await this.#eventOf(shown, read.rows))
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        read.problem = error.message
        return
      }
    }
  }

  #answer(shown: RunIndex, counts: RunCounts, { changed, failures, rows, problem }: ReadRows): RunSummary {
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
      read: rows,
      problem,
      failures: {
        groups: failures.mostFirst.map(({ first, count }) => ({ ...first, count })),
        further: failures.further
      },
      files: {
        changed: most.slice(0, maxListed).map(([path, file]) => ({ path, ...file })),
        total: changed.byPath.size,
        more: changed.further > 0
      },
      todos: completed === undefined || total === undefined || total === 0 ? null : { completed, total },
      costUsd: cost.usd
    }
  }
}

/** What calls and failed results tell themselves, of so many rows. */
interface ReadRows {
  readonly changed: ChangedFiles
  readonly failures: EqualFailures<Omit<RunSummary['failures']['groups'][number], 'count'>>
  rows: number
  problem: string | null
}

function isFailure({ rows }: RunIndex, row: number): boolean {
  return rows.kindAt(row) === failedKind && rows.isFirstResult(row)
}

function addRow({ rows: row, changed, failures }: ReadRows, { rows }: RunIndex, event: AgentEvent | null): void {
  if (event?.type === 'tool.started') changed.call(event.input)
  if (event?.type === 'tool.completed') failures.add({ tool: rows.toolAt(row) ?? '', text: failureLine(event), row })
}
