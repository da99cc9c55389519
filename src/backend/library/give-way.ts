import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * Gives this thread a low priority, so that whatever a person looks at comes first. Not the lowest: beside eight busy threads on two cores
 * that has 0.4 % of the time, and a start of Node alone takes minutes; this has 3 %. Only Linux has a priority for each thread (`setpriority`
 * takes the id of one, and `/proc/thread-self` names it). Elsewhere it is that of the whole process, so nothing happens.
 */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It is not permitted, for example in a container.
  }
}
