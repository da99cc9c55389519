import { processIds, type ProcessRow, processTable } from './process-table.ts'
import { readProc } from './read-proc.ts'

/** The environment variable with the run's id, inherited by all descendants of the agent. */
export const runVariable = 'PLAYHEAD_RUN'

/** Limits repeated scans on a machine that always starts processes. */
const maxScans = 10

/** A process and its start time (0: unknown), as its id may be reused. */
export interface KnownProcess {
  readonly pid: number
  readonly started: number
}

/**
 * Finds the agent of a live run and its descendants: processes that were found before, that share the process session or are
 * children of one, or, on Linux, that have the run's id in their environment. Missed are those that clear their environment,
 * leave their session and lose their parent between two scans; outside Linux those that leave their group and lose their
 * parent. On Windows none is found: `taskkill` ends the agent's tree.
 */
export class RunProcesses {
  readonly #run: string
  readonly #agent: KnownProcess | null
  /** Start time by id. */
  readonly #known = new Map<number, number>()

  /** `agent`: alive, or just ended; null: unknown. */
  constructor(run: string, agent: KnownProcess | null) {
    this.#run = run
    this.#agent = agent
    if (agent) this.#known.set(agent.pid, agent.started)
  }

  /** The living processes. A process that ends during a scan hides its child, so scans repeat. Throws with too many open files. */
  find(): ProcessRow[] {
    for (let scan = 1; ; scan++) {
      const rows = processTable()
      const found = this.#among(rows)
      if (found.length > 0 || scan === maxScans) return found
      const listed = new Set(rows.map(({ pid }) => pid))
      if (processIds().every((pid) => listed.has(pid))) return found
    }
  }

  #among(all: readonly ProcessRow[]): ProcessRow[] {
    const rows = all.filter(({ pid, ended }) => !ended && pid > 1 && pid !== process.pid)
    const earliest = this.#agent?.started ?? 0
    const own = this.#ownSession(rows)
    const found = new Set(
      rows.filter(({ pid, session, started }) => this.#known.get(pid) === started || session === own)
    )
    for (const row of rows) if (!found.has(row) && row.started >= earliest && this.#hasTag(row.pid)) found.add(row)
    const children = groupBy(rows, ({ parent }) => parent)
    const together = groupBy(rows, ({ session }) => session)
    // Iteration includes elements that are added meanwhile.
    for (const row of found) {
      for (const child of children.get(row.pid) ?? []) found.add(child)
      if (row.session > 0) for (const other of together.get(row.session) ?? []) found.add(other)
    }
    this.#known.clear()
    for (const { pid, started } of found) this.#known.set(pid, started)
    return [...found]
  }

  /** The agent's process session; null: its id was reused. */
  #ownSession(rows: readonly ProcessRow[]): number | null {
    if (this.#agent === null) return null
    const { pid, started } = this.#agent
    const isOthers = started !== 0 && rows.some((row) => row.pid === pid && row.started !== started)
    return isOthers ? null : pid
  }

  #hasTag(pid: number): boolean {
    if (process.platform !== 'linux') return false
    const variables = readProc(`/proc/${pid}/environ`)
    return variables !== null && `\0${variables}`.includes(`\0${runVariable}=${this.#run}\0`)
  }
}

function groupBy(rows: readonly ProcessRow[], key: (row: ProcessRow) => number): Map<number, ProcessRow[]> {
  const groups = new Map<number, ProcessRow[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}
