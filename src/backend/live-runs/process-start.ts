import { readFileSync } from 'node:fs'
import { processRow } from './process-table.ts'

/** Identifies a process with its id across restarts. Null: no such process. Empty on Windows. */
export function processStart(pid: number): string | null {
  if (process.platform === 'win32') return isAlive(pid) ? '' : null
  const row = processRow(pid)
  return row === null || row.ended ? null : startText(row.started)
}

/** `processStart` for a start time of the process table. */
export function startText(started: number): string {
  return process.platform === 'linux' ? `${machineStart()}/${started}` : String(started)
}

/** Linux counts from boot, so a start time may repeat after a reboot. */
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
