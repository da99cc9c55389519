import { endProcesses } from './end-processes.ts'
import { processRow } from './process-table.ts'
import { processStart } from './process-start.ts'
import { RunProcesses } from './run-processes.ts'

const graceMs = 3000

/**
 * Ends what is left of a live run whose Playhead is gone, its watchdog with it: the agent, if a process of that number began at `startTime`
 * (`AgentProcess.startTime`), and all that can be found of the run without it. Gives how many there were. On Windows nothing: a number alone does not
 * say whose it is.
 */
export async function endLeftovers(run: string, pid: number, startTime: string): Promise<number> {
  const row = processStart(pid) === startTime ? processRow(pid) : null
  return await endProcesses(new RunProcesses(run, row), graceMs)
}
