import { spawn } from 'node:child_process'
import { sendSignal } from './send-signal.ts'

/** Ends a process on Windows with descendants whose parents are alive. Without `force` it only asks, which programs without a window ignore. */
export function endTree(pid: number, force: boolean): void {
  const child = spawn('taskkill', ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])], {
    stdio: 'ignore',
    windowsHide: true
  })
  // If taskkill cannot be started, the agent itself is ended.
  child.on('error', () => {
    if (force) sendSignal(pid, 'SIGKILL')
  })
}
