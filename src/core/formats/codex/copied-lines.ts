import { textHash } from '../text-hash.ts'
import type { RolloutDecoded } from './rollout-decoded.ts'

/**
 * Lines that stand in the log a second time: the history of the parent, which the rollout of a forked subagent begins with, and
 * response items written again (formats.md 7.9).
 */
export class CopiedLines {
  /** In which file a turn or a session was met first; null for the main one. */
  private readonly owners = new Map<string, string | null>()
  /** By id of a response item: what the last one of that id says. */
  private readonly items = new Map<string, number>()
  /** Files that are telling another file's story. */
  private readonly replaying = new Set<string>()
  private readonly isRun: boolean

  /** `isRun`: there are several files. */
  constructor(isRun: boolean) {
    this.isRun = isRun
  }

  /** Whether a line was there before. `first`: it is the first of its file. */
  isCopy(file: string | undefined, first: boolean, { turnId, itemId, itemHash, steps }: RolloutDecoded): boolean {
    if (this.isRun) {
      const [step] = steps
      if (turnId !== undefined) this.follow(file, turnId, true)
      else if (step?.kind === 'session' && step.id !== undefined) this.follow(file, step.id, first)
    }
    if (itemId !== undefined) {
      const hash = itemHash + (turnId === undefined ? 0 : textHash(turnId))
      if (this.items.get(itemId) === hash) return true
      this.items.set(itemId, hash)
    }
    return file !== undefined && this.replaying.has(file)
  }

  /** `own`: where nobody has the turn or session yet, it is this file's own. */
  private follow(file: string | undefined, id: string, own: boolean): void {
    const owner = this.owners.get(id)
    if (owner === undefined && own) this.owners.set(id, file ?? null)
    if (file === undefined) return
    if (owner !== undefined && owner !== file) this.replaying.add(file)
    else if (owner !== undefined || own) this.replaying.delete(file)
  }
}
