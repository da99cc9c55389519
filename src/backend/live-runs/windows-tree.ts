import { spawn } from 'node:child_process'
import { sendSignal } from './send-signal.ts'

/**
 * Ends a process on Windows, and of what it started that whose parents are alive. Without `force` it only asks, which programs that have no
 * window do not hear: Windows has no interrupt that one process could send to another.
 */
export function endTree(pid: number, force: boolean): void {
  const child = spawn('taskkill', ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])], {
    stdio: 'ignore',
    windowsHide: true
  })
  // It is a part of Windows. Where it cannot be started, the agent itself is ended all the same.
  child.on('error', () => {
    if (force) sendSignal(pid, 'SIGKILL')
  })
}
