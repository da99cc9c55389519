import { setTimeout as pause } from 'node:timers/promises'
import type { ProcessRow } from './process-table.ts'
import type { RunProcesses } from './run-processes.ts'
import { sendSignal } from './send-signal.ts'

/** Whatever is about to end by itself may. */
const settleMs = 200
const shortestPauseMs = 5
const longestPauseMs = 200
/** What was killed so long ago and is still there waits for a device, and runs no more: the system ends it when that answers. */
const patienceMs = 10_000

/**
 * Ends all processes of a run: those that do not end by themselves at once are asked to terminate, and after `terminateMs` killed, until
 * none is left. Gives how many there were to be asked. `hurry`,
 * once aborted: they are killed at once. What belongs to another person (a program that became root) cannot be ended, and is not waited for.
 */
export async function endProcesses(
  processes: RunProcesses,
  terminateMs: number,
  hurry: AbortSignal = new AbortController().signal
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
  if (await noneLeft(left, settleMs, () => false, hurry)) return 0
  if (!(await noneLeft(left, terminateMs, terminate, hurry))) await noneLeft(left, patienceMs, kill)
  return Math.max(0, atFirst - refused.size)
}

/**
 * Looks again and again, and does `act` with those that are left; where that gives true, the time begins anew. False: some are left after so
 * many ms, or `hurry` is aborted.
 */
async function noneLeft(
  left: () => ProcessRow[],
  ms: number,
  act: (rows: readonly ProcessRow[]) => boolean,
  hurry?: AbortSignal
): Promise<boolean> {
  let until = performance.now() + ms
  let looksWithout = 0
  for (let wait = shortestPauseMs; ; wait = Math.min(wait * 2, longestPauseMs)) {
    const rows = look(left)
    looksWithout = rows?.length === 0 ? looksWithout + 1 : 0
    // One that starts another and ends while the list is read is in it neither way, so one look without any is not enough.
    if (looksWithout === 2) return true
    if (rows === null || act(rows)) until = performance.now() + ms
    if (looksWithout === 0 && (hurry?.aborted || performance.now() >= until)) return false
    await pause(rows?.length === 0 ? shortestPauseMs : wait)
  }
}

/** null: the system has no room to be asked just now (too many open files). */
function look(left: () => ProcessRow[]): ProcessRow[] | null {
  try {
    return left()
  } catch {
    return null
  }
}
