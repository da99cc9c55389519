import { setTimeout as pause } from 'node:timers/promises'
import type { ProcessRow } from './process-table.ts'
import type { RunProcesses } from './run-processes.ts'
import { sendSignal } from './send-signal.ts'

/** Whatever is about to end by itself may. */
const settleMs = 200
const shortestPauseMs = 5
const longestPauseMs = 200
/** What was killed and does not end waits for a device; the system ends it when that answers. */
const patienceMs = 10_000

/**
 * Ends all processes of a run: those that do not end by themselves at once are asked to terminate, and after `terminateMs` killed, until
 * none is left. Gives how many were asked. What belongs to another person (a program that became root) cannot be ended, and is not waited for.
 */
export async function endProcesses(processes: RunProcesses, terminateMs: number): Promise<number> {
  const refused = new Set<number>()
  const asked = new Set<number>()
  const left = (): ProcessRow[] => processes.find().filter(({ pid }) => !refused.has(pid))
  const send = (signal: NodeJS.Signals) => (rows: readonly ProcessRow[]) => {
    for (const { pid } of rows) {
      asked.add(pid)
      if (sendSignal(pid, signal) === 'refused') refused.add(pid)
    }
  }
  const terminated = new Set<number>()
  const terminate = (rows: readonly ProcessRow[]): void => {
    send('SIGTERM')(rows.filter(({ pid }) => !terminated.has(pid)))
    for (const { pid } of rows) terminated.add(pid)
  }
  if (await noneLeft(left, settleMs, () => {})) return asked.size - refused.size
  if (!(await noneLeft(left, terminateMs, terminate))) await noneLeft(left, patienceMs, send('SIGKILL'))
  return asked.size - refused.size
}

/** Looks again and again, and does `act` with those that are left. false: some still are, after so many ms. */
async function noneLeft(
  left: () => ProcessRow[],
  ms: number,
  act: (rows: readonly ProcessRow[]) => void
): Promise<boolean> {
  const until = performance.now() + ms
  let looksWithout = 0
  for (let wait = shortestPauseMs; ; wait = Math.min(wait * 2, longestPauseMs)) {
    const rows = look(left)
    if (rows?.length === 0) looksWithout++
    else looksWithout = 0
    // One that starts another and ends while the list is read is in it neither way, so one look without any is not enough.
    if (looksWithout === 2) return true
    if (rows) act(rows)
    if (performance.now() >= until) return false
    await pause(looksWithout > 0 ? shortestPauseMs : wait)
  }
}

/** null: the system has no room to be asked just now. */
function look(left: () => ProcessRow[]): ProcessRow[] | null {
  try {
    return left()
  } catch {
    return null
  }
}
