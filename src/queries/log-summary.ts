import type { AgentEvent } from '#core/events/agent-event.ts'
import type { RecordedDiff } from '#core/formats/record-facts.ts'
import { EqualFailures } from '#core/index/equal-failures.ts'
import { failureLine } from '#core/index/failed-call.ts'
import { rowKinds } from '#core/index/row-kind.ts'
import type { EventIndex } from '#core/index/event-index.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { forkState } from '#core/state/fork-state.ts'
import { RunCounts } from '#core/summary/run-counts.ts'
import { ChangedFiles } from '#core/tools/changed-files.ts'
import { HostError } from '#contract/host-error.ts'
import type { RunSummary } from '#contract/methods.ts'

/** Time limit of one answer, as the thread also serves the timeline. */
const countingMs = 25
const readingMs = 25
/** Rows between two clock reads. */
const someRows = 5000
/** Limits: distinct files, as in the library's cards; files and failures in one answer. */
const maxFiles = 5000
const maxListed = 500

const failedKind = rowKinds.indexOf('tool-error')
const sessionKind = rowKinds.indexOf('session')

/** Counts a run in steps from its columns; changed files and failures need lines. Unsettled rows are counted in a copy. */
export class LogSummary {
  readonly #read: (shown: RunIndex, row: number) => Promise<ReadRow>
  readonly #counts = new RunCounts()
  readonly #facts: RowFactsRead = {
    changed: new ChangedFiles(maxFiles),
    failures: new EqualFailures(maxListed),
    rows: 0,
    problem: null
  }
  /** Serializes answers, so calls are read once. */
  #last: Promise<unknown> = Promise.resolve()

  /** `read`: reads a row again. */
  constructor(read: (shown: RunIndex, row: number) => Promise<ReadRow>) {
    this.#read = read
  }

  /** `settled`: the final part of `shown`; the same if nothing can be retracted. */
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
    await this.#readOn(shown, this.#facts, this.#counts.rows)
    if (shown === settled || this.#counts.rows < end) return this.#answer(shown, this.#counts, this.#facts)
    const counts = forkState(this.#counts)
    counts.count(shown.rows, shown.rows.rows)
    const facts = forkState(this.#facts)
    if (facts.rows === end) await this.#readOn(shown, facts, shown.rows.rows)
    return this.#answer(shown, counts, facts)
  }

  async #readOn(shown: RunIndex, facts: RowFactsRead, end: number): Promise<void> {
    facts.problem = null
    const until = performance.now() + readingMs
    for (; facts.rows < end; facts.rows++) {
      const isWanted = needsReading(facts, shown, facts.rows)
      if ((isWanted || facts.rows % someRows === 0) && performance.now() >= until) return
      if (!isWanted) continue
      try {
        addRow(facts, shown, await this.#read(shown, facts.rows))
      } catch (error) {
        if (!(error instanceof HostError)) throw error
        facts.problem = error.message
        return
      }
    }
  }

  #answer(shown: RunIndex, counts: RunCounts, { changed, failures, rows, problem }: RowFactsRead): RunSummary {
    const { todos, requests } = shown
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
      costUsd: requests.runCostUsd
    }
  }
}

/** A row read again: its event or null, and its record's diffs. */
interface ReadRow {
  readonly event: AgentEvent | null
  readonly diffs: readonly RecordedDiff[]
}

/** Facts from calls and results of the first rows. Calls are identified by row. */
interface RowFactsRead {
  readonly changed: ChangedFiles
  readonly failures: EqualFailures<Omit<RunSummary['failures']['groups'][number], 'count'>>
  rows: number
  problem: string | null
}

function needsReading({ changed }: RowFactsRead, { rows }: RunIndex, row: number): boolean {
  const isStart = changed.folder === null && rows.kindAt(row) === sessionKind
  return isStart || rows.isCall(row) || isFailure(rows, row) || changed.awaits(rows.callOf(row))
}

function isFailure(index: EventIndex, row: number): boolean {
  return index.kindAt(row) === failedKind && index.isFirstResult(row)
}

function addRow({ rows: row, changed, failures }: RowFactsRead, { rows }: RunIndex, { event, diffs }: ReadRow): void {
  if (event?.type === 'session.started' && event.trackId === undefined) changed.folder ??= event.cwd ?? null
  if (event?.type === 'tool.started') changed.call(row, event.input)
  if (event?.type !== 'tool.completed') return
  const call = rows.callOf(row)
  changed.answered(call, isFailure(rows, row), diffs)
  if (isFailure(rows, row)) failures.add({ tool: rows.toolAt(row) ?? '', text: failureLine(event), row })
}
