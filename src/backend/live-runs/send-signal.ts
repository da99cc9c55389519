/**
 * Sends a signal to a process, or with a negative number to a group. `gone`: there is none. `refused`: it is another person's, and cannot be
 * ended from here.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(pid, signal)
    return 'sent'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'refused' : 'gone'
  }
}
