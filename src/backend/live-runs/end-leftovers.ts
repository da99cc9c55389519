import { endProcesses } from './end-processes.ts'
import { processRow } from './process-table.ts'
import { processStart } from './process-start.ts'
import { RunProcesses } from './run-processes.ts'

const graceMs = 3000

/**
 * Ends the remaining processes of a run whose Playhead and watchdog have died: the agent, if its `AgentProcess.startTime` still matches,
 * and all others that can be found. Returns how many there were; on Windows 0, as a process id alone identifies nothing.
 */
export async function endLeftovers(run: string, pid: number, startTime: string): Promise<number> {
  const row = processStart(pid) === startTime ? processRow(pid) : null
  return await endProcesses(new RunProcesses(run, row), graceMs)
}
