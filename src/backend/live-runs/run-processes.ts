import { processIds, type ProcessRow, processTable } from './process-table.ts'
import { readProc } from './read-proc.ts'

/** In the environment of an agent, and so of all that it starts: by which run. */
export const runVariable = 'PLAYHEAD_RUN'

/** A machine on which something always begins is not looked at for ever. */
const maxLooks = 10

/** A process, and when it began (0: not known): its number may be another's later. */
export interface ProcessIdentity {
  readonly pid: number
  readonly started: number
}

/**
 * Finds the processes of one live run: the agent, and whatever it started, directly or not.
 *
 * A process belongs to a run if it was found to once; if it is in a session of one that does (the agent has one of its own, which no process
 * can come to from outside); if one that does started it; and on Linux if the run's id stands in its environment, which is inherited, also by a
 * process that leaves its session and whose parent has ended. Not found is what drops its environment, leaves its session and loses its
 * parent, all between two looks; elsewhere than on Linux, what leaves its group and loses its parent. On Windows none is
 * found: `taskkill` ends an agent with those of its tree whose parents are alive.
 */
export class RunProcesses {
  readonly #run: string
  readonly #agent: ProcessIdentity | null
  /** When each that was found began, by its number. */
  readonly #known = new Map<number, number>()

  /** `agent`: one that is alive, or ended a moment ago; null: not known. */
  constructor(run: string, agent: ProcessIdentity | null) {
    this.#run = run
    this.#agent = agent
    if (agent) this.#known.set(agent.pid, agent.started)
  }

  /**
   * Those that are alive now, the agent included. Throws where the system has no room to be asked (too many open files).
   *
   * A look takes time: of a process that ends meanwhile the one that it started just before may not be in the list. So where none is found, but
   * others are there than were listed, it looks again.
   */
  find(): ProcessRow[] {
    for (let look = 1; ; look++) {
      const rows = processTable()
      const found = this.#among(rows)
      if (found.length > 0 || look === maxLooks) return found
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
    // What is added to the set on the way is visited too.
    for (const row of found) {
      for (const child of children.get(row.pid) ?? []) found.add(child)
      if (row.session > 0) for (const other of together.get(row.session) ?? []) found.add(other)
    }
    this.#known.clear()
    for (const { pid, started } of found) this.#known.set(pid, started)
    return [...found]
  }

  /** The agent's; null: its number is another's by now. */
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
