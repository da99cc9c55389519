/** Signals a process, or a group by a negative id. `refused`: it belongs to another user. */
export function sendSignal(pid: number, signal: NodeJS.Signals): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(pid, signal)
    return 'sent'
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'refused' : 'gone'
  }
}
