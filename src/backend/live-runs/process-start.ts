import { readFileSync } from 'node:fs'
import { processRow } from './process-table.ts'

/**
 * When a living process began, in a form that tells it from any other that had or will have the same number, also after a restart
 * of the machine. null: there is no such process. Windows does not say when: there all living processes of a number are alike.
 */
export function processStart(pid: number): string | null {
  if (process.platform === 'win32') return isAlive(pid) ? '' : null
  const row = processRow(pid)
  return row === null || row.ended ? null : startText(row.started)
}

/** What `processStart` says of a process that began at that time of the process table. */
export function startText(started: number): string {
  return process.platform === 'linux' ? `${machineStart()}/${started}` : String(started)
}

/** Linux counts from the start of the machine, so the same time may come again. */
function machineStart(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8)
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
