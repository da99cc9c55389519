import { setTimeout as pause } from 'node:timers/promises'
import type { ProcessRow } from './process-table.ts'
import type { RunProcesses } from './run-processes.ts'
import { sendSignal } from './send-signal.ts'

/** Processes that are about to end get this time. */
const settleMs = 200
const minPauseMs = 5
const maxPauseMs = 200
/** A process that survives a kill this long waits for a device; the system ends it later. */
const killWaitMs = 10_000

/** Terminates the processes of a run and kills them after `terminateMs`. Returns their number. Other users' are skipped. */
export async function endProcesses(
  processes: RunProcesses,
  terminateMs: number,
  killNow: AbortSignal = new AbortController().signal
): Promise<number> {
  const refused = new Set<number>()
  const asked = new Set<number>()
  let atFirst = 0
  const send = (rows: readonly ProcessRow[], signal: NodeJS.Signals): void => {
    for (const { pid } of rows) {
      if (sendSignal(pid, signal) === 'refused') refused.add(pid)
    }
  }
  const left = (): ProcessRow[] => processes.find().filter(({ pid }) => !refused.has(pid))
  const terminate = (rows: readonly ProcessRow[]): boolean => {
    atFirst ||= rows.length
    send(
      rows.filter(({ pid }) => !asked.has(pid)),
      'SIGTERM'
    )
    for (const { pid } of rows) asked.add(pid)
    return false
  }
  const killed = new Set<number>()
  const kill = (rows: readonly ProcessRow[]): boolean => {
    const isAnyNew = rows.some(({ pid }) => !killed.has(pid))
    for (const { pid } of rows) killed.add(pid)
    send(rows, 'SIGKILL')
    return isAnyNew
  }
  if (await noneLeft(left, settleMs, () => false, killNow)) return 0
  if (!(await noneLeft(left, terminateMs, terminate, killNow))) await noneLeft(left, killWaitMs, kill)
  return Math.max(0, atFirst - refused.size)
}

/** Polls and calls `act` with the remaining processes; true restarts the wait. False: timeout, or `killNow`. */
async function noneLeft(
  left: () => ProcessRow[],
  ms: number,
  act: (rows: readonly ProcessRow[]) => boolean,
  killNow?: AbortSignal
): Promise<boolean> {
  let until = performance.now() + ms
  let emptyScans = 0
  for (let wait = minPauseMs; ; wait = Math.min(wait * 2, maxPauseMs)) {
    const rows = look(left)
    emptyScans = rows?.length === 0 ? emptyScans + 1 : 0
    // A process that forks and exits during a scan may be missed with its child, so two empty scans are required.
    if (emptyScans === 2) return true
    if (rows === null || act(rows)) until = performance.now() + ms
    if (emptyScans === 0 && (killNow?.aborted || performance.now() >= until)) return false
    await pause(rows?.length === 0 ? minPauseMs : wait)
  }
}

/** Null: the processes cannot be listed now (too many open files). */
function look(left: () => ProcessRow[]): ProcessRow[] | null {
  try {
    return left()
  } catch {
    return null
  }
}
