import type { AgentEvent } from '#core/events/agent-event.ts'
import { RunFindings } from '#core/findings/run-findings.ts'
import type { RunIndex } from '#core/index/run-index.ts'
import { forkState } from '#core/state/fork-state.ts'
import { HostError } from '#contract/host-error.ts'
import type { RunFindings as Answer } from '#contract/methods.ts'

/** Time limit of one answer, as the thread also serves the timeline. */
const sliceMs = 25
/** Rows between two clock reads. */
const someRows = 500

type ReadEvent = (shown: RunIndex, row: number) => Promise<AgentEvent | null>

/**
 * Tells the findings of a log in steps, from its columns and from the lines of calls and results, which are read again.
 * Steps continue where they stopped, and what they found is kept. Unsettled rows are looked at in a copy.
 */
export class LogFindings {
  readonly #read: ReadEvent
  readonly #settled = new RunFindings()
  /** Of `shown` beyond the settled rows. */
  #copy: { readonly shown: RunIndex; readonly findings: RunFindings } | null = null
  /** Serializes answers, so lines are read once. */
  #last: Promise<unknown> = Promise.resolve()

  /** `read`: reads a row's event again. */
  constructor(read: ReadEvent) {
    this.#read = read
  }

  /** `settled`: the final part of `shown`; the same if nothing can be retracted. */
  async goOn(shown: RunIndex, settled: RunIndex): Promise<Answer> {
    const answer = this.#last.then(async () => await this.#goOn(shown, settled))
    this.#last = answer.catch(() => null)
    return await answer
  }

  async #goOn(shown: RunIndex, settled: RunIndex): Promise<Answer> {
    const end = Math.min(settled.rows.rows, shown.rows.rows)
    const until = performance.now() + sliceMs
    let problem = await addRows(this.#settled, shown, end, this.#read, until)
    if (shown === settled || this.#settled.rows < end) return answerOf(this.#settled, shown, problem)
    // A copy of an older state lacks what was settled since.
    if (this.#copy?.shown !== shown) this.#copy = { shown, findings: forkState(this.#settled) }
    problem = await addRows(this.#copy.findings, shown, shown.rows.rows, this.#read, until)
    return answerOf(this.#copy.findings, shown, problem)
  }
}

/** Adds rows up to `end`, or until a time. Returns why a line could not be read, for people; else null. */
export async function addRows(
  findings: RunFindings,
  shown: RunIndex,
  end: number,
  read: ReadEvent,
  until = Infinity
): Promise<string | null> {
  while (findings.rows < end) {
    const isRead = findings.needsEvent(shown)
    if ((isRead || findings.rows % someRows === 0) && performance.now() >= until) return null
    try {
      findings.add(shown, isRead ? await read(shown, findings.rows) : null)
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      return error.message
    }
  }
  return null
}

function answerOf(findings: RunFindings, { rows }: RunIndex, problem: string | null): Answer {
  const { list, further } = findings.all
  return {
    read: findings.rows,
    rows: rows.rows,
    problem,
    findings: list.map(({ rule, text, short, events, more }) => ({
      rule,
      text,
      short,
      rows: events.map((seq) => rows.rowOf(seq)),
      more
    })),
    further: Object.fromEntries(further)
  }
}
