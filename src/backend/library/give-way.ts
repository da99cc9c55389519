import { readlinkSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * Gives this thread a low priority, so that whatever a person looks at comes first. Not the lowest: beside eight busy threads on two cores
 * that has 0.4 % of the time, and a start of Node alone takes minutes; this has 3 %. False: not possible. Only Linux has a priority for each
 * thread (`setpriority` takes the id of one, and `/proc/thread-self` names it); elsewhere it is that of the whole process.
 */
export function giveWay(): boolean {
  if (process.platform !== 'linux') return false
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
    return getPriority(thread) === constants.priority.PRIORITY_BELOW_NORMAL
  } catch {
    return false
  }
}
